#!/usr/bin/env python3
"""Verification cases as scenario files.

    validate/convert.py CASE.json... -o scenarios

A case (schema "crowdcase-1", see cases/README.md) says what a guideline asks: the place, the people and
what must hold. This writes the place and the people as a scenario, DIR/SUITE/REST.json for a case
called SUITE_REST. What must hold stays in the case, and is a row of cli/verify_criteria.c. What a case says and a
scenario cannot say is told on stderr; nothing is left out silently.
"""

import argparse
import json
import math
import os
import re
import sys

# What a case may say beyond the run itself, for a reader.
ABOUT = {"schema", "id", "suite", "test", "title", "applies", "na_reason", "note", "units", "provenance", "checks",
         "sweeps", "variants", "speeds", "body", "guideline_text", "reference", "reference_values", "proxy",
         "zero_thickness_walls_note"}
BUILT = {"walkable", "obstacles", "zones", "agents", "sources", "targets", "periodic", "events", "measure",
         "duration_s", "unreachable_target", "seed", "dt"}


class Misfit(Exception):
    """Something in a case that cannot be said in a scenario."""


def name_of(case_id):
    suite, _, rest = case_id.partition("_")
    return f"{suite}/{rest.replace('_', '-')}"


def distribution(value, what):
    """A number, or a distribution, as a scenario writes it."""
    if isinstance(value, (int, float)):
        return value
    if not isinstance(value, dict):
        raise Misfit(f"{what}: {value!r} is neither a number nor a distribution")
    kind = value.get("distribution", "constant")
    if kind == "constant":
        return value["value"]
    if kind == "uniform":
        return {"uniform": [value["min"], value["max"]]}
    parts = {"normal": ("mean", "sd"), "lognormal": ("mu", "sigma"), "gamma": ("shape", "scale"),
             "weibull": ("scale", "shape")}
    if kind not in parts:
        raise Misfit(f"{what}: no distribution '{kind}'")
    drawn = {kind: [value[part] for part in parts[kind]]}
    for limit in ("min", "max"):
        if limit in value:
            drawn[limit] = value[limit]
    return drawn


def speed_at_age(case, age):
    """The curve of mean speeds by age, between its points, with its spread."""
    points = sorted((float(a), v) for a, v in case["speeds"]["by_age_mean"].items())
    ages = [a for a, _ in points]
    k = max(1, min(sum(a <= age for a in ages), len(ages) - 1))
    (a0, v0), (a1, v1) = points[k - 1], points[k]
    mean = v0 + (v1 - v0) * (min(max(age, a0), a1) - a0) / (a1 - a0)
    spread = case["speeds"]["sd_over_mean"]
    return {"normal": [round(mean, 4), round(spread * mean, 4)], "min": round(mean * (1 - 3 * spread), 4),
            "max": round(mean * (1 + 3 * spread), 4)}


def goals_of(case):
    """Named goals of a scenario, and for each target how to walk there."""
    goals, ways = {}, {}
    for target in case.get("targets", []):
        name = target["id"]
        if "waypoints" in target:
            loop = []
            for k, point in enumerate(target["waypoints"]):
                loop.append(f"{name}-{k + 1}")
                goals[loop[-1]] = {"point": point, "radius": target.get("radius", 0.5)}
            ways[name] = {"journey": loop, "repeat": True} if target.get("cyclic") else {"journey": loop}
            continue
        shape = next((key for key in ("polygon", "point", "direction") if key in target), None)
        if not shape:
            raise Misfit(f"target '{name}' has neither polygon, point, direction nor waypoints")
        goals[name] = {shape: target[shape]}
        if target.get("absorb", shape == "polygon"):
            goals[name]["exit"] = True
        ways[name] = {"goal": name}
    return goals, ways


def way_to(wanted, ways, what):
    """Targets may be named one by one or in a sentence ("nearest of: D3, D4")."""
    if isinstance(wanted, str):
        wanted = [wanted]
    named = [t for t in wanted if t in ways]
    if not named:
        words = re.findall(r"[A-Za-z0-9_-]+", " ".join(wanted))
        named = [word for word in words if word in ways]
    if not named:
        raise Misfit(f"{what}: no target is named in {wanted}")
    if len(named) == 1:
        return dict(ways[named[0]])
    return {"goal": {"any": named}}


