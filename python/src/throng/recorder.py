"""Writing what a simulation does to a file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Sequence

from ._core import Error, Kept, ffi, lib, message, new_error

if TYPE_CHECKING:
    from .simulation import Simulation


class Recorder:
    """A recording under way: made by `Simulation.record`."""

    def __init__(
        self, simulation: "Simulation", path: Any, fps: float | None, quantities: Sequence[str], description: str
    ) -> None:
        kept = Kept()
        self._simulation = simulation
        dt = simulation.dt
        every = max(1, round(1 / (dt * (fps or 10))))
        if fps is not None and abs(1 / (dt * every) - fps) > 1e-6 * fps:
            raise Error(f"{fps} frames per second are no whole number of steps of {dt} s: {1 / (dt * every):g} would be")
        self._every, self._steps = every, 0
        definition = lib.throng_default_recorder_def()
        definition.path = kept.text(os.fspath(path))
        definition.fps = 1 / (dt * every)
        definition.description = kept.text(description)
        names = [kept.text(name) for name in quantities]
        definition.quantities = kept.keep(ffi.new("char *[]", names or [ffi.NULL]))
        definition.quantity_count = len(names)
        error = new_error()
        self._recorder = lib.throng_recorder_create(ffi.new("throng_recorder_def *", definition), simulation._world, error)
        if self._recorder == ffi.NULL:
            raise Error(message(error))
        self._frame()

    def _frame(self) -> None:
        error = new_error()
        if not lib.throng_recorder_frame(self._recorder, self._simulation._world, error):
            raise Error(message(error))

    def _step(self) -> None:
        self._steps += 1
        if self._steps % self._every == 0:
            self._frame()

    def close(self) -> None:
        """Writes what is left; may be called again."""
        if self._recorder == ffi.NULL:
            return
        recorder, self._recorder = self._recorder, ffi.NULL
        self._simulation._recorders.remove(self)
        error = new_error()
        if not lib.throng_recorder_close(recorder, error):
            raise Error(message(error))

    def __enter__(self) -> "Recorder":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_recorder", ffi.NULL) != ffi.NULL:
            lib.throng_recorder_close(self._recorder, ffi.NULL)
