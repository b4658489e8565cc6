#!/usr/bin/env python3
"""Draws scenarios/demo/stadium.json: 20,000 people leave a bowl.

    tools/scenes/stadium.py > scenarios/demo/stadium.json

Around the pitch lie 32 blocks of seats, parted by aisle walls; each opens outwards through a gate into a
concourse that runs all around, and from there eight exits lead outside.
"""

import json
import math

PITCH = (62.0, 44.0)   # m, semi-axes of the wall around the pitch
STAND = 26.0           # m from there to the wall behind the last row
WALL = 0.4             # m thick
CONCOURSE = 9.0        # m wide
OUTSIDE = 6.0          # m of ground beyond the outer wall, where people have left
BLOCKS = 32
EXITS = 8
GATE = 1.8             # m wide, one for each block
EXIT = 7.0             # m wide
PEOPLE = 20000


def at(extra, angle):
    """The point `extra` metres outside the pitch's ellipse, along its normal."""
    a, b = PITCH
    x, y = a * math.cos(angle), b * math.sin(angle)
    nx, ny = math.cos(angle) / a, math.sin(angle) / b
    length = math.hypot(nx, ny)
    return [round(x + extra * nx / length, 3), round(y + extra * ny / length, 3)]


def ring(extra, count=256):
    return [at(extra, 2 * math.pi * k / count) for k in range(count)]


def width_at(extra, angle):
    """Metres of the curve at `extra` for a radian of angle."""
    step = 1e-4
    return math.dist(at(extra, angle - step), at(extra, angle + step)) / (2 * step)


def wall_between(extra, low, high, pieces=12):
    """A piece of a wall along the curve, from one angle to another."""
    angles = [low + (high - low) * k / pieces for k in range(pieces + 1)]
    return {"polygon": [at(extra + WALL, t) for t in angles] + [at(extra, t) for t in reversed(angles)]}


def wall_with_openings(extra, centres, width):
    walls = []
    for k, centre in enumerate(centres):
        following = centres[(k + 1) % len(centres)] + (2 * math.pi if k + 1 == len(centres) else 0)
        walls.append(wall_between(extra, centre + width / 2 / width_at(extra, centre),
                                  following - width / 2 / width_at(extra, following)))
    return walls


def block(k, inset):
    """The seats of a block: an outline `inset` metres inside its walls."""
    low, high = 2 * math.pi * k / BLOCKS, 2 * math.pi * (k + 1) / BLOCKS
    outline = []
    for extra, order in ((inset, 1), (STAND - inset, -1)):
        first = low + inset / width_at(extra, low)
        last = high - inset / width_at(extra, high)
        outline += [at(extra, first + (last - first) * j / 6) for j in range(7)][::order]
    return outline


def area_of(polygon):
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(polygon, polygon[1:] + polygon[:1]))) / 2


def main():
    aisles = [{"line": [at(0, 2 * math.pi * k / BLOCKS), at(STAND + WALL / 2, 2 * math.pi * k / BLOCKS)]}
              for k in range(BLOCKS)]
    gates = [2 * math.pi * (k + 0.5) / BLOCKS for k in range(BLOCKS)]
    exits = [2 * math.pi * k / EXITS for k in range(EXITS)]
    outer = STAND + WALL + CONCOURSE
    seats = [block(k, 0.5) for k in range(BLOCKS)]
    total = sum(area_of(polygon) for polygon in seats)
    counts = [int(PEOPLE * area_of(polygon) / total) for polygon in seats]
    counts[0] += PEOPLE - sum(counts)

    goals = {}
    for k, centre in enumerate(exits):
        half = EXIT / 2 / width_at(outer, centre)
        goals[f"exit {k + 1}"] = {"polygon": [at(outer + WALL + 1, centre - half), at(outer + WALL + 1, centre + half),
                                              at(outer + WALL + 3, centre + half), at(outer + WALL + 3, centre - half)],
                                  "exit": True}
    area = "POLYGON ((" + ", ".join(f"{x} {y}" for x, y in ring(outer + WALL + OUTSIDE) + ring(outer + WALL + OUTSIDE)[:1])
    area += "), (" + ", ".join(f"{x} {y}" for x, y in ring(0) + ring(0)[:1]) + "))"

    lines = [
        '  "throng": 1,', '  "name": "demo/stadium",',
        '  "description": "20,000 people leave a stadium through 32 gates, a concourse and 8 exits",',
        '  "dt": 0.05,', '  "duration": 900,', f'  "walkable_area": {json.dumps(area)},', '  "obstacles": [']
    walls = aisles + wall_with_openings(STAND, gates, GATE) + wall_with_openings(outer, exits, EXIT)
    lines.append(",\n".join("    " + json.dumps(wall) for wall in walls))
    lines += ['  ],', '  "goals": {', ",\n".join(f"    {json.dumps(name)}: {json.dumps(goal)}" for name, goal in goals.items()),
              '  },', '  "profiles": {',
              '    "spectator": {"radius": {"uniform": [0.18, 0.22]}, '
              '"desired_speed": {"normal": [1.34, 0.26], "min": 0.6, "max": 2}}', '  },', '  "agents": [']
    entries = [{"group": f"block {k + 1}", "in": seats[k], "count": counts[k], "placement": "hex", "profile": "spectator",
                "start_after": {"lognormal": [2.5, 0.6], "max": 60}, "goal": {"any": list(goals)}} for k in range(BLOCKS)]
    lines.append(",\n".join("    " + json.dumps(entry) for entry in entries))
    lines += ['  ],', '  "model": "orca"']
    print("// Drawn by tools/scenes/stadium.py.\n{\n" + "\n".join(lines) + "\n}")


if __name__ == "__main__":
    main()
