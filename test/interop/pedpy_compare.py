#!/usr/bin/env python3
"""Compares `throng measure` with PedPy (pip install pedpy) on recordings: each measure that both have, to 1e-6 relative.

  pedpy_compare.py THRONG own          on a recording made here: a corridor with a pillar and a bend
  pedpy_compare.py THRONG data FOLDER  on recordings of real people, where the folder has them (THRONG_DATA;
                                       Juelich data archive, doi:10.34735/ped.2009.6, doi:10.34735/ped.2018.1)

  pedpy_compare.py THRONG few FOLDER   on the beginnings of three of them, for a test that must be quick

What is left out, and why: frames in which nobody is in an area have no speed (PedPy: 0); a way across a line in
somebody's last frame counts (PedPy leaves it out); people who are ever outside of the walkable area, away for some
frames, or where another one is; PedPy's means of accelerations, which want one for every position. Its Gaussian density has 2.50662 for
sqrt(2 pi), and its pair distribution depends on chance: it agrees within that."""
import os, subprocess, sys, tempfile, warnings

import numpy as np
import pandas as pd

warnings.simplefilter("ignore")
import pedpy
import shapely

TOLERANCE = 1e-6
STEP, CUT_OFF, BLOCK = 5, 0.8, 100


def load(path):
    """Frames of video that was annotated every n-th one are those that were."""
    fps, step, rows = None, 1, []
    lines = open(path).read().splitlines()
    for line in lines:
        if line.startswith("# framerate:"):
            fps = float(line.split(":")[1].split()[0])
        elif line.startswith("# framestep:"):
            step = int(line.split(":")[1].split()[0])
        elif line.strip() and line[0] != "#":
            rows.append(line.split()[:4])
    table = pd.DataFrame(np.array(rows, float), columns=["id", "frame", "x", "y"]).astype({"id": int, "frame": int})
    if step > 1:
        table["frame"] = (table.frame - table.frame.min()) // step
    return fps / step, table


def whole_tracks(table, place):
    """Without people who are outside at times, or away and come back."""
    inside = shapely.contains_xy(place.polygon, table.x.values, table.y.values)
    outside = table.id[~inside].unique()
    frames = table.groupby("id").frame
    gaps = frames.max() - frames.min() + 1 != frames.size()
    twice = table.id[table.duplicated(["frame", "x", "y"])].unique()  # of two at one place PedPy makes no cells
    left_out = set(outside) | set(gaps.index[gaps]) | set(twice)
    if left_out:
        print("  %d of %d people are left out: outside of the walkable area or away at times, or where another one is" % (len(left_out), table.id.nunique()))
    return table[~table.id.isin(left_out)]


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


def text(points):
    return ",".join("%r,%r" % tuple(p) for p in points)


def run(throng, folder, table, fps, walkable, options):
    source = os.path.join(folder, "in.txt")
    with open(source, "w") as f:
        f.write("# framerate: %r\n# id frame x/m y/m\n" % fps)
        table.to_csv(f, sep=" ", header=False, index=False, float_format="%.6f")
    subprocess.run([throng, "measure", source, "--walkable", shapely.from_wkt(walkable).wkt, "--frame-step", str(STEP), "--border", "single", "--csv", folder + "/out", "--json", folder + "/out.json", "--quiet"] + options, check=True)


def rows(frame, column):
    return frame.set_index(["id", "frame"])[column].sort_index()


