#!/usr/bin/env python3
"""Draws the scenarios of scenarios/pbd: the benchmarks and the comparison of Weiss et al. 2019.

    tools/scenes/pbd.py NAME >scenarios/pbd/NAME.json      one of them
    tools/scenes/pbd.py --all DIRECTORY                    all of them into a directory

Everything is in the paper's units: a disc has radius 1 and walks 1.4 a second. The paper gives counts and spacings; where it says no
more, positions were chosen to its figures.
"""

import json
import math

import drawing
from figures import FIGURES

CITE = ("T. Weiss, A. Litteneker, C. Jiang, D. Terzopoulos: Position-based real-time simulation of large crowds. "
        "Computers & Graphics 78, 12-22, 2019")
WALKER = {"radius": 1, "desired_speed": {"normal": [1.4, 0.1], "min": 1.1, "max": 1.7}}
# What the other models need for discs so large and so slow: they look as many radii ahead as usual. `powerlaw` is as the paper has it.
OTHERS = {"powerlaw": {"k": 1.5, "tau0": 3, "neighbour_dist": 10, "separation": 0},
          "orca": {"neighbour_dist": 15, "time_horizon": 4, "time_horizon_obst": 2},
          "implicit": {"neighbour_dist": 15}}
# Where people have places of their own in the end: sliding past each other as printed, they would mill about there for ever.
CALM = {"hurry": "forward"}
# Habits that the paper does not have. Who is opposed steps aside all the same, or the circle of 1,000 locks; but not where all want to
# one door.
PRESSING = {"yielding": 0}
# The paper has a largest speed and does not tell it: this is everybody's in these scenarios anyway.
HASTE = {"max_speed_factor": 1.5}
STRAIGHT = {**PRESSING, "sidestep": 0}


def number(value):
    """Six digits after the point, and no more than needed."""
    value = round(value, 6) + 0.0
    return int(value) if value == int(value) else value


def grid(group, x, y, columns, rows, spacing, jitter, direction, **more):
    """A block whose first person, at the lower left, stands at (x, y)."""
    turned = {"angle": more.pop("angle")} if "angle" in more else {}
    return {"group": group, "grid": {"origin": [number(x), number(y)], "columns": columns, "rows": rows,
                                     "spacing": [spacing, spacing], **turned, "jitter": jitter},
            "profile": more.pop("profile", "walker"), "velocity": "desired", "goal": {"direction": direction}, **more}


def scene(text, duration, agents, anticipation="full", params=None, **more):
    params = {"units": "paper", "anticipation": anticipation, **PRESSING, **HASTE, **(params or {})}
    return {"description": text, "cite": CITE, "duration": duration,
            "profiles": more.pop("profiles", {"walker": WALKER}), "agents": agents, **more, "planner": more.pop("planner", "straight"),
            "model": {"name": "pbd", "params": {"pbd": params, **OTHERS}}}


def passing(name, columns, rows, spacing, half_gap, jitter, duration, **params):
    """Two blocks, x = -+(half_gap + spacing (c + 1/2)), that walk through each other."""
    low, near, far = (0.5 - rows / 2) * spacing, half_gap + spacing / 2, half_gap + spacing * (columns - 0.5)
    return scene(f"2 x {columns * rows:,} people {spacing} apart walk through each other{name}", duration, [
        grid("east", -far, low, columns, rows, spacing, jitter, [1, 0]),
        grid("west", near, low, columns, rows, spacing, jitter, [-1, 0])], params=params)


def bears_and_rabbits():
    return scene("1,024 rabbits and 128 bears, 30 times as heavy, pass each other", 150, [
        grid("bears", 14.5, -67.5, 8, 16, 9, 0.3, [-1, 0], profile="bear"),
        grid("rabbits", -104.5, -46.5, 32, 32, 3, 0.2, [1, 0], profile="rabbit")], "avoidance",
        profiles={"rabbit": {**WALKER, "mass": 1}, "bear": {**WALKER, "radius": {"uniform": [2.5, 4]}, "mass": 30}})


def ellipsoid():
    """The ellipse as the rows of a lattice: 192 places, none in the centre. Everybody wants to its own place 200 further, as in the
    paper people have goals; cohesion is nearer to what is printed there than by default."""
    rows, across, along, step = [], 18.4, 36.5, 3.3
    for row in range(-6, 6):
        y = (row + 0.5) * step
        half = math.floor(along * math.sqrt(1 - (y / across) ** 2) / step)
        rows.append(grid("ellipse", -48.5 - half * step, y, 2 * half + 1, 1, step, 0.2, None, goal={"offset": [200, 0]}))
    count = sum(row["grid"]["columns"] for row in rows)
    return scene(f"{count} people in an ellipse walk through a block of 1,728", 100, [
        grid("block", 6.5, -70.5, 36, 48, 3, 0.2, None, goal={"offset": [-200, 0]}), *rows], "avoidance", {"cohesion_time": 0.05})


