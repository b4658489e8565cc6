#!/usr/bin/env python3
"""What Hesham and Wainer 2021 (Explicit modeling of personal space) claim, and what was promised beyond, measured.

    validate/claims_cpd.py [--quick] [--seeds N] [--model cpd] [C1 ...]      keeps results in validate/results/claims-cpd.csv

Each line is a claim: what was measured, what was asked, and whether it holds, over five seeds (--seeds N). Everything is told from
recorded positions. --quick: one seed, and nothing is kept. With another --model the same is measured of that one, which is not
expected to hold. Exit status 1 when a claim does not hold.
"""

import math
import statistics

import verdicts
from runs import Moments, Run

SPACE = 0.9     # m, radius of a personal space
STEP = 0.5      # s between the moments looked at


class Watched(Moments):
    """A run seen every half a second. `wrap` is (axis, period) of an axis that has no end."""

    def __init__(self, claims, scene, duration, seed, change=None, wrap=None):
        self.wrap = wrap
        super().__init__(Run("cpd/" + scene, claims.model, None, duration, seed=seed, tracks=True, every=5, change=change), 1, self.apart)

    def apart(self, difference, axis):
        if self.wrap and self.wrap[0] == axis:
            return difference - self.wrap[1] * round(difference / self.wrap[1])
        return difference

    def near(self, t, reach):
        """{id: [(distance, dx, dy, id), ...]} of all within reach."""
        cells, found = {}, {}
        people = self.moments[t]
        for who, at in people.items():
            cells.setdefault(tuple(int(c // reach) for c in at), []).append((who, at))
        counts = [None, None]
        if self.wrap:
            counts[self.wrap[0]] = int(self.wrap[1] // reach)
        for (i, j), inside in cells.items():
            around = {(a % counts[0] if counts[0] else a, b % counts[1] if counts[1] else b) for a in (i - 1, i, i + 1, i + 2) for b in (j - 1, j, j + 1, j + 2)} \
                if self.wrap else {(a, b) for a in (i - 1, i, i + 1) for b in (j - 1, j, j + 1)}
            if self.wrap:   # the last cell is narrower or wider than the others
                around |= {cell for cell in cells if cell[self.wrap[0]] >= counts[self.wrap[0]] - 1 or cell[self.wrap[0]] == 0}
            others = [other for cell in around for other in cells.get(cell, ())]
            for who, (x, y) in inside:
                list_ = found[who] = []
                for other, (x1, y1) in others:
                    dx, dy = self.apart(x1 - x, 0), self.apart(y1 - y, 1)
                    square = dx * dx + dy * dy
                    if square < reach * reach and other != who:
                        list_.append((math.sqrt(square), dx, dy, other))
        return found

    def nearest(self, t):
        return {who: min(others)[0] if others else 2.0 for who, others in self.near(t, 2.0).items()}

    def lanes(self, t, across, wide=0.5, long=15):
        """Mean over people of ((same - other way) / all)^2 within 0.5 m to the sides and 15 m ahead and behind."""
        along, total = 1 - across, 0.0
        strips = {}
        for who, at in self.moments[t].items():
            strips.setdefault(int(at[across] // wide), []).append((at[across], at[along], self.groups[who]))
        for k, inside in strips.items():
            others = [other for n in (k - 1, k, k + 1) for other in strips.get(n, ())]
            for c, a, group in inside:
                same = different = 0
                for c1, a1, other in others:
                    if abs(c1 - c) < wide and abs(self.apart(a1 - a, along)) < long:
                        same += group == other
                        different += group != other
                total += ((same - different) / (same + different)) ** 2
        return total / len(self.moments[t])

    def pace(self, ways, begin, end):
        """Mean speed along people's ways, {group: unit vector}."""
        found = [sum(v * w for v, w in zip(velocity, ways[self.groups[who]])) for t, velocities in self.velocities.items() if begin <= t <= end
                 for who, velocity in velocities.items()]
        return sum(found) / len(found)

    def ring_density(self, centre, radii, begin, end, area, inside=lambda x, y: True):
        """People per m^2 between two distances from a point, over some time; `area` of that part of the place."""
        count = times = 0
        for t, people in self.moments.items():
            if begin <= t <= end:
                times += 1
                count += sum(inside(x, y) and radii[0] <= math.hypot(x - centre[0], y - centre[1]) < radii[1] for x, y in people.values())
        return count / max(times, 1) / area

    def areas(self, t, box, pixel=0.1):
        """{id: m^2 of its disc that is nearer to it than to anybody else and in the box}."""
        owner = {}
        reach = int(SPACE / pixel) + 1
        for who, (x, y) in self.moments[t].items():
            column, row = int(x / pixel), int(y / pixel)
            for r in range(row - reach, row + reach + 1):
                for c in range(column - reach, column + reach + 1):
                    px, py = (c + 0.5) * pixel, (r + 0.5) * pixel
                    square = (px - x) ** 2 + (py - y) ** 2
                    if square <= SPACE * SPACE and box[0] <= px <= box[2] and box[1] <= py <= box[3] and square < owner.get((c, r), (9, 0))[0]:
                        owner[c, r] = (square, who)
        found = dict.fromkeys(self.moments[t], 0.0)
        for _, who in owner.values():
            found[who] += pixel * pixel
        return found

    def on_the_right(self, begin, reach=2):
        """Of all meetings of people who go east and west, nearer than `reach` aside: the part in which they pass on each other's right."""
        times, right, count = sorted(t for t in self.moments if t >= begin), 0, 0
        for t, after in zip(times, times[1:]):
            now, then = self.moments[t], self.moments[after]
            for east in (who for who in now if self.groups[who] == "east"):
                for west in (who for who in now if self.groups[who] == "west"):
                    ahead, passed = (self.apart(at[west][0] - at[east][0], 0) for at in (now, then))
                    if ahead > 0 >= passed and ahead - passed < 4 * STEP * 2:
                        part = ahead / (ahead - passed)
                        aside = (1 - part) * (now[west][1] - now[east][1]) + part * (then[west][1] - then[east][1])
                        count += abs(aside) < reach
                        right += 0 < aside < reach
        return right / max(count, 1)

    def peak(self, inside, begin, end, reach=0.7):
        """The mean over time of the density around the most crowded person: in a disc of radius 0.7 m around it."""
        peaks = []
        for t in self.moments:
            if begin <= t <= end:
                near = self.near(t, reach)
                counts = [1 + len(others) for who, others in near.items() if inside(*self.moments[t][who])]
                peaks.append(max(counts, default=0) / (math.pi * reach * reach))
        return sum(peaks) / max(len(peaks), 1)


NORTH_SOUTH = {"north": (0, 1), "south": (0, -1)}
EAST_WEST = {"east": (1, 0), "west": (-1, 0)}


def spread(values, digits=2):
    return f"{min(values):.{digits}f} to {max(values):.{digits}f}" if len(values) > 1 else f"{values[0]:.{digits}f}"


class Claims:
    """Each method yields (what, measured, asked, holds)."""

    def __init__(self, quick, seeds, model):
        self.quick, self.model = quick, None if model == "cpd" else model
        self.seeds = [1] if quick else range(1, seeds + 1)

    def watch(self, *args, **more):
        return [Watched(self, *args, seed, **more) for seed in self.seeds]

    def c1(self):
        """Lanes in a stream both ways, 0.42 people per m^2."""
        orders, paces, close = [], [], []
        for seed in self.seeds:
            seen = Watched(self, "bidirectional-2000", 91, seed, wrap=(1, 80))
            orders.append(seen.lanes(90.0, 0))
            paces.append(seen.pace(NORTH_SOUTH, 60, 90))
            near = seen.nearest(90.0).values()
            close.append(sum(d < 0.3 for d in near) / len(near))
        good = sum(order >= 0.5 for order in orders)
        yield "bidirectional-2000: lane order at 90 s", spread(orders), ">= 0.5 in 4 of 5 seeds", good >= 0.8 * len(orders)
        yield "bidirectional-2000: speed along the way, m/s", spread(paces), ">= 0.8", min(paces) >= 0.8
        yield "bidirectional-2000: nearer than 0.3 m to somebody", f"{100 * max(close):.2f} %", "< 1 %", max(close) < 0.01

    def c2(self):
        """The narrow corridor, 0.97 people per m^2: lanes that come and go, no gridlock."""
        runs = self.watch("corridor-3.6m", 121, wrap=(0, 20))
        orders = [statistics.mean(seen.lanes(float(t), 1) for t in range(60, 121, 5)) for seen in runs]
        paces = [seen.pace(EAST_WEST, 60, 120) for seen in runs]
        yield "corridor-3.6m: lane order, 60 to 120 s, median", f"{statistics.median(orders):.2f}", ">= 0.3", statistics.median(orders) >= 0.3
        yield "corridor-3.6m: speed along the way, 60 to 120 s, m/s", spread(paces), ">= 0.3: no gridlock", min(paces) >= 0.3

    def c3(self):
        """The bottleneck: an arch, denser the nearer the door; petals."""
        ratios, flows, orders = [], [], []
        for seed in self.seeds:
            seen = Watched(self, "bottleneck", 150, seed)
            door, half = (20, 10), math.pi / 2
            inside = lambda x, y: x < 20    # noqa: E731
            begin, end = 15, 30
            near = seen.ring_density(door, (1, 4), begin, end, half * (16 - 1), inside)
            far = seen.ring_density(door, (6, 7), begin, end, half * (49 - 36), inside)
            ratios.append(near / max(far, 0.01))
            times = sorted(t for t, x, _ in seen.last.values() if x > 24)
            low, high = int(0.2 * len(times)), int(0.8 * len(times)) - 1
            flows.append((high - low) / (times[high] - times[low]) / 1.2)
            orders.append(self.petals(seen, 20.0))
        yield "bottleneck: density 1 to 4 m from the door over that 6 to 7 m from it", spread(ratios, 1), ">= 2", min(ratios) >= 2
        yield "bottleneck: people a second and metre", spread(flows), "0.9 to 2", 0.9 <= min(flows) and max(flows) <= 2
        yield "bottleneck: bond-orientational order of the jam", spread(orders), ">= 0.35 (1: hexagons)", min(orders) >= 0.35

    @staticmethod
    def petals(seen, t):
        """|psi_6| of the six nearest, mean over those in the jam, 1 to 4 m from the door."""
        found = []
        for who, others in seen.near(t, 2.0).items():
            x, y = seen.moments[t][who]
            if x < 20 and 1 < math.hypot(x - 20, y - 10) < 4 and len(others) >= 6:
                angles = [math.atan2(dy, dx) for _, dx, dy, _ in sorted(others)[:6]]
                found.append(math.hypot(sum(math.cos(6 * a) for a in angles), sum(math.sin(6 * a) for a in angles)) / 6)
        return statistics.mean(found) if found else 0.0

    def c4(self):
        """Guiding barriers lower the peak density."""
        peaks = {}
        for name in ("barriers-without", "barriers-with"):
            peaks[name] = [seen.peak(lambda x, y: y > 0, 10, 40) for seen in self.watch(name, 60)]
        without, with_ = (statistics.mean(peaks[name]) for name in ("barriers-without", "barriers-with"))
        yield ("barriers: peak density with guiding barriers, of that without", f"{with_:.1f} of {without:.1f} per m2", "less", with_ < without)

    def c5(self):
        """The marathon: a wave of setting off."""
        rising, ratio, delays = 0, math.inf, True
        for seed in self.seeds:
            seen = Watched(self, "marathon", 40, seed)
            people, velocities = seen.moments[10.0], seen.velocities[10.0]
            order = sorted(people, key=lambda who: people[who][0])
            parts = [order[k * len(order) // 5:(k + 1) * len(order) // 5] for k in range(5)]
            speeds = [statistics.mean(velocities[who][0] for who in part) for part in parts]
            ends = [statistics.mean(velocities[who][0] for who in part) for part in (order[:len(order) // 10], order[-len(order) // 10:])]
            rising += all(a < b + 0.02 for a, b in zip(speeds, speeds[1:])) and speeds[-1] > 2 * speeds[0]
            ratio = min(ratio, ends[1] / max(ends[0], 1e-9))
            rows = {}
            for who, (x, _) in seen.start.items():
                first = next((t for t, v in seen.velocities.items() if who in v and v[who][0] > 0.5), 40)
                rows.setdefault(int(x // 5), []).append(first)
            waits = [statistics.mean(rows[k]) for k in sorted(rows)]
            delays = delays and all(a >= b for a, b in zip(waits, waits[1:])) and waits[-1] < waits[-2] < waits[-3]
        yield "marathon: speed at 10 s rises from the rear fifth to the front one, seeds", str(rising), "all", rising == len(self.seeds)
        yield "marathon: speed of the front tenth over that of the rear one", f"{ratio:.1f}", ">= 4", ratio >= 4
        yield "marathon: who starts farther back sets off later", str(delays), "True", delays

    def c6(self):
        """The overcrowded room diffuses."""
        sds, nearest = [], []
        for seen in self.watch("overcrowded-room", 61):
            sds.append(statistics.pstdev(seen.areas(60.0, (0, 0, 40, 40)).values()))
            nearest.append(min(seen.nearest(60.0).values()))
        yield "overcrowded-room: spread of personal areas at 60 s, m2", spread(sds), "< 0.4", max(sds) < 0.4
        yield "overcrowded-room: nearest two at 60 s, m", spread(nearest), "> 0.7", min(nearest) > 0.7

    def c7(self):
        """The concert: density falls with the distance from the stage."""
        ratios, falls = [], 0
        for seen in self.watch("concert", 150):
            rings = [seen.ring_density((20, 30), (r, r + 2), 100, 149, math.pi / 2 * ((r + 2) ** 2 - r ** 2)) for r in range(0, 12, 2)]
            ratios.append(rings[0] / max(rings[4], 0.01))
            falls += all(a > b for a, b in zip(rings, rings[1:]))
        yield "concert: density within 2 m of the stage over that at 8 to 10 m", spread(ratios, 1), ">= 1.7", min(ratios) >= 1.7
        yield "concert: density falls with every 2 m, seeds", str(falls), "all", falls == len(self.seeds)

    def c8(self):
        """Speed falls with density, near Weidmann's."""
        speeds, worst, table = [], 0.0, []
        for density in (0.2, 0.5, 1, 1.5, 2, 3, 4, 5):
            def change(scenario, density=density):
                scenario["agents"][0]["count"] = round(300 * density)
            found = [seen.pace({"stream": (1, 0)}, 30, 59) for seen in self.watch("corridor-fd", 60, change=change, wrap=(0, 30))]
            speed, weidmann = statistics.mean(found), 1.4 * (1 - math.exp(-1.913 * (1 / density - 1 / 5.4)))
            speeds.append(speed)
            table.append(f"{density:g}: {speed:.2f}")
            if density <= 3:
                worst = max(worst, abs(speed / weidmann - 1))
        yield "corridor-fd: speed at densities", "; ".join(table), "falls", all(a > b for a, b in zip(speeds, speeds[1:]))
        yield "corridor-fd: farthest from Weidmann's up to 3 per m2", f"{100 * worst:.0f} %", "<= 45 %", worst <= 0.45

    def c9(self):
        """A child and an adult meet head-on: the child yields more."""
        def change(scenario):
            scenario.pop("periodic")
            scenario["agents"] = [{"group": kind, "at": [[x, 8 + 0.05 * way]], "profile": kind, "velocity": "desired", "desired_speed": 1.4,
                                   "goal": {"direction": [way, 0]}} for kind, x, way in (("adults", 14, 1), ("children", 26, -1))]
        aside = {"adults": [], "children": []}
        for seen in self.watch("mixed-ages", 10, change=change):
            for who, start in seen.start.items():
                aside[seen.groups[who]].append(max(abs(people[who][1] - start[1]) for people in seen.moments.values()))
        child, adult = statistics.mean(aside["children"]), statistics.mean(aside["adults"])
        yield "head-on: way aside of the child; of the adult, m", f"{child:.2f}; {adult:.2f}", "more", child > adult

    def c10(self):
        """Alone, everybody walks at its speed, with and without noise."""
        for noise in (0, 0.5):
            def change(scenario, noise=noise):
                scenario.pop("periodic")
                scenario["walkable_area"] = [[0, 0], [200, 0], [200, 20], [0, 20]]
                scenario["model"] = {"name": "cpd", "params": {"noise": noise}}
                scenario["agents"] = [{"group": "east", "at": [[5, 10]], "radius": 0.2, "desired_speed": 1.4, "goal": {"direction": [1, 0]}}]
            found = [seen.pace(EAST_WEST, 10, 60) for seen in self.watch("corridor-3.6m", 61, change=change)]
            off = max(abs(speed / 1.4 - 1) for speed in found)
            yield f"alone, noise {noise}: speed off by", f"{100 * off:.2f} %", "<= 1 %", off <= 0.01

    def c11(self):
        """Nobody in an obstacle, at any step: no disc, of radius 0.2 m, reaches into one as far as its middle, not even on the straight line
        from one step to the next."""
        for scene in ("bottleneck", "barriers-without", "barriers-with", "concert"):
            for dt in (0.1, 0.5):
                deepest = max(Run("cpd/" + scene, self.model, dt, 30, seed=seed).overlap["walls"]["deepest_m"] for seed in self.seeds)
                yield f"{scene}, dt {dt}: deepest that a disc cuts a wall", f"{deepest:.3f} m", "< 0.2: no middle in a wall", deepest < 0.2

    def c12(self):
        """With hard_core bodies never overlap."""
        def change(scenario):
            scenario["model"] = {"name": "cpd", "params": {"hard_core": True}}
        for scene in ("bottleneck", "barriers-without"):
            found = [Run("cpd/" + scene, self.model, None, 40, seed=seed, change=change).overlap["people"]["overlaps"] for seed in self.seeds]
            yield f"{scene}, hard_core: pairs that overlap", str(max(found)), "0", max(found) == 0

    def c13(self):
        """The same bytes from any number of threads, every scene."""
        yield from verdicts.same_bytes("cpd", self.model, range(1, 9),
                                       lambda name: 0.2 if name == "million" else 1 if "0000" in name or "5000" in name else 10)

    def c14(self):
        """Weight maps: whose spaces weigh more on the right keep right, and no slower."""
        def without(scenario):
            scenario["model"] = {"name": "cpd"}

        def mirrored(scenario):
            scenario["model"] = {"name": "cpd", "params": {"weight_map": [[3, 2, 1]]}}
        runs = {name: self.watch("keep-right", 91, wrap=(0, 40), change=change) for name, change in
                (("with", None), ("without", without), ("mirrored", mirrored))}
        parts = {name: [seen.on_the_right(20) for seen in watched] for name, watched in runs.items()}
        paces = {name: [seen.pace(EAST_WEST, 20, 90) for seen in watched] for name, watched in runs.items()}
        yield "keep-right: part of meetings passed on the right", spread(parts["with"]), ">= 0.8", min(parts["with"]) >= 0.8
        yield ("keep-right: the same without weights", spread(parts["without"]), "0.2 to 0.8: no side is kept",
               0.2 < min(parts["without"]) and max(parts["without"]) < 0.8)
        yield "keep-right: the same with the map mirrored", spread(parts["mirrored"]), "<= 0.2", max(parts["mirrored"]) <= 0.2
        slower = statistics.mean(paces["with"]) / statistics.mean(paces["without"])
        yield "keep-right: speed with weights over that without", f"{slower:.2f}", ">= 0.95", slower >= 0.95

    def c15(self):
        """Both ways at 1 person per m^2: no gridlock; who keeps a little to the right makes lanes."""
        def wide(scenario, weights=None):
            scenario.update(walkable_area=[[0, 0], [40, 0], [40, 10], [0, 10]], periodic={"x": [0, 40]})
            for people in scenario["agents"]:
                people.update({"in": [[0, 0.3], [40, 0.3], [40, 9.7], [0, 9.7]], "count": 200, "gap": 0.05})
            if weights:
                scenario["model"] = {"name": "cpd", "params": {"weight_map": weights}}
        for weights in (None, [[4, 5, 6]]):
            runs = self.watch("corridor-3.6m", 121, wrap=(0, 40), change=lambda scenario, weights=weights: wide(scenario, weights))
            orders = [statistics.mean(seen.lanes(float(t), 1) for t in range(60, 121, 10)) for seen in runs]
            paces = [seen.pace(EAST_WEST, 60, 120) for seen in runs]
            near = [list(seen.nearest(120.0).values()) for seen in runs]
            close = max(sum(d < 0.3 for d in distances) / len(distances) for distances in near)
            name = "1 per m2 both ways" + (", weights 4, 5, 6" if weights else "")
            yield name + ": speed along the way, m/s", spread(paces), ">= 0.6: no gridlock", min(paces) >= 0.6
            yield name + ": nearer than 0.3 m to somebody", f"{100 * close:.1f} %", "< 10 %: no clumps", close < 0.1
            asked, holds = (">= 0.8", min(orders) >= 0.8) if weights else ("< 0.8: it takes the weights", max(orders) < 0.8)
            yield name + ": lane order, 60 to 120 s", spread(orders), asked, holds


ORDER = [f"c{k}" for k in range(1, 16)]

# Whose bound each line has; verdicts.py says what the words mean.
BOUNDS = {
    "c1": "ours: figures 15 and 16, lanes form",
    "c2": "ours: figure 18, unstable lanes",
    "c3": [("density", "ours: figure 21, an arch"), ("people a second", "ours"), ("", "ours: figure 12, petals")],
    "c4": "paper: figure 13, less with barriers",
    "c5": [("tenth", "ours: figure 20"), ("", "paper: figure 20, a wave of setting off")],
    "c6": "ours: figure 19",
    "c7": [("falls", "paper: figure 21, denser the nearer the stage"), ("", "ours: figure 21")],
    "c8": [("Weidmann", "data: Weidmann 1993, the width of 45 % is ours"), ("", "paper: section 5.2, speed falls with density")],
    "c9": "ours: section 3, who weighs less yields more",
    "c10": "ours",
    "c11": "ours",
    "c12": "ours",
    "c13": "ours",
    "c14": "ours: section 3, weights in the personal space",
    "c15": "ours",
}


if __name__ == "__main__":
    verdicts.main(__doc__, lambda options: Claims(options.quick, options.seeds or 5, options.model), ORDER, [], "cpd", "claims-cpd",
                  BOUNDS)
