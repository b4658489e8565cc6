#!/usr/bin/env python3
"""Draws the scenarios of scenarios/implicit that are too many numbers to write by hand.

    tools/scenes/implicit.py circle-8|overlap-start|evacuation|blocks >scenarios/implicit/NAME.json
"""

import json
import math
import random
import sys

MODEL = "implicit"
CITE = ("I. Karamouzas, N. Sohre, R. Narain, S. J. Guy: Implicit crowds: optimization integrator for robust crowd "
        "simulation. ACM Transactions on Graphics 36 (4), 136, 2017")


def box(x0, y0, x1, y1):
    return [[round(x, 3), round(y, 3)] for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]


def circle_8():
    """Eight large people on a circle, each to the point opposite, or 1 cm beside it."""
    draw = random.Random(8)
    start = [[8 * math.cos(k * math.pi / 4), 8 * math.sin(k * math.pi / 4)] for k in range(8)]
    goal = [[-x + draw.uniform(-0.01, 0.01), -y + draw.uniform(-0.01, 0.01)] for x, y in start]
    tidy = [[[round(c, 4) + 0.0 for c in p] for p in points] for points in (start, goal)]
    return "Eight people on a circle of 8 m change places.", {
        "description": "Eight people of radius 0.5 m on a circle, each to the opposite point", "cite": CITE + ": fig. 4: eight on a circle, without a jolt",
        "duration": 60,
        "agents": [{"at": tidy[0], "radius": 0.5, "desired_speed": {"uniform": [1.15, 1.4]},
                    "goal": {"points": tidy[1], "radius": 1, "exit": True}}],
        "planner": "straight"}


def overlap_start():
    """People thrown into a square, whoever is there already."""
    draw = random.Random(200)
    start = [[round(draw.uniform(-6, 6), 3), round(draw.uniform(-6, 6), 3)] for _ in range(200)]
    return "200 people thrown into a square of 12 m, many of them into each other.", {
        "description": "200 people start overlapping at random, part, and walk off", "duration": 60, "allow_overlap": True,
        "agents": [{"at": start, "radius": 0.25, "desired_speed": 1.3,
                    "goal": {"random_in": box(-20, -20, 20, 20), "radius": 1, "exit": True}}],
        "planner": "straight"}


def evacuation():
    """Ten rooms on either side of a corridor, with walls 0.2 m thick; desks along their side walls, a pillar in the
    middle of all but two."""
    rooms, width, length, depth, wall, door, way_out = 10, 6.0, 60.0, 36.0, 0.2, 1.2, 2.0
    low, high, middle = 16.5, 19.5, 18.0
    obstacles, entries = [], []
    for y0, y1 in ((low - wall, low), (high, high + wall)):
        begin = 0.0
        for k in range(rooms):
            obstacles.append(box(begin, y0, (k + 0.5) * width - door / 2, y1))
            begin = (k + 0.5) * width + door / 2
        obstacles.append(box(begin, y0, length, y1))
    for k in range(1, rooms):
        obstacles.append(box(k * width - wall / 2, 0, k * width + wall / 2, low - wall))
        obstacles.append(box(k * width - wall / 2, high + wall, k * width + wall / 2, depth))
    for k in range(rooms):
        for side, y0, y1 in (("south", 0.0, low - wall), ("north", high + wall, depth)):
            left = k * width + (wall / 2 if k > 0 else 0)
            right = (k + 1) * width - (wall / 2 if k < rooms - 1 else 0)
            for row in range(3):
                y = y0 + 2.2 + 4.4 * row if side == "south" else y1 - 2.2 - 4.4 * row - 0.8
                obstacles.append(box(left, y, left + 1.6, y + 0.8))
                obstacles.append(box(right - 1.6, y, right, y + 0.8))
            if k > 0:
                x, y = (k + 0.5) * width, (y0 + y1) / 2
                obstacles.append(box(x - 0.2, y - 0.2, x + 0.2, y + 0.2))
            entries.append({"group": side, "in": box(left + 0.1, y0 + 0.1, right - 0.1, y1 - 0.1), "count": 60, "gap": 0.05,
                            "profile": "occupant", "goal": {"any": ["west", "east"]}})
    near, far = middle - way_out / 2, middle + way_out / 2
    area = [[0, 0], [length, 0], [length, near], [length + 3, near], [length + 3, far], [length, far], [length, depth],
            [0, depth], [0, far], [-3, far], [-3, near], [0, near]]
    return f"Twenty rooms empty into a corridor with an exit at either end; {len(obstacles)} obstacles.", {
        "description": f"{60 * 2 * rooms:,} people leave a building of twenty rooms by two exits", "cite": CITE + ": fig. 5a, 9: an office empties",
        "duration": 600, "walkable_area": area,
        "obstacles": [{"polygon": ring} for ring in obstacles],
        "goals": {"west": {"polygon": box(-3, near, -2, far), "exit": True},
                  "east": {"polygon": box(length + 2, near, length + 3, far), "exit": True}},
        "profiles": {"occupant": {"radius": 0.2, "desired_speed": {"uniform": [1.2, 1.4]}}},
        "agents": entries, "planner": "roadmap"}


def blocks():
    """Streets 8 m wide between, and all around, 7 x 4 blocks of houses of 12 m."""
    houses = [box(8 + 20 * i, 8 + 20 * j, 20 + 20 * i, 20 + 20 * j) for j in range(4) for i in range(7)]
    return "Streets between 28 square blocks, which have 112 walls.", {
        "description": "2,000 people walk the streets between 28 blocks, from one random place to another",
        "cite": CITE + ": fig. 5b: streets of a city", "duration": 120,
        "obstacles": [{"polygon": house} for house in houses],
        "agents": [{"in": box(0, 0, 148, 88), "count": 2000, "gap": 0.1, "radius": 0.25,
                    "desired_speed": {"uniform": [1.1, 1.5]},
                    "goal": {"random_in": box(1, 1, 147, 87), "repeat": True, "radius": 1}}],
        "planner": "roadmap"}


SCENES = {"circle-8": circle_8, "overlap-start": overlap_start, "evacuation": evacuation, "blocks": blocks}


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in SCENES:
        sys.exit(__doc__.strip())
    name = sys.argv[1]
    comment, scene = SCENES[name]()
    text = []
    for key, value in [("throng", 1), ("name", "implicit/" + name), *scene.items(), ("model", MODEL)]:
        if key in ("obstacles", "agents", "goals"):
            items = ([f"    {json.dumps(item)}" for item in value] if isinstance(value, list) else
                     [f"    {json.dumps(key)}: {json.dumps(item)}" for key, item in value.items()])
            opening, closing = "[]" if isinstance(value, list) else "{}"
            text.append(f"  {json.dumps(key)}: {opening}\n" + ",\n".join(items) + f"\n  {closing}")
        else:
            text.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    print(f"// {comment}\n// Drawn by tools/scenes/implicit.py.\n{{\n" + ",\n".join(text) + "\n}")


if __name__ == "__main__":
    main()
