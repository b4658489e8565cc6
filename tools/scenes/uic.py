#!/usr/bin/env python3
"""Draws the scenarios of scenarios/uic: the scenes of Narain et al. 2009, on floor plans of our own.

    tools/scenes/uic.py NAME >scenarios/uic/NAME.json      one of them
    tools/scenes/uic.py --all DIRECTORY                    all of them into a directory

The paper names numbers of people and grids; where it says no more, the places are drawn to its figures. A body's diameter is the
distance d_min that people keep. dt is the longest step without sub-steps: v dt / d_min <= 0.14.
"""

import json
import math

import drawing
from figures import FIGURES

CITE = ("R. Narain, A. Golas, S. Curtis, M. C. Lin: Aggregate dynamics for dense crowd simulation. "
        "ACM Transactions on Graphics 28 (5), 2009")
PERSON = {"radius": 0.175, "desired_speed": {"normal": [1.2, 0.15], "min": 0.7, "max": 1.4}}
ALIKE = {"radius": 0.175, "desired_speed": 1.4}
WALL = 0.3      # m thick


def box(x0, y0, x1, y1):
    return [[round(x, 3), round(y, 3)] for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]


def turned(points, angle):
    """The points turned about the origin, by an angle in radians."""
    c, s = math.cos(angle), math.sin(angle)
    return [[round(x * c - y * s, 3), round(x * s + y * c, 3)] for x, y in points]


def circle_of(radius, count, centre=(0, 0)):
    return [[round(centre[0] + radius * math.cos(2 * math.pi * k / count), 3),
             round(centre[1] + radius * math.sin(2 * math.pi * k / count), 3)] for k in range(count)]


def scene(text, duration, agents, cell, dt=0.035, **more):
    """`cell` is the side of the model's cells in m."""
    return {"description": text, "cite": CITE, "dt": dt, "duration": duration, **more,
            **({"agents": agents} if agents else {}), "model": {"name": "uic", "params": {"uic": {"cell": cell}}}}


def shared_out(total, weights):
    """Whole numbers in proportion to the weights that sum to the total."""
    whole, sums = sum(weights), [0.0]
    for weight in weights:
        sums.append(sums[-1] + weight)
    marks = [round(total * value / whole) for value in sums]
    return [high - low for low, high in zip(marks, marks[1:])]


def circle():
    """Rings between a quarter and 0.45 of the width, as far apart as people stand on them."""
    width, count = 110, 10000
    inner, outer = 0.25 * width, 0.45 * width
    rings = round((outer - inner) / math.sqrt(math.pi * (outer ** 2 - inner ** 2) / count))
    radii = [inner + (outer - inner) * (k + 0.5) / rings for k in range(rings)]
    return scene("10,000 people on a broad circle, each to the opposite point: a vortex forms in the middle", 300, [
        {"group": "circle", "ring": {"centre": [0, 0], "radius": round(radius, 3), "count": here, "phase": round(180 / here * (k % 2), 6),
                                     "jitter": 0.05}, "profile": "walker", "velocity": "desired", "goal": "antipode"}
        for k, (radius, here) in enumerate(zip(radii, shared_out(count, radii)))],
        2.75, 0.05, walkable_area=box(-55, -55, 55, 55), profiles={"walker": {"radius": 0.25, "desired_speed": 1.4}}, planner="straight")


def crossing(rate):
    """Streams over the middle 60 m of each side of a square of 100 m; who comes to the opposite side leaves."""
    sides = {"west": box(0, 20, 2, 80), "east": box(98, 20, 100, 80), "south": box(20, 0, 80, 2), "north": box(20, 98, 80, 100)}
    far = {"west": "east", "east": "west", "south": "north", "north": "south"}
    whole = {"west": box(0, 0, 1, 100), "east": box(99, 0, 100, 100), "south": box(0, 0, 100, 1), "north": box(0, 99, 100, 100)}
    return scene(f"Four streams cross, {rate} people a second in all", 200, None, 2.5, walkable_area=box(0, 0, 100, 100),
                 goals={name: {"polygon": polygon, "exit": True} for name, polygon in whole.items()}, profiles={"walker": ALIKE},
                 sources=[{"group": f"from {name}", "in": polygon, "rate": rate / 4, "goal": far[name], "profile": "walker",
                           "velocity": "desired"} for name, polygon in sides.items()], planner="straight")


