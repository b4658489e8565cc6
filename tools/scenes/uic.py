#!/usr/bin/env python3
"""Draws the scenarios of scenarios/uic: the examples of Narain et al. 2009.

    tools/scenes/uic.py NAME >scenarios/uic/NAME.json      one of them
    tools/scenes/uic.py --all DIRECTORY                    all of them into a directory

A body's diameter is the distance d_min that people keep. dt is the longest step without sub-steps: v dt / d_min <= 0.14.
"""

import json
import math
import os
import sys

CITE = ("R. Narain, A. Golas, S. Curtis, M. C. Lin: Aggregate dynamics for dense crowd simulation. "
        "ACM Transactions on Graphics 28(5), 122, 2009")


def number(value):
    """Six digits after the point, and no more than needed."""
    value = round(value, 6) + 0.0
    return int(value) if value == int(value) else value


def square(low, high):
    return [[low, low], [high, low], [high, high], [low, high]]


def scene(section, text, d_min, cell, dt, duration, **more):
    return {"description": text, "cite": CITE + ": " + section, "dt": dt, "duration": duration,
            "profiles": {"walker": {"radius": number(d_min / 2), "desired_speed": 1.4}}, **more,
            "model": {"name": "uic", "params": {"uic": {"cell": cell}}}}


def circle(count, side, cell):
    """Rings between 0.25 and 0.45 of the side, as far apart as people stand on them."""
    inner, outer = 0.25 * side, 0.45 * side
    spacing = math.sqrt(math.pi * (outer ** 2 - inner ** 2) / count)
    rings, left, agents = round((outer - inner) / spacing), count, []
    radii = [inner + (outer - inner) * (k + 0.5) / rings for k in range(rings)]
    for k, radius in enumerate(radii):
        here = round(left * radius / sum(radii[k:]))
        left -= here
        agents.append({"group": "circle", "ring": {"centre": [0, 0], "radius": number(radius), "count": here,
                                                   "phase": number(180 / here * (k % 2)), "jitter": 0.05},
                       "profile": "walker", "velocity": "desired", "goal": "antipode"})
    return scene("fig. 4a", f"{count:,} people on circles, each to the opposite point: a vortex forms in the middle", 0.5, cell, 0.05,
                 300, walkable_area=square(-side / 2, side / 2), agents=agents, planner="straight")


def door():
    """The wall is a line; the door is two faces of the grid wide."""
    return scene("fig. 3", "2,000 people leave a room through a door 3 m wide", 0.35, 1.5, 0.035, 180,
                 walkable_area=square(0, 60), obstacles=[{"line": [[30, 0], [30, 28.5]]}, {"line": [[30, 31.5], [30, 60]]}],
                 goals={"out": {"polygon": [[57, 0], [60, 0], [60, 60], [57, 60]], "exit": True}},
                 agents=[{"group": "crowd", "in": [[0, 0], [27, 0], [27, 60], [0, 60]], "count": 2000, "profile": "walker",
                          "goal": "out"}],
                 measure={"lines": {"door": [[30, 28.5], [30, 31.5]]}})


SCENES = {
    "circle-10k": lambda: circle(10000, 110, 2.75),
    "door-2k": door,
}


def written(name):
    text = []
    for key, value in [("throng", 1), ("name", "uic/" + name), *SCENES[name]().items()]:
        if key in ("agents", "obstacles", "sources"):
            items = ",\n".join(f"    {json.dumps(item)}" for item in value)
            text.append(f"  {json.dumps(key)}: [\n{items}\n  ]")
        else:
            text.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "// Drawn by tools/scenes/uic.py.\n{\n" + ",\n".join(text) + "\n}\n"


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--all":
        for name in SCENES:
            with open(os.path.join(sys.argv[2], name + ".json"), "w") as file:
                file.write(written(name))
    elif len(sys.argv) == 2 and sys.argv[1] in SCENES:
        sys.stdout.write(written(sys.argv[1]))
    else:
        sys.exit(__doc__ + "\nScenes: " + " ".join(SCENES))


main()
