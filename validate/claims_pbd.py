#!/usr/bin/env python3
"""What Weiss et al. 2019 (Position-based real-time simulation of large crowds) claim, and what was promised beyond, measured.

    validate/claims_pbd.py [--quick] [--seeds N] [--model pbd] [P1 ...]      keeps results in validate/results/claims-pbd.csv

Each line is a claim: what was measured, what was asked, and whether it holds. Motion is judged by validate_overlap from
recordings of every step; passing.py says how the rest is measured. Where the outcome is a matter of luck the scene is run with
five seeds (--seeds N) and the worst of them is told; the table says how many it were. --quick: one seed, small scenes; nothing is kept. With another --model the same is
measured of that one, which is not expected to hold. Speed (P15), and `short`, which the
tests look at, are measured when named. Exit status 1 when a claim does not hold.
"""

import math

import verdicts
from passing import Crowd
from runs import Run, changed

LONG = {"full": "long range, full", "normal": "long range, normal", "avoidance": "avoidance", "none": "none"}


class Outcome:
    """Runs of one scene with several seeds."""

    def __init__(self, claims, scene, duration, sample=1, **params):
        self.crowds = []
        for seed in claims.seeds:
            run = Run("pbd/" + scene, claims.model, None, duration, seed=seed, tracks=True, change=changed("pbd", **params), sample=sample)
            self.crowds.append(Crowd(run, sample))

    def most(self, measure):
        return max(measure(crowd) for crowd in self.crowds)

    def least(self, measure):
        return min(measure(crowd) for crowd in self.crowds)

    def speed(self, what):
        """One line: nobody is seen to walk faster than it may."""
        value = self.most(Crowd.fast)
        return f"{what}: ways from frame to frame beyond the largest speed", f"{100 * value:.2f} %", "<= 0.1 %", value <= 0.001

    def overlaps(self, what, severe=None):
        """One line: no overlap at all, or at most so many pairs deeper than 5 % at a time, and nobody in a wall."""
        found = [crowd.run.overlap for crowd in self.crowds]
        total = sum(one["people"]["overlaps"] for one in found)
        pairs, deep = (max(one["people"][key] for one in found) for key in ("pairs_most", "over_5pct_most"))
        deepest = max(one["people"]["deepest_fraction"] for one in found)
        walls = max(one["walls"]["deepest_m"] for one in found)
        text = f"{total} overlaps" if total == 0 else f"{pairs} pairs at most, {deep} over 5 %, deepest {100 * deepest:.2f} %"
        if severe is None:
            return f"{what}: overlap", text, "none", total == 0 and walls == 0
        return f"{what}: overlap", text, f"at most {severe} pairs over 5 %", deep <= severe and walls == 0