def door():
    return scene("2,000 people leave a hall through a door 3 m wide", 180, [
        {"group": "crowd", "in": box(0, 0, 27, 60), "count": 2000, "profile": "walker", "goal": "away"}], 1.5,
        walkable_area=box(0, 0, 60, 60), obstacles=[{"line": [[30, 0], [30, 28.5]]}, {"line": [[30, 31.5], [30, 60]]}],
        goals={"away": {"polygon": box(57, 0, 60, 60), "exit": True}}, profiles={"walker": ALIKE},
        measure={"lines": {"door": [[30, 28.5], [30, 31.5]]}})


class Building:
    """Rooms as they are added: walls, and those inside."""

    def __init__(self):
        self.walls, self.rooms = [], []

    def room(self, x0, y0, x1, y1, door_side):
        """Walls around x0..x1, y0..y1 with a door of 2 m in the middle of one side (`n`, `e`, `s`, `w`)."""
        half, middle_x, middle_y = WALL / 2, (x0 + x1) / 2, (y0 + y1) / 2
        for side, y in (("s", y0), ("n", y1)):
            pieces = [(x0, middle_x - 1), (middle_x + 1, x1)] if side == door_side else [(x0, x1)]
            self.walls += [box(a - half, y - half, b + half if b == x1 else b, y + half) for a, b in pieces]
        for side, x in (("w", x0), ("e", x1)):
            pieces = [(y0, middle_y - 1), (middle_y + 1, y1)] if side == door_side else [(y0, y1)]
            self.walls += [box(x - half, a, x + half, b) for a, b in pieces]
        self.rooms.append(box(x0 + 0.5, y0 + 0.5, x1 - 0.5, y1 - 0.5))


def building():
    """A school around two courtyards, 180 x 120 m: rooms on both sides of a corridor that runs all around, a hall across the middle.
    It opens in the middle of each side."""
    plan = Building()
    for k in range(12):
        x = 15 * k
        if k in (5, 6):     # the foyers
            continue
        plan.room(x, 0, x + 15, 16, "n")
        plan.room(x, 104, x + 15, 120, "s")
    for k in range(6):
        y = 22 + 76 * k / 6
        if k == 2:          # the side doors
            continue
        plan.room(0, y, 16, y + 76 / 6, "e")
        plan.room(164, y, 180, y + 76 / 6, "w")
    for west in (22, 98):
        for k in range(4):
            plan.room(west + 15 * k, 22, west + 15 * (k + 1), 34, "s")
            plan.room(west + 15 * k, 86, west + 15 * (k + 1), 98, "n")
    courtyards = [box(22, 34, 82, 86), box(98, 34, 158, 86)]
    pillars = [[x, y, 0.5] for x in (86, 94) for y in range(28, 100, 8)]
    side = 22 + 76 * 2.5 / 6
    fronts = [box(75, -0.15, 86.5, 0.15), box(93.5, -0.15, 105, 0.15), box(75, 119.85, 86.5, 120.15), box(93.5, 119.85, 105, 120.15)]
    fronts += [box(x - 0.15, low, x + 0.15, high) for x in (0, 180) for low, high in
               ((22 + 76 / 3, side - 2.5), (side + 2.5, 60), (16, 22), (98, 104))]
    exits = {"south": box(86.5, -5, 93.5, -3), "north": box(86.5, 123, 93.5, 125),
             "west": box(-5, side - 2.5, -3, side + 2.5), "east": box(183, side - 2.5, 185, side + 2.5)}
    rooms = plan.rooms + [box(83, 23, 97, 97)]
    return scene("2,000 people leave a school by four doors", 300, [
        {"group": "hall" if k == len(rooms) - 1 else "rooms", "in": room, "count": count, "profile": "person",
         "start_after": {"lognormal": [2, 0.6], "max": 40}, "goal": {"any": list(exits)}}
        for k, (room, count) in enumerate(zip(rooms, shared_out(2000, [1] * len(plan.rooms) + [4])))], 2,
        walkable_area=box(-6, -6, 186, 126),
        obstacles=[{"polygon": polygon} for polygon in plan.walls + courtyards + fronts] + [{"disc": disc} for disc in pillars],
        goals={name: {"polygon": polygon, "exit": True} for name, polygon in exits.items()}, profiles={"person": PERSON})


