#!/usr/bin/env python3
"""Compares `throng measure` with PedPy (pip install pedpy) on recordings: each measure that both have, to 1e-6 relative.

  pedpy_compare.py THRONG own          on a recording made here: a corridor with a pillar and a bend
  pedpy_compare.py THRONG data FOLDER  on recordings of real people, where the folder has them (THRONG_DATA;
                                       Juelich data archive, doi:10.34735/ped.2009.6, doi:10.34735/ped.2018.1)

What is left out, and why: frames in which nobody is in an area have no speed (PedPy: 0); a way across a line in
somebody's last frame counts (PedPy leaves it out); people who are ever outside of the walkable area."""
import os, subprocess, sys, tempfile, warnings

import numpy as np
import pandas as pd

warnings.simplefilter("ignore")
import pedpy
import shapely

TOLERANCE = 1e-6
STEP, CUT_OFF, BLOCK = 5, 0.8, 100


def load(path):
    fps, rows = None, []
    for line in open(path):
        if line.startswith("# framerate:"):
            fps = float(line.split(":")[1].split()[0])
        elif line[0] != "#" and line.strip():
            rows.append(line.split()[:4])
    table = pd.DataFrame(np.array(rows, float), columns=["id", "frame", "x", "y"])
    return fps, table.astype({"id": int, "frame": int})


def check(name, ours, theirs, failures):
    """Two series by the same index; those of ours that are not known may be anything."""
    both = pd.concat([ours.rename("a"), theirs.rename("b")], axis=1)
    unknown = both.a.isna().sum()
    both = both.dropna()
    error = (np.abs(both.a - both.b) / np.maximum(np.abs(both.b), 1e-3)).max() if len(both) else np.nan
    good = len(both) > 0 and error < TOLERANCE
    print("  %-22s %8d values, %5d not known, largest relative difference %.1e  %s" % (name, len(both), unknown, error, "" if good else "DIFFERS"))
    if not good:
        failures.append(name)


