#!/usr/bin/env python3
"""What Narain et al. 2009 (Aggregate dynamics for dense crowd simulation) claim, and what was promised beyond, measured.

    validate/claims_uic.py [--quick] [--seeds N] [--model uic] [U1 ...]      keeps results in validate/results/claims-uic.csv

Each line is a claim: what was measured, what was asked, and whether it holds, the worst of three seeds (--seeds N). Distances are
centre to centre, in d_min, the sum of two radii; what is dense is told from positions alone. --quick: one seed, less time; nothing
is kept. With another --model the same is measured of that one, which is not expected to hold. Exit status 1 when a claim does not hold.
"""

import math

import verdicts
from runs import Moments, Run, changed

ALPHA = 0.5    # the part of the closest packing that counts as full


def full_density(d_min):
    return 2 * ALPHA / (math.sqrt(3) * d_min * d_min)


class Moment:
    """Who is where at one time: {id: (x, y)}, listed by cells of a side in m."""

    def __init__(self, people, side):
        self.people, self.side, self.cells = people, side, {}
        for who, (x, y) in people.items():
            self.cells.setdefault((int(x // side), int(y // side)), []).append((x, y, who))

    def nearest(self, reach):
        """{id: distance to the nearest other one, or reach}; reach is no more than a cell."""
        found = {}
        for (i, j), inside in self.cells.items():
            around = [other for a in (i - 1, i, i + 1) for b in (j - 1, j, j + 1) for other in self.cells.get((a, b), ())]
            for x, y, who in inside:
                least = reach * reach
                for x1, y1, other in around:
                    square = (x1 - x) ** 2 + (y1 - y) ** 2
                    if square < least and other != who:
                        least = square
                found[who] = math.sqrt(least)
        return found


class Watched(Moments):
    """A run seen every `sample` s; velocities are over half a second."""

    def __init__(self, claims, scene, duration, seed, sample=5, change=None):
        run = Run("uic/" + scene, claims.model, 0.05, duration, seed=seed, tracks=True, every=10, change=change)
        super().__init__(run, round(sample / run.frame_s))

    def closeness(self, d_min, since=0.0, until=math.inf, west_of=math.inf):
        """(mean distance to the nearest one where it is dense, share closer than d_min), over all moments, in d_min. Dense is
        where at least 0.9 of a full disc of radius 4 d_min is around somebody."""
        near, total, close, dense = 0.0, 0, 0, 0
        reach = 4 * d_min
        enough = 0.9 * full_density(d_min) * math.pi * reach * reach
        for t, people in self.moments.items():
            if not since <= t <= until:
                continue
            moment = Moment({who: at for who, at in people.items() if at[0] < west_of}, reach)
            for who, distance in moment.nearest(2 * d_min).items():
                total += 1
                close += distance < d_min
                if distance < 2 * d_min and self.crowded(moment, who, reach) >= enough:
                    near += distance
                    dense += 1
        return near / max(dense, 1) / d_min, close / max(total, 1), dense

    @staticmethod
    def crowded(moment, who, reach):
        x, y = moment.people[who]
        i, j = int(x // reach), int(y // reach)
        return sum((x1 - x) ** 2 + (y1 - y) ** 2 < reach * reach for a in (i - 1, i, i + 1) for b in (j - 1, j, j + 1)
                   for x1, y1, _ in moment.cells.get((a, b), ()))

    def turning(self, centre, speed):
        """The largest mean of tangential speed over wanted speed, of all moments."""
        most = 0.0
        for t, velocities in self.velocities.items():
            parts = []
            for who, (vx, vy) in velocities.items():
                x, y = self.moments[t][who][0] - centre[0], self.moments[t][who][1] - centre[1]
                parts.append((x * vy - y * vx) / max(math.hypot(x, y), 1e-9) / speed)
            most = max(most, abs(sum(parts) / max(len(parts), 1)))
        return most

    def speed(self, since):
        found = [math.hypot(*v) for t, velocities in self.velocities.items() if t >= since for v in velocities.values()]
        return sum(found) / max(len(found), 1)

    def left_between(self, begin, end):
        """How many were seen for the last time then."""
        return sum(begin <= t < end for t, _, _ in self.last.values())


class Claims:
    """Each method yields (what, measured, asked, holds)."""

    def __init__(self, quick, seeds, model):
        self.quick, self.model = quick, None if model == "uic" else model
        self.seeds = [1] if quick else range(1, seeds + 1)

    def u1(self):
        """The circle: a vortex forms and resolves; nobody comes too close."""
        turning, half, close, mean_low, mean_high, most = math.inf, 0.0, 0.0, math.inf, 0.0, 0.0
        duration = 60 if self.quick else 150
        for seed in self.seeds:
            seen = Watched(self, "circle-10k", duration, seed)
            turning = min(turning, seen.turning((0, 0), 1.4))
            far = {t: sum(math.dist(at, [-c for c in seen.start[who]]) for who, at in people.items()) / len(people)
                   for t, people in seen.moments.items()}
            half = max(half, far[max(far)] / far[min(far)])
            mean, share, _ = seen.closeness(0.5)
            mean_low, mean_high, close = min(mean_low, mean), max(mean_high, mean), max(close, share)
            most = max(most, seen.run.stats["uic"]["density_overshoot_max"])
        yield "circle-10k: turning of the vortex at most", f"{turning:.2f}", ">= 0.2", turning >= 0.2
        yield f"circle-10k: way left after {duration} s, of that at the start", f"{half:.2f}", "<= 0.5", half <= 0.5
        yield "circle-10k: density of the densest cell, of a full one", f"{most:.3f}", "<= 1.06", most <= 1.06
        yield ("circle-10k: nearest one where it is dense, d_min", f"{mean_low:.3f} to {mean_high:.3f}", "1.20 to 1.30",
               mean_low >= 1.2 and mean_high <= 1.3)
        yield "circle-10k: closer than d_min", f"{100 * close:.4f} %", "< 0.12 %", close < 0.0012

    def u2(self):
        """Crossings resolve: at 120 s, of those who came by 70 s; of free people the first 50 s of them are through."""
        for rate in (40, 80, 120):
            through, freed, flow, fullest = math.inf, math.inf, math.inf, 0.0
            for seed in self.seeds:
                run = Run(f"uic/crossing-{rate}", self.model, 0.035, 120, seed=seed, tracks=True, every=29)
                end = max(track[-1][0] for track in run.tracks.values())
                spans = [(track[0][0], track[-1][0]) for track in run.tracks.values()]
                gone = [begin for begin, last in spans if last < end - 0.1]
                through = min(through, sum(t <= 70 for t in gone) / sum(t <= 70 for t, _ in spans))
                freed = min(freed, sum(t <= 70 for t in gone) / sum(t <= 120 - 98 / 1.4 for t, _ in spans))
                flow = min(flow, sum(60 <= last < end - 0.1 for _, last in spans) / sum(t >= 60 for t, _ in spans))
                fullest = max(fullest, run.stats["uic"]["density_overshoot_max"] if "uic" in run.stats else 0)
            where = f"crossing-{rate}: "
            if rate < 120:
                yield (where + "through at 120 s, of free people", f"{freed:.2f} ({through:.2f} of those who came by 70 s)", ">= 0.8",
                       freed >= 0.8)
            if rate == 40:
                seen = [Watched(self, "crossing-40", 160, seed) for seed in self.seeds]
                speed, leave = min(one.speed(100) for one in seen), min(one.left_between(100, 155) / 55 for one in seen)
                yield where + "speed", f"{speed:.2f} m/s", ">= 1.2", speed >= 1.2
                yield where + "leave, of those who come", f"{leave / rate:.2f}", ">= 0.9", leave >= 0.9 * rate
            yield where + "outflow from 60 to 120 s, of the inflow", f"{flow:.2f}", ">= 0.5", flow >= 0.5
            yield where + "density of the densest cell, of a full one", f"{fullest:.3f}", "<= 1.05", fullest <= 1.05

    def u3(self):
        """Both are needed: the projection and the separation."""
        # Without the projection nobody is left before the door after 40 s.
        for scene, d_min, since, until, west_of in (("circle-10k", 0.5, 30, 60, math.inf), ("door-2k", 0.35, 15, 35, 30)):
            for what, params in (("both", {}), ("not incompressible", {"incompressible": False}), ("no separation", {"separation": False})):
                seen = Watched(self, scene, 60, 1, change=changed("uic", **params))
                share = seen.closeness(d_min, since, until, west_of)[1]
                asked, holds = ("< 1 %", share < 0.01) if not params else ("> 50 %", share > 0.5)
                where = "" if west_of == math.inf else " before it"
                yield f"{scene}, {what}: closer than d_min{where}", f"{100 * share:.2f} %", asked, holds

    def u4(self):
        """The door: nobody crosses a closed face, and no more get through than a full crowd at full speed."""
        for dt in (0.05, 0.2):
            flow, walls = 0.0, 0.0
            for seed in self.seeds:
                run = Run("uic/door-2k", self.model, dt, 60 if self.quick else 200, seed=seed, tracks=True, sample=1)
                walls = max(walls, run.overlap["walls"]["deepest_m"])
                times = sorted(next((t for t, x, _ in track if x > 30), math.inf) for track in run.tracks.values())
                times = [t for t in times if t < math.inf]
                low, high = int(0.2 * len(times)), int(0.8 * len(times))
                flow = max(flow, (high - low) / (times[high] - times[low]))
            most = 1.35 * full_density(0.35) * 1.4 * 3
            yield f"door-2k, dt {dt}: people a second", f"{flow:.1f}", f"<= {most:.1f}", flow <= most
            yield f"door-2k, dt {dt}: deepest in a wall", f"{walls:g} m", "0", walls == 0

    def u5(self):
        """A room filled beyond what it holds: no hang, no NaN, nobody outside."""
        for times in (1.5, 3):
            count = int(times * full_density(0.35) * 100)

            def change(scenario, count=count):
                side = 10 / math.ceil(math.sqrt(count))
                columns = math.ceil(math.sqrt(count))
                points = [[round(side * (k % columns + 0.5), 4), round(side * (k // columns + 0.5), 4)] for k in range(count)]
                scenario.update(walkable_area=[[0, 0], [10, 0], [10, 10], [0, 10]], obstacles=[], measure={}, allow_overlap=True,
                                goals={"away": {"polygon": [[9, 4], [10, 4], [10, 6], [9, 6]]}},
                                agents=[{"at": points, "goal": "away", "radius": 0.175, "desired_speed": 1.4}])
            run = Run("uic/door-2k", self.model, None, 20, record=True, tracks=True, sample=1, change=change)
            good = all(math.isfinite(x) and math.isfinite(y) and 0 < x < 10 and 0 < y < 10 for track in run.tracks.values() for _, x, y in track)
            yield f"closed room with {times} times what it holds: everybody inside, finite", str(good), "True", good

    def u6(self):
        """Nobody in a wall, any scene with walls, any step."""
        for scene, duration in (("building-2k", 100), ("mosque-25k", 10), ("trade-show-80k", 5), ("campsite-100k", 5)):
            for dt in (0.05, 0.2):
                run = Run("uic/" + scene, self.model, dt, 10 if self.quick else duration)
                deepest = run.overlap["walls"]["deepest_m"]
                yield f"{scene}, dt {dt}: deepest in a wall", f"{deepest:g} m", "0", deepest == 0

    def u7(self):
        """With people of orca: both get through."""
        for seed in self.seeds:
            seen = Watched(self, "mixed-with-orca", 90, seed)
            last = max(seen.moments)
            ways = {name: [abs(at[0] - seen.start[who][0]) for who, at in seen.moments[last].items() if seen.groups[who] == name]
                    for name in ("uic", "orca")}
            for name, way in ways.items():
                value = sum(way) / len(way) / (1.4 * last)
                yield f"mixed-with-orca, seed {seed}: way made by {name}, of that of free people", f"{value:.2f}", ">= 0.5", value >= 0.5

    def u8(self):
        """The same bytes from any number of threads, every scene."""
        yield from verdicts.same_bytes("uic", self.model, (1, 2, 3, 5, 8),
                                       lambda name: 0.2 if "1m" in name else 1 if "00k" in name or "80k" in name else 10)


ORDER = [f"u{k}" for k in range(1, 9)]

# Whose bound each line has; verdicts.py says what the words mean.
BOUNDS = {
    "u1": [("nearest one", "ours: section 5.1 has 1.25 d_min"), ("closer than d_min", "paper: section 5.1, less than 0.12 %"), ("", "ours: figure 4a")],
    "u2": "ours: figure 5, streams get through",
    "u3": "ours: figure 3",
    "u4": [("people a second", "ours"), ("", "ours: section 4.3, walls take the area of cells")],
    "u5": "ours",
    "u6": "ours: section 4.3, walls take the area of cells",
    "u7": "ours: figure 4b",
    "u8": "ours",
}


if __name__ == "__main__":
    verdicts.main(__doc__, lambda options: Claims(options.quick, options.seeds or 3, options.model), ORDER, [], "uic", "claims-uic",
                  BOUNDS)
