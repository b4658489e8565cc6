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
