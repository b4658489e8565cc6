#!/usr/bin/env python3
"""Table 1 and figures 6 to 9 and 12 of Karamouzas et al. 2017 (Implicit crowds) and figure 19 of Weiss et al. 2019 (Position-based
real-time simulation of large crowds), measured anew.

    validate/tables.py [--quick] [table1|figure6|figure7|figure8|figure9|figure12|figure19]...      writes validate/results/NAME.csv

table1   the largest dt without collisions, by scene and method: dt is swept over 5 to 1000 ms, 20 s are simulated with
         three seeds, and the exact motion within steps is judged. Sweeping ends when three steps in a row collide; a smaller
         step may collide by chance, so the first that did is told as well. An overlap counts when it is deeper than 5 % of the sum
         of radii, for `implicit` when there is any.
figure8  processor time of one thread against the number of people (random scenes, dt 0.25 s) and against dt
         (implicit/hallway, 20 s simulated).
figure9  stalled people over time in implicit/evacuation: who moved by less than 0.1 m in the last second.
figure6, figure7, figure12: figures.py tells.
figure19 overlapping pairs over time in pbd/comparison-dense, which two groups of 672 start 14 apart: the power law at several
         steps, and `pbd`; also as a picture, figure19.svg. The paper's figure reaches 246 pairs.

`bound_by` says whose bound a row has; only table 1 has one to be held against, the others are series to look at.

--quick takes one seed and fewer steps, sizes and seconds; its results are printed and not kept.
"""

import argparse
import csv
import math
import os
import sys

import chart
import figures
from runs import ROOT, Run, changed

SCENES = ["implicit/hallway", "implicit/crossing", "implicit/random-500"]
METHODS = ["implicit", "powerlaw", "orca"]
# What the paper's table says, ms; "more" is more than the 1000 that were tried.
PAPER = {("implicit/hallway", "powerlaw"): "40", ("implicit/hallway", "orca"): "100", ("implicit/crossing", "powerlaw"): "20",
         ("implicit/crossing", "orca"): "35", ("implicit/random-500", "powerlaw"): "30", ("implicit/random-500", "orca"): "140"}


def collides(scene, method, ms, seeds, duration):
    """Whether there are collisions with any of the seeds, and the deepest overlap."""
    deepest, gap = 0.0, math.inf
    for seed in seeds:
        run = Run(scene, method, ms / 1000, duration, seed)
        deepest, gap = max(deepest, run.deepest), min(gap, run.gap)
        if run.overlaps > 0 if method == "implicit" else run.deepest > 0.05:
            return True, deepest, gap
    return False, deepest, gap


def table1(quick):
    sweep = [10, 20, 30, 50, 100, 200, 400, 1000] if quick else [
        5, 10, 15, 20, 25, 30, 35, 40, 50, 60, 80, 100, 120, 140, 160, 200, 250, 300, 400, 500, 700, 1000]
    seeds, duration = ([1], 10) if quick else ([1, 2, 3], 20)
    for scene in SCENES:
        for method in METHODS:
            largest, first, deepest, least, in_a_row = "", "", 0.0, math.inf, 0
            for ms in sweep:
                bad, deep, gap = collides(scene, method, ms, seeds, duration)
                in_a_row = in_a_row + 1 if bad else 0
                if bad and not first:
                    first, deepest = ms, deep
                if not bad:
                    largest, least = ms, min(least, gap)
                if in_a_row == 3:  # it does not get better any more
                    break
            yield {"scene": scene, "method": method, "largest_free_ms": largest, "first_colliding_ms": first or "none",
                   "deepest_there": round(deepest, 4), "least_gap_where_free_m": round(least, 5) if least < 9 else "",
                   "paper_ms": PAPER.get((scene, method), "more"),
                   "bound_by": "paper: table 1"}


