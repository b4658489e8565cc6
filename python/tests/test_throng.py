"""The package over the library of the build tree; with PedPy and JuPedSim where they are installed."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

import throng

ROOM = [(0, 0), (20, 0), (20, 10), (0, 10)]
EAST = [(18, 0), (20, 0), (20, 10), (18, 10)]


def crowd(model="orca", count=30, **options):
    simulation = throng.Simulation(ROOM, model, threads=1, **options)
    east = simulation.add_exit(EAST, name="east")
    at = [(1 + 0.8 * (i % 6), 1 + 0.8 * (i // 6)) for i in range(count)]
    simulation.add_agents(at, east)
    return simulation, east


class Running(unittest.TestCase):
    def test_a_scenario_in_one_line_is_what_the_program_runs(self):
        program = os.environ.get("THRONG")
        done = throng.Scenario("demo/corner", {"seed": 5}).run(threads=2)
        self.assertTrue(done.done)
        if program:
            command = [program, "run", "demo/corner", "--set", "seed=5", "--stats", "-", "-q"]
            said = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
            self.assertEqual(f"{done.digest:016x}", said["digest"])
            self.assertEqual(done.iteration_count(), said["steps"])

    def test_a_room_is_left(self):
        room, _ = crowd()
        room.run(until=60)
        self.assertTrue(room.done)
        self.assertEqual(room.stats["arrived"], 30)
        self.assertEqual(room.agent_count(), 0)
        self.assertAlmostEqual(room.elapsed_time(), room.iteration_count() * room.dt)
        self.assertGreater(room.stats["stage_ms"]["models"], 0)

    def test_places_of_all_kinds(self):
        wkt = "POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0), (5 5, 6 5, 6 6, 5 6, 5 5))"
        self.assertIn("5 5", throng.Simulation(wkt).walkable_area)
        try:
            import shapely
        except ImportError:
            return
        shape = shapely.from_wkt(wkt)
        self.assertEqual(throng.Simulation(shape).walkable_area, throng.Simulation(wkt).walkable_area)
        room = throng.Simulation(shape)
        goal = room.add_exit(shapely.box(18, 0, 20, 10))
        room.add_agent(shapely.Point(1, 1), goal)
        room.run(60)
        self.assertTrue(room.done)

    def test_journeys_queues_sources_zones_events(self):
        room = throng.Simulation(ROOM, threads=1)
        kiosk = room.add_queue((10, 5), 2.0)
        east = room.add_exit(EAST)
        room.add_zone([(2, 0), (4, 0), (4, 10), (2, 10)], 0.5)
        room.add_source([(0, 0), (2, 0), (2, 10), (0, 10)], 1.0, journey=[kiosk, east], limit=5, radius=0.22)
        room.add_event(1000, "close", goal=east)
        room.watch()
        reached, seen_slow = [], False
        while not room.done and room.time < 200:
            room.step()
            reached += [h for h in room.happenings if h.kind == "reached"]
            inside = (room.column("x") > 2.5) & (room.column("x") < 3.5)
            seen_slow |= bool(inside.any() and np.hypot(*room.velocities[inside].T).max() < 0.7)
        self.assertEqual(sum(h.goal == kiosk for h in reached), 5)
        self.assertEqual(sum(h.goal == east and h.last for h in reached), 5)
        self.assertTrue(seen_slow)
        self.assertGreater(room.time, 10)  # one after the other, 2 s each

    def test_obstacles_come_and_go(self):
        room = throng.Simulation(ROOM, obstacles={"gate": [(10, 0), (10.5, 0), (10.5, 10), (10, 10)]}, threads=1)
        east = room.add_exit(EAST)
        room.add_agent((2, 5), east)
        with self.assertRaisesRegex(throng.Error, "cannot be reached"):
            room.step()
        room.step(100)
        self.assertFalse(room.done)
        room.remove_obstacle("gate")
        room.add_obstacle("pillar", [(14, 4), (15, 4), (15, 6), (14, 6)])
        room.run(until=100)
        self.assertTrue(room.done)

    def test_steps_of_any_length(self):
        room, _ = crowd("none")
        for dt in (0.1, 0.02, 0.05):
            room.dt = dt
            room.step()
        self.assertAlmostEqual(room.time, 0.17)
        with self.assertRaisesRegex(throng.Error, "dt must be"):
            room.dt = -1


class Steering(unittest.TestCase):
    def test_people_are_steered(self):
        room, east = crowd("none", 2, symmetry=0)
        room.wish(1, (0, 0.5))
        room.step()
        np.testing.assert_allclose(room.velocities[0], (0, 0.5), atol=1e-12)
        room.move(1, (15, 5))
        room.set_velocity(1, (1, 0))
        room.set_agent(2, "radius", 0.3)
        self.assertEqual(tuple(room.positions[0]), (15, 5))
        self.assertEqual(room.column("radius")[1], 0.3)
        room.send(2, east)
        room.remove_agent(1)
        self.assertEqual(list(room.ids), [2])
        with self.assertRaisesRegex(throng.Error, "agent 1 is not in the world"):
            room.remove_agent(1)

    def test_wrong_input_gets_the_librarys_words(self):
        with self.assertRaisesRegex(throng.Error, "no parameter 'tiem_horizon'"):
            throng.Simulation(ROOM, "orca", tiem_horizon=2)
        with self.assertRaisesRegex(throng.Error, "time_horizon must be between"):
            throng.Simulation(ROOM, "orca", time_horizon=-2)
        with self.assertRaisesRegex(throng.Error, "there is no model 'orka'"):
            throng.Simulation(ROOM, "orka")
        with self.assertRaisesRegex(throng.Error, "line 1"):
            throng.Simulation("POLYGON ((0 0, 1 1")
        with self.assertRaisesRegex(throng.Error, "there is no|unknown|cannot"):
            throng.Scenario("demo/nowhere")
        room, east = crowd()
        with self.assertRaisesRegex(throng.Error, r"shape \(n, 2\)"):
            room.add_agents([1, 2, 3], east)
        with self.assertRaisesRegex(throng.Error, "radius must be one number or 2"):
            room.add_agents([(1, 8), (2, 8)], east, radius=[0.2, 0.2, 0.2])
        with self.assertRaisesRegex(throng.Error, "people have no 'raduis'"):
            room.add_agents([(1, 8)], east, raduis=0.2)
        before = room.agent_count()
        with self.assertRaisesRegex(throng.Error, "person 1: .* is in a wall"):
            room.add_agents([(1, 8), (-1, 8)], east)
        self.assertEqual(room.agent_count(), before)
        with self.assertRaises(ValueError):
            room.add_agents([("a", "b")], east)

    def test_parameters_are_told(self):
        table = throng.parameters("orca")
        self.assertIn("time_horizon", table)
        self.assertTrue(table["time_horizon"].low <= table["time_horizon"].default <= table["time_horizon"].high)
        room = throng.Simulation(ROOM, "orca", time_horizon=2.5)
        self.assertEqual(room.profile_value(1, "time_horizon"), 2.5)


class Looking(unittest.TestCase):
    def test_a_view_is_of_one_step(self):
        room, _ = crowd()
        room.step(5)
        view = room.view
        x = view.x
        np.testing.assert_array_equal(np.hypot(x - 1, view.y), np.hypot(room.column("x") - 1, room.column("y")))
        self.assertEqual((len(view), x.shape, x[3], list(x[:2])), (30, (30,), room.column("x")[3], list(room.column("x")[:2])))
        with self.assertRaises(ValueError):
            np.add(x, 1, out=x)
        with self.assertRaises((TypeError, ValueError)):
            x += 1
        room.step()
        for use in (lambda: view.x, lambda: x + 1, lambda: x[0], lambda: np.array(x), lambda: len(x), lambda: list(x)):
            self.assertRaises(throng.StaleView, use)

    def test_columns_are_copies_that_live_on(self):
        room, _ = crowd()
        x = room.column("x")
        before = x.copy()
        room.step(20)
        np.testing.assert_array_equal(x, before)
        self.assertFalse((room.column("x") == before).any())
        self.assertRaises(throng.Error, room.column, "nonsense")

    def test_questions_agree_with_everybody(self):
        room, east = crowd()
        room.step(10)
        at, ids = room.positions, room.ids
        apart = np.hypot(*(at - (4, 3)).T)
        self.assertEqual(room.nearest((4, 3)), ids[apart.argmin()])
        np.testing.assert_array_equal(room.agents_in_range((4, 3), 2), ids[apart <= 2])
        box = [(2, 2), (4, 2), (4, 4), (2, 4)]
        np.testing.assert_array_equal(room.agents_in_polygon(box), ids[((at > 2) & (at < 4)).all(axis=1)])
        self.assertEqual(room.ray((10, 9), (30, 9)).kind, "wall")
        self.assertAlmostEqual(room.ray((10, 9), (30, 9)).distance, 10)
        self.assertFalse(room.is_free(at[0], 0.1))
        self.assertTrue(room.is_free((12, 9), 0.3))
        self.assertAlmostEqual(room.density((4, 3), 2), (apart <= 2).sum() / (4 * np.pi), places=1)
        np.testing.assert_allclose(room.path((10, 5), (15, 5)), [(10, 5), (15, 5)])
        self.assertAlmostEqual(room.distance((10, 5), east), 8, delta=0.02)

    def test_people_are_distributed(self):
        spots = throng.distribute_by_number(
            polygon=ROOM, number_of_agents=50, distance_to_agents=0.5, distance_to_polygon=0.3, seed=1
        )
        at = np.array(spots)
        self.assertEqual(at.shape, (50, 2))
        self.assertTrue((at >= 0.3).all() and (at <= (19.7, 9.7)).all())
        gaps = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1)) + 10 * np.eye(50)
        self.assertGreaterEqual(gaps.min(), 0.5)
        with self.assertRaisesRegex(throng.Error, "room for"):
            throng.distribute_by_number(
                polygon=ROOM, number_of_agents=50, distance_to_agents=5, distance_to_polygon=0, max_iterations=50
            )


class Wishful(throng.Model):
    name = "wishful"

    def step(self, view):
        return view.mine.wishes


class Broken(throng.Model):
    name = "broken"
    gives = None

    def step(self, view):
        return self.gives(view)


BROKEN = Broken()


class OwnModels(unittest.TestCase):
    def test_a_model_in_python_walks_as_a_compiled_one(self):
        mine, _ = crowd(Wishful())
        theirs, _ = crowd("none")
        mine.step(40)
        theirs.step(40)
        np.testing.assert_allclose(mine.positions, theirs.positions, atol=1e-12)

    def test_models_meet_in_one_world(self):
        BROKEN.gives = lambda view: 0.5 * view.mine.wishes if len(view.everybody) == 3 else 1 / 0
        room = throng.Simulation(ROOM, "orca", threads=2)
        east = room.add_exit(EAST)
        room.add_agents([(2, 2), (2, 5)], east, profile=room.add_profile(BROKEN))
        room.add_agent((2, 8), east)
        room.step(50)
        speeds = np.hypot(*room.velocities.T)
        np.testing.assert_allclose(speeds[:2], 0.67, atol=0.02)
        self.assertGreater(speeds[2], 1.2)

    def test_what_goes_wrong_in_a_model_is_told(self):
        room = throng.Simulation(ROOM, BROKEN, threads=1)
        room.add_agents([(2, 2), (2, 5)], room.add_exit(EAST))
        for gives, error in (
            (lambda view: view.nonsense, AttributeError),
            (lambda view: np.zeros((1, 2)), throng.Error),
            (lambda view: "text", ValueError),
            (lambda view: 1 / 0, ZeroDivisionError),
        ):
            BROKEN.gives = gives
            before = room.positions
            self.assertRaises(error, room.step)
            np.testing.assert_array_equal(room.positions, before)
        BROKEN.gives = lambda view: np.full((2, 2), np.nan)
        room.step()
        self.assertEqual(room.stats["oddities"], 2)

    def test_names_are_taken_once(self):
        class Second(throng.Model):
            name = "orca"

        with self.assertRaisesRegex(throng.Error, "there is a model 'orca' already"):
            throng.Simulation(ROOM, Second())
        with self.assertRaisesRegex(throng.Error, "needs a name"):
            throng.Simulation(ROOM, throng.Model())


class Studies(unittest.TestCase):
    def test_models_are_compared(self):
        table = throng.compare("demo/corner", models=["orca", "powerlaw"], seeds=[3, 4], few_figures=True)
        last = table[table.figure == "egress_last"].set_index("variant")
        each = [throng.Scenario("demo/corner", {"seed": seed, "model": "powerlaw"}).run().time for seed in (3, 4)]
        self.assertAlmostEqual(last["mean"]["powerlaw"], sum(each) / 2, 9)
        self.assertEqual(list(last["count"]), [2, 2])
        self.assertEqual(table.attrs["failed"], {})

    def test_values_are_swept_and_kept(self):
        scenario = {
            "throng": 1, "name": "strip", "duration": 60, "model": "orca", "walkable_area": [[0, 0], [12, 0], [12, 4], [0, 4]],
            "goals": {"out": {"polygon": [[11, 0], [12, 0], [12, 4], [11, 4]], "exit": True}},
            "agents": [{"count": 1, "in": [[1, 1], [5, 1], [5, 3], [1, 3]], "goal": "out"}],
        }  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "study.sqlite")
            table = throng.sweep(scenario, set={"agents[0].count": "2..6:2"}, seeds=2, output=out, few_figures=True)
            self.assertEqual(list(table["agents[0].count"]), [2, 2, 4, 4, 6, 6])
            self.assertEqual(list(table["left"]), [2, 2, 4, 4, 6, 6])
            self.assertTrue(os.path.getsize(out) > 0)
        with self.assertRaisesRegex(throng.Error, "nobody_knows"):
            throng.sweep("demo/corner", models=["nobody_knows"])
        with self.assertRaisesRegex(throng.Error, "no-such-scene"):
            throng.compare("no-such-scene", models="orca,pbd")

    def test_an_endless_corridor_is_measured_as_one(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "ring.sqlite")
            throng.Scenario("rimea/16-single-file-periodic", {"duration": 30}).run(out)
            table = throng.read(out)
            self.assertEqual(list(table.attrs["periodic"]), ["x"])
            self.assertLess(throng.measure(table)["speed_mean"], 1.5)


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not installed")

    def path(self, name):
        return pathlib.Path(self.folder.name) / name

    def recording(self, name):
        room, _ = crowd()
        with room.record(self.path(name), fps=5, quantities=["speed"] if name.endswith("q.sqlite") else []):
            room.run(60)
        return throng.read(self.path(name))

    def test_recordings_of_all_formats_are_read(self):
        first = self.recording("a.sqlite")
        self.assertEqual(first.attrs["frame_rate"], 5)
        self.assertIn("POLYGON", first.attrs["walkable_area"])
        self.assertEqual(first["id"].nunique(), 30)
        for name in ("a.h5", "a.txt", "a.throng"):
            other = self.recording(name)
            self.assertEqual(len(other), len(first))
            np.testing.assert_allclose(other[["x", "y"]], first[["x", "y"]], atol=1e-3)

    def test_tables_are_written(self):
        first = self.recording("a.sqlite")
        for name in ("b.sqlite", "b.h5", "b.throng"):
            throng.write(first, self.path(name))
            back = throng.read(self.path(name))
            np.testing.assert_allclose(back[["x", "y"]], first[["x", "y"]], atol=1e-3)
            self.assertEqual(back.attrs["frame_rate"], 5)
            self.assertEqual(back["id"].nunique(), 30)
        self.assertRaisesRegex(throng.Error, "frame rate", throng.write, first.copy().assign().pipe(strip), self.path("c.h5"))

    def test_figures_are_those_of_the_program(self):
        table = self.recording("a.sqlite")
        figures = throng.measure(table)
        self.assertEqual(figures["people"], 30)
        speeds = throng.measure(str(self.path("a.sqlite")))["speed_mean"]
        self.assertEqual(speeds, figures["speed_mean"])
        self.assertRaisesRegex(throng.Error, "radius must be", throng.measure, table, radius=[0.2, 0.2])
        program = os.environ.get("THRONG")
        if program:
            command = [program, "measure", str(self.path("a.sqlite")), "--json", "-"]
            said = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["figures"]
            same = [name for name in figures if not name.startswith("overlap")]  # those need radii
            for name in same:
                theirs = float("nan") if said[name] is None else said[name]
                np.testing.assert_allclose(figures[name], theirs, rtol=1e-12, err_msg=name)

    def test_bad_files(self):
        self.assertRaises(throng.Error, throng.read, self.path("none.sqlite"))
        self.path("bad.h5").write_text("nothing")
        self.assertRaises(throng.Error, throng.read, self.path("bad.h5"))
        room, _ = crowd()
        self.assertRaises(throng.Error, room.record, self.path("a.unknown"))
        self.assertRaisesRegex(throng.Error, "whole number of steps", room.record, self.path("a.txt"), fps=7)

    def test_pedpy_takes_a_table_and_gives_one_back(self):
        try:
            import pedpy
        except ImportError:
            self.skipTest("PedPy is not installed")
        first = self.recording("a.sqlite")
        trajectory = pedpy.TrajectoryData(data=first, frame_rate=first.attrs["frame_rate"])
        theirs = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=self.path("a.sqlite"))
        np.testing.assert_allclose(trajectory.data[["x", "y"]], theirs.data[["x", "y"]], atol=1e-9)
        area = pedpy.WalkableArea(first.attrs["walkable_area"])
        self.assertAlmostEqual(area.area, 200)
        throng.write(trajectory, self.path("c.h5"), walkable_area=area)
        again = pedpy.load_trajectory_from_ped_data_archive_hdf5(trajectory_file=self.path("c.h5"))
        np.testing.assert_allclose(again.data[["x", "y"]], trajectory.data[["x", "y"]], atol=1e-3)
        back = throng.read(self.path("c.h5"))
        np.testing.assert_allclose(back[["x", "y"]], first[["x", "y"]], atol=1e-3)

    def test_jupedsim_and_we_read_each_other(self):
        try:
            import jupedsim
        except ImportError:
            self.skipTest("JuPedSim is not installed")
        ours = self.recording("a.sqlite")
        recording = jupedsim.Recording(str(self.path("a.sqlite")))
        self.assertIn(recording.num_frames - int(ours["frame"].max()), (1, 2))  # the last frame may be empty
        frame = {agent.id: agent.position for agent in recording.frame(3).agents}
        mine = ours[ours["frame"] == 3]
        self.assertEqual(sorted(frame), sorted(mine["id"]))
        for row in mine.itertuples():
            np.testing.assert_allclose(frame[row.id], (row.x, row.y), atol=1e-9)

        theirs = self.path("theirs.sqlite")
        writer = jupedsim.SqliteTrajectoryWriter(output_file=theirs, every_nth_frame=10)
        simulation = jupedsim.Simulation(
            model=jupedsim.CollisionFreeSpeedModel(), geometry=ROOM, trajectory_writer=writer
        )
        stage = simulation.add_exit_stage(EAST)
        journey = simulation.add_journey(jupedsim.JourneyDescription([stage]))
        for y in (2, 4, 6):
            simulation.add_agent(
                jupedsim.CollisionFreeSpeedModelAgentParameters(position=(2, y), journey_id=journey, stage_id=stage)
            )
        simulation.iterate(200)
        writer.close()
        table = throng.read(theirs)
        self.assertEqual(table.attrs["frame_rate"], 10)
        last = table[table["frame"] == table["frame"].max()]
        self.assertEqual(len(last), 3)
        self.assertTrue((last["x"] > 3.5).all())

    def test_code_for_jupedsim_runs_with_few_changes(self):
        simulation = throng.Simulation(ROOM, threads=1)
        stage = simulation.add_exit_stage(EAST)
        journey = simulation.add_journey([stage])
        spots = throng.distribute_by_number(
            polygon=[(0, 0), (8, 0), (8, 10), (0, 10)],
            number_of_agents=20, distance_to_agents=0.5, distance_to_polygon=0.3, seed=4,
        )  # fmt: skip
        for spot in spots:
            simulation.add_agent(spot, journey=journey)
        while simulation.agent_count() > 0 and simulation.elapsed_time() < 100:
            simulation.iterate()
        self.assertEqual(simulation.agent_count(), 0)


def strip(table):
    table.attrs = {}
    return table


if __name__ == "__main__":
    unittest.main()