def circle(count, rings, radius, jitter, duration, **more):
    """Rings 4 apart, each turned by half a place against the one inside. They are no group: cohesion would have people who walk
    in opposite directions hold each other."""
    each = count // rings
    return scene(f"{count:,} people on {rings} circles, each to the opposite point", duration, [
        {"group": "circle", "ring": {"centre": [0, 0], "radius": radius + 4 * k, "count": each, "phase": number(180 / each * (k % 2)),
                                     "jitter": jitter},
         "profile": "walker", "velocity": "desired", "goal": "antipode"} for k in range(rings)], **more)


def proximal():
    return scene("2 x 50 people in tight blocks meet in a corridor 18 wide", 100, [
        grid("east", -32.7, -4.6, 10, 5, 2.3, 0.1, [1, 0]), grid("west", 12, -4.6, 10, 5, 2.3, 0.1, [-1, 0])], "avoidance",
        obstacles=[{"line": [[-200, 9], [200, 9]]}, {"line": [[-200, -9], [200, -9]]}])


def target():
    block = grid("crowd", 0, 0, 16, 12, 5.5, 0.8, None)
    block["goal"] = {"permute": {"offset": [150, 0]}}
    return scene("192 people change places within their block while it moves by 150", 180, [block], params=CALM)


def bottleneck(columns, rows, opening):
    """A block 2.6 apart before a corridor 30 long; who comes to its end leaves. Cohesion is slow: those who have come through would
    wait for those who stand in the jam."""
    step, half = 2.6, opening / 2
    wall, back = number(rows * step / 2 + 6), number(-15 - columns * step - 6)
    block = grid("crowd", -15 - step * (columns - 0.5), (0.5 - rows / 2) * step, columns, rows, step, 0.15, None)
    block["goal"] = "end"
    return scene(f"{columns * rows:,} people press through a corridor {opening} wide and 30 long", 300, [block], "none", {**STRAIGHT, "cohesion_time": 2},
                 walkable_area=[[back, -wall], [0, -wall], [0, -half], [32, -half], [32, half], [0, half], [0, wall], [back, wall]],
                 goals={"end": {"polygon": [[30, -half], [32, -half], [32, half], [30, half]], "exit": True}},
                 measure={"lines": {"door": [[0, -half], [0, half]]}}, planner="roadmap")


def two_crossing():
    return scene("Two blocks of 110 people cross at right angles", 80, [
        grid("west", 20, -15.75, 11, 10, 3.5, 0.3, [-1, 0]), grid("south", -15.75, 20, 10, 11, 3.5, 0.3, [0, -1])])


def four_flows():
    """Blocks 20 long and 10 wide on the diagonals; `angle` is the way they walk."""
    flows = []
    for name, angle in (("northeast", 45), ("northwest", 135), ("southwest", 225), ("southeast", 315)):
        c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        along, aside = -(30 + 4.5 * 19), -4.5 * 4.5
        flows.append(grid(name, along * c - aside * s, along * s + aside * c, 20, 10, 4.5, 0.4,
                          [1 if c > 0 else -1, 1 if s > 0 else -1], angle=angle))
    return scene("Four blocks of 200 people cross on the diagonals", 150, flows)


SCENES = {
    "sparse-passing": lambda: passing("", 20, 40, 4.5, 10, 0.4, 100),
    "dense-passing": lambda: passing("", 20, 40, 2.5, 5, 0.1, 200),
    "dense-passing-10k": lambda: passing("", 66, 76, 3.5, 10, 0.4, 200),
    "bears-and-rabbits": bears_and_rabbits,
    "ellipsoid": ellipsoid,
    "circle-250": lambda: circle(250, 5, 40, 0.4, 200, anticipation="normal",
                                 params={"friction": 0, "cohesion": "none", **CALM}),
    "circle-1000": lambda: circle(1000, 10, 80, 0.8, 250, params={"cohesion": "none", **CALM}),
    "proximal": proximal,
    "target": target,
    "bottleneck-480": lambda: bottleneck(20, 24, 8),
    "bottleneck-3600": lambda: bottleneck(60, 60, 16),
    "bottleneck-100k": lambda: bottleneck(338, 296, 80),
    "two-crossing": two_crossing,
    "four-flows": four_flows,
    "comparison-sparse": lambda: passing(", to be compared with the power law", 24, 28, 4.5, 7, 0.3, 100),
    "comparison-dense": lambda: passing(", to be compared with the power law", 24, 28, 3.3, 7, 0.3, 100),
}


def written(name):
    text = []
    for key, value in [("throng", 1), ("name", "pbd/" + name), *SCENES[name]().items()]:
        if key in ("agents", "obstacles"):
            items = ",\n".join(f"    {json.dumps(item)}" for item in value)
            text.append(f"  {json.dumps(key)}: [\n{items}\n  ]")
        elif key == "model":
            params = ",\n".join(f"    {json.dumps(model)}: {json.dumps(own)}" for model, own in value["params"].items())
            text.append(f'  "model": {{"name": {json.dumps(value["name"])}, "params": {{\n{params}\n  }}}}')
        elif key == "cite":
            text.append(f'  "cite": {json.dumps(value + ": " + FIGURES["pbd/" + name])}')
        else:
            text.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "// Drawn by tools/scenes/pbd.py. Units are the paper's: a disc has radius 1.\n{\n" + ",\n".join(text) + "\n}\n"


if __name__ == "__main__":
    drawing.main(__doc__, SCENES, written)