def slope(points):
    """The exponent of a power law through some points, by least squares of logarithms."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mx, my = (sum(values) / len(logs) for values in zip(*logs))
    return sum((x - mx) * (y - my) for x, y in logs) / sum((x - mx) ** 2 for x, _ in logs)


def timed(scene, method, dt, duration):
    """Processor time in s of the steps alone, the best of three."""
    start = min(Run(scene, method, dt, 0, record=False, threads=1).cpu for _ in range(2))
    runs = [Run(scene, method, dt, duration, record=False, threads=1) for _ in range(3)]
    return max(min(run.cpu for run in runs) - start, 1e-4), runs[0].stats["steps"]


def figure8(quick):
    sizes = [100, 250, 500] if quick else [100, 250, 500, 1000, 2000]
    for method in METHODS:
        points = []
        for size in sizes:
            cpu, steps = timed(f"implicit/random-{size}", method, 0.25, 5 if quick else 15)
            points.append((size, cpu / steps))
            yield {"against": "people", "method": method, "people": size, "dt_s": 0.25, "ms_per_step": round(1e3 * cpu / steps, 4),
                   "exponent": round(slope(points), 2) if size == sizes[-1] else "", "bound_by": "none"}
    for method in METHODS:
        for dt in [0.1, 1.0] if quick else [0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 1.0]:
            duration = 5 if quick else 20
            cpu, steps = timed("implicit/hallway", method, dt, duration)
            yield {"against": "dt", "method": method, "people": 300, "dt_s": dt, "ms_per_step": round(1e3 * cpu / steps, 4),
                   "times_real_time": round(duration / cpu, 1), "bound_by": "none"}


def stalled(run):
    """{second: (people there, people stalled)}"""
    found, before = {}, {}
    for t, people in run.frames().items():
        now = {who: (x, y) for who, x, y in people}
        still = sum(1 for who, at in now.items() if who in before and math.dist(at, before[who]) < 0.1)
        found[round(t)] = (len(now), still)
        before = now
    return found


def figure9(quick):
    series = {}
    duration = 20 if quick else 600
    for name, method, dt in [("implicit", "implicit", 0.1), ("powerlaw", "powerlaw", 0.1), ("powerlaw_at_0.01", "powerlaw", 0.01),
                             ("orca", "orca", 0.1)]:
        run = Run("implicit/evacuation", method, dt, duration, tracks=True, every=round(1 / dt))
        series[name] = stalled(run)
    for second in range(0, max(max(found) for found in series.values()) + 1, 1 if quick else 2):
        row = {"time_s": second}
        for name, found in series.items():
            row[name + "_inside"], row[name + "_stalled"] = found.get(second, (0, 0))
        yield dict(row, bound_by="none")


def figure19(quick):
    methods = {"powerlaw_dt_0.05": ("powerlaw", 0.05, None), "powerlaw_dt_1/24": ("powerlaw", 1 / 24, None),
               "powerlaw_dt_1/48": ("powerlaw", 1 / 48, None), "pbd": ("pbd", None, "full"), "pbd_avoidance": ("pbd", None, "avoidance")}
    series = {}
    for name, (method, dt, mode) in methods.items():
        change = changed("pbd", anticipation=mode) if mode else None
        pairs = {}
        for t, count, _ in Run("pbd/comparison-dense", method, dt, 20 if quick else 100, change=change).series:
            pairs[math.ceil(t - 1e-9)] = max(pairs.get(math.ceil(t - 1e-9), 0), int(count))  # the most within each second
        series[name] = pairs
    for second in next(iter(series.values())):
        yield {"time_s": second, **{name: pairs.get(second, 0) for name, pairs in series.items()}, "bound_by": "none"}


def picture19(rows):
    return chart.lines("Overlapping pairs among 1,344 people, 3.3 radii apart", "time, s", "pairs", {
        name.replace("_dt_", ", dt ").replace("_", ", "): [(row["time_s"], row[name]) for row in rows]
        for name in rows[0] if name not in ("time_s", "bound_by")})


TABLES = {"table1": table1, "figure6": figures.figure6, "figure7": figures.figure7, "figure12": figures.figure12, "figure8": figure8, "figure9": figure9, "figure19": figure19}
PICTURES = {"figure6": figures.picture6, "figure7": figures.picture7, "figure12": figures.picture12, "figure19": picture19}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="less of everything; nothing is kept")
    parser.add_argument("table", nargs="*", metavar="|".join(TABLES), help="default: all of them")
    options = parser.parse_args()
    for name in options.table or TABLES:
        if name not in TABLES:
            parser.error(f"there is no {name}")
        rows = []
        for row in TABLES[name](options.quick):
            rows.append(row)
            print("  ".join(f"{key} {value}" for key, value in row.items() if value != ""), flush=True)
        if options.quick:
            continue
        path = os.path.join(ROOT, "validate", "results", name + ".csv")
        with open(path, "w", encoding="utf-8", newline="") as file:
            keys = list(dict.fromkeys(key for row in rows for key in row))
            writer = csv.DictWriter(file, keys, restval="", lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        if name in PICTURES:
            with open(path[:-3] + "svg", "w", encoding="utf-8") as file:
                file.write(PICTURES[name](rows))
        print(f"kept in {os.path.relpath(path)}", file=sys.stderr)


if __name__ == "__main__":
    main()