def compare(throng, path, walkable, area, line, cut_off):
    failures = []
    fps, table = load(path)
    place = pedpy.WalkableArea(walkable)
    inside = shapely.contains_xy(place.polygon, table.x.values, table.y.values)
    if not inside.all():
        outside = table.id[~inside].unique()
        print("  %d of %d people are outside of the walkable area at times and left out" % (len(outside), table.id.nunique()))
        table = table[~table.id.isin(outside)]
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "in.txt")
        with open(source, "w") as f:
            f.write("# framerate: %g\n# id frame x/m y/m\n" % fps)
            table.to_csv(f, sep=" ", header=False, index=False, float_format="%.6f")
        text = lambda points: ",".join("%r,%r" % tuple(p) for p in points)
        subprocess.run([throng, "measure", source, "--walkable", shapely.from_wkt(walkable).wkt, "--area", "m=" + text(area), "--line", "l=" + text(line), "--frame-step", str(STEP), "--border", "single", "--block", str(BLOCK), "--csv", folder + "/out", "--json", folder + "/out.json", "--quiet"] + (["--cut-off", str(cut_off)] if cut_off else []), check=True)
        people, areas, lines, crossed = (pd.read_csv("%s/out-%s.csv" % (folder, name)) for name in ("people", "areas", "lines", "crossings"))
        figures = pd.read_json(folder + "/out.json", typ="series")
    offset = table.frame.min() - people.frame.min()
    for frames in (people, areas, lines, crossed):
        frames["frame"] += offset
    by_row = people.set_index(["id", "frame"]).sort_index()
    data = pedpy.TrajectoryData(table, frame_rate=fps)
    M, L = pedpy.MeasurementArea(area), pedpy.MeasurementLine(line)

    rows = lambda frame, column: frame.set_index(["id", "frame"])[column].sort_index()
    speed = pedpy.compute_individual_speed(traj_data=data, frame_step=STEP, compute_velocity=True, speed_calculation=pedpy.SpeedCalculation.BORDER_SINGLE_SIDED)
    check("individual speed", by_row.speed, rows(speed, "speed"), failures)
    check("acceleration", by_row.acceleration, rows(pedpy.compute_individual_acceleration(traj_data=data, frame_step=STEP), "acceleration"), failures)
    cells = pedpy.compute_individual_voronoi_polygons(traj_data=data, walkable_area=place, cut_off=pedpy.Cutoff(radius=cut_off) if cut_off else None)
    check("individual density", by_row.voronoi_density, rows(cells, "density"), failures)

    by_frame = areas.set_index("frame")
    check("classic density", by_frame.classic_density, pedpy.compute_classic_density(traj_data=data, measurement_area=M).set_index("frame").density, failures)
    density, shares = pedpy.compute_voronoi_density(individual_voronoi_data=cells, measurement_area=M)
    check("Voronoi density", by_frame.voronoi_density, density.set_index("frame").density, failures)
    mean = pedpy.compute_mean_speed_per_frame(traj_data=data, individual_speed=speed, measurement_area=M)
    check("mean speed", by_frame.mean_speed, mean.set_index("frame").speed, failures)
    voronoi = pedpy.compute_voronoi_speed(traj_data=data, individual_speed=speed, individual_voronoi_intersection=shares, measurement_area=M)
    check("Voronoi speed", by_frame.voronoi_speed, voronoi.set_index("frame").speed, failures)

    nt, crossing = pedpy.compute_n_t(traj_data=data, measurement_line=L)
    last = table.groupby("id").frame.max()
    ours = crossed[crossed.frame < crossed.id.map(last)]
    check("crossing frames", ours.set_index("id").frame.sort_index(), crossing.set_index("id").frame.sort_index(), failures)
    if len(ours) == len(crossed):
        check("N(t)", lines.set_index("frame").passed, nt.set_index("frame").cumulative_pedestrians, failures)
        flow = pedpy.compute_flow(nt=nt, crossing_frames=crossing, individual_speed=speed, delta_frame=BLOCK, frame_rate=fps)
        blocks = pd.DataFrame(figures["lines"][0]["blocks"])
        check("flow in blocks", blocks.flow, flow.flow, failures)
        check("speed in blocks", blocks.mean_speed, flow.mean_speed, failures)
    species = pedpy.compute_species(trajectory_data=data, individual_voronoi_polygons=cells, measurement_line=L, frame_step=STEP)
    parts = dict(individual_voronoi_polygons=cells, measurement_line=L, species=species)
    at_line = lines.set_index("frame")
    check("line density", at_line.line_density, pedpy.compute_line_density(**parts).set_index("frame").density.sort_index(), failures)
    check("line speed", at_line.line_speed, pedpy.compute_line_speed(individual_speed=speed, **parts).set_index("frame").speed.sort_index(), failures)
    check("line flow", at_line.line_flow, pedpy.compute_line_flow(individual_speed=speed, **parts).set_index("frame").flow.sort_index(), failures)
    return failures


def own(path):
    """People who walk through a corridor with a pillar and around its bend."""
    rng = np.random.default_rng(4)
    with open(path, "w") as f:
        f.write("# framerate: 10\n# id frame x/m y/m\n")
        for who in range(40):
            phase, lane, begin = rng.uniform(0, 6), rng.uniform(0.2, 0.9) + rng.choice([0, 2]), rng.integers(0, 60)
            for k in range(90):
                s = 0.3 + 0.11 * k
                x, y = (s, lane) if s < 6 + lane else (6 + lane, lane + s - 6 - lane)
                y += 0.05 * np.sin(phase + k / 3)
                if y < 6:
                    f.write("%d %d %.4f %.4f\n" % (who + 1, begin + k, x, y))
    return path