def compare(throng, path, walkable, area, line, axis, cut_off, frames=None):
    failures = []
    fps, table = load(path)
    if frames:
        table = table[table.frame < table.frame.min() + frames]
    walkable = walkable(table) if callable(walkable) else walkable
    area, line = (area(table), line(table)) if callable(area) else (area, line)
    place = pedpy.WalkableArea(walkable)
    table = whole_tracks(table, place)
    with tempfile.TemporaryDirectory() as folder:
        options = ["--area", "m=" + text(area), "--line", "l=" + text(line), "--block", str(BLOCK), "--axis", str(axis or 0)] + (["--cut-off", str(cut_off)] if cut_off else [])
        run(throng, folder, table, fps, walkable, options)
        people, areas, lines, crossed, diagram = (pd.read_csv("%s/out-%s.csv" % (folder, name)) for name in ("people", "areas", "lines", "crossings", "fd"))
        figures = pd.read_json(folder + "/out.json", typ="series")
    offset = table.frame.min() - people.frame.min()
    for part in (people, areas, lines, crossed):
        part["frame"] += offset
    by_row = people.set_index(["id", "frame"]).sort_index()
    data = pedpy.TrajectoryData(table, frame_rate=fps)
    M, L = pedpy.MeasurementArea(area), pedpy.MeasurementLine(line)

    speed = pedpy.compute_individual_speed(traj_data=data, frame_step=STEP, compute_velocity=True, speed_calculation=pedpy.SpeedCalculation.BORDER_SINGLE_SIDED)
    check("individual speed", by_row.speed, rows(speed, "speed"), failures)
    check("acceleration", by_row.acceleration, rows(pedpy.compute_individual_acceleration(traj_data=data, frame_step=STEP), "acceleration"), failures)
    cells = pedpy.compute_individual_voronoi_polygons(traj_data=data, walkable_area=place, cut_off=pedpy.Cutoff(radius=cut_off) if cut_off else None)
    check("individual density", by_row.voronoi_density, rows(cells, "density"), failures)
    compare_area(data, cells, speed, M, areas.set_index("frame"), failures)
    compare_line(data, cells, speed, L, table, lines, crossed, figures, fps, failures)
    if axis is not None:
        compare_passing(data, area, axis, diagram, fps, failures)
    compare_maps(throng, table, fps, offset, place, walkable, cells, speed, cut_off, failures)
    if not cut_off and not frames and len(table) < 60000:
        compare_pairs(data, figures["pair_distribution"], failures)
    return failures


def compare_area(data, cells, speed, M, ours, failures):
    check("classic density", ours.classic_density, pedpy.compute_classic_density(traj_data=data, measurement_area=M).set_index("frame").density, failures)
    density, shares = pedpy.compute_voronoi_density(individual_voronoi_data=cells, measurement_area=M)
    check("Voronoi density", ours.voronoi_density, density.set_index("frame").density, failures)
    mean = pedpy.compute_mean_speed_per_frame(traj_data=data, individual_speed=speed, measurement_area=M)
    check("mean speed", ours.mean_speed, mean.set_index("frame").speed, failures)
    voronoi = pedpy.compute_voronoi_speed(traj_data=data, individual_speed=speed, individual_voronoi_intersection=shares, measurement_area=M)
    check("Voronoi speed", ours.voronoi_speed, voronoi.set_index("frame").speed, failures)


def compare_line(data, cells, speed, L, table, lines, crossed, figures, fps, failures):
    nt, crossing = pedpy.compute_n_t(traj_data=data, measurement_line=L)
    last = table.groupby("id").frame.max()
    ours = crossed[crossed.frame < crossed.id.map(last)]
    check("crossing frames", ours.set_index("id").frame.sort_index(), crossing.set_index("id").frame.sort_index(), failures)
    if len(ours) == len(crossed):
        check("N(t)", lines.set_index("frame").passed, nt.set_index("frame").cumulative_pedestrians, failures)
        flow = pedpy.compute_flow(nt=nt, crossing_frames=crossing, individual_speed=speed, delta_frame=BLOCK, frame_rate=fps)
        blocks = pd.DataFrame(figures["lines"][0]["blocks"])
        if len(blocks) or len(flow):
            check("flow in blocks", blocks.flow, flow.flow, failures)
            check("speed in blocks", blocks.mean_speed, flow.mean_speed, failures)
    species = pedpy.compute_species(trajectory_data=data, individual_voronoi_polygons=cells, measurement_line=L, frame_step=STEP)
    if len(speed) < len(table) or speed.speed.isna().any() or (species.species == 0).any():
        print("  no line density, speed and flow: somebody has no speed where its cell first meets the line, and PedPy leaves it out")
        return
    parts = dict(individual_voronoi_polygons=cells, measurement_line=L, species=species)
    at_line = lines.set_index("frame")
    check("line density", at_line.line_density, pedpy.compute_line_density(**parts).set_index("frame").density.sort_index(), failures)
    check("line speed", at_line.line_speed, pedpy.compute_line_speed(individual_speed=speed, **parts).set_index("frame").speed.sort_index(), failures)
    check("line flow", at_line.line_flow, pedpy.compute_line_flow(individual_speed=speed, **parts).set_index("frame").flow.sort_index(), failures)


