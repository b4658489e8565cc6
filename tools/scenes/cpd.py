#!/usr/bin/env python3
"""Draws the scenarios of scenarios/cpd: the scenes of Hesham and Wainer 2021, on floor plans of our own.

    tools/scenes/cpd.py NAME >scenarios/cpd/NAME.json      one of them
    tools/scenes/cpd.py --all DIRECTORY                    all of them into a directory

The paper names numbers of people and sizes of maps, in pixels of 0.1 m; where it says no more, the places are drawn to its figures.
Where streams have no end, an axis wraps.
"""

import json

import drawing
from figures import FIGURES

CITE = ("O. Hesham, G. Wainer: Explicit modeling of personal space for improved local dynamics in simulated crowds. "
        "ACM Transactions on Modeling and Computer Simulation 31 (4), 2021")
WALKER = {"radius": 0.2, "desired_speed": {"normal": [1.4, 0.24], "min": 0.7, "max": 2.1}}
EXIT_WIDTH = 1      # m, of a barred exit


def box(x0, y0, x1, y1):
    return [[round(x, 3), round(y, 3)] for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]


def scene(text, duration, agents, params=None, **more):
    model = {"name": "cpd", **({"params": {"cpd": params}} if params else {})}
    return {"description": text, "cite": CITE, "dt": 0.1, "duration": duration, "profiles": {"walker": WALKER}, **more,
            "agents": agents, "model": model}