def explicit_people(case, ways):
    entries = []
    for agent in case.get("agents", []):
        what = f"agent {agent.get('id')}"
        entry = {"at": agent["pos"], "radius": agent.get("radius", case.get("body", {}).get("radius", 0.2))}
        speed = agent.get("desired_speed", 1.34)
        entry["desired_speed"] = (speed_at_age(case, agent["age"]) if isinstance(speed, str) and "age" in agent
                                  else distribution(speed, what))
        if "goal_point" in agent:
            way = {"goal": {"point": agent["goal_point"]}}
        elif "goal" in agent:
            way = way_to(agent["goal"], ways, what)
        else:
            way = {}
        if agent.get("waypoints"):
            via = [{"point": point} for point in agent["waypoints"]]
            way = {"journey": via + ([way["goal"]] if "goal" in way else way.get("journey", []))}
        entry.update(way)
        start = distribution(agent.get("premovement_s", 0), what)
        if start:
            entry["start_after"] = start
        if "velocity" in agent:
            entry["velocity"] = agent["velocity"]
        entries.append(entry)
    return entries


STRAIGHT, RADIUS = 4.0, 3.0  # m, of the centre line of a ring: two straights joined by half circles


def on_loop(way):
    """The point of the centre line after so many metres."""
    arc = math.pi * RADIUS
    if way < STRAIGHT:
        return [way, 0.0]
    if way < STRAIGHT + arc:
        turn = (way - STRAIGHT) / RADIUS - math.pi / 2
        return [STRAIGHT + RADIUS * math.cos(turn), RADIUS + RADIUS * math.sin(turn)]
    if way < 2 * STRAIGHT + arc:
        return [STRAIGHT - (way - STRAIGHT - arc), 2 * RADIUS]
    turn = (way - 2 * STRAIGHT - arc) / RADIUS + math.pi / 2
    return [RADIUS * math.cos(turn), RADIUS + RADIUS * math.sin(turn)]


def around_loop(case, source, journey):
    """Entries of people at equal distances on a ring: those who walk to the same waypoint first, which lies ahead of them."""
    length = source["centreline_length_m"]
    if abs(2 * STRAIGHT + 2 * math.pi * RADIUS - length) > 0.01:
        raise Misfit("the centre line is not the one this converter knows")
    target = next(t for t in case["targets"] if "waypoints" in t)
    steps = [k * 0.01 for k in range(int(length * 100))]
    ways = [min(steps, key=lambda s, w=w: math.dist(on_loop(s), w)) for w in target["waypoints"]]
    entries = [[] for _ in ways]
    for k in range(source["count"]):
        way = length * k / source["count"]
        ahead = next((i for i, w in enumerate(ways) if w > way), 0)
        entries[ahead].append([round(value, 6) for value in on_loop(way)])
    return [{"at": places, "journey": journey[i:] + journey[:i], "repeat": True} for i, places in enumerate(entries) if places]


def placement_of(case, source):
    placement = source.get("placement", "uniform_random_no_overlap")
    count = source.get("count", 1)
    if "hex" in placement:
        return {"in": source["polygon"], "count": count, "placement": "hex", "jitter": 0.01}
    if "random" in placement and "polygon" in source:
        return {"in": source["polygon"], "count": count}
    lane = re.search(r"equally spaced on y = ([-0-9.]+)", placement)
    if lane and case.get("periodic"):
        low, high = case["periodic"]["from"], case["periodic"]["to"]
        y = float(lane.group(1))
        return {"at": [[round(low + (high - low) * (k + 0.5) / count, 6), y] for k in range(count)]}
    if "polygon" in source and "count" in source:
        return {"in": source["polygon"], "count": count}
    raise Misfit(f"source '{source.get('id')}': no such placement: {placement!r}")


def crowds(case, ways):
    entries = []
    for source in case.get("sources", []):
        what = f"source '{source.get('id')}'"
        entry = {"group": source["id"]} if "id" in source else {}
        if "centreline_length_m" in source:
            person = {"radius": source.get("radius", case.get("body", {}).get("radius", 0.2)),
                      "desired_speed": distribution(source.get("speed", 1.34), what)}
            journey = way_to(source.get("targets", []), ways, what)["journey"]
            entries += [{**entry, **some, **person} for some in around_loop(case, source, journey)]
            continue
        entry.update(placement_of(case, source))
        entry["radius"] = source.get("radius", case.get("body", {}).get("radius", 0.2))
        entry["desired_speed"] = distribution(source.get("speed", 1.34), what)
        entry.update(way_to(source.get("targets", []), ways, what))
        start = distribution(source.get("premovement_s", 0), what)
        if start:
            entry["start_after"] = start
        entries.append(entry)
    return entries


def streams(case, ways):
    """Sources that let people in while it runs."""
    flowing = [s for s in case.get("sources", []) if "rate" in s or "schedule" in s]
    entries = []
    for source in flowing:
        what = f"source '{source.get('id')}'"
        entry = {"group": source["id"]} if "id" in source else {}
        entry["in"] = source["polygon"]
        for key in ("rate", "schedule", "from", "until", "count"):
            if key in source:
                entry[key] = source[key]
        entry["radius"] = source.get("radius", case.get("body", {}).get("radius", 0.2))
        entry["desired_speed"] = distribution(source.get("speed", 1.34), what)
        entry.update(way_to(source.get("targets", []), ways, what))
        entries.append(entry)
    return entries


