#!/usr/bin/env python3
"""Draws scenarios/demo/evacuation.json: an office floor is left in a hurry, and one of the stairs fails.

    tools/scenes/office.py > scenarios/demo/evacuation.json

Offices with desks lie on both sides of a corridor, an open office and a meeting room at its east end.
Stairs lead down at both ends and from the middle of the north side.
"""

import json

LENGTH, DEPTH = 60.0, 26.0      # m, inside the outer walls
CORRIDOR = (11.8, 14.2)         # m, from y to y
WALL = 0.15                     # m thick
OFFICE = 4.0                    # m wide
OFFICES = 10                    # on each side, from the west
DOOR = 0.9                      # m wide
STAIRS = 1.4                    # m wide


def box(x0, y0, x1, y1):
    return [[round(x, 3), round(y, 3)] for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]


def wall_with_doors(y, doors, x0, x1):
    """A wall along x with its lower face at y, open at the doors."""
    pieces, begin = [], x0
    for door in doors:
        pieces.append(box(begin, y, door - DOOR / 2, y + WALL))
        begin = door + DOOR / 2
    return pieces + [box(begin, y, x1, y + WALL)]


def main():
    low, high = CORRIDOR
    east = OFFICES * OFFICE      # where the offices end
    middle = OFFICE * 4.5        # the north stairs take the place of one office
    walls, desks, entries, goals = [], [], [], {}
    stairs_any = {"any": ["west stairs", "east stairs", "north stairs"]}

    south_doors = [OFFICE * (k + 0.5) for k in range(OFFICES)]
    walls += wall_with_doors(low - WALL, south_doors + [east + 3, LENGTH - 3], 0, LENGTH)
    walls += wall_with_doors(high, [x for x in south_doors] + [east + 5], 0, LENGTH)
    for k in range(1, OFFICES + 1):
        walls.append(box(k * OFFICE - WALL / 2, 0, k * OFFICE + WALL / 2, low - WALL))
        walls.append(box(k * OFFICE - WALL / 2, high + WALL, k * OFFICE + WALL / 2, DEPTH))

    for k in range(OFFICES):
        x = k * OFFICE
        for y0, y1, side in ((0, low - WALL, "south"), (high + WALL, DEPTH, "north")):
            if side == "north" and x < middle < x + OFFICE:
                continue
            away = y0 if side == "south" else y1        # the window side
            into = 1 if side == "south" else -1
            for row in range(2):
                y = away + into * (1.6 + 4.2 * row)
                desks.append(box(x + 0.075, min(y, y + into * 0.8), x + 1.4, max(y, y + into * 0.8)))
                desks.append(box(x + 2.6, min(y, y + into * 0.8), x + OFFICE - 0.075, max(y, y + into * 0.8)))
            room = box(x + 0.1, y0 + 0.1, x + OFFICE - 0.1, y1 - 0.1)
            entries.append({"group": "offices", "in": room, "count": 4, "profile": "staff", "goal": stairs_any})
    # The open office in the south-east, with islands of desks, and the meeting room opposite.
    for i in range(4):
        for j in range(3):
            x, y = east + 2.2 + 4.4 * i, 1.4 + 3.3 * j
            desks.append(box(x, y, x + 2.4, y + 1.6))
    entries.append({"group": "open office", "in": box(east + 0.3, 0.2, LENGTH - 0.2, low - 0.4), "count": 45, "profile": "staff",
                    "goal": stairs_any})
    desks.append(box(east + 6, high + 4.5, LENGTH - 6, high + 6.5))
    entries.append({"group": "meeting", "in": box(east + 1, high + 1, LENGTH - 1, DEPTH - 1), "count": 25, "profile": "visitor",
                    "goal": stairs_any})

    goals["west stairs"] = {"polygon": box(-2.5, (low + high - STAIRS) / 2, -1.5, (low + high + STAIRS) / 2), "exit": True}
    goals["east stairs"] = {"polygon": box(LENGTH + 1.5, (low + high - STAIRS) / 2, LENGTH + 2.5, (low + high + STAIRS) / 2),
                            "exit": True}
    goals["north stairs"] = {"polygon": box(middle - STAIRS / 2, DEPTH + 1.5, middle + STAIRS / 2, DEPTH + 2.5), "exit": True}
    y0, y1 = (low + high - STAIRS) / 2, (low + high + STAIRS) / 2
    area = [[0, 0], [LENGTH, 0], [LENGTH, y0], [LENGTH + 2.5, y0], [LENGTH + 2.5, y1], [LENGTH, y1], [LENGTH, DEPTH],
            [middle + STAIRS / 2, DEPTH], [middle + STAIRS / 2, DEPTH + 2.5], [middle - STAIRS / 2, DEPTH + 2.5],
            [middle - STAIRS / 2, DEPTH], [0, DEPTH], [0, y1], [-2.5, y1], [-2.5, y0], [0, y0]]
    area = [[round(x, 3), round(y, 3)] for x, y in area]

    people = sum(entry["count"] for entry in entries)
    listed = [
        ("throng", 1), ("name", "demo/evacuation"),
        ("description", f"{people} people leave an office floor by three stairs; after 30 s smoke closes those in the west"),
        ("dt", 0.05), ("duration", 300), ("walkable_area", area)]
    blocks = [("obstacles", [{"polygon": p} for p in walls + desks]), ("goals", goals),
              ("profiles", {
                  "staff": {"radius": {"uniform": [0.18, 0.22]}, "desired_speed": {"normal": [1.4, 0.2], "min": 0.8, "max": 2}},
                  "visitor": {"radius": {"uniform": [0.18, 0.22]}, "desired_speed": {"normal": [1.2, 0.2], "min": 0.6, "max": 2}}}),
              ("agents", [dict(entry, start_after={"lognormal": [2.2, 0.7], "max": 60}) for entry in entries]),
              ("events", [{"time": 30, "close": "west stairs"}])]
    text = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in listed]
    for key, value in blocks:
        items = ([f"    {json.dumps(item)}" for item in value] if isinstance(value, list) else
                 [f"    {json.dumps(name)}: {json.dumps(item)}" for name, item in value.items()])
        opening, closing = "[]" if isinstance(value, list) else "{}"
        text.append(f"  {json.dumps(key)}: {opening}\n" + ",\n".join(items) + f"\n  {closing}")
    text += ['  "planner": {"name": "flow-field", "congestion": 1}', '  "model": "orca"']
    print("// Drawn by tools/scenes/office.py.\n{\n" + ",\n".join(text) + "\n}")


if __name__ == "__main__":
    main()
