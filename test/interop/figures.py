#!/usr/bin/env python3
"""Compares `throng measure` with figures of real people that were computed independently: flows, nearest neighbours,
fundamental diagrams, lanes, and exponents of the law of times to collision.

  figures.py THRONG FOLDER [PART]...   where the folder has the recordings (THRONG_DATA; Juelich data archive,
                             doi:10.34735/ped.2009.6, doi:10.34735/ped.2018.1; ETH and UCY walking pedestrians)

Only python3 is needed."""
import csv, glob, json, math, os, subprocess, sys, tempfile

THRONG, DATA = sys.argv[1:3]
failed = []


def check(name, ours, theirs, tolerance):
    good = ours is not None and abs(ours - theirs) <= tolerance + 1e-9
    print("  %-44s %8s, published %.3f +- %g%s" % (name, "-" if ours is None else "%.3f" % ours, theirs, tolerance, "" if good else "  DIFFERS"))
    if not good:
        failed.append(name)


def measure(path, *options, table=None):
    """JSON of a recording, or the rows of a table of --csv."""
    with tempfile.TemporaryDirectory() as folder:
        out = folder + "/out"
        subprocess.run([THRONG, "measure", os.path.join(DATA, path), "--json", out + ".json", "--quiet", *(["--csv", out] if table else []), *options], check=True, stderr=subprocess.DEVNULL)
        if table:
            return list(csv.DictReader(open("%s-%s.csv" % (out, table))))
        return json.load(open(out + ".json"))


def quantile(values, part):
    values = sorted(values)
    at = part * (len(values) - 1)
    low = int(at)
    return values[low] + (at - low) * (values[min(low + 1, len(values) - 1)] - values[low])


# ---------------------------------------------------------------- bottlenecks: flow, and distances of those who wait
# path, line, area in front, flow, time gap mean and sd, NN p5 p25 p50 p75 p95
BOTTLENECKS = [
    ("wuppertal_bottleneck_2018/040_c_56_h-", "3.5,0,-3.5,0", "-1,0.2,1,0.2,1,2.2,-1,2.2", 1.160, (0.234, 0.278, 0.306, 0.343, 0.396)),
    ("wuppertal_bottleneck_2018/030_c_56_h0", "3.5,0,-3.5,0", "-1,0.2,1,0.2,1,2.2,-1,2.2", 1.224, (0.202, 0.256, 0.284, 0.314, 0.370)),
    ("hermes_ao_300/ao-300-400", "-9,0,11,0", "-0.6,-4,2.4,-4,2.4,-0.55,-0.6,-0.55", 7.162, (0.233, 0.293, 0.339, 0.374, 0.439)),
    ("hermes_uo_180/uo-180-180-070", "9,-4,-9,-4", "0,-3.5,1.8,-3.5,1.8,-0.5,0,-0.5", 1.622, (0.315, 0.389, 0.437, 0.496, 0.574)),
    ("hermes_uo_180/uo-180-180-095", "9,-4,-9,-4", "0,-3.5,1.8,-3.5,1.8,-0.5,0,-0.5", 1.764, (0.350, 0.449, 0.500, 0.563, 0.655)),
    ("hermes_uo_180/uo-180-180-120", "9,-4,-9,-4", "0,-3.5,1.8,-3.5,1.8,-0.5,0,-0.5", 2.327, (0.377, 0.471, 0.535, 0.587, 0.705)),
    ("hermes_uo_300/uo-300-300-160", "9,-4,-9,-4", "0,-3.5,3,-3.5,3,-0.5,0,-0.5", 3.194, (0.339, 0.415, 0.473, 0.543, 0.651)),
    ("hermes_uo_300/uo-300-300-200", "9,-4,-9,-4", "0,-3.5,3,-3.5,3,-0.5,0,-0.5", 3.821, (0.342, 0.424, 0.485, 0.549, 0.654)),
]