def trade_show():
    """A hall of 240 x 216 m with booths in rows: lanes of 5 m, avenues of 12 m; open stands are walled on three sides."""
    booths, stands = [], []
    columns, rows = 12, 14
    for i in range(columns):
        for j in range(rows):
            x = 12 + 17.5 * i + (7 if i >= 6 else 0)
            y = 12 + 13.5 * j + (7 if j >= 7 else 0)
            kind = (5 * i + 3 * j) % 7
            if kind < 4:
                booths.append(box(x, y, x + 12.5, y + 8.5))
            elif kind < 6:      # two small booths with a passage between them
                booths += [box(x, y, x + 5, y + 8.5), box(x + 7.5, y, x + 12.5, y + 8.5)]
            else:               # a stand that one walks into
                stands.append({"line": [[x, y], [x, y + 8.5], [x + 12.5, y + 8.5], [x + 12.5, y]]})
    exits, doors = {}, []
    for k in range(6):
        x = 20 + 40 * k
        exits[f"south {k + 1}"], exits[f"north {k + 1}"] = box(x - 4, -5, x + 4, -3), box(x - 4, 219, x + 4, 221)
        doors += [box(x - 4, -6, x + 4, 0), box(x - 4, 216, x + 4, 222)]
    for k in range(4):
        y = 27 + 54 * k
        exits[f"west {k + 1}"], exits[f"east {k + 1}"] = box(-5, y - 4, -3, y + 4), box(243, y - 4, 245, y + 4)
        doors += [box(-6, y - 4, 0, y + 4), box(240, y - 4, 246, y + 4)]
    rings = ", ".join("((" + ", ".join(f"{x} {y}" for x, y in ring + ring[:1]) + "))" for ring in [box(0, 0, 240, 216)] + doors)
    return scene("80,000 people leave a trade show", 600, [
        {"group": name, "in": area, "count": 20000, "profile": "person", "goal": {"any": list(exits)}}
        for name, area in (("southwest", box(0, 0, 120, 108)), ("southeast", box(120, 0, 240, 108)),
                           ("northwest", box(0, 108, 120, 216)), ("northeast", box(120, 108, 240, 216)))], 2,
        walkable_area=f"MULTIPOLYGON ({rings})", obstacles=[{"polygon": booth} for booth in booths] + stands,
        goals={name: {"polygon": polygon, "exit": True} for name, polygon in exits.items()},
        profiles={"person": PERSON}, planner={"name": "flow-field", "cell": 0.5})


def campsite():
    """Tents in blocks along lanes, 300 x 220 m; a quarter of the people each walks from one side to the other, and back."""
    tents = []
    for i in range(10):
        for j in range(8):
            x, y = 22 + 28 * i, 17 + 26 * j
            for a in range(2):
                for b in range(2):
                    if (3 * i + 5 * j + 2 * a + b) % 11 == 0:       # a place left free
                        continue
                    tents.append(box(x - 8 + 9 * a, y - 6 + 7 * b, x - 1 + 9 * a, y - 1 + 7 * b))
    sides = {"west": box(0, 0, 4, 220), "east": box(296, 0, 300, 220), "south": box(0, 0, 300, 4), "north": box(0, 216, 300, 220)}
    return scene("100,000 pilgrims walk through a campsite in different directions", 600, [
        {"group": f"{there} and {back}", "in": box(0, 0, 300, 220), "count": 25000, "profile": "person",
         "journey": [there, back], "repeat": True}
        for there, back in (("east", "west"), ("west", "east"), ("north", "south"), ("south", "north"))], 2,
        walkable_area=box(0, 0, 300, 220), obstacles=[{"polygon": tent} for tent in tents],
        goals={name: {"polygon": polygon} for name, polygon in sides.items()}, profiles={"person": PERSON},
        planner={"name": "flow-field", "cell": 0.5})


