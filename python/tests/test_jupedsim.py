"""The field's own models beside JuPedSim's: the same people, parameters and wishes, the same positions."""

import unittest

import numpy as np

import throng

try:
    import jupedsim
    import shapely

    KNOWN = jupedsim.__version__.startswith("1.4.")
except ImportError:
    KNOWN = False

PLACE = ([(-40, 0), (60, 0), (60, 30), (-40, 30)], [(7.5, 6), (8.5, 6), (8.5, 7), (7.5, 7)])
HALL = [(0, 0), (8, 0), (8, 3.5), (9, 3.5), (9, 0), (20, 0), (20, 8), (9, 8), (9, 4.5), (8, 4.5), (8, 8), (0, 8)]
OUT = [(14, 3.9), (18, 3.9), (18, 4.1), (14, 4.1)]
SPEED, RADIUS, DT = 1.2, 0.2, 0.01

# Where people begin, and to which point they walk.
CASES = {
    "two cross": [((4, 5.2), (40, 5.2)), ((8, 1.2), (14, 29))],
    "five meet": [
        ((2, 5.0), (40, 5.3)), ((2.5, 5.65), (40, 5.3)), ((14, 5.15), (-30, 5.0)),
        ((13, 4.2), (-30, 5.3)), ((8.2, 1.5), (12, 29)),
    ],
    "along a wall": [((2, 0.5), (15.5, 0.25)), ((2.7, 1.0), (15.6, 0.3)), ((2.2, 1.6), (15.7, 0.4))],
}  # fmt: skip


class Kind:
    """A model of theirs, and what it is here."""

    def __init__(self, name, theirs, agent, ours, places=4, **people):
        self.name, self.theirs, self.agent, self.ours, self.people = name, theirs, agent, ours, people
        self.places = places  # that flows are a mean of

    def add(self, simulation, at, journey, stage, ahead):
        return simulation.add_agent(self.agent(position=at, journey_id=journey, stage_id=stage))

    def world(self, place, planner="straight", **options):
        return throng.Simulation(place, self.name, dt=DT, threads=1, planner=planner, symmetry=0, **self.ours)


def kinds():
    agent = jupedsim.CollisionFreeSpeedModelAgentParameters
    yield Kind(
        "collision-free-speed",
        jupedsim.CollisionFreeSpeedModel,
        lambda **k: agent(desired_speed=SPEED, radius=RADIUS, time_gap=1.0, **k),
        {"walls": "segments"},
    )
    person = jupedsim.SocialForceModelAgentParameters
    yield Kind(
        "social-force",
        jupedsim.SocialForceModel,
        lambda **k: person(desired_speed=SPEED, radius=RADIUS, mass=80, **k),
        {"walls": "segments", "wall_friction": -2.4e5},
        places=12,  # one flow differs from the next by 6 %
        mass=80,
    )


def their_ways(kind, case, steps):
    simulation = jupedsim.Simulation(model=kind.theirs(), geometry=shapely.Polygon(PLACE[0], PLACE[1:]), dt=DT)
    stage = simulation.add_direct_steering_stage()
    journey = simulation.add_journey(jupedsim.JourneyDescription([stage]))
    ids = []
    for at, target in case:
        ahead = np.subtract(target, at) / np.hypot(*np.subtract(target, at))
        ids.append(kind.add(simulation, at, journey, stage, ahead))
        simulation.agent(ids[-1]).target = target
    simulation.iterate(steps)
    return np.array([simulation.agent(i).position for i in ids])


def our_ways(kind, case, steps):
    room = kind.world(shapely.Polygon(PLACE[0], PLACE[1:]))
    anywhere = room.add_exit([(0, 29.9), (0.1, 29.9), (0.1, 30), (0, 30)])
    options = {"radius": RADIUS, "desired_speed": SPEED, "max_speed": 20, **kind.people}
    ids = [room.add_agent(at, anywhere, **options) for at, _ in case]
    for _ in range(steps):
        for i, at, (_, target) in zip(ids, room.positions, case):
            way = np.subtract(target, at)
            room.wish(i, tuple(SPEED * way / np.hypot(*way)))
        room.step()
    return room.positions


def rate(times):
    """People per second, without the first and last tenth."""
    times = np.sort(times)
    cut = len(times) // 10
    return (len(times) - 1 - 2 * cut) / (times[-1 - cut] - times[cut])


def their_flow(kind, spots):
    simulation = jupedsim.Simulation(model=kind.theirs(), geometry=HALL, dt=DT)
    door, out = simulation.add_waypoint_stage((8, 4), 0.5), simulation.add_exit_stage(OUT)
    route = jupedsim.JourneyDescription([door, out])
    route.set_transition_for_stage(door, jupedsim.Transition.create_fixed_transition(out))
    journey = simulation.add_journey(route)
    for at in spots:
        kind.add(simulation, at, journey, door, (1, 0))
    passed = {}
    while len(passed) < len(spots) and simulation.elapsed_time() < 200:
        simulation.iterate(5)
        for agent in simulation.agents():
            if agent.position[0] > 8.5:
                passed.setdefault(agent.id, simulation.elapsed_time())
    return rate(list(passed.values()))


def our_flow(kind, spots):
    room = kind.world(HALL, planner="roadmap")
    journey = [room.add_waypoint((8, 4), 0.5), room.add_exit(OUT)]
    room.add_agents(spots, journey=journey, radius=RADIUS, desired_speed=SPEED, max_speed=20, **kind.people)
    passed = {}
    while len(passed) < len(spots) and room.time < 200:
        room.step(5)
        for i in room.ids[room.column("x") > 8.5]:
            passed.setdefault(int(i), room.time)
    return rate(list(passed.values()))


@unittest.skipUnless(KNOWN, "JuPedSim 1.4 is not installed, which is compared with")
class BesideJuPedSim(unittest.TestCase):
    def test_people_are_where_jupedsim_has_them_after_10_s(self):
        for kind in kinds():
            for name, case in CASES.items():
                with self.subTest(model=kind.name, case=name):
                    apart = np.hypot(*(their_ways(kind, case, 1000) - our_ways(kind, case, 1000)).T)
                    self.assertLess(apart.max(), 0.01)

    def test_as_many_pass_a_door(self):
        for kind in kinds():
            theirs, ours = [], []
            for seed in range(1, kind.places + 1):
                spots = throng.distribute_by_number(
                    polygon=[(0, 0), (7.5, 0), (7.5, 8), (0, 8)],
                    number_of_agents=40, distance_to_agents=0.55, distance_to_polygon=0.35, seed=seed,
                )  # fmt: skip
                theirs.append(their_flow(kind, spots))
                ours.append(our_flow(kind, spots))
            with self.subTest(model=kind.name, theirs=theirs, ours=ours):
                self.assertLess(abs(np.mean(ours) / np.mean(theirs) - 1), 0.05)


if __name__ == "__main__":
    unittest.main()
