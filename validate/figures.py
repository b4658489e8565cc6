"""Figures 6, 7 and 12 of Karamouzas et al. 2017 (Implicit crowds), for tables.py."""

import bisect
import math
import os
import random
import statistics
import sys

import chart
from runs import ROOT, Moments, Run

DATA = os.environ.get("THRONG_DATA", os.path.join(ROOT, "..", "shared", "data"))
BOTTLENECK = os.path.join(DATA, "hermes_ao_300")  # doi:10.34735/ped.2009.6


# --- figure 6: people whose nearest neighbours are at distances that people do not have

def nearest(people):
    """The distance of everybody to its nearest neighbour."""
    return [min((math.dist(a, b) for k, b in enumerate(people) if k != i), default=math.inf) for i, a in enumerate(people)]


def recorded():
    """Distances of real people before a door of 3 m, about one frame a second."""
    frames = {}
    if not os.path.isdir(BOTTLENECK):
        sys.exit(f"figure6 compares with HERMES AO-300 (doi:10.34735/ped.2009.6), which is not in {BOTTLENECK}: set THRONG_DATA")
    name = next(file for file in sorted(os.listdir(BOTTLENECK)) if file != "geometry.txt")
    with open(os.path.join(BOTTLENECK, name), encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                continue
            _, frame, x, y = line.split()[:4]
            if int(frame) % 16 == 0:
                frames.setdefault(int(frame), []).append((float(x), float(y)))
    return sorted(d for people in frames.values() if len(people) > 10 for d in nearest(people))


def gap_to(reference, value, k):
    """The distance from a value to its k-th nearest in a sorted list."""
    at = bisect.bisect_left(reference, value)
    return sorted(abs(other - value) for other in reference[max(0, at - k):at + k])[k - 1]


def outliers(reference, gaps, values, k=20, level=0.05):
    """The part of values that k-LPE (Zhao and Saligrama 2009) finds unlike the reference, whose own k-th gaps are sorted."""
    found = sum(1 for value in values if bisect.bisect_right(gaps, gap_to(reference, value, k)) > (1 - level) * len(gaps))
    return found / len(values)


def figure6(quick):
    reference = recorded()
    gaps = sorted(gap_to(reference[:k] + reference[k + 1:], value, 20) for k, value in enumerate(reference) if k % 7 == 0)
    for method in ("implicit", "powerlaw", "orca"):
        for dt in [0.1, 1.0] if quick else [0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 1.0]:
            parts = []
            for seed in [1] if quick else [1, 2, 3]:
                run = Run("implicit/bottleneck-2.5m", method, dt, 20, seed, tracks=True, every=max(1, round(0.5 / dt)), threads=1)
                for people in run.frames().values():
                    if len(people) > 10:
                        parts.append(outliers(reference, gaps, nearest([at for _, *at in people])))
            yield {"method": method, "dt_s": dt, "outliers": round(statistics.mean(parts), 4), "deviation": round(statistics.pstdev(parts), 4),
                   "frames": len(parts), "bound_by": "none"}


def picture6(rows):
    return chart.lines("Unlike people before a door: nearest neighbours, k-LPE at 5 %", "dt, s", "part of people", {
        method: [(row["dt_s"], row["outliers"]) for row in rows if row["method"] == method] for method in ("implicit", "powerlaw", "orca")})


# --- figure 7: the energy of interaction by the time to collision

def time_to_collision(q, w, radii):
    """s, or None: q the way to the other, w how one comes closer to it."""
    a, b, c = w[0] ** 2 + w[1] ** 2, q[0] * w[0] + q[1] * w[1], q[0] ** 2 + q[1] ** 2 - radii ** 2
    inside = b * b - a * c
    return c / (b + math.sqrt(inside)) if b > 0 and c > 0 and inside > 0 else None


def count_times(pairs, radii, counts, width):
    for (x, v), (y, w) in pairs:
        q = (y[0] - x[0], y[1] - x[1])
        if abs(q[0]) < 10 and abs(q[1]) < 10:
            tau = time_to_collision(q, (v[0] - w[0], v[1] - w[1]), radii)
            if tau is not None and tau < width * len(counts):
                counts[int(tau / width)] += 1


def energies(dt, duration, seeds, width=0.1, most=8.0):
    """[(tau, ln 1/g)] with g the times of pairs seen at once over those of people seen at different times (Karamouzas et al. 2014)."""
    together, apart = [0] * round(most / width), [0] * round(most / width)
    model = {"name": "implicit", "params": {"p": 3.25}}
    for seed in seeds:
        dice = random.Random(seed)
        seen = Moments(Run("implicit/hallway", model, dt, duration, seed, tracks=True, threads=1), round(1 / dt))
        radii = 2 * next(iter(seen.run.people.values()))["radius"]
        step = seen.run.frame_s  # people minded those who were where the step led
        frames = [[(tuple(at + step * speed for at, speed in zip(seen.moments[t][who], v)), v) for who, v in found.items()]
                  for t, found in seen.velocities.items() if t >= 6]
        for frame in frames:
            other = dice.choice([f for f in frames if f is not frame])
            count_times(((a, b) for k, a in enumerate(frame) for b in frame[:k]), radii, together, width)
            count_times(((a, b) for k, a in enumerate(frame) for b in other[:k]), radii, apart, width)
    tail = len(together) // 4
    scale = sum(apart[-tail:]) / max(1, sum(together[-tail:]))
    return [(round((k + 0.5) * width, 3), math.log(apart[k] / (scale * together[k])))
            for k in range(len(together)) if together[k] > 0 and apart[k] > 0]


def figure7(quick):
    for dt in (0.1, 1.0):
        points = energies(dt, 15 if quick else 30, [1] if quick else [1, 2, 3, 4])
        logs = [(math.log(tau), math.log(energy)) for tau, energy in points if tau <= 3 and energy > 0]
        power = round(statistics.linear_regression(*zip(*logs)).slope, 2) if len(logs) > 2 else ""
        for tau, energy in points:
            yield {"dt_s": dt, "tau_s": tau, "energy": round(energy, 4), "power_to_3_s": power, "bound_by": "none"}


def picture7(rows):
    return chart.lines("Energy of interaction in implicit/hallway, p 3.25", "time to collision, s", "ln(1/g)", {
        f"dt {dt:g} s": [(row["tau_s"], max(0, row["energy"])) for row in rows if row["dt_s"] == dt] for dt in (0.1, 1.0)})


# --- figure 12: how far people look

def order(moment, groups, width=0.5):
    """0 to 1: how much each strip of the corridor belongs to one of the two groups."""
    strips = {}
    for who, (x, y) in moment.items():
        if abs(x) < 12:
            strips.setdefault(math.floor(y / width), []).append(groups[who] == groups[min(groups)])
    parts = [(len(strip), (2 * sum(strip) / len(strip) - 1) ** 2) for strip in strips.values()]
    return sum(n * part for n, part in parts) / max(1, sum(n for n, _ in parts))


def figure12(quick):
    for radius in (2, 10):
        found = {}
        for seed in [1] if quick else [1, 2, 3, 4, 5]:
            model = {"name": "implicit", "params": {"neighbour_dist": radius}}
            seen = Moments(Run("implicit/hallway", model, 0.1, 30, seed, tracks=True, threads=1), 10)
            for t, moment in seen.moments.items():
                speeds = [math.hypot(*v) for v in seen.velocities.get(t, {}).values()]
                if 4 <= t <= 20 and speeds:
                    found.setdefault(t, []).append((order(moment, seen.groups), statistics.mean(speeds)))
        for t, values in sorted(found.items()):
            yield {"radius_m": radius, "time_s": t, "order": round(statistics.mean(o for o, _ in values), 4),
                   "speed": round(statistics.mean(v for _, v in values), 4), "bound_by": "none"}


def picture12(rows):
    return chart.lines("Order of lanes in implicit/hallway, people look so far", "time, s", "order", {
        f"{radius} m": [(row["time_s"], row["order"]) for row in rows if row["radius_m"] == radius] for radius in (2, 10)})