def compare_passing(data, area, axis, diagram, fps, failures):
    """Through a rectangle, from its end at the smaller coordinate along the axis to the other one or back."""
    x0, y0, x1, y1 = shapely.Polygon(area).bounds
    line, width = ([(x0, y1), (x0, y0)], x1 - x0) if axis == 0 else ([(x0, y0), (x1, y0)], y1 - y0)
    frames, passed = pedpy.compute_frame_range_in_area(traj_data=data, measurement_line=pedpy.MeasurementLine(line), width=width)
    if frames.id.duplicated().any() or frames.empty:
        return
    speed = pedpy.compute_passing_speed(frames_in_area=frames, frame_rate=fps, distance=width).set_index("id").speed
    density = pedpy.compute_passing_density(density_per_frame=pedpy.compute_classic_density(traj_data=data, measurement_area=passed), frames=frames).set_index("id").density
    ours = diagram[diagram.method == "passing"].set_index("id")
    check("passing speed", ours.speed[ours.index.isin(speed.index)], speed, failures)
    check("passing density", ours.density[ours.index.isin(density.index)], density, failures)


def compare_maps(throng, table, fps, offset, place, walkable, cells, speed, cut_off, failures):
    """Profiles of the frames in the middle of the recording and at its quarters."""
    x0, y0, x1, y1 = place.bounds
    size, width = (y1 - y0) / max(4, round((y1 - y0) / 0.7)), 0.6
    columns = {name: ([], []) for name in ("density", "speed", "gaussian_density", "gaussian_speed")}
    everything = cells.merge(speed, on=["id", "frame"]).merge(table, on=["id", "frame"])
    for part in (0.25, 0.5, 0.75):
        frame = int(table.frame.quantile(part))
        here = everything[everything.frame == frame]
        if here.empty:
            continue
        time = repr(float((frame - offset) / fps))
        with tempfile.TemporaryDirectory() as folder:
            run(throng, folder, table, fps, walkable, ["--from", time, "--to", time, "--grid", repr(size), "--gaussian", repr(width)] + (["--cut-off", str(cut_off)] if cut_off else []))
            ours = pd.read_csv(folder + "/out-maps.csv")
        keys = [(round(a, 5), round(b, 5)) for a, b in zip(ours.x, ours.y)]
        squares = [(round(c.centroid.x, 5), round(c.centroid.y, 5)) for c in pedpy.get_grid_cells(walkable_area=place, grid_size=size)[0]]
        kinds = dict(walkable_area=place, grid_size=size)
        theirs = {
            "density": pedpy.compute_density_profile(data=here, density_method=pedpy.DensityMethod.VORONOI, **kinds),
            "speed": pedpy.compute_speed_profile(data=here, speed_method=pedpy.SpeedMethod.VORONOI, **kinds),
            "gaussian_density": pedpy.compute_density_profile(data=here, density_method=pedpy.DensityMethod.GAUSSIAN, gaussian_width=width, **kinds),
            "gaussian_speed": pedpy.compute_speed_profile(data=here, speed_method=pedpy.SpeedMethod.GAUSSIAN, gaussian_width=width, **kinds),
        }
        mine = dict(ours.assign(speed=ours.speed * ours.covered))
        for name, (a, b) in columns.items():
            factor = (2.50662 / np.sqrt(2 * np.pi)) ** 2 if name == "gaussian_density" else 1
            # far from everybody a mean speed of Gaussians is one of what is left of them
            known = pd.Series(np.where(mine["gaussian_density"] > 1e-3, mine[name], np.nan) if name == "gaussian_speed" else mine[name])
            a.append(pd.Series(known.values, index=[(frame,) + k for k in keys]))
            b.append(pd.Series(theirs[name][0].ravel() * factor, index=[(frame,) + k for k in squares]))
    for name, (a, b) in columns.items():
        if a:
            a, b = pd.concat(a), pd.concat(b)
            check("map of " + name.replace("_", " "), a[a.index.isin(b.index)], b[b.index.isin(a.index)], failures)


