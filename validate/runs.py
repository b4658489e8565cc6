"""Runs of scenarios, what is read from their recordings, and how scenarios are changed before: for tables.py and the claims."""

import contextlib
import json
import os
import resource
import sqlite3
import subprocess
import tempfile
from types import SimpleNamespace

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("BUILD", os.path.join(ROOT, "build"))
THRONG = os.path.join(BUILD, "throng")
OVERLAP = os.path.join(BUILD, "validate", "validate_overlap")

# What each method is compared with: as its authors' examples have it.
MODELS = {
    "implicit": "implicit",
    "powerlaw": {"name": "powerlaw", "params": {"substep": 10}},  # the step is that of the world
    "orca": {"name": "orca", "params": {"time_horizon": 2, "neighbour_dist": 10, "max_neighbours": 30}},
}


def scenario_text(name):
    """The scenario of a built-in name or a file, its comments taken out."""
    path = name if name.endswith(".json") else os.path.join(ROOT, "scenarios", name + ".json")
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if not line.lstrip().startswith("//")]
    return json.loads("".join(lines))


def scenes_of(folder):
    """The names of the built-in scenarios of a folder."""
    return sorted(f"{folder}/{name[:-5]}" for name in os.listdir(os.path.join(ROOT, "scenarios", folder)) if name.endswith(".json"))


def changed(model, **params):
    """Sets parameters of a model in a scenario that has parameters for it."""
    def change(scenario):
        if isinstance(scenario["model"], dict):
            scenario["model"]["params"][model].update(params)
    return change


@contextlib.contextmanager
def finished(scenario, *options, record=True):
    """Runs a scenario: `stats` is what --stats says, `tape` its recording, until the end of the block, `messages` what it told."""
    with tempfile.TemporaryDirectory() as directory:
        path, stats, tape = (os.path.join(directory, name) for name in ("scene.json", "stats.json", "run.sqlite"))
        with open(path, "w", encoding="utf-8") as file:
            json.dump(scenario, file)
        command = [THRONG, "run", path, "--quiet", "--stats", stats, *(["-o", tape] if record else []), *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{scenario['name']}: status {done.returncode}: {done.stderr.strip()}")
        with open(stats, encoding="utf-8") as file:
            yield SimpleNamespace(stats=json.load(file), tape=tape, messages=done.stderr)


def digest(scene, model, threads, duration):
    """Of the last state of a built-in scenario."""
    command = [THRONG, "run", scene, "--threads", str(threads), "--duration", str(duration), "--quiet", "--no-check", "--stats", "-"]
    done = subprocess.run(command + (["--model", model] if model else []), check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["digest"]


def read_tracks(tape, sample=None):
    """({id: [(time, x, y)]}, seconds from frame to frame), of all frames or of those `sample` s apart and each one's next."""
    file = sqlite3.connect(tape)
    fps = float(file.execute("SELECT value FROM metadata WHERE key = 'fps'").fetchone()[0])
    tracks, wanted = {}, f"WHERE frame % {max(2, round(sample * fps))} < 2" if sample else ""
    for frame, who, x, y in file.execute(f"SELECT frame, id, pos_x, pos_y FROM trajectory_data {wanted} ORDER BY id, frame"):
        tracks.setdefault(who, []).append((frame / fps, x, y))
    file.close()
    return tracks, 1 / fps


class Moments:
    """A run seen at some of its frames, `every` of them apart: `moments` is {time: {id: (x, y)}}, `velocities` {time: {id: (vx, vy)}}, each
    from one frame to the next; `start` is {id: (x, y)}, `last` {id: (time, x, y)} when last seen. `apart(difference, axis)` is the
    shorter way round, where the world wraps."""

    def __init__(self, run, every, apart=lambda difference, axis: difference):
        self.run, self.moments, self.velocities, self.start, self.last = run, {}, {}, {}, {}
        step = run.frame_s
        for who, track in run.tracks.items():
            self.start[who], self.last[who] = track[0][1:], track[-1]
            for k, (t, *at) in enumerate(track):
                if round(t / step) % every:
                    continue
                self.moments.setdefault(round(t, 6), {})[who] = tuple(at)
                if k + 1 < len(track) and track[k + 1][0] - t < 1.5 * step:
                    ways = (apart(b - a, axis) for axis, (a, b) in enumerate(zip(at, track[k + 1][1:])))
                    self.velocities.setdefault(round(t, 6), {})[who] = tuple(way / step for way in ways)
        self.moments = dict(sorted(self.moments.items()))
        self.groups = {who: person["group"] for who, person in run.people.items()}
        run.tracks = None  # there may be gigabytes of them


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Run:
    """A finished run: `stats` is what --stats says, `cpu` its processor time in s without reading the scenario,
    and, when it was recorded, `overlap` is what validate_overlap found and `tracks` leads from ids to [(time, x, y)], of all
    frames or of those `sample` s apart and each one's next. A `model` or `dt` that is None is the scenario's own."""

    def __init__(self, scene, model, dt, duration, seed=1, record=True, tracks=False, change=None, threads=2, every=1, sample=None):
        scenario = scenario_text(scene)
        own = scenario.get("model")
        if isinstance(own, dict) and model in own.get("params", {}):
            own["name"] = model  # the scenario has parameters for it
            if model == "powerlaw":
                changed(model, **MODELS[model]["params"])(scenario)
        elif model is not None:
            scenario["model"] = model if isinstance(model, dict) else MODELS.get(model, model)
        if dt is not None:
            scenario["dt"] = dt
        scenario.update(duration=duration, seed=seed)
        if change:
            change(scenario)
        options, before = ["--every", str(every)] if record else ["--no-check"], cpu_seconds()
        with finished(scenario, "--threads", str(threads), *options, record=record) as done:
            self.cpu, self.stats = cpu_seconds() - before, done.stats
            self.scenario, self.series = scenario, None
            self.overlap = self.judge(done.tape, "walkable_area" not in scenario) if record and every == 1 else None
            if tracks:
                self.read(done.tape, sample)

    def judge(self, tape, is_open):
        """What validate_overlap finds; `series` is [(time, pairs that overlap, by more than 5 %)]."""
        table = tape + ".csv"
        done = subprocess.run([OVERLAP, tape, "--series", table] + ["--open"] * is_open, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            raise RuntimeError(done.stderr)
        with open(table, encoding="utf-8") as file:
            self.series = [tuple(float(cell) for cell in line.split(",")) for line in list(file)[1:]]
        return json.loads(done.stdout)

    def read(self, tape, sample=None):
        self.tracks, self.frame_s = read_tracks(tape, sample)
        file = sqlite3.connect(tape)
        self.people = {who: {"radius": radius, "desired_speed": speed, "group": group} for who, radius, speed, group in
                       file.execute("SELECT id, radius, desired_speed, grp FROM x_agents")}
        file.close()

    @property
    def gap(self):
        """The least gap to people and walls, m."""
        gaps = [self.overlap[what]["least_gap_m"] for what in ("people", "walls")]
        return min(gap for gap in gaps + [9.0] if gap is not None)

    @property
    def deepest(self):
        """The deepest overlap of two people as a part of the sum of radii."""
        return self.overlap["people"]["deepest_fraction"]

    @property
    def overlaps(self):
        return self.overlap["people"]["overlaps"] + self.overlap["walls"]["overlaps"]

    def frames(self):
        """{time: [(id, x, y), ...]}, times in order."""
        frames = {}
        for who, track in self.tracks.items():
            for t, x, y in track:
                frames.setdefault(round(t, 6), []).append((who, x, y))
        return dict(sorted(frames.items()))