def mosque():
    """A round court with arcades, 160 m across. Most walk around the building in the middle, the others from gate to gate."""
    spokes, gates, radius = 12, 8, 72.0
    house = turned(box(-6.5, -5.5, 6.5, 5.5), math.radians(30))
    goals = {}
    for k in range(spokes):
        goals[f"round {k + 1}"] = {"polygon": turned(box(8.5, -1, radius - 12, 1), 2 * math.pi * k / spokes)}
    for k in range(gates):
        goals[f"gate {k + 1}"] = {"polygon": turned(box(radius + 2, -4, radius + 6, 4), 2 * math.pi * (k + 0.5) / gates)}
    columns = [{"disc": [x, y, 0.5]} for ring, count in ((radius - 4, 64), (radius - 9, 64))
               for x, y in turned(circle_of(ring, count), math.pi / count)]
    court, half = [], math.asin(4 / radius)
    for k in range(gates):
        centre = 2 * math.pi * (k + 0.5) / gates
        court += turned([[radius * math.cos(half), -4], [radius + 6, -4], [radius + 6, 4], [radius * math.cos(half), 4]], centre)
        along = 2 * math.pi / gates - 2 * half
        court += [turned([[radius, 0]], centre + half + along * j / 12)[0] for j in range(1, 12)]
    around = []
    for k, count in enumerate(shared_out(16000, [1] * spokes)):
        low, high = 2 * math.pi * (k - 0.96) / spokes, 2 * math.pi * (k - 0.04) / spokes
        sector = [[round(r * math.cos(a), 3), round(r * math.sin(a), 3)] for r, a in
                  ((10, low), (46, low), (46, (low + high) / 2), (46, high), (10, high))]
        around.append({"group": "around", "in": sector, "count": count, "profile": "person", "repeat": True,
                       "journey": [f"round {(k + j) % spokes + 1}" for j in range(spokes)]})
    across = [{"group": "across", "in": circle_of(radius - 1, 32), "count": count, "profile": "person", "repeat": True,
               "journey": [f"gate {(k + 3) % gates + 1}", f"gate {k + 1}"]}
              for k, count in enumerate(shared_out(9000, [1] * gates))]
    return scene("25,000 pilgrims in a mosque: most walk around its middle, the others cross between the gates", 300,
                 around + across, 2, walkable_area=court, obstacles=[{"polygon": house}] + columns, goals=goals,
                 profiles={"person": PERSON}, planner={"name": "flow-field", "cell": 0.5})


def disc(width, people):
    """A full disc, radius 0.46 of the width, everybody to the opposite point."""
    radius = 0.46 * width
    spacing = math.sqrt(math.pi * radius * radius / people)
    return scene(f"{people:,} people fill a disc and walk to the opposite points", 600, [
        {"group": "disc", "ellipse": {"centre": [width / 2, width / 2], "axes": [round(radius, 3)] * 2, "spacing": round(spacing, 5), "jitter": 0.05},
         "profile": "walker", "goal": "antipode"}], 2, walkable_area=box(0, 0, width, width), profiles={"walker": ALIKE}, planner="straight")


def mixed():
    def block(group, x, direction, **more):
        return {"group": group, "grid": {"origin": [x, -6.65], "columns": 30, "rows": 20, "spacing": [0.7, 0.7], "jitter": 0.1},
                "profile": "walker", "velocity": "desired", "goal": {"direction": direction}, **more}
    return scene("600 people of uic from the left and 600 of orca from the right walk through each other", 90, [
        block("uic", -26.3, [1, 0]), block("orca", 6, [-1, 0], model="orca")], 2, profiles={"walker": ALIKE}, planner="straight")


SCENES = {
    "circle-10k": circle,
    "crossing-40": lambda: crossing(40),
    "crossing-80": lambda: crossing(80),
    "crossing-120": lambda: crossing(120),
    "door-2k": door,
    "building-2k": building,
    "trade-show-80k": trade_show,
    "campsite-100k": campsite,
    "mosque-25k": mosque,
    "disc-1m": lambda: disc(690, 1000000),
    "mixed-with-orca": mixed,
}


def written(name):
    text = []
    for key, value in [("throng", 1), ("name", "uic/" + name), *SCENES[name]().items()]:
        if key in ("agents", "obstacles", "sources"):
            items = ",\n".join(f"    {json.dumps(item)}" for item in value)
            text.append(f"  {json.dumps(key)}: [\n{items}\n  ]")
        elif key == "goals":
            items = ",\n".join(f"    {json.dumps(goal)}: {json.dumps(item)}" for goal, item in value.items())
            text.append(f"  {json.dumps(key)}: {{\n{items}\n  }}")
        elif key == "cite":
            text.append(f'  "cite": {json.dumps(value + ": " + FIGURES["uic/" + name])}')
        else:
            text.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "// Drawn by tools/scenes/uic.py.\n{\n" + ",\n".join(text) + "\n}\n"


if __name__ == "__main__":
    drawing.main(__doc__, SCENES, written)