class Claims:
    """Each method yields (what, measured, asked, holds)."""

    def __init__(self, quick, seeds, model):
        self.quick, self.model = quick, None if model == "pbd" else model
        self.seeds = [1] if quick else range(1, seeds + 1)

    def passing(self, scene, duration, mode, t95=None, order=None, severe=None, sample=1):
        """Lines about two groups that walk through each other, and their outcome."""
        outcome = Outcome(self, scene, duration, sample, anticipation=mode)
        what = f"{scene}, {LONG[mode]}"
        lines = [outcome.overlaps(what, severe), outcome.speed(what)]
        if t95 is not None:
            value = outcome.most(Crowd.t95)
            lines.append((f"{what}: 95 % passed", f"{value:g} s", f"<= {t95} s", value <= t95))
        if order is not None:
            value = outcome.least(Crowd.order)
            lines.append((f"{what}: lane order", f"{value:.2f}", f">= {order}", value >= order))
        return outcome, lines

    def p1(self):
        """Sparse passing: lanes form, people pass easily."""
        widths = {}
        for mode in ("full", "avoidance", "normal"):
            outcome, lines = self.passing("sparse-passing", 100, mode, 90, 0.25)
            widths[mode] = [crowd.lanes() for crowd in outcome.crowds]
            yield from lines
        yield ("sparse-passing, half a period of lanes: long range, normal, and avoidance", " ".join(
            f"{min(widths[mode]):.2f} to {max(widths[mode]):.2f}" for mode in ("normal", "avoidance")), "thicker with avoidance, each seed",
            all(a > b for a, b in zip(widths["avoidance"], widths["normal"])))

    def p2(self):
        """Dense passing: a bottleneck forms with long range, then they pass; thicker lanes with avoidance."""
        outcome, lines = self.passing("dense-passing", 200, "full", severe=0)
        value = outcome.least(lambda crowd: crowd.progress_at(200))
        yield from lines
        yield "dense-passing, long range, full: progress after 200 s", f"{value:.1f}", ">= 80", value >= 80
        outcome, lines = self.passing("dense-passing", 200, "avoidance", 170, 0.25, 0)
        yield from lines
        value = outcome.most(Crowd.lanes)
        yield "dense-passing, avoidance: half a period of lanes", f"{value:.2f}", "<= 12", value <= 12

    def p3(self):
        """10,032 people."""
        for mode in ("avoidance", "full"):
            outcome, lines = self.passing("dense-passing-10k", 200, mode, severe=0, sample=5)
            value = outcome.least(lambda crowd: crowd.passed_at(200))
            yield from lines
            yield f"dense-passing-10k, {LONG[mode]}: passed after 200 s", f"{value:.3f}", ">= 0.99", value >= 0.99

    def p4(self):
        """Rabbits get past bears 30 times as heavy."""
        for mode in ("avoidance", "full"):
            outcome, lines = self.passing("bears-and-rabbits", 150, mode, severe=5)
            value = outcome.least(lambda crowd: crowd.passed_at(150))
            yield from lines
            yield f"bears-and-rabbits, {LONG[mode]}: passed after 150 s", f"{value:.3f}", ">= 0.95", value >= 0.95

    def p5(self):
        """An ellipse walks through a block and keeps its shape."""
        def growth(crowd):
            before, after = crowd.spread(0, "ellipse"), crowd.spread(100, "ellipse")
            return max(after[0] / before[0], after[1] / before[1])
        for mode in ("avoidance", "full"):
            outcome, lines = self.passing("ellipsoid", 100, mode, severe=0)
            yield from lines
            value = outcome.most(lambda crowd: crowd.t95(1, "ellipse"))
            yield f"ellipsoid, {LONG[mode]}: all of the ellipse passed", f"{value:g} s", "<= 90 s", value <= 90
            value = outcome.most(growth)
            yield f"ellipsoid, {LONG[mode]}: growth of its spread", f"{value:.2f}", "<= 1.25", value <= 1.25
            value = outcome.least(lambda crowd: crowd.kept(100, "ellipse"))
            yield f"ellipsoid, {LONG[mode]}: neighbours kept", f"{value:.2f}", ">= 0.75", value >= 0.75

    def circle(self, scene, radius, time, duration, **params):
        """(outcome, lines): how far people came to the opposite point."""
        outcome = Outcome(self, scene, duration, **params)
        what = scene + "".join(f", {LONG.get(value, f'{key} {value}')}" for key, value in params.items())
        value = outcome.least(lambda crowd: crowd.progress_at(time, lambda who: [-c for c in crowd.start[who]]))
        asked = 0.95 * 2 * radius
        return outcome, what, [outcome.overlaps(what, 0), outcome.speed(what),
                               (f"{what}: progress after {time} s", f"{value:.1f}", f">= {asked:.1f}", value >= asked)]

    def p6(self):
        """A circle of 250: a cluster forms, turns, and comes free, at the paper's friction, too."""
        for friction in (0.0, 0.05, 0.21):
            outcome, what, lines = self.circle("circle-250", 48, 160, 160, anticipation="normal", friction=friction)
            yield from lines
            value = outcome.least(Crowd.rotation)
            yield f"{what}: rotation", f"{value:.2f}", ">= 0.5", value >= 0.5
        yield from self.circle("circle-250", 48, 160, 160, anticipation="full", friction=0.21)[2]

    def p7(self):
        for mode in ("full", "avoidance"):
            yield from self.circle("circle-1000", 98, 220, 220, anticipation=mode)[2]

    def p8(self):
        """Two tight groups in a corridor."""
        for mode in ("avoidance", "full"):
            outcome, lines = self.passing("proximal", 100, mode, order=0.3, severe=0)
            value = outcome.most(lambda crowd: crowd.t95(1))
            yield from lines
            yield f"proximal, {LONG[mode]}: all passed", f"{value:g} s", "<= 45 s", value <= 45

    def p9(self):
        """People with crossing ways to places of their own."""
        outcome = Outcome(self, "target", 180, anticipation="full")
        yield outcome.overlaps("target")
        value = outcome.least(lambda crowd: crowd.run.stats["agents"]["arrived"] / len(crowd.start))
        yield "target: came within 0.5 of their goals in 180 s", f"{value:.3f}", ">= 0.95", value >= 0.95

    def p10(self):
        """Jam and arch before a corridor; friction controls the flow."""
        flows = []
        for friction in (0.0, 0.21, 1.0):
            outcome = Outcome(self, "bottleneck-480", 300, friction=friction)
            flows.append(sum(map(Crowd.flow, outcome.crowds)) / len(outcome.crowds))
            yield outcome.overlaps(f"bottleneck-480, friction {friction}", 5)
            if friction == 0.21:
                low, high = outcome.least(Crowd.flow), outcome.most(Crowd.flow)
                yield "bottleneck-480: flow", f"{low:.2f} to {high:.2f} a second", "1.2 to 2.5", low >= 1.2 and high <= 2.5
                value = outcome.least(arch)
                yield "bottleneck-480: arch, least of six sectors around the door over their mean", f"{value:.2f}", ">= 0.6", value >= 0.6
        yield ("bottleneck-480: flow with friction 0, 0.21, 1", " ".join(f"{flow:.2f}" for flow in flows), "falls",
               flows[0] > flows[1] > flows[2])
        if self.quick:
            return
        outcome = Outcome(self, "bottleneck-3600", 300)
        low, high = outcome.least(Crowd.flow), outcome.most(Crowd.flow)
        value = max(crowd.run.overlap["people"]["pairs_most"] for crowd in outcome.crowds)
        yield outcome.overlaps("bottleneck-3600", 5)
        yield "bottleneck-3600: pairs that overlap at a time", f"{value}", "<= 5", value <= 5
        yield outcome.speed("bottleneck-3600")
        yield "bottleneck-3600: flow", f"{low:.2f} to {high:.2f} a second", "4 to 7", low >= 4 and high <= 7

    def p11(self):
        """Two groups cross at right angles."""
        outcome = Outcome(self, "two-crossing", 80, anticipation="full")
        yield outcome.overlaps("two-crossing")
        yield outcome.speed("two-crossing")
        value = outcome.least(lambda crowd: crowd.passed_at(80))
        yield "two-crossing: passed after 80 s", f"{value:.3f}", "1", value == 1
        found = sorted((crowd.stripes() for crowd in outcome.crowds), reverse=True)
        value = found[len(found) // 2]
        yield "two-crossing: correlation along diagonal stripes, median", f"{value:.2f}", ">= 0.45", value >= 0.45

    def p12(self):
        """Four flows cross on the diagonals."""
        for mode in ("full", "avoidance"):
            outcome = Outcome(self, "four-flows", 120, anticipation=mode)
            value = outcome.least(lambda crowd: crowd.passed_at(120))
            yield outcome.overlaps(f"four-flows, {LONG[mode]}")
            yield outcome.speed(f"four-flows, {LONG[mode]}")
            yield f"four-flows, {LONG[mode]}: passed after 120 s", f"{value:.3f}", "1", value == 1

    def p13(self):
        """The comparison: no collisions, where the explicit power law has many."""
        duration = 40 if self.quick else 100
        for mode in ("full", "avoidance"):
            yield self.passing("comparison-dense", duration, mode)[1][0]
        found = {dt: Run("pbd/comparison-dense", "powerlaw", dt, duration).overlap["people"]["pairs_most"] for dt in (1 / 48, 1 / 24, 0.05)}
        for name, dt, asked in (("1/24", 1 / 24, 20 if self.quick else 100), ("0.05", 0.05, 100)):
            yield f"comparison-dense, powerlaw, dt {name}: overlap", f"{found[dt]} pairs at most", f">= {asked}", found[dt] >= asked
        some, more = found[1 / 48], found[1 / 24]
        yield ("comparison-dense, powerlaw, dt 1/48: overlap", f"{some} pairs at most", "some, fewer than half of those at 1/24", 0 < some < more / 2)

    def p14(self):
        run = Run("pbd/comparison-sparse", "powerlaw", 1 / 48, 40 if self.quick else 100)
        pairs = run.overlap["people"]["pairs_most"]
        yield "comparison-sparse, powerlaw, dt 1/48: overlap", f"{pairs} pairs at most", "<= 3", pairs <= 3
        yield self.passing("comparison-sparse", 40 if self.quick else 100, "full")[1][0]

    def p17(self):
        """Figure 4: the larger tau0, the earlier two who meet begin to turn."""
        times = [first_turn(tau0) for tau0 in (5, 10, 20)]
        yield ("two who meet, tau0 5, 10, 20: begin to turn before they would touch", " ".join(f"{time:.1f}" for time in times) + " s",
               "each at least 1.25 times as early", times[1] >= 1.25 * times[0] and times[2] >= 1.25 * times[1])

    def short(self):
        """What the tests look at: seconds, not minutes."""
        yield from self.p11()
        outcome = Outcome(self, "comparison-dense", 15)
        yield outcome.overlaps("comparison-dense, 15 s")
        pairs = Run("pbd/comparison-dense", "powerlaw", 0.05, 30).overlap["people"]["pairs_most"]
        yield "comparison-dense, powerlaw, dt 0.05, 30 s: overlap", f"{pairs} pairs at most", ">= 20", pairs >= 20
        outcome, what, lines = self.circle("circle-250", 48, 160, 160, anticipation="normal", friction=0.0)
        value = outcome.least(Crowd.rotation)
        yield from lines
        yield f"{what}: rotation", f"{value:.2f}", ">= 0.5", value >= 0.5
        flows = [Outcome(self, "bottleneck-480", 100, friction=friction).crowds[0] for friction in (0.0, 1.0)]
        yield "bottleneck-480: flow with friction 0, 1", " ".join(f"{crowd.flow():.2f}" for crowd in flows), "falls", (
            flows[0].flow() > flows[1].flow() > 0)
        value = arch(flows[1])
        yield "bottleneck-480: arch", f"{value:.2f}", ">= 0.6", value >= 0.6

    def p15(self):
        """The paper's 100,048 people: 43.66 ms a frame there."""
        times = []
        for _ in range(3):
            run = Run("pbd/bottleneck-100k", self.model, None, 4, record=False)
            times.append(sum(run.stats["stage_ms"].values()))
        value = min(times)
        yield "bottleneck-100k, two threads: a frame", f"{value:.1f} ms", "<= 20 ms", value <= 20

    def p16(self):
        """The same bytes from any number of threads, every scene."""
        yield from verdicts.same_bytes("pbd", self.model, range(1, 9), lambda name: 0.5 if "00k" in name or "10k" in name else 10)


def first_turn(tau0):
    """How many seconds before they would touch two who walk towards each other, 0.8 aside, leave their lines by 0.01."""
    def change(scenario):
        changed("pbd", anticipation="avoidance", tau0=tau0, symmetry=0, sidestep=0)(scenario)
        scenario["profiles"]["walker"]["desired_speed"] = 1.4
        scenario["agents"] = [{"group": name, "at": [side * 30, side * 0.4], "profile": "walker", "velocity": "desired",
                               "goal": {"direction": [-side, 0]}} for name, side in (("east", -1), ("west", 1))]
    tracks = Run("pbd/sparse-passing", None, None, 20, tracks=True, change=change).tracks
    first = min(t for t, _, y in next(iter(tracks.values())) if abs(abs(y) - 0.4) > 0.01)
    return (60 - math.sqrt(4 - 0.8 ** 2)) / 2.8 - first


def arch(crowd):
    """People within 15 of the middle of the door, in six sectors of 30 degrees, averaged from 60 s to 150 s: the emptiest sector
    over the mean. Those within 5 are left out: half of them are in the door."""
    sectors = [0] * 6
    for t, here in crowd.moments.items():
        if 60 <= t <= 150:
            for x, y in here.values():
                if x < 0 and 5 < math.hypot(x, y) < 15:
                    sectors[min(5, int((math.atan2(-x, y)) / (math.pi / 6)))] += 1
    return min(sectors) / (sum(sectors) / 6) if sum(sectors) else 0.0


SLOW = ["p15", "short"]  # measured when asked for
ORDER = [f"p{k}" for k in range(1, 18)] + ["short"]

# Whose bound each line has; verdicts.py says what the words mean.
def passing_of(sections):
    return [("largest speed", "ours: section 3.7"), ("overlap", f"ours: section {sections}, no collisions are shown"),
            ("", f"ours: section {sections}")]


BOUNDS = {
    "p1": passing_of("4.2.1, 4.2.2"), "p2": passing_of("4.2.3, 4.2.4"), "p3": passing_of("4.2.5, 4.2.6"), "p4": passing_of("4.2.7"),
    "p5": passing_of("4.2.8"), "p6": passing_of("4.2.9"), "p7": passing_of("4.2.9"), "p8": passing_of("4.2.10, 4.2.11"),
    "p9": passing_of("4.2.12"), "p10": passing_of("4.2.13"), "p11": passing_of("4.2.14"), "p12": passing_of("4.2.15"),
    "p13": [("powerlaw", "ours: figure 19 has up to 246 pairs"), ("", "paper: figure 19, no pair overlaps")],
    "p14": [("powerlaw", "ours: section 4.3.1, the power law passes"), ("", "paper: section 4.3.1, no pair overlaps")],
    "p15": "ours: table 1 has 43.66 ms",
    "p16": "ours",
    "p17": "ours: figure 4",
    "short": "ours",
}


if __name__ == "__main__":
    verdicts.main(__doc__, lambda options: Claims(options.quick, options.seeds or 5, options.model), ORDER, SLOW, "pbd", "claims-pbd",
                  BOUNDS)
