"""The program `throng`: the command, and its studies as functions that give tables."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from typing import Any

from ._core import Error


def path() -> str:
    """Where the program is: that of the package, else of $THRONG, else the one that is installed."""
    own = os.path.join(os.path.dirname(__file__), "bin", "throng")
    found = own if os.path.exists(own) else os.environ.get("THRONG") or shutil.which("throng")
    if not found or not os.path.exists(found):
        raise Error("the program throng is not installed: build the package without CMAKE_PREFIX_PATH, or set THRONG")
    return found


def main() -> None:
    """The command `throng` of the package."""
    program = path()
    os.execv(program, [program, *sys.argv[1:]])


def _run(words: list[str], failed_runs: bool) -> None:
    done = subprocess.run([path(), *words, "--quiet"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode and not (failed_runs and done.returncode == 1):
        raise Error(done.stderr.strip().replace("throng: error: ", ""))


def _values(values: Any) -> str:
    """What `--set` takes: 1..9:2 as it is, a number, or several."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        return str(values)
    return ",".join(value if isinstance(value, str) else json.dumps(value) for value in values)


def _words(
    scenario: Any, set: Mapping[str, Any] | None, models: Iterable[str] | None, seeds: Any, jobs: int | None,
    timeout: float | None, few_figures: bool, folder: str,
) -> list[str]:  # fmt: skip
    if isinstance(scenario, Mapping):
        place = os.path.join(folder, "scenario.json")
        with open(place, "w", encoding="utf-8") as file:
            json.dump(scenario, file)
        scenario = place
    words = [os.fspath(scenario), "--seeds", _values(seeds)]
    for key, values in (set or {}).items():
        words += ["--set", f"{key}={_values(values)}"]
    if models is not None:
        words += ["--models", models if isinstance(models, str) else ",".join(models)]
    if jobs is not None:
        words += ["--jobs", str(jobs)]
    if timeout is not None:
        words += ["--timeout", str(timeout)]
    return words + ["--few-figures"] * few_figures


def compare(
    scenario: Any, *, models: Iterable[str] | None = None, set: Mapping[str, Any] | None = None, seeds: Any = 10,
    report: Any = None, jobs: int | None = None, timeout: float | None = None, few_figures: bool = False,
) -> Any:  # fmt: skip
    """One scenario (a file, a built-in name or a dict) with several models or values, the same seeds for each:

        throng.compare("demo/bottleneck", models=["orca", "pbd"], seeds=5, report="models.html")

    A table with a row for each figure and variant: mean over the seeds, its 95 % confidence interval, and whether it
    differs from the first variant. `table.attrs["failed"]` tells how many runs failed."""
    import pandas

    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "compare.json")
        words = ["compare", *_words(scenario, set, models, seeds, jobs, timeout, few_figures, folder), "--json", out]
        _run(words + (["--report", os.fspath(report)] if report is not None else []), failed_runs=True)
        with open(out, encoding="utf-8") as file:
            found = json.load(file)
    names = [variant["name"] for variant in found["variants"]]
    rows = [
        {"figure": figure["name"], "unit": figure["unit"], "variant": name, **values}
        for figure in found["figures"]
        for name, values in zip(names, figure["variants"])
    ]
    table = pandas.DataFrame(rows)
    table.attrs["failed"] = {variant["name"]: variant["failed"] for variant in found["variants"] if variant["failed"]}
    return table


def sweep(
    scenario: Any, *, set: Mapping[str, Any] | None = None, models: Iterable[str] | None = None, seeds: Any = 1,
    output: Any = None, latin: int | None = None, jobs: int | None = None, timeout: float | None = None,
    few_figures: bool = False,
) -> Any:  # fmt: skip
    """Every value of `set`, every model and every seed, a process per core:

        throng.sweep("demo/bottleneck", set={"agents[0].count": "100..500:100"}, seeds=3, output="study.sqlite")

    A table with a row for each run: values, seed, digest, error and all figures. With `output` what is there already is
    not run again. `latin`: so many points of a Latin hypercube over ranges LOW..HIGH."""
    import pandas

    with tempfile.TemporaryDirectory() as folder:
        out = os.fspath(output) if output is not None else os.path.join(folder, "sweep.sqlite")
        words = ["sweep", *_words(scenario, set, models, seeds, jobs, timeout, few_figures, folder), "--output", out]
        _run(words + (["--latin", str(latin)] if latin is not None else []), failed_runs=True)
        database = sqlite3.connect(out)
        try:
            return pandas.read_sql_query("SELECT * FROM runs ORDER BY run", database)
        finally:
            database.close()