def both_ways(where, count, ways, gap=0.2, profile="walker"):
    """As many one way as the other, all over a place."""
    return [{"group": name, "in": where, "count": count // 2, "gap": gap, "profile": profile, "velocity": "desired", "goal": {"direction": way}}
            for name, way in ways.items()]


NORTH_SOUTH = {"north": [0, 1], "south": [0, -1]}
EAST_WEST = {"east": [1, 0], "west": [-1, 0]}


def bidirectional():
    return scene("2,000 people walk north and south on 60 x 80 m: lanes form", 120,
                 both_ways(box(0.3, 0, 59.7, 80), 2000, NORTH_SOUTH), walkable_area=box(0, 0, 60, 80), periodic={"y": [0, 80]}, planner="straight")


def corridor():
    return scene("70 people walk both ways in a corridor 3.6 m wide: lanes that come and go", 120,
                 both_ways(box(0, 0, 20, 3.6), 70, EAST_WEST), walkable_area=box(0, 0, 20, 3.6), periodic={"x": [0, 20]}, planner="straight")


def bottleneck():
    room = [[0, 0], [20, 0], [20, 9.4], [20.4, 9.4], [20.4, 6], [26, 6], [26, 14], [20.4, 14], [20.4, 10.6], [20, 10.6], [20, 20], [0, 20]]
    return scene("300 people leave a room of 20 x 20 m through a door 1.2 m wide: an arch, denser the nearer the door", 240,
                 [{"group": "crowd", "in": box(1, 1, 17, 19), "count": 300, "profile": "walker", "goal": "away"}],
                 walkable_area=room, goals={"away": {"polygon": box(25, 6, 26, 14), "exit": True}},
                 measure={"lines": {"door": [[20, 9.4], [20, 10.6]]}})


def barriers(guided):
    """A front with two exits side by side; without barriers the crowd stands around them, with them it stands in a lane before them."""
    half, gap = EXIT_WIDTH / 2, 1.2
    bars = [(-20, -gap - half), (-gap + half, gap - half), (gap + half, 20)]
    obstacles = [{"polygon": box(x0, -0.3, x1, 0)} for x0, x1 in bars]
    if guided:
        obstacles += [{"line": [[x, 0], [x, 16]]} for x in (-2.6, 0, 2.6)]
    start = box(-2.4, 3, 2.4, 22) if guided else box(-9, 4, 9, 14)
    text = "guiding barriers hold the crowd in two lanes" if guided else "the crowd comes from all sides"
    return scene(f"240 people before two exits 1 m wide: {text}", 180,
                 [{"group": "crowd", "in": start, "count": 240, "profile": "walker", "goal": "away"}],
                 walkable_area=box(-20, -4, 20, 24), obstacles=obstacles, goals={"away": {"polygon": box(-20, -4, 20, -3), "exit": True}},
                 measure={"lines": {"exits": [[-2, 0], [2, 0]]}})


def marathon():
    columns, rows, spacing = 48, 21, 0.55
    return scene("1,000 people behind a start line 12 m wide: those in front set off first", 90,
                 [{"group": "field", "grid": {"origin": [round(20 - (columns - 1) * spacing, 3), 0.5], "columns": columns, "rows": rows,
                                              "spacing": [spacing, spacing], "jitter": 0.03}, "profile": "walker", "goal": "finish"}],
                 walkable_area=box(-10, 0, 160, 12), goals={"finish": {"polygon": box(158, 0, 160, 12), "exit": True}}, planner="straight")


def overcrowded_room():
    columns, spacing = 32, 0.45
    low = round(20 - (columns - 1) / 2 * spacing, 3)
    return scene("1,024 people packed in the middle of a room of 40 x 40 m, with nowhere to go, spread out", 90,
                 [{"group": "crowd", "grid": {"origin": [low, low], "columns": columns, "rows": columns, "spacing": [spacing, spacing], "jitter": 0.02},
                   "profile": "walker"}], {"front": 0, "resistance": 0, "resistance_dense": 0, "resistance_packed": 0}, walkable_area=box(0, 0, 40, 40))


def concert():
    """The way to the stage leads around the barrier, but nobody takes it."""
    return scene("600 people before a stage behind a barrier: the nearer, the denser", 180,
                 [{"group": "audience", "in": box(1, 1, 39, 29), "count": 600, "profile": "walker", "goal": "stage"}],
                 {"beta": 0.05, "front": 0, "resistance": 0, "resistance_dense": 0, "resistance_packed": 0}, walkable_area=box(0, 0, 40, 34),
                 obstacles=[{"polygon": box(0, 30, 38.5, 30.2)}], goals={"stage": {"point": [20, 32], "radius": 0.5}}, planner="straight")


def corridor_fd(density=1):
    return scene("A stream in an endless corridor of 30 x 10 m: speed by density", 60,
                 [{"group": "stream", "in": box(0, 0, 30, 10), "count": round(300 * density), "placement": "hex", "jitter": 0.1, "profile": "walker",
                   "velocity": "desired", "goal": {"direction": [1, 0]}}],
                 walkable_area=box(0, 0, 30, 10), periodic={"x": [0, 30]}, planner="straight",
                 measure={"areas": {"middle": box(10, 2, 20, 8)}})


def mixed_ages():
    child = {"radius": 0.15, "desired_speed": {"normal": [1.2, 0.2], "min": 0.6, "max": 1.8}, "mass": 35}
    entries = [{**entry, "group": f"{kind} {entry['group']}"} for kind in ("adults", "children")
               for entry in both_ways(box(0, 0, 40, 16), 200 if kind == "adults" else 120, EAST_WEST, 0.1, kind)]
    return scene("200 adults and 120 children walk both ways: children, who weigh less in the map, give way", 120, entries,
                 walkable_area=box(0, 0, 40, 16), periodic={"x": [0, 40]}, planner="straight",
                 profiles={"adults": {**WALKER, "params": {"weight": 0.2}}, "children": {**child, "params": {"weight": 0}}})


def keep_right():
    """What is lost to others draws people to the right, where their spaces weigh more."""
    return scene("60 people walk both ways on 40 x 5 m; their spaces weigh more on the right: they pass each other there", 90,
                 both_ways(box(0, 0, 40, 5), 60, EAST_WEST), {"weight_map": [[1, 2, 3]]}, walkable_area=box(0, 0, 40, 5), periodic={"x": [0, 40]},
                 planner="straight")


def table1(count):
    return scene(f"{count:,} people walk both ways on a map of 600 x 900 pixels", 60,
                 both_ways(box(0.3, 0, 59.7, 90), count, NORTH_SOUTH, 0.01 if count > 5000 else 0.2), walkable_area=box(0, 0, 60, 90),
                 periodic={"y": [0, 90]}, planner="straight")


def million():
    """Rows north and south in turn, 0.748 m apart: 1.8 people per square metre."""
    spacing, columns, rows = 0.748, 934, 1070
    return scene(f"{columns * rows:,} people walk both ways on 700 x 800 m", 60,
                 [{"group": name, "grid": {"origin": [round(0.7 + k * spacing, 3), 0.1], "columns": columns // 2, "rows": rows,
                                           "spacing": [2 * spacing, round(800 / rows, 5)], "jitter": 0.1}, "profile": "walker", "velocity": "desired",
                   "goal": {"direction": way}} for k, (name, way) in enumerate(NORTH_SOUTH.items())],
                 walkable_area=box(0, 0, 700, 800), periodic={"y": [0, 800]}, planner="straight")


SCENES = {
    "bidirectional-2000": bidirectional,
    "corridor-3.6m": corridor,
    "bottleneck": bottleneck,
    "barriers-without": lambda: barriers(False),
    "barriers-with": lambda: barriers(True),
    "marathon": marathon,
    "overcrowded-room": overcrowded_room,
    "concert": concert,
    "corridor-fd": corridor_fd,
    "mixed-ages": mixed_ages,
    "keep-right": keep_right,
    **{f"table1-{count}": lambda count=count: table1(count) for count in (100, 250, 500, 1000, 1500, 2000, 5000, 10000, 15000, 20000)},
    "million": million,
}


def written(name):
    text = []
    for key, value in [("throng", 1), ("name", "cpd/" + name), *SCENES[name]().items()]:
        if key in ("agents", "obstacles"):
            items = ",\n".join(f"    {json.dumps(item)}" for item in value)
            text.append(f"  {json.dumps(key)}: [\n{items}\n  ]")
        elif key == "cite":
            text.append(f'  "cite": {json.dumps(value + ": " + FIGURES["cpd/" + name])}')
        else:
            text.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "// Drawn by tools/scenes/cpd.py.\n{\n" + ",\n".join(text) + "\n}\n"


if __name__ == "__main__":
    drawing.main(__doc__, SCENES, written)