def compare_pairs(data, ours, failures):
    """By chance, with a seed: in bins with many pairs."""
    np.random.seed(1)
    edges, theirs = pedpy.compute_pair_distribution_function(traj_data=data, radius_bin_size=ours["bin_m"], randomisation_stacking=3)
    warnings.simplefilter("ignore")  # it resets them
    count = min(len(theirs), len(ours["g"]))
    pairs = [(a, b) for a, b in zip(ours["g"][8:count], theirs[8:count]) if a is not None and np.isfinite(b)]
    error = max(abs(a / b - 1) for a, b in pairs)
    print("  %-22s %8d values, by chance, largest relative difference %.3f  %s" % ("pair distribution", len(pairs), error, "" if error < 0.08 else "DIFFERS"))
    if error >= 0.08:
        failures.append("pair distribution")


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


def around(table, margin=0.5):
    return shapely.box(table.x.min() - margin, table.y.min() - margin, table.x.max() + margin, table.y.max() + margin)


def corridor(width, half):
    """A corridor along y, open at both ends to as much as there are people on."""
    def place(table):
        outside = around(table).difference(shapely.box(-100, -half, 100, half))
        return outside.union(shapely.box(0, -half, width, half)).wkt
    return place


def middle(table):
    x0, y0, x1, y1 = around(table, 0).bounds
    x, y, w, h = (x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0) / 6, (y1 - y0) / 6
    return [(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)]


def across(table):
    x0, y0, x1, y1 = around(table, 0).bounds
    return [((x0 + x1) / 2, y0), ((x0 + x1) / 2, y1)]


def box(x0, y0, x1, y1):
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


