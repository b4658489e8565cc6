#!/usr/bin/env python3
"""Draws the scenarios of people alone in scenarios/forces: the scenes of Kim, Guy, Manocha 2013, sec. 6.1.

    tools/scenes/forces.py NAME >scenarios/forces/NAME.json      one of them
    tools/scenes/forces.py --all DIRECTORY                       all of them into a directory

The paper tells numbers of people and shows pictures; lengths and speeds are ours. Without forces:
--set model.params.orca-forces.forces=false --set model.params.orca-forces.push_out=0, or --model orca.
"""

import json

import drawing
from figures import FIGURES

CITE = ("S. Kim, S. J. Guy, D. Manocha: Velocity-based modeling of physical interactions in multi-agent simulations. "
        "ACM SIGGRAPH / Eurographics Symposium on Computer Animation 2013")
ORCA = {"time_horizon": 1, "time_horizon_obst": 0.1, "neighbour_dist": 5, "max_neighbours": 20}
BODY = {"radius": 0.25, "mass": 70, "max_speed": 2}


def number(value):
    return round(value, 6)


def scene(text, duration, agents, params, **more):
    """`params`: those of `orca-forces` that are not the defaults."""
    return {"description": text, "cite": CITE, "dt": 0.05, "duration": duration, **more, "agents": agents,
            "planner": "straight", "model": {"name": "orca-forces", "params": {"orca-forces": {**ORCA, **params}, "orca": {key: params.get(key, value) for key, value in ORCA.items()}}}}


def grid(group, x, y, columns, rows, spacing, **more):
    return {"group": group, "grid": {"origin": [number(x), number(y)], "columns": columns, "rows": rows, "spacing": spacing, "jitter": 0.02},
            **more}


AGGRESSIVE = {"orca-forces": {"pushing": "always"}}


def running_through():
    """Standing people 0.6 m apart; the runner has to get through 3.4 m of them. Who is within an arm's length is touched."""
    return scene("Somebody runs at 3 m/s through 25 people who stand", 8, [
        grid("standing", -1.2, -1.2, 5, 5, [0.6, 0.6], profile="standing"),
        {"group": "runner", "at": [[-5, 0]], "profile": "runner", "goal": {"point": [8, 0]}, "velocity": "desired", "params": AGGRESSIVE}],
        {"pushing": "never", "reach": 0.3},
        profiles={"standing": {**BODY, "desired_speed": 0}, "runner": {**BODY, "desired_speed": 3, "max_speed": 3.5}})


def dense_crossing(columns, rows):
    """A block that walks upwards, its rows shifted in turn; one person enters it from the left, near its front."""
    step, left = 0.62, -0.31 * (columns - 0.5)
    first = 10 - step * (rows - 1)
    flow = [grid("flow", left + 0.31 * odd, first + step * odd, columns, rows // 2, [step, 2 * step], profile="walker", velocity="desired",
                 goal={"direction": [0, 1]}) for odd in (0, 1)]
    red = {"group": "crossing", "at": [[number(left - 1.9), 4]], "profile": "crossing", "velocity": "desired", "goal": {"direction": [1, 0]},
           "params": AGGRESSIVE}
    return scene(f"Somebody crosses a dense flow of {columns * rows} people", 30, [*flow, red], {"pushing": "never"},
                 profiles={"walker": {**BODY, "desired_speed": 1.2}, "crossing": {**BODY, "desired_speed": 1.5, "max_speed": 2.2}})


def two_bottlenecks(count):
    """A channel 6 m wide, an opening of 1.1 m, a chamber 5 m long, an opening of 0.6 m. Who is 20 m on leaves."""
    rows = -(-count // 9)
    full, rest = count // 9, count % 9
    back = number(-1 - 0.62 * (rows - 1) - 1)
    walkable = [[back, -3], [0, -3], [0, -0.55], [1, -0.55], [1, -3], [6, -3], [6, -0.3], [7, -0.3], [7, -3], [22, -3]]
    walkable += [[x, -y] for x, y in reversed(walkable)]
    crowd = {"profile": "walker", "journey": ["first", "second", "away"]}
    agents = [grid("crowd", -1 - 0.62 * (full - 1), -2.4, full, 9, [0.62, 0.6], **crowd)]
    if rest:
        agents.append(grid("crowd", -1 - 0.62 * full, -0.3 * (rest - 1), 1, rest, [0.62, 0.6], **crowd))
    return scene(f"{count} people press through two openings, for two abreast and for one", 60, agents,
                 {"pushing": "held_up", "max_neighbours": 10, "neighbour_dist": 2},
                 walkable_area=walkable,
                 goals={"first": {"point": [0.2, 0], "radius": 0.45}, "second": {"point": [6.2, 0], "radius": 0.45},
                        "away": {"polygon": [[20, -3], [22, -3], [22, 3], [20, 3]], "exit": True}},
                 profiles={"walker": {**BODY, "desired_speed": 1.2}},
                 measure={"lines": {"first": [[1, -0.55], [1, 0.55]], "second": [[7, -0.3], [7, 0.3]]}})


SCENES = {
    "running-through": running_through,
    "dense-crossing-841": lambda: dense_crossing(14, 60),
    "dense-crossing-1601": lambda: dense_crossing(20, 80),
    "two-bottlenecks-300": lambda: two_bottlenecks(300),
    "two-bottlenecks-1000": lambda: two_bottlenecks(1000),
}


def written(name):
    text = []
    for key, value in [("throng", 1), ("name", "forces/" + name), *SCENES[name]().items()]:
        if key == "agents":
            items = ",\n".join(f"    {json.dumps(item)}" for item in value)
            text.append(f"  {json.dumps(key)}: [\n{items}\n  ]")
        elif key == "cite":
            text.append(f'  "cite": {json.dumps(value + ": " + FIGURES["forces/" + name])}')
        else:
            text.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "// Drawn by tools/scenes/forces.py.\n{\n" + ",\n".join(text) + "\n}\n"


if __name__ == "__main__":
    drawing.main(__doc__, SCENES, written)
