"""Runs of scenarios, recorded at every step and judged by validate_overlap, for tables.py and the claims."""

import json
import os
import resource
import sqlite3
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("BUILD", os.path.join(ROOT, "build"))
THRONG = os.path.join(BUILD, "throng")
OVERLAP = os.path.join(BUILD, "validate", "validate_overlap")

# What each method is compared with: as its authors' examples have it.
MODELS = {
    "implicit": "implicit",
    "powerlaw": "powerlaw",
    "orca": {"name": "orca", "params": {"time_horizon": 2, "neighbour_dist": 10, "max_neighbours": 30}},
}


def scenario_text(name):
    """The scenario of a built-in name or a file, its comments taken out."""
    path = name if name.endswith(".json") else os.path.join(ROOT, "scenarios", name + ".json")
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if not line.lstrip().startswith("//")]
    return json.loads("".join(lines))


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
        elif model is not None:
            scenario["model"] = model if isinstance(model, dict) else MODELS.get(model, model)
        if dt is not None:
            scenario["dt"] = dt
        scenario.update(duration=duration, seed=seed)
        if change:
            change(scenario)
        with tempfile.TemporaryDirectory() as directory:
            path, stats, tape = (os.path.join(directory, name) for name in ("scene.json", "stats.json", "run.sqlite"))
            with open(path, "w", encoding="utf-8") as file:
                json.dump(scenario, file)
            command = [THRONG, "run", path, "--quiet", "--threads", str(threads), "--stats", stats]
            if record:
                command += ["-o", tape, "--every", str(every)]
            else:
                command += ["--no-check"]
            before = cpu_seconds()
            subprocess.run(command, check=True, capture_output=True, text=True)
            self.cpu = cpu_seconds() - before
            with open(stats, encoding="utf-8") as file:
                self.stats = json.load(file)
            self.scenario, self.series = scenario, None
            self.overlap = self.judge(tape, "walkable_area" not in scenario) if record and every == 1 else None
            if tracks:
                self.read(tape, sample)

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
        file = sqlite3.connect(tape)
        fps = float(file.execute("SELECT value FROM metadata WHERE key = 'fps'").fetchone()[0])
        self.tracks, self.frame_s = {}, 1 / fps
        wanted = f"WHERE frame % {max(2, round(sample * fps))} < 2" if sample else ""
        for frame, who, x, y in file.execute(f"SELECT frame, id, pos_x, pos_y FROM trajectory_data {wanted} ORDER BY id, frame"):
            self.tracks.setdefault(who, []).append((frame / fps, x, y))
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
