#!/usr/bin/env python3
"""What Kim, Guy, Manocha 2013 (Velocity-based modeling of physical interactions in multi-agent simulations) claim of people alone,
measured from recordings: each scene with forces, and without (plain ORCA).

    validate/claims_forces.py [--quick] [--seeds N] [F1 ...]      keeps results in validate/results/claims-forces.csv

Each line is a claim: what was measured, what was asked, and whether it holds, the worst of five seeds (--seeds N) unless it says
otherwise. --quick: one seed; nothing is kept. Exit status 1 when a claim does not hold.
"""

import math

import verdicts
from runs import Run, changed

PLAIN = changed("orca-forces", forces=False, push_out=0)  # nor is anybody moved out of others


def when(track, x):
    """The first time beyond x; infinite: never."""
    return next((t for t, at, _ in track if at > x), math.inf)


def shown(time):
    return f"{time:.2f} s" if math.isfinite(time) else "never"


class Claims:
    """Each method yields (what, measured, asked, holds)."""

    def __init__(self, quick, seeds, model):
        self.model = None if model == "orca-forces" else model
        self.seeds = [1] if quick else range(1, seeds + 1)

    def pairs(self, scene, duration, every=2, times=1):
        """A run with forces and one without, for every seed, or so many times as many."""
        for seed in range(1, times * len(self.seeds) + 1):
            yield tuple(Run("forces/" + scene, self.model, 0.05, duration, seed=seed, tracks=True, every=every, change=change)
                        for change in (None, PLAIN))

    def f1(self):
        """The runner gets through the standing crowd, |x| < 1.7, and moves more of it."""
        passed, before, further, more = 0.0, math.inf, math.inf, math.inf
        for runs in self.pairs("running-through", 8, 1):
            through, moved = [], []
            for run in runs:
                runner = max(run.tracks)
                through.append(when(run.tracks.pop(runner), 1.7))
                moved.append([math.dist(track[0][1:], track[-1][1:]) for track in run.tracks.values()])
            passed, before = max(passed, through[0]), min(before, through[1])
            further = min(further, sum(moved[0]) / sum(moved[1]))
            more = min(more, sum(way > 0.05 for way in moved[0]) / max(sum(way > 0.05 for way in moved[1]), 1))
        yield "running-through: the runner is through, with forces", shown(passed), "< 6 s", passed < 6
        yield "running-through: without", shown(before), "not in 8 s", math.isinf(before)
        yield "running-through: mean displacement of the others, with over without", f"{further:.2f}", ">= 1.2", further >= 1.2
        yield "running-through: moved by more than 5 cm, with over without", f"{more:.2f}", ">= 1.2", more >= 1.2

    def f2(self):
        """Somebody crosses the flow instead of being swept along."""
        for scene, far in (("dense-crossing-841", 4.6), ("dense-crossing-1601", 6.5)):
            crossed, before, swept = 0.0, math.inf, 0.0
            for runs in self.pairs(scene, 30):
                tracks = [run.tracks[max(run.tracks)] for run in runs]
                times = [when(track, far) for track in tracks]
                drift = [next((y for t, _, y in track if t >= time), track[-1][2]) - track[0][2] for track, time in zip(tracks, times)]
                crossed, before, swept = max(crossed, times[0]), min(before, times[1]), max(swept, drift[0] / drift[1])
            yield f"{scene}: crossed, with forces", shown(crossed), "< 15 s" if "841" in scene else "< 25 s", crossed < (15 if "841" in scene else 25)
            yield f"{scene}: without", shown(before), "not in 30 s", math.isinf(before)
            yield f"{scene}: carried along, with over without", f"{swept:.2f}", "< 0.5", swept < 0.5

    def f3(self):
        """More people get through both openings within a minute. Counts differ by a tenth between seeds, and the ratio is not far from
        its limit: it takes four times as many seeds to tell."""
        for scene in ("two-bottlenecks-300", "two-bottlenecks-1000"):
            through, times = [0, 0], 4
            for runs in self.pairs(scene, 60, times=times):
                for k, run in enumerate(runs):
                    through[k] += sum(math.isfinite(when(track, 7)) for track in run.tracks.values())
            ratio, each = through[0] / max(through[1], 1), [count / (times * len(self.seeds)) for count in through]
            yield (f"{scene}: through both, with over without, mean of four times as many seeds", f"{ratio:.2f} ({each[0]:.1f} and {each[1]:.1f})", "1.6 to 3",
                   1.6 <= ratio <= 3)


ORDER = ["f1", "f2", "f3"]

# Whose bound each line has; verdicts.py says what the words mean.
BOUNDS = {
    "f1": "ours: figure 6, with forces the runner gets through and the others are moved",
    "f2": "ours: figure 7, without forces it is swept along",
    "f3": "ours: figure 8 has twice as many",
}


if __name__ == "__main__":
    verdicts.main(__doc__, lambda options: Claims(options.quick, options.seeds or 5, options.model), ORDER, [], "orca-forces",
                  "claims-forces",
                  BOUNDS)
