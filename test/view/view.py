"""The tests of `throng view`'s server: what it streams, what it does when told, and what it refuses."""

import sys
import traceback

from client import Frame, Live, Server

tests = []


def test(function):
    tests.append(function)
    return function


@test
def people_move_as_the_clock_says():
    with Server("demo/bottleneck") as server:
        live = Live(server)
        assert live.text("hello")["protocol"] == 1
        first = live.frame()
        assert first.n == 500 and first.flags & 3 == 3 and first.time < 1
        later = live.frame(lambda f: f.time > first.time + 1)
        assert not later.flags & 3, "ids are sent when they change"
        moved = sum(abs(a - b) > 0.3 for a, b in zip(first.x, later.x))
        assert moved > 250, f"{moved} of 500 have moved"
        assert all(-0.3 < x < 26.3 and -0.3 < y < 14.3 for x, y in zip(later.x, later.y))
        scene = live.last["scene", 0]
        assert scene["name"] == "demo/bottleneck" and scene["bounds"] == [0, 0, 26, 14]
        assert [g["name"] for g in scene["goals"]] == ["out"] and scene["lines"][0]["name"] == "door"
        status = live.text("status", state="running")
        assert 0.7 < status["factor"] < 1.3 or status["ms_per_step"] > 20, status


@test
def it_pauses_steps_and_starts_again():
    with Server("demo/bottleneck") as server:
        live = Live(server)
        live.frame(lambda f: f.time > 0.2)
        live.send(do="pause")
        paused = live.text("status", state="paused")["time"]
        live.send(do="step")
        assert abs(live.frame(lambda f: f.time > paused + 1e-9).time - paused - 0.025) < 1e-9
        live.send(do="speed", factor=10)
        live.send(do="play")
        live.frame(lambda f: f.time > paused + 5, timeout=30)
        live.send(do="restart")
        assert live.frame(lambda f: f.time < paused).n == 500
        live.send(do="seed", value=7)
        assert live.text("scene", seed=7)


@test
def two_watch_one_run():
    with Server("demo/bottleneck") as server:
        one, two = Live(server), Live(server)
        one.frame(lambda f: f.time > 0.3)
        two.frame(lambda f: f.time > 0.3)
        one.send(do="pause")
        assert two.text("status", state="paused")


@test
def people_and_walls_are_steered():
    with Server("demo/bottleneck") as server:
        live = Live(server)
        first = live.frame()
        models = live.last["scene", 0]["models"]
        live.send(do="model", name="powerlaw")
        assert live.text("scene")["settings"]["model"] == "powerlaw"
        changed = live.frame(lambda f: f.flags & 2)
        assert {models[m] for m in changed.model} == {"powerlaw"}
        live.send(do="model", name="orca", person=first.ids[3])
        live.frame(lambda f: f.flags & 2 and models[f.model[3]] == "orca")
        live.send(do="set", param="relaxation_time", value=0.7)
        assert live.text("scene")["settings"]["params"]["relaxation_time"] == 0.7
        live.send(do="set", param="desired_speed", person=first.ids[3], value=0.3)
        live.send(do="ask", person=first.ids[3])
        person = live.text("person")
        assert person["model"] == "orca" and person["desired_speed"] == 0.3 and person["neighbours"]
        live.send(do="wall", obstacle="new", polygon=[[21, 6], [21.4, 6], [21.4, 8], [21, 8]])
        assert [o["name"] for o in live.text("scene")["obstacles"]][-1] == "new"
        live.send(do="move", obstacle="new", to=[22, 10])
        live.text("scene")
        live.send(do="obstacle", obstacle="new", present=False)
        assert live.text("scene")["obstacles"][-1]["gone"]
        live.send(do="door", goal="out", open=False)
        assert live.text("scene")["goals"][0]["closed"]
        live.send(do="drop", count=20, at=[23, 3], goal="out")
        more = live.frame(lambda f: f.n > first.n)
        assert more.n == first.n + 20
        live.send(do="push", person=more.ids[-1], impulse=[0, 90])
        live.send(do="send", person=more.ids[-2], to=[23, 12])
        live.send(do="remove", person=more.ids[-3])
        assert more.ids[-3] not in live.frame(lambda f: f.n == first.n + 19).ids
        if live.last["hello", None]["objects"]:
            live.send(do="throw", kind="ball", at=[23.5, 6], velocity=[-3, 0])
            assert len(live.frame(lambda f: f.things).things) == 1
            live.send(do="drag", thing=0, to=[23, 7])
        live.send(do="colour", quantity="speed")
        assert max(live.frame(lambda f: f.flags & 8).value) > 20
        wrong = [{"do": "push", "person": 10**6, "impulse": [1, 1]}, {"do": "push", "person": 1, "impulse": "x"},
                 {"do": "model", "name": "x"}, {"do": "set", "param": "x", "value": 1}, {"do": "set", "param": "symmetry"},
                 {"do": "set", "param": "relaxation_time", "value": -3}, {"do": "drop", "count": 1e9, "at": [1, 1]},
                 {"do": "drop", "count": 5, "at": [-99, 1]}, {"do": "move", "obstacle": "x", "by": [1, 1]},
                 {"do": "wall", "obstacle": "w", "polygon": [[0, 0], [1, "a"]]}, {"do": "door", "goal": "x"},
                 {"do": "wall", "obstacle": "w", "polygon": [[5, 5], [6, 6], [6, 5], [5, 6]]}, {"do": "ask"},
                 {"do": "throw", "kind": "x", "at": [0, 0]}, {"do": "colour", "quantity": "x"}, {"do": "x"},
                 {"do": "drag", "thing": 7}, {"do": "speed", "factor": 0}, {"do": "speed"}, {"do": "step", "by": 5},
                 {"do": "open", "scene": "x"}, {"do": "open", "file": "/etc/passwd"}, {"do": "open"}, {"do": "close"},
                 {"do": "seek", "time": -1}, {"do": "play", "run": 9}, {"do": 5}, {"do": "seed", "value": "x"}]
        for command in wrong:
            live.send(**command)
            error = live.text("error")
            assert error["message"] and error.get("do") == (command["do"] if command["do"] != 5 else None), error
        live.frame()


@test
def others_do_not_come_in():
    with Server() as server:
        assert server.get("/")[0] == 200
        assert server.get("/", token=False)[0] == 403
        assert server.get("/?token=" + "0" * 32, token=False)[0] == 403
        assert server.get("/", headers=["Origin: http://elsewhere.example"])[0] == 403
        assert server.get("/", headers=["Host: elsewhere.example"])[0] == 403
        cookie = [f"Cookie: a=b; throng_{server.port}={server.token}"]
        assert server.get("/", headers=cookie, token=False)[0] == 200
        for path in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/etc/passwd", "/index.html/..", "//etc/passwd"):
            assert server.get(path)[0] == 404, path
        for wrong in ({"query": "?token=0"}, {"query": ""}, {"headers": ["Origin: http://elsewhere.example"]}):
            try:
                Live(server, **wrong)
            except ConnectionError as error:
                assert "403" in str(error)
            else:
                raise AssertionError(f"{wrong} came in")


@test
def it_ends_when_told():
    server = Server("demo/bottleneck")
    live = Live(server)
    live.frame()
    status, said = server.end()
    assert status == 0 and "error" not in said, (status, said)


failed = 0
wanted = sys.argv[1:]
for one in tests:
    if wanted and one.__name__ not in wanted:
        continue
    try:
        one()
    except Exception:  # every test is to be tried
        failed += 1
        print(f"{one.__name__}:")
        traceback.print_exc()
sys.exit(failed > 0)