OWN = ("POLYGON ((0 0, 9.2 0, 9.2 6.2, 6.2 6.2, 6.2 3.2, 0 3.2, 0 0), (3.6 1.1, 4.4 1.1, 4.4 1.9, 3.6 1.9, 3.6 1.1))", [(1, 0), (3, 0), (3, 3.2), (1, 3.2)], [(2.0, 0.0), (2.0, 3.2)], 0)
UO = ("POLYGON ((2.8 -6.5, 2.8 -4, 1.8 -4, 1.8 4, 2.8 4, 2.8 8, -1 8, -1 4, 0 4, 0 -4, -1 -4, -1 -6.5, 2.8 -6.5))", [(0, -2), (0, 0), (1.8, 0), (1.8, -2)], [(0, 0), (1.8, 0)], 90)
WUPPERTAL = ("POLYGON ((3.5 -2, 3.5 8, -3.5 8, -3.5 -2, 3.5 -2), (-0.7 -1.1, -0.25 -1.1, -0.25 -0.15, -0.4 0, -2.8 0, -2.8 6.7, -3.05 6.7, -3.05 -0.3, -0.7 -0.3, -0.7 -1.1), (0.25 -1.1, 0.7 -1.1, 0.7 -0.3, 3.05 -0.3, 3.05 6.7, 2.8 6.7, 2.8 0, 0.4 0, 0.25 -0.15, 0.25 -1.1))", [(-0.4, 0.5), (0.4, 0.5), (0.4, 1.3), (-0.4, 1.3)], [(0.4, 0), (-0.4, 0)], None)
CORNER = ("POLYGON ((-3 5, 0 5, 0 0, 5 0, 5 -3, -3 -3, -3 5))", [(0, 0), (-3, 0), (-3, 2), (0, 2)], [(-3, 1), (0, 1)], None)
JUNCTION = ("POLYGON ((-5 -2.4, -5 0, -2.4 0, -2.4 4.5, 0 4.5, 0 0, 4 0, 4 -2.4, -5 -2.4))", [(-2.4, 1), (-2.4, 3), (0, 3), (0, 1)], [(-2.4, 1), (0, 1)], 90)
CROSSING = ("POLYGON ((0 0, 0 -1, 4 -1, 4 0, 6.5 0, 6.5 4, 4 4, 4 5, 0 5, 0 4, -4 4, -4 0, 0 0), (2.3 2, 2.26 2.15, 2.15 2.26, 2 2.3, 1.85 2.26, 1.74 2.15, 1.7 2, 1.74 1.85, 1.85 1.74, 2 1.7, 2.15 1.74, 2.26 1.85, 2.3 2))", [(0, 0), (4, 0), (4, 4), (0, 4)], [(2, 2.5), (2, 4)], None)
BIDIRECTIONAL = ("POLYGON ((-6.5 6.5, -6.5 -1.5, 5.5 -1.5, 5.5 6.5, -6.5 6.5), (-5 0, 5 0, 5 -1, -5 -1, -5 0), (-5 4.1, 5 4.1, 5 5, -5 5, -5 4.1))", [(-1.5, 0.2), (1.5, 0.2), (1.5, 3.9), (-1.5, 3.9)], [(0, 0), (0, 4)], None)
WIDE = (corridor(3.0, 4), box(0, -2, 3, 0), [(0, 0), (3, 0)], 90)
COUNTERFLOW = (corridor(3.6, 4), box(0, -1.5, 3.6, 1.5), [(0, 0), (3.6, 0)], 90)
RING = (lambda table: around(table).wkt, box(0, -1, 1.8, 1), [(0, 0), (1.8, 0)], None)
GAP = (lambda table: around(table).difference(shapely.union_all([shapely.box(-20, -0.5, -0.6, 0.5), shapely.box(2.4, -0.5, 20, 0.5)])).wkt, box(-0.6, -4, 2.4, -0.55), [(-0.6, 0), (2.4, 0)], None)
ONE_WAY = (lambda table: around(table).intersection(shapely.box(-50, 0, 50, 5)).wkt, box(-1.5, 0, 1.5, 5), [(0, 0), (0, 5)], 0)
PLAZA = (lambda table: around(table).wkt, middle, across, None)
# recording, where, with how many cut-offs
DATA = [("hermes_uo_180/uo-050-180-180.txt", UO, 2), ("hermes_uo_180/uo-180-180-120.txt", UO, 2), ("hermes_eo_300/eo-300-150-300.txt", CORNER, 2), ("hermes_ko_240/ko-240-050-240.txt", JUNCTION, 2), ("wuppertal_bottleneck_2018/040_c_56_h-.txt", WUPPERTAL, 2), ("wuppertal_bottleneck_2018/030_c_56_h0.txt", WUPPERTAL, 2), ("basigo_bi_corr_400/bi_corr_400_b_03.txt", BIDIRECTIONAL, 2), ("basigo_crossing_90/crossing_90_c_6_v5.txt", CROSSING, 2)]
DATA += [("hermes_uo_180/uo-%s.txt" % name, UO, 1) for name in ("060-180-180", "070-180-180", "100-180-180", "145-180-180", "180-180-070", "180-180-095", "180-180-180")]
DATA += [("hermes_uo_300/uo-%s.txt" % name, WIDE, 1) for name in ("080-300-300", "120-300-300", "180-300-300", "300-300-160", "300-300-200", "300-300-300")]
DATA += [("hermes_bot_360/%s.txt" % name, COUNTERFLOW, 1) for name in ("bot-360-050-050", "bot-360-075-075", "bot-360-090-090", "bot-360-120-120", "bot-360-160-160", "bot-360-200-200", "bot-360-250-250", "bo-360-160-160")]
DATA += [("hermes_ug_180/ug-180-%s.txt" % name, RING, 1) for name in ("015", "030", "060", "085", "110")]
DATA += [("hermes_ao_300/ao-300-400.txt", GAP, 1), ("basigo_uni_corr_500/uni_corr_500_01.txt", ONE_WAY, 1)]
DATA += [("%s/%s.txt" % (name, name), PLAZA, 1) for name in ("eth_seq_eth", "eth_seq_hotel", "ucy_zara01", "ucy_zara02", "ucy_students03")]
FEW = [("hermes_ko_240/ko-240-050-240.txt", JUNCTION, 1, 160), ("hermes_uo_180/uo-050-180-180.txt", UO, 1, 240), ("wuppertal_bottleneck_2018/040_c_56_h-.txt", WUPPERTAL, 1, 20)]


def main():
    throng, what = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        if what == "own":
            runs = [(own(folder + "/own.txt"), OWN, 1, None)]
        else:
            runs = [(os.path.join(sys.argv[3], name), place, cut_offs, *(frames or [None])) for name, place, cut_offs, *frames in (FEW if what == "few" else DATA)]
        only = sys.argv[4:]
        failed = []
        for path, place, cut_offs, frames in runs:
            if only and not any(word in path for word in only):
                continue
            for cut_off in (None, CUT_OFF)[:cut_offs]:
                print("%s, %s" % (os.path.basename(path), "cut-off %g m" % cut_off if cut_off else "no cut-off"), flush=True)
                failed += ["%s of %s" % (name, os.path.basename(path)) for name in compare(throng, path, *place, cut_off, frames)]
    if failed:
        sys.exit("differs from PedPy %s: %s" % (pedpy.__version__, ", ".join(failed)))


main()
