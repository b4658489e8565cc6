#!/usr/bin/env python3
"""What Kim, Guy, Manocha 2013 (Velocity-based modeling of physical interactions in multi-agent simulations) show of people and things,
measured from recordings.

    validate/claims_bodies.py [--quick] [--seeds N] [F6 ...]      keeps results in validate/results/claims-bodies.csv

Each line is a claim: what was measured, what was asked, and whether it holds, the worst of three seeds (--seeds N). --quick: one
seed, less time; nothing is kept. Exit status 1 when a claim does not hold.
"""

import math
import sqlite3

import verdicts
from runs import finished, scenario_text

HEIGHT = 1.8    # m, of people


def rotate(q, v):
    """A vector turned by a unit quaternion (w, x, y, z)."""
    w, x, y, z = q
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]]


class Tape:
    """A run and its recording: positions by frame, things by frame, and what things are made of."""

    def __init__(self, scene, duration, seed, every, change=None):
        scenario = scenario_text("forces/" + scene)
        scenario.update(duration=duration, seed=seed)
        if change:
            change(scenario)
        with finished(scenario, "--no-check", "--every", str(every)) as done:
            self.stats = done.stats
            base = sqlite3.connect(done.tape)
            self.radius = dict(base.execute("SELECT id, radius FROM x_agents"))
            self.people, self.things, self.parts = {}, {}, {}
            for frame, who, x, y in base.execute("SELECT frame, id, pos_x, pos_y FROM trajectory_data ORDER BY frame"):
                self.people.setdefault(frame, []).append((who, x, y))
            for frame, what, *pose in base.execute("SELECT frame, id, x, y, z, turn_w, turn_x, turn_y, turn_z FROM x_objects ORDER BY frame"):
                self.things.setdefault(frame, {})[what] = pose
            for what, *part, fixed in base.execute("SELECT id, kind, size_x, size_y, size_z, x, y, z, fixed FROM x_object_parts"):
                self.parts.setdefault(what, []).append(part)
                if fixed:
                    self.parts[what] = []
            base.close()

    def displaced(self, least):
        """How many things lie farther than that from where they were at first."""
        first, last = self.things[min(self.things)], self.things[max(self.things)]
        return sum(math.dist(first[what][:2], last[what][:2]) > least for what in first)

    def middles_inside(self):
        """How many middles of people, over all frames, lie in a box or ball that is all below the height of people and upright."""
        count = 0
        for frame, things in self.things.items():
            cells = {}
            for who, x, y in self.people.get(frame, []):
                cells.setdefault((int(x // 1), int(y // 1)), []).append((x, y))
            for what, pose in things.items():
                for kind, *size_at in self.parts[what]:
                    size, at = size_at[:3], rotate(pose[3:], size_at[3:6])
                    centre = [pose[i] + at[i] for i in range(3)]
                    if kind == "box" and abs(rotate(pose[3:], [0, 0, 1])[2]) < 0.99:
                        continue
                    if centre[2] - size[2] / 2 > 1:
                        continue
                    reach = math.hypot(size[0], size[1]) / 2
                    for cx in range(int((centre[0] - reach) // 1), int((centre[0] + reach) // 1) + 1):
                        for cy in range(int((centre[1] - reach) // 1), int((centre[1] + reach) // 1) + 1):
                            for x, y in cells.get((cx, cy), ()):
                                count += self.covers(kind, size, pose, centre, x, y)
        return count

    @staticmethod
    def covers(kind, size, pose, centre, x, y):
        dx, dy = x - centre[0], y - centre[1]
        if kind == "ball":
            return math.hypot(dx, dy) < size[0] / 2
        along = rotate(pose[3:], [1, 0, 0])
        length = math.hypot(along[0], along[1])
        u, v = (dx * along[0] + dy * along[1]) / length, (dy * along[0] - dx * along[1]) / length
        return abs(u) < size[0] / 2 and abs(v) < size[1] / 2


def crowd_of(count):
    """So many people press against the wall."""
    def change(scenario):
        scenario["agents"][0]["count"] = count
    return change


class Claims:
    """Each method yields (what, measured, asked, holds)."""

    def __init__(self, quick, seeds):
        self.seeds = [1] if quick else range(1, seeds + 1)
        self.part = 0.5 if quick else 1

    def tapes(self, scene, duration, every=4, change=None):
        return [Tape(scene, duration * self.part, seed, every, change) for seed in self.seeds]

    def f6(self):
        """The wall holds against a handful and breaks under the crowd; things are moved; nobody is in them."""
        tapes = self.tapes("wall-holding", 40)
        broken, moved = max(tape.stats["objects"]["bonds_broken"] for tape in tapes), max(tape.displaced(0.3) for tape in tapes)
        yield "18 people push: bonds of the wall that break", str(broken), "0", broken == 0
        yield "18 people push: blocks moved by more than 0.3 m", str(moved), "0", moved == 0
        for count in (250, 1200):
            tapes = self.tapes("wall-breaking", 50, change=crowd_of(count))
            broken, moved = min(tape.stats["objects"]["bonds_broken"] for tape in tapes), min(tape.displaced(1) for tape in tapes)
            inside = max(tape.middles_inside() for tape in tapes)
            yield f"{count} people push: bonds of the wall that break, of 396", str(broken), ">= 40", broken >= 40
            yield f"{count} people push: blocks carried away by more than 1 m", str(moved), ">= 50", moved >= 50
            yield f"{count} people push: middles of people in blocks, over all frames", str(inside), "0", inside == 0
        for scene, duration, least in (("rolling-balls", 40, 100), ("office", 20, 20)):
            tapes = self.tapes(scene, duration)
            moved, inside = min(tape.displaced(0.3) for tape in tapes), max(tape.middles_inside() for tape in tapes)
            yield f"{scene}: things moved by more than 0.3 m", str(moved), f">= {least}", moved >= least
            yield f"{scene}: middles of people in things, over all frames", str(inside), "0", inside == 0


ORDER = ["f6"]

# Whose bound each line has; verdicts.py says what the words mean.
BOUNDS = {"f6": [("middles of people", "ours"), ("18 people", "ours"), ("people push", "ours: figures 1 and 10, the crowd breaks the wall"),
                 ("office", "ours: figure 9"), ("", "ours: figure 11")]}


if __name__ == "__main__":
    verdicts.main(__doc__, lambda options: Claims(options.quick, options.seeds or 3), ORDER, [], "orca-forces", "claims-bodies",
                  BOUNDS)
