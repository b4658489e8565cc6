"""The tests of `throng view`'s server: what it streams, what it does when told, and what it refuses."""

import json
import os
import socket
import subprocess
import sys
import time
import traceback

from client import Live, Server

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


def record(*files, duration=8):
    outputs = [word for file in files for word in ("-o", file)]
    subprocess.run([os.environ["THRONG"], "run", "demo/bottleneck", "-q", "--duration", str(duration), *outputs],
                   check=True)


@test
def recordings_are_played_and_sought():
    files = ["b.throng", "b.sqlite", "b.txt", "b.h5"]
    record(*files)
    shown = []
    for file in files:
        with Server(file) as server:
            live = Live(server)
            live.frame()
            scene = live.last["scene", 0]
            assert not scene["live"] and scene["times"] == [0, 8] and scene["bounds"] == [0, 0, 26, 14]
            live.frame(lambda f: f.time > 0.5)
            live.send(do="pause")
            live.text("status", state="paused")
            for wanted in (6, 1, 7.1):
                live.send(do="seek", time=wanted)
                frame = live.frame(lambda f: abs(f.time - wanted) < 1e-6)
            shown.append(frame)
            live.send(do="step", by=-1)
            assert abs(live.frame().time - 7) < 1e-6
            live.send(do="ask", person=frame.ids[7])
            assert abs(live.text("person")["x"] - frame.x[7]) < 0.3
            live.send(do="play")
            assert live.text("status", state="ended")["time"] == 8
            live.send(do="play")
            live.frame(lambda f: f.time < 1)
            live.send(do="remove", person=frame.ids[7])
            assert "recording" in live.text("error")["message"]
    for other in shown[1:]:
        assert other.ids == shown[0].ids and all(abs(a - b) < 0.0021 for a, b in zip(other.x, shown[0].x))


@test
def charts_tell_what_passes():
    record("b.throng", duration=20)
    with Server("b.throng") as server:
        live, rows = Live(server), []
        while not rows or rows[-1]["time"] < 20:
            rows = live.text("charts")["rows"]
        last = rows[-1]
        assert last["inside"] + last["left"] == 500 and last["passed"]["door"] >= last["left"] > 20
        assert 0.5 < last["flow"]["door"] < 8 and 2 < last["density_max"] < 9 and 0.05 < last["mean_speed"] < 1.5
        times = [row["time"] for row in rows]
        assert times == sorted(set(times)) and len(times) > 90
        assert len(Live(server).text("charts")["rows"]) == len(rows), "who comes later gets them all"
    with Server("demo/bottleneck") as server:
        live = Live(server)
        live.send(do="speed", factor=20)
        row = live.wait(lambda m: isinstance(m, dict) and m["type"] == "chart" and m["time"] >= 19.9, 60)
        assert abs(row["left"] - last["left"]) < 3 and abs(row["passed"]["door"] - last["passed"]["door"]) < 3
        assert row["ms_per_step"] > 0


@test
def runs_are_compared_on_one_clock():
    record("b.throng")
    with Server("demo/corner", "b.throng") as server:
        live = Live(server)
        live.send(do="open", run=2, scene="demo/corner", model="powerlaw")
        live.text("scene", run=2)
        live.send(do="restart")
        for run in (0, 1, 2):
            live.frame(lambda f: f.run == run and 0 < f.time < 3)
        live.send(do="pause")
        live.text("status", run=2, state="paused")
        end = time.monotonic() + 1.2
        while time.monotonic() < end:
            live.receive(0.3)
        times = [live.frames[run].time for run in (0, 1, 2)]
        assert max(times) - min(times) < 0.35, times
        live.send(do="close", run=2)
        assert live.text("closed", run=2)