def bottlenecks():
    for path, line, area, flow, nearest in BOTTLENECKS:
        name = path.split("/")[1]
        options = ["--line", "l=" + line, "--area", "a=" + area, "--way", "last"]
        figures = measure(path + ".txt", *options)
        check(name + " flow", figures["lines"][0]["flow"], flow, 0.005)
        crossed = measure(path + ".txt", *options, table="crossings")
        times = sorted(float(row["time"]) for row in crossed)
        fps, n = figures["fps"], len(times)
        first, last = int(times[n // 10] * fps), int(times[int(0.6 * n)] * fps)
        corners = [float(q) for q in area.split(",")]
        low, high = (min(corners[::2]), min(corners[1::2])), (max(corners[::2]), max(corners[1::2]))
        frames = set(range(first, last, max(1, int(fps))))
        people = measure(path + ".txt", *options, table="people")
        distances = [float(r["nearest_neighbour"]) for r in people if int(r["frame"]) in frames and low[0] < float(r["x"]) < high[0] and low[1] < float(r["y"]) < high[1]]
        for part, published in zip((5, 25, 50, 75, 95), nearest):
            check("%s nearest neighbour p%d" % (name, part), quantile(distances, part / 100), published, 0.003)


# ---------------------------------------------------------------- fundamental diagrams, once a second in the steady part
STEADY = {"uo-050-180-180": (211, 800), "uo-060-180-180": (243, 771), "uo-070-180-180": (203, 1113), "uo-100-180-180": (200, 790), "uo-145-180-180": (300, 1097), "uo-180-180-070": (500, 1399), "uo-180-180-095": (400, 1350), "uo-180-180-120": (300, 1099), "uo-180-180-180": (400, 1284)}
RHO = [0.375 + 0.25 * k for k in range(13)]
DIAGRAMS = [  # folder, runs, width, half length of the area, of the corridor, speeds in bins of RHO (None: not measured)
    ("hermes_uo_180", "uo-*", 1.8, (-2, 0), 4, [1.39, 1.38, 1.29, 1.15, 1.09, 1.00, 0.82, 0.64, 0.46, 0.42, 0.36, 0.34, 0.33]),
    ("hermes_uo_300", "uo-*", 3.0, (-2, 0), 4, [1.57, 1.45, 1.36, 1.20, 1.19, 1.03, 0.80, 0.64, 0.55, 0.46, 0.43, None, None]),
    ("hermes_ug_180", "ug-180-0*", 1.8, (-1, 1), 3, [1.11, 1.00, 0.84, None, None, None, None, None, None, None, None, None, None]),
    ("hermes_bot_360", "bo*", 3.6, (-1.5, 1.5), 4, [1.51, 1.41, 1.24, 1.15, 0.95, 0.91, 0.73, 0.63, 0.56, 0.51, 0.48, 0.45, None]),
]


def frames_of(path):
    """Everybody who has a velocity: (frame, x, y)."""
    rows, fps = {}, None
    for line in open(path):
        if line.startswith("# framerate:"):
            fps = float(line.split(":")[1].split()[0])
        elif line[0] != "#" and line.strip():
            who, frame, x, y = line.split()[:4]
            rows.setdefault(who, []).append((int(float(frame)), float(x), float(y)))
    half = max(1, round(0.625 * fps / 2))
    return fps, [q for r in rows.values() for q in r[half:-half]]


def steady(path, area):
    """The middle 60 % of the presence in an area (x0, x1, y0, y1), as times."""
    name = os.path.basename(path)[:-4]
    fps, rows = frames_of(path)
    inside = [f for f, x, y in rows if area[0] < x < area[1] and area[2] < y < area[3]]
    first, last = STEADY.get(name) or (quantile(inside, 0.2), quantile(inside, 0.8))
    return int(first) / fps, last / fps


def diagrams():
    for folder, runs, width, (y0, y1), half, published in DIAGRAMS:
        points = []
        for path in sorted(glob.glob(os.path.join(DATA, folder, runs + ".txt"))):
            first, last = steady(path, (0, width, y0, y1))
            walls = "POLYGON ((0 %g, %g %g, %g %g, 0 %g, 0 %g))" % (-half, width, -half, width, half, half, -half)
            area = "a=0,%g,%g,%g,%g,%g,0,%g" % (y0, width, y0, width, y1, y1)
            rows = measure(path, "--walkable", walls, "--area", area, "--from", "%.6f" % first, "--to", "%.6f" % last, table="fd")
            with_people = {r["time"] for r in rows if r["method"] == "classic"}  # the figures leave out moments with nobody in the area
            points += [(float(r["density"]), float(r["speed"])) for r in rows if r["method"] == "voronoi" and r["time"] in with_people]
        for rho, speed in zip(RHO, published):
            here = [v for d, v in points if rho - 0.125 <= d < rho + 0.125]
            if speed is not None:
                check("%s speed at %.3f 1/m2 (%d points)" % (folder, rho, len(here)), sum(here) / len(here) if here else None, speed, 0.02)


# ---------------------------------------------------------------- lanes in strips of 0.4 m, and times to collision
LANES = {"bot-360-050-050": 0.95, "bot-360-075-075": 0.87, "bot-360-090-090": 0.86, "bot-360-120-120": 0.88, "bot-360-160-160": 0.84, "bot-360-200-200": 0.84, "bot-360-250-250": 0.82, "bo-360-160-160": 0.98}
SHUFFLED = {"bot-360-050-050": 0.48, "bot-360-075-075": 0.42, "bot-360-090-090": 0.41, "bot-360-120-120": 0.39, "bot-360-160-160": 0.34, "bot-360-200-200": 0.31, "bot-360-250-250": 0.31, "bo-360-160-160": 0.39}


def lanes():
    runs = [("hermes_bot_360/%s.txt" % name, (0, 3.6, -1.5, 1.5), 90, LANES[name], SHUFFLED[name]) for name in LANES]
    runs.append(("basigo_bi_corr_400/bi_corr_400_b_03.txt", (-1.5, 1.5, 0, 4.0), 0, 0.97, 0.43))
    for path, box, axis, index, shuffled in runs:
        first, last = steady(os.path.join(DATA, path), box)
        x0, x1, y0, y1 = box
        area = "a=%g,%g,%g,%g,%g,%g,%g,%g" % (x0, y0, x1, y0, x1, y1, x0, y1)
        found = measure(path, "--area", area, "--axis", str(axis), "--from", "%.6f" % first, "--to", "%.6f" % last)["areas"][0]["lanes"]
        check(os.path.basename(path)[:-4] + " band index", found["strip_index"], index, 0.01)
        # ours is the expectation, theirs the mean of 20 permutations a frame, which spreads by about 0.013
        check(os.path.basename(path)[:-4] + " shuffled", found["strip_shuffled"], shuffled, 0.03)


EXPONENTS = [(["eth_seq_eth/eth_seq_eth"], 1.40), (["ucy_zara01/ucy_zara01"], 1.45), (["ucy_zara02/ucy_zara02"], 1.55), (["ucy_students03/ucy_students03"], 2.00), (["eth_seq_eth/eth_seq_eth", "ucy_zara01/ucy_zara01", "ucy_zara02/ucy_zara02", "ucy_students03/ucy_students03"], 1.75), (["hermes_ao_300/ao-300-400"], 1.65), (["hermes_bot_360/bot-360-%s" % w for w in ("050-050", "075-075", "090-090", "120-120")], 1.35), (["basigo_bi_corr_400/bi_corr_400_b_03"], 1.15)]


def exponents():
    for paths, published in EXPONENTS:
        more = [word for path in paths[1:] for word in ("--pool", os.path.join(DATA, path + ".txt"))]
        found = measure(paths[0] + ".txt", *more)["time_to_collision"]
        check(" + ".join(os.path.basename(p) for p in paths)[:44] + " p", found["exponent"], published, 0.1)


for part in [part for part in (bottlenecks, diagrams, lanes, exponents) if part.__name__ in (sys.argv[3:] or part.__name__)]:
    print(part.__name__)
    part()
if failed:
    sys.exit("differs from published figures: %d of them" % len(failed))