OWN = ("POLYGON ((0 0, 9.2 0, 9.2 6.2, 6.2 6.2, 6.2 3.2, 0 3.2, 0 0), (3.6 1.1, 4.4 1.1, 4.4 1.9, 3.6 1.9, 3.6 1.1))", [(1, 0), (3, 0), (3, 3.2), (1, 3.2)], [(2.0, 0.0), (2.0, 3.2)])
UO = ("POLYGON ((2.8 -6.5, 2.8 -4, 1.8 -4, 1.8 4, 2.8 4, 2.8 8, -1 8, -1 4, 0 4, 0 -4, -1 -4, -1 -6.5, 2.8 -6.5))", [(0, -2), (0, 0), (1.8, 0), (1.8, -2)], [(0, 0), (1.8, 0)])
WUPPERTAL = ("POLYGON ((3.5 -2, 3.5 8, -3.5 8, -3.5 -2, 3.5 -2), (-0.7 -1.1, -0.25 -1.1, -0.25 -0.15, -0.4 0, -2.8 0, -2.8 6.7, -3.05 6.7, -3.05 -0.3, -0.7 -0.3, -0.7 -1.1), (0.25 -1.1, 0.7 -1.1, 0.7 -0.3, 3.05 -0.3, 3.05 6.7, 2.8 6.7, 2.8 0, 0.4 0, 0.25 -0.15, 0.25 -1.1))", [(-0.4, 0.5), (0.4, 0.5), (0.4, 1.3), (-0.4, 1.3)], [(0.4, 0), (-0.4, 0)])
CORNER = ("POLYGON ((-3 5, 0 5, 0 0, 5 0, 5 -3, -3 -3, -3 5))", [(0, 0), (-3, 0), (-3, 2), (0, 2)], [(-3, 1), (0, 1)])
JUNCTION = ("POLYGON ((-5 -2.4, -5 0, -2.4 0, -2.4 4.5, 0 4.5, 0 0, 4 0, 4 -2.4, -5 -2.4))", [(-2.4, 1), (-2.4, 3), (0, 3), (0, 1)], [(-2.4, 1), (0, 1)])
CROSSING = ("POLYGON ((0 0, 0 -1, 4 -1, 4 0, 6.5 0, 6.5 4, 4 4, 4 5, 0 5, 0 4, -4 4, -4 0, 0 0), (2.3 2, 2.26 2.15, 2.15 2.26, 2 2.3, 1.85 2.26, 1.74 2.15, 1.7 2, 1.74 1.85, 1.85 1.74, 2 1.7, 2.15 1.74, 2.26 1.85, 2.3 2))", [(0, 0), (4, 0), (4, 4), (0, 4)], [(2, 2.5), (2, 4)])
BIDIRECTIONAL = ("POLYGON ((-6.5 6.5, -6.5 -1.5, 5.5 -1.5, 5.5 6.5, -6.5 6.5), (-5 0, 5 0, 5 -1, -5 -1, -5 0), (-5 4.1, 5 4.1, 5 5, -5 5, -5 4.1))", [(-1.5, 0.2), (1.5, 0.2), (1.5, 3.9), (-1.5, 3.9)], [(0, 0), (0, 4)])
DATA = [("hermes_uo_180/uo-050-180-180.txt", UO), ("hermes_uo_180/uo-180-180-120.txt", UO), ("hermes_eo_300/eo-300-150-300.txt", CORNER), ("hermes_ko_240/ko-240-050-240.txt", JUNCTION), ("wuppertal_bottleneck_2018/040_c_56_h-.txt", WUPPERTAL), ("wuppertal_bottleneck_2018/030_c_56_h0.txt", WUPPERTAL), ("basigo_bi_corr_400/bi_corr_400_b_03.txt", BIDIRECTIONAL), ("basigo_crossing_90/crossing_90_c_6_v5.txt", CROSSING)]


def main():
    throng, what = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        runs = [(own(folder + "/own.txt"), OWN)] if what == "own" else [(os.path.join(sys.argv[3], name), place) for name, place in DATA]
        only = sys.argv[4:]
        failed = []
        for path, place in runs:
            if only and not any(word in path for word in only):
                continue
            for cut_off in (None, CUT_OFF):
                print("%s, %s" % (os.path.basename(path), "cut-off %g m" % cut_off if cut_off else "no cut-off"))
                failed += compare(throng, path, *place, cut_off)
    if failed:
        sys.exit("differs from PedPy %s: %s" % (pedpy.__version__, ", ".join(failed)))


main()