@test
def what_cannot_be_opened_is_told():
    record("b.throng")
    whole = open("b.throng", "rb").read()
    bad = {"garbage.sqlite": b"SQLite format 3" + bytes(range(256)) * 40, "garbage.throng": b"throng" * 100,
           "garbage.h5": b"\x89HDF\r\n\x1a\n" + b"x" * 500, "empty.txt": b"", "cut.throng": whole[:100],
           "wrong.json": b'{"throng": 1,\n "agents": [{"at": [0, 0], "goal": "nowhere"}]}'}
    for name, data in bad.items():
        with open(name, "wb") as file:
            file.write(data)
        server = Server(name)
        live = Live(server)
        assert live.text("status", state="failed"), name
        live.send(do="open", scene="demo/corner")
        live.frame()
        status, said = server.end()
        assert status == 0 and name in said, (name, said)
    with open("part.throng", "wb") as file:
        file.write(whole[:len(whole) * 2 // 3])
    with Server("part.throng") as server:
        live = Live(server)
        live.frame()
        assert "not finished" in live.last["scene", 0]["description"]
    with Server() as server:
        live = Live(server)
        live.send(do="open", text='{"throng": 1,\n "agent": []}', name="mine.json")
        error = live.text("error")
        assert error["messages"][0]["line"] == 2 and error["messages"][0]["column"] == 2, error
        live.send(do="check", text='{"throng": 1, "name": "x", "walkable_area": [[0,0],[4,4],[4,0],[0,4]], "agents": []}')
        checked = live.text("checked")
        assert not checked["good"] and "x" in checked["messages"][0], checked
        room = {"throng": 1, "name": "x", "walkable_area": [[0, 0], [4, 0], [4, 4], [0, 4]], "agents": [{"at": [1, 1]}]}
        live.send(do="check", text=json.dumps(room))
        assert live.text("checked")["scene"]["bounds"] == [0, 0, 4, 4]


@test
def files_are_sent():
    record("b.sqlite")
    with Server() as server:
        live = Live(server)
        status, _, body = server.get("/open?name=room.wkt", method="POST", body=b"POLYGON ((0 0, 9 0, 9 5, 0 5, 0 0))")
        assert status == 200 and "walkable_area" in json.loads(body)["text"]
        status, _, body = server.get("/open?name=room.wkt", method="POST", body=b"POLYGON ((0 0, 9 0")
        assert status == 200 and "text" not in json.loads(body) and json.loads(body)["messages"]
        status, _, body = server.get("/open?name=my.json", method="POST", body=b'{"throng": 1, "agents": []} // mine')
        assert status == 200 and json.loads(body)["text"].endswith("// mine")
        status, _, body = server.get("/open?name=b.sqlite", method="POST", body=open("b.sqlite", "rb").read())
        assert status == 200 and json.loads(body) == {"run": 0}
        assert live.text("scene")["name"] == "b.sqlite" and live.frame().n == 500
        for name in ("x", "a.b/../../c", "..", "a.%00"):
            assert server.get("/open?name=" + name, method="POST", body=b"x")[0] in (400, 422), name
        head = f"POST /open?name=a.sqlite&token={server.token} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        answer = server.raw((head + f"Content-Length: {2 << 30}\r\n\r\n").encode() + b"x" * 1000)
        assert b" 413 " in answer and b"throng view FILE" in answer
        live.frame()


@test
def malformed_frames_end_one_client_alone():
    with Server("demo/bottleneck") as server:
        watcher = Live(server)
        cases = [(1002, b"\x81\x02hi"), (1002, b"\xf1\x80abcd"), (1002, b"\x83\x80abcd"), (1002, b"\x80\x80abcd"),
                 (1002, b"\x09\x80abcd"), (1009, b"\x81\xff" + (1 << 40).to_bytes(8, "big") + b"abcd"),
                 (1003, b"\x82\x80abcd"), (1007, b"\x81\x81\0\0\0\0\xff")]
        for code, data in cases:
            live = Live(server)
            live.socket.sendall(data)
            try:
                while True:
                    live.receive(5)
            except ConnectionError as error:
                assert f"with {code}" in str(error), (data, str(error))
        for data in (b"", b"x" * 20000, b"GET / HTTP/1.1\r\n\r\n", b"GET\r\n\r\n", b"\0" * 9000, b"GET / HTTP/9\r\n\r\n"):
            answer = server.raw(data)
            assert not data or answer.split()[1] in (b"400", b"403", b"431", b"505"), (data[:40], answer[:80])
        broken = Live(server)
        broken.send_bytes(1, b'{"do":')
        assert "byte 6" in broken.text("error")["message"]
        parts = Live(server)
        parts.send_bytes(1, b'{"do":"ask",', last=False)
        parts.send_bytes(9, b"ping")
        parts.send_bytes(0, b'"person":1}')
        assert parts.text("person")["id"] == 1
        now = watcher.frame().time
        watcher.frame(lambda f: f.time > now + 0.2)


@test
def a_thousand_connections_and_who_never_reads():
    with Server("demo/bottleneck") as server:
        watcher = Live(server)
        silent = Live(server)  # takes nothing
        crowd = []
        for _ in range(1000):
            try:
                crowd.append(socket.create_connection(("127.0.0.1", server.port), timeout=2))
            except OSError:
                break
        now = watcher.frame().time
        watcher.frame(lambda f: f.time > now + 1)
        for one in crowd:
            one.close()
        assert server.get("/models.json")[0] == 200
        watcher.send(do="pause")
        assert watcher.text("status", state="paused")
        silent.close()


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
