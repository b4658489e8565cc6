#!/usr/bin/env python3
"""Draws the scenarios of people and things in scenarios/forces: the scenes of Kim, Guy, Manocha 2013, sec. 6.2.

    tools/scenes/bodies.py NAME >scenarios/forces/NAME.json      one of them
    tools/scenes/bodies.py --all DIRECTORY                       all of them into a directory

The paper tells how many people and things there are and shows pictures; places, sizes and masses are ours. Without forces
between people: --set model.params.orca-forces.forces=false, or --model orca.
"""

import json
import math
import random

import drawing
from figures import FIGURES
from forces import BODY, CITE, ORCA, number


def scene(text, duration, more, params=None):
    return {"description": text, "cite": CITE, "dt": 0.05, "duration": duration, "run_full": True, **more,
            "physics": {"iterations": 20},
            "model": {"name": "orca-forces", "params": {"orca-forces": {**ORCA, **(params or {})}, "orca": ORCA}}}


def square(low, high):
    return [[low, low], [high, low], [high, high], [low, high]]


def rolling_balls():
    """1,000 balls on a jittered lattice, as far as there is room beside two boxes and the ten people."""
    draw = random.Random(1)
    boxes = [[6, 13, 2, 3], [14, 6, 3, 2]]
    people = [[2 + 4 * (k % 5), 4 if k < 5 else 17] for k in range(10)]
    balls = []
    for k in range(36 * 36):
        x, y = (0.4 + 19.2 / 35 * c + draw.uniform(-0.08, 0.08) for c in (k % 36, k // 36))
        free = all(abs(x - bx) > w / 2 + 0.16 or abs(y - by) > h / 2 + 0.16 for bx, by, w, h in boxes)
        if free and all(math.hypot(x - px, y - py) > 0.5 for px, py in people):
            balls.append({"ball": 0.15, "at": [number(x), number(y), 0.15], "mass": 0.5})
    draw.shuffle(balls)
    objects = [{"box": [w, h, 1], "at": [x, y, 0.5], "static": True} for x, y, w, h in boxes] + balls[:1000]
    return scene("10 people walk among 1,000 balls", 60, {
        "walkable_area": square(0, 20),
        "profiles": {"walker": {**BODY, "desired_speed": {"uniform": [1.2, 1.6]}}},
        "agents": [{"group": "walkers", "at": people, "profile": "walker", "goal": {"random_in": square(1, 19), "repeat": True}}],
        "planner": {"name": "flow-field", "cell": 0.2}, "objects": objects})


def wall_breaking(count=1200, name="1,200 people"):
    """A channel 20 m wide, closed by a wall of 50 x 4 blocks. 1.5 people on a square metre."""
    back = number(-1.5 - count / 30)
    return scene(f"{name} press against a wall of 200 glued blocks", 60, {
        "walkable_area": [[back - 0.5, -10], [30, -10], [30, 10], [back - 0.5, 10]],
        "goals": {"out": {"polygon": [[28, -10], [30, -10], [30, 10], [28, 10]], "exit": True}},
        "profiles": {"walker": {**BODY, "desired_speed": 1.4}},
        "agents": [{"group": "crowd", "in": [[back, -9.5], [-1.5, -9.5], [-1.5, 9.5], [back, 9.5]], "count": count, "profile": "walker",
                    "goal": "out"}],
        "planner": "straight",
        "objects": [{"id": "wall", "wall": {"from": [0, -9.99], "to": [0, 9.99], "height": 1.6, "blocks": [50, 4], "thickness": 0.4,
                                            "block_mass": 8, "break_force": 1500}}]}, {"pushing": "held_up"})


def table(x, y, yaw):
    legs = [{"box": [0.06, 0.06, 0.7], "at": [sx * 0.7, sy * 0.32, 0.35]} for sx in (-1, 1) for sy in (-1, 1)]
    return {"parts": [{"box": [1.6, 0.8, 0.04], "at": [0, 0, 0.72]}, *legs], "at": [x, y, 0], "yaw": yaw, "mass": 40}


def chair(x, y, yaw):
    legs = [{"box": [0.04, 0.04, 0.42], "at": [sx * 0.19, sy * 0.19, 0.21]} for sx in (-1, 1) for sy in (-1, 1)]
    return {"parts": [{"box": [0.44, 0.44, 0.04], "at": [0, 0, 0.44]}, {"box": [0.44, 0.04, 0.44], "at": [0, 0.2, 0.68]}, *legs],
            "at": [x, y, 0], "yaw": yaw, "mass": 5}


def office():
    """Ten desks with two chairs each, five shelves, and boxes on desks and floor; those on the desks are thrown."""
    desks = [(5 + 5 * column, 10 + 10 * row) for row in range(2) for column in range(5)]
    objects, events = [], []
    for k, (x, y) in enumerate(desks):
        objects += [table(x, y, 90 * (k % 2))]
        turn = math.radians(90 * (k % 2))
        for side in (-1, 1):
            dx, dy = -math.sin(turn) * 0.8 * side, math.cos(turn) * 0.8 * side
            objects += [chair(number(x + dx), number(y + dy), 90 * (k % 2) + (0 if side > 0 else 180))]
    objects += [{"box": [1.4, 0.45, 2], "at": [x, y, 1], "yaw": yaw, "mass": 60}
                for x, y, yaw in ((2.5, 15, 90), (27.5, 15, 90), (10, 28, 0), (20, 28, 0), (15, 2, 0))]
    for k in range(15):
        x, y = desks[k % 10]
        along = -0.5 if k < 10 else 0.5
        dx, dy = (along, 0) if k % 2 == 0 else (0, along)
        objects += [{"id": f"box-{k + 1}", "box": [0.3, 0.3, 0.3], "at": [number(x + dx), number(y + dy), 0.89], "mass": 3}]
        away = math.radians(37 * k)
        events += [{"time": 3 + k, "throw": f"box-{k + 1}", "velocity": [number(9.5 * math.cos(away)), number(9.5 * math.sin(away)), 3],
                    "spin": [2, 1, 3]}]
    objects += [{"box": [0.3, 0.3, 0.3], "at": [number(3.5 + 1.6 * k), 15 if k % 2 else 5.5, 0.15], "mass": 3} for k in range(15)]
    crowd = {"in": [[0.5, 0.5], [29.5, 0.5], [29.5, 29.5], [0.5, 29.5]], "profile": "walker",
             "goal": {"random_in": square(1, 29), "repeat": True}}
    return scene("1,200 people in an office with 65 things, some of which are thrown", 30, {
        "walkable_area": square(0, 30),
        "profiles": {"walker": {**BODY, "desired_speed": {"normal": [1.3, 0.15], "min": 0.9, "max": 1.7}}},
        "agents": [{"group": "staff", **crowd, "count": 1200}],
        "planner": "straight", "objects": objects, "events": events})


SCENES = {
    "rolling-balls": rolling_balls,
    "wall-breaking": wall_breaking,
    "wall-holding": lambda: wall_breaking(18, "18 people"),
    "office": office,
}


def written(name):
    text = []
    for key, value in [("throng", 1), ("name", "forces/" + name), *SCENES[name]().items()]:
        if key in ("agents", "objects", "events"):
            items = ",\n".join(f"    {json.dumps(item)}" for item in value)
            text.append(f"  {json.dumps(key)}: [\n{items}\n  ]")
        elif key == "cite":
            text.append(f'  "cite": {json.dumps(value + ": " + FIGURES["forces/" + name])}')
        else:
            text.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "// Drawn by tools/scenes/bodies.py.\n{\n" + ",\n".join(text) + "\n}\n"


if __name__ == "__main__":
    drawing.main(__doc__, SCENES, written)