def events_of(case):
    events = []
    for event in case.get("events", []):
        known = {key: event[key] for key in ("close", "open", "remove", "restore", "move", "by", "during") if key in event}
        time = event.get("time", event.get("time_s", event.get("t")))
        if not known or time is None:
            raise Misfit(f"no such event: {event}")
        events.append({"time": time, **known})
    return events


def obstacles_of(case):
    obstacles = []
    for item in case.get("obstacles", []):
        obstacles.append({"polygon": item} if isinstance(item, list)
                         else {key: item[key] for key in ("id", "polygon", "line", "disc") if key in item})
    return obstacles


def measures_of(case):
    measure = case.get("measure", {})
    lines = {line["id"]: [line["p"], line["q"]] for line in measure.get("lines", [])}
    areas = {area["id"]: area["polygon"] for area in measure.get("areas", [])}
    return {kind: named for kind, named in (("lines", lines), ("areas", areas)) if named}


def scenario_of(case):
    """The scenario of a case, as a dictionary in the order it is written."""
    goals, ways = goals_of(case)
    still = dict(case, sources=[s for s in case.get("sources", []) if "rate" not in s and "schedule" not in s])
    people = explicit_people(case, ways) + crowds(still, ways)
    reason = case.get("na_reason")
    scenario = {
        "throng": 1,
        "name": name_of(case["id"]),
        "description": case["title"] + (f" ({reason})" if reason else ""),
        "cite": f"{case['suite']}, test {case['test']}",
        "dt": case.get("dt", 0.05),
        "duration": case.get("duration_s", 600),
    }
    if "seed" in case:
        scenario["seed"] = case["seed"]
    if case.get("periodic"):
        scenario["run_full"] = True
        scenario["periodic"] = {case["periodic"]["axis"]: [case["periodic"]["from"], case["periodic"]["to"]]}
    if case.get("unreachable_target"):
        scenario["allow_unreachable"] = True
    scenario["walkable_area"] = case["walkable"]
    if case.get("obstacles"):
        scenario["obstacles"] = obstacles_of(case)
    if case.get("zones"):
        scenario["zones"] = [{"polygon": z["polygon"], "speed_factor": z["speed_factor"]} for z in case["zones"]]
    scenario["goals"] = goals
    wanted = " ".join(str(source.get("targets")) for source in case.get("sources", []))
    if "choice" in wanted:
        # Whoever may choose looks at the queues too, not only at the way.
        scenario["planner"] = {"name": "flow-field", "congestion": 1}
    scenario["agents"] = people
    if streams(case, ways):
        scenario["sources"] = streams(case, ways)
    if case.get("events"):
        scenario["events"] = events_of(case)
    scenario["model"] = "orca"
    if measures_of(case):
        scenario["measure"] = measures_of(case)
    return scenario


def text_of(scenario):
    """JSON with one line for each thing a person would look for."""
    lines = []
    for key, value in scenario.items():
        if isinstance(value, (dict, list)) and key in ("goals", "agents", "sources", "obstacles", "zones", "events"):
            items = (["    " + json.dumps(item) for item in value] if isinstance(value, list) else
                     [f"    {json.dumps(name)}: {json.dumps(item)}" for name, item in value.items()])
            opening, closing = "[]" if isinstance(value, list) else "{}"
            body = f"{opening}\n" + ",\n".join(items) + f"\n  {closing}" if items else opening + closing
            lines.append(f"  {json.dumps(key)}: {body}")
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def convert(path, directory):
    with open(path, encoding="utf-8") as file:
        case = json.load(file)
    if case.get("schema") != "crowdcase-1":
        raise Misfit("not a case: \"schema\" must be \"crowdcase-1\"")
    for key in sorted(set(case) - ABOUT - BUILT):
        print(f"{path}: '{key}' has no counterpart in a scenario", file=sys.stderr)
    scenario = scenario_of(case)
    target = os.path.join(directory, scenario["name"] + ".json")
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", encoding="utf-8") as file:
        file.write(text_of(scenario))


def main():
    parser = argparse.ArgumentParser(description="writes verification cases as scenario files")
    parser.add_argument("cases", nargs="+", metavar="CASE.json")
    parser.add_argument("-o", "--output", required=True, metavar="DIR")
    options = parser.parse_args()
    failed = False
    for path in options.cases:
        try:
            convert(path, options.output)
        except (Misfit, KeyError, OSError, ValueError) as reason:
            print(f"{path}: {reason}", file=sys.stderr)
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
