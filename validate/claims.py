#!/usr/bin/env python3
"""What Karamouzas et al. 2017 (Implicit crowds) claim, and what was promised beyond, measured.

    validate/claims.py [--quick] [--model implicit] [I1 ...]      keeps results in validate/results/claims.csv

Each line is a claim: what was measured, what was asked, and whether it holds. Motion is judged by validate_overlap from
recordings of every step. --quick: shorter, one seed, fewer steps; nothing is kept. With another --model the same is measured of
that one, which is not expected to hold. Left out are what benchmarks (I10) and unit tests (I11) measure, and table 1 (I2),
which tables.py makes; speed (I8) and the large scenes (I1B) are measured only when named. Exit status 1 when a claim does not hold.
"""

import math
import os

import verdicts
from runs import Run
from tables import slope, timed

HERE = os.path.dirname(os.path.abspath(__file__))


def own(name):
    return os.path.join(HERE, "scenes", name + ".json")


class Claims:
    """Each method yields (what, measured, asked, holds)."""

    def __init__(self, quick, seeds, model):
        self.quick, self.model = quick, model
        self.seeds = [1] if quick else range(1, seeds + 1)
        self.steps = [0.1, 1.0] if quick else [0.01, 0.1, 0.4, 1.0]

    def run(self, scene, dt, duration, **more):
        return Run(scene, self.model, dt, duration, **more)

    def free(self, scene, what, change=None, duration=20):
        """No overlap with any seed and step: one line for each step."""
        for dt in self.steps:
            runs = [self.run(scene, dt, min(duration, 5) if self.quick else duration, seed=seed, change=change) for seed in self.seeds]
            overlaps = sum(run.overlaps for run in runs)
            text = f"least gap {min(run.gap for run in runs):.4f} m, {overlaps} overlaps"
            yield f"{what}, dt {dt}", text, "no overlap", overlaps == 0

    def i1(self):
        scenes = ["hallway", "crossing", "crossing-dense", "random-500", "circle-8", "three-agents", "head-on", "bottleneck-2.5m"]
        for scene in scenes[:4] if self.quick else scenes:
            yield from self.free("implicit/" + scene, scene)
        for scene in ("sources", "closing-door", "corner"):
            yield from self.free(own(scene), scene)

    def i1b(self):
        for scene in ("blocks", "evacuation"):
            yield from self.free("implicit/" + scene, scene)

    def i3(self):
        times = {dt: self.run("implicit/circle-8", dt, 60) for dt in [0.01, 0.05, 0.1, 0.4, 1.0]}
        right = times[0.01].stats["evacuation_s"]
        for dt, run in list(times.items())[1:]:
            last = run.stats["evacuation_s"]
            yield (f"circle-8, dt {dt}: last arrival", f"{last} s", f"within 15 % of {right} s",
                   last is not None and right is not None and abs(last / right - 1) <= 0.15)

    @staticmethod
    def progress(run, duration):
        """How far people came of what they would alone, on average."""
        parts = [abs(track[-1][1] - track[0][1]) / (run.people[who]["desired_speed"] * duration) for who, track in run.tracks.items()]
        return sum(parts) / len(parts)

    def i4(self):
        steps, duration = ([0.1, 0.4], 10) if self.quick else ([0.01, 0.1, 0.4], 20)
        found = {dt: self.progress(self.run("implicit/hallway", dt, duration, tracks=True), duration) for dt in steps}
        for dt, value in found.items():
            yield f"hallway, dt {dt}: progress", f"{value:.3f}", ">= 0.85", value >= 0.85
        spread = max(found.values()) - min(found.values())
        yield "hallway: spread of progress", f"{spread:.3f}", "<= 0.1", spread <= 0.1

    @staticmethod
    def nearest_neighbours(run):
        """The mean distance to the nearest neighbour of those before the bottleneck, over the frames 0.4 s apart in which there
        are ten or more."""
        distances = []
        for t, people in run.frames().items():
            before = [(x, y) for _, x, y in people if x < 0]
            if abs(t / 0.4 - round(t / 0.4)) > 1e-6 or len(before) < 10:
                continue
            distances += [min(math.dist(a, b) for b in before if b is not a) for a in before]
        return sum(distances) / len(distances)

    def i5(self):
        """Means over many seeds: when the last one of 50 arrives is 16 s to 24 s, whatever the step."""
        seeds = self.seeds if self.quick else range(1, 11)
        steps = [0.05, 0.1, 0.4] if self.quick else [0.01, 0.05, 0.1, 0.2, 0.4]
        near, last = {}, {}
        for dt in steps:
            runs = [self.run("implicit/bottleneck-2.5m", dt, 60, seed=seed, tracks=True) for seed in seeds]
            near[dt] = sum(self.nearest_neighbours(run) for run in runs) / len(runs)
            last[dt] = sum(run.stats["evacuation_s"] or math.inf for run in runs) / len(runs)
        for dt in (dt for dt in steps if dt != 0.05):
            yield (f"bottleneck-2.5m, dt {dt}: mean distance to the nearest neighbour", f"{near[dt]:.4f} m",
                   f"within 5 % of {near[0.05]:.4f}", abs(near[dt] / near[0.05] - 1) <= 0.05)
            yield (f"bottleneck-2.5m, dt {dt}: last arrival", f"{last[dt]:.1f} s", f"within 15 % of {last[0.05]:.1f}",
                   abs(last[dt] / last[0.05] - 1) <= 0.15)

    @staticmethod
    def lanes(run):
        """The largest order parameter: bands 0.7 m high within 6 m of the middle, in which all go the same way (1) or not (0)."""
        best = 0.0
        for _, people in run.frames().items():
            bands = {}
            for who, x, y in people:
                if abs(x) < 6:
                    count = bands.setdefault(math.floor(y / 0.7), [0, 0])
                    count[run.people[who]["group"] == "east"] += 1
            total = sum(a + b for a, b in bands.values())
            if total >= 20:
                best = max(best, sum((a - b) ** 2 / (a + b) for a, b in bands.values()) / total)
        return best

    def i6(self):
        for dt in (0.1, 0.4):
            value = self.lanes(self.run("implicit/hallway", dt, 20, tracks=True))
            yield f"hallway, dt {dt}: lanes", f"{value:.3f}", ">= 0.8", value >= 0.8

    @staticmethod
    def lone_speeds(run):
        lone = next(who for who, person in run.people.items() if person["group"] == "lone")
        track = run.tracks[lone]
        return [(t1, math.dist((x0, y0), (x1, y1)) / (t1 - t0)) for (t0, x0, y0), (t1, x1, y1) in zip(track, track[1:])]

    def i7(self):
        slowest = min(v for t, v in self.lone_speeds(self.run("implicit/three-agents", 0.1, 40, tracks=True)) if t > 1)
        yield "three-agents: the lone one after 1 s", f"{slowest:.2f} m/s", ">= 0.8 m/s", slowest >= 0.8
        plain = {"name": "orca", "params": {"time_horizon": 2, "neighbour_dist": 5}}
        run = Run("implicit/three-agents", plain, 0.1, 40, tracks=True)
        slow = sum(run.frame_s for t, v in self.lone_speeds(run) if t > 1 and v < 0.3)
        yield "three-agents with orca: below 0.3 m/s", f"{slow:.1f} s", ">= 2 s", slow >= 2

    def i8(self):
        for scene, duration, asked in (("hallway", 20, 10), ("evacuation", 20 if self.quick else 60, 2)):
            cpu, _ = timed("implicit/" + scene, self.model, 0.1, duration)
            yield f"{scene}, dt 0.1: simulated time over processor time", f"{duration / cpu:.1f}", f">= {asked}", duration / cpu >= asked

    def i9(self):
        points = []
        for size in [100, 250, 500] if self.quick else [100, 250, 500, 1000, 2000]:
            cpu, steps = timed(f"implicit/random-{size}", self.model, 0.25, 5 if self.quick else 15)
            points.append((size, cpu / steps))
        value = slope(points)
        yield "random, dt 0.25: exponent of time over people", f"{value:.2f}", "<= 1.3", value <= 1.3

    def deepest_by_frame(self, run):
        """{time: deepest overlap, m}, by brute force over those close in x."""
        found = {}
        for t, people in run.frames().items():
            people.sort(key=lambda p: p[1])
            deepest = 0.0
            for k, (a, xa, ya) in enumerate(people):
                for b, xb, yb in people[k + 1:]:
                    if xb - xa > 0.5:
                        break
                    deepest = max(deepest, run.people[a]["radius"] + run.people[b]["radius"] - math.dist((xa, ya), (xb, yb)))
            found[t] = deepest
        return found

    def i12(self):
        for dt in [0.1, 0.4] if self.quick else [0.05, 0.1, 0.4]:
            depths = self.deepest_by_frame(self.run("implicit/overlap-start", dt, 5, tracks=True))
            gone = next((t for t, depth in depths.items() if depth <= 1e-9), None)
            late = max(depth for t, depth in depths.items() if t >= 2 - 1e-9)
            values = list(depths.values())
            rises = max(b - a for a, b in zip(values, values[1:]))
            yield f"overlap-start, dt {dt}: deepest after 2 s", f"{late:.2g} m (gone after {gone} s)", "0", late <= 1e-9
            yield f"overlap-start, dt {dt}: largest rise of the deepest", f"{rises:.2g} m", "<= 0", rises <= 1e-9

    def i13(self):
        for dt in [0.1] if self.quick else [0.01, 0.1, 0.4]:
            last = self.run("implicit/head-on", dt, 30).stats["evacuation_s"]
            yield f"head-on, dt {dt}: both arrive", f"{last} s", "< 9 s", last is not None and last < 9

    def i14(self):
        def push(scenario):
            for entry in scenario["agents"]:
                entry["acceleration"] = [0, 5]
        yield from self.free("implicit/hallway", "hallway pushed aside by 5 m/s2", push)

    def i15(self):
        run = self.run("implicit/hallway", 4, 20, tracks=True)
        slow = self.progress(run, 20)
        usual = self.progress(self.run("implicit/hallway", 0.4, 20, tracks=True), 20)
        yield "hallway, dt 4: overlap", f"least gap {run.gap:.4f} m, {run.overlaps} overlaps", "no overlap", run.overlaps == 0
        yield "hallway, dt 4: progress", f"{slow:.3f}", f"< 0.6 and < {usual:.3f}", slow < min(0.6, usual)


