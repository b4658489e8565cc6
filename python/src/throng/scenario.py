"""Scenario files, and those that are part of the library."""

from __future__ import annotations

import json
import os
from typing import Any

from ._core import Error, Kept, ffi, lib, text
from .simulation import Simulation


def scenarios() -> list[str]:
    """The names of the built-in scenarios."""
    return [text(lib.throng_builtin_name(i)) for i in range(lib.throng_builtin_count())]


class _Report:
    def __init__(self) -> None:
        self.pointer = ffi.gc(lib.throng_report_create(), lib.throng_report_destroy)

    def lines(self, severity: int) -> list[str]:
        found = []
        for i in range(lib.throng_report_count(self.pointer)):
            m = lib.throng_report_message(self.pointer, i)
            place = f"{m.line}:{m.column}: " if m.line > 0 else ""
            if m.severity == severity:
                found.append(place + text(m.text))
        return found

    def must(self, result: Any) -> Any:
        if result == ffi.NULL:
            raise Error("\n".join(self.lines(lib.THRONG_ERROR)))
        return result


class Scenario:
    """A scenario: a file, or the name of a built-in one. `set` changes values, as `--set` of the program does:
    `Scenario("demo/bottleneck", {"seed": 7, "model": "pbd"})`; `text` is used instead of reading a file."""

    def __init__(self, path: Any = "", set: dict[str, Any] | None = None, *, text: str | None = None) -> None:
        kept = Kept()
        definition = lib.throng_default_scenario_def()
        definition.path = kept.text(os.fspath(path))
        definition.text = kept.text(text)
        changes = [kept.text(f"{key}={_value(value)}") for key, value in (set or {}).items()]
        definition.overrides = kept.keep(ffi.new("char *[]", changes or [ffi.NULL]))
        definition.override_count = len(changes)
        report = _Report()
        made = lib.throng_scenario_create(ffi.new("throng_scenario_def *", definition), report.pointer)
        self._scenario = ffi.gc(report.must(made), lib.throng_scenario_destroy)
        self.warnings = report.lines(lib.THRONG_WARNING)

    @property
    def name(self) -> str:
        return text(lib.throng_scenario_name(self._scenario))

    @property
    def description(self) -> str:
        return text(lib.throng_scenario_description(self._scenario))

    @property
    def model(self) -> str:
        return text(lib.throng_scenario_model(self._scenario))

    @property
    def duration(self) -> float:
        """Seconds that it runs at most."""
        return float(lib.throng_scenario_duration(self._scenario))

    def simulation(self, *, threads: int = 0, check: bool = True) -> Simulation:
        """A simulation with everybody in place."""
        definition = lib.throng_default_run_def()
        definition.threads, definition.check = threads, check
        report = _Report()
        run = ffi.new("throng_run_def *", definition)
        made = lib.throng_scenario_create_world(self._scenario, run, report.pointer)
        simulation = Simulation._of_world(report.must(made))
        simulation._prepared = True
        return simulation

    def run(self, output: Any = None, *, threads: int = 0, fps: float | None = None) -> Simulation:
        """Runs until everybody has arrived or its time is over, and returns the simulation as it is then. `output`: a file
        to record to."""
        simulation = self.simulation(threads=threads)
        recorder = simulation.record(output, fps=fps) if output is not None else None
        steps = -int(-self.duration / simulation.dt // 1) if self.duration / simulation.dt < 1e15 else 10**15
        full = lib.throng_scenario_runs_full(self._scenario)
        for _ in range(max(steps, 0)):
            if simulation.done and not full:
                break
            simulation.step()
        if recorder:
            recorder.close()
        return simulation


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