SLOW = ["i1b", "i8"]  # measured when asked for
ORDER = ["i1", "i1b", "i3", "i4", "i5", "i6", "i7", "i8", "i9", "i12", "i13", "i14", "i15"]

# Whose bound each line has; verdicts.py says what the words mean.
COLLISION_FREE = "paper: section 6.1, table 1, no overlap at any step"
BOUNDS = {
    "i1": [("sources", "ours"), ("closing-door", "ours"), ("corner", "ours"), ("", COLLISION_FREE)],
    "i1b": COLLISION_FREE,
    "i3": "ours: figure 4, smooth for steps of any size",
    "i4": "ours: section 7.1, the same flow for large and small steps",
    "i5": "ours: figure 6, nearest neighbours whatever the step",
    "i6": "ours: section 7.1, lanes form for large and small steps",
    "i7": "ours: figure 10, the unpaired one stops with ORCA alone",
    "i8": "ours: section 6.3 has 27 times real time (hallway) and 2.7 times (evacuation)",
    "i9": "ours: figure 8, near-linear in the number of people",
    "i12": "ours",
    "i13": "ours",
    "i14": "paper: section 7.3, no collisions with explicit forces either",
    "i15": [("overlap", COLLISION_FREE), ("progress", "ours: section 7.3, with steps of 4 s the flow becomes slower")],
}


if __name__ == "__main__":
    verdicts.main(__doc__, lambda options: Claims(options.quick, options.seeds or 3, options.model), ORDER, SLOW, "implicit", "claims",
                  BOUNDS)
