"""The models there are, and models written in Python."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ._core import Error, ffi, lib, message, new_error, text


class Parameter(NamedTuple):
    """A row of a model's table."""

    name: str
    default: float
    low: float
    high: float
    unit: str
    help: str
    words: tuple[str, ...]  #: of a choice; the numbers are their places


def _row(param: Any, default: float) -> Parameter:
    words: list[str] = []
    while param.words != ffi.NULL and param.words[len(words)] != ffi.NULL:
        words.append(text(param.words[len(words)]))
    return Parameter(text(param.name), default, param.low, param.high, text(param.unit), text(param.help), tuple(words))


def models() -> dict[str, str]:
    """The names of all models and what they are."""
    every = [lib.throng_model_at(i) for i in range(lib.throng_model_count())]
    return {text(lib.throng_model_name(model)): text(lib.throng_model_title(model)) for model in every}


def parameters(model: Any) -> dict[str, Parameter]:
    """What a model takes as keyword arguments: its own parameters and those of habits."""
    found = lib.throng_model_named(name_of(model).encode())
    if found == ffi.NULL:
        raise Error(f"there is no model '{model}'")
    rows = [lib.throng_model_param(found, i) for i in range(lib.throng_model_param_count(found))]
    table = {text(row.name): _row(row, row.fallback) for row in rows}
    for habit in range(lib.throng_habit_count()):
        for i in range(lib.throng_habit_param_count(habit)):
            row = lib.throng_habit_param(habit, i)
            table[text(row.name)] = _row(row, lib.throng_model_habit_default(found, habit, i))
    return table


# ------------------------------------------------------------------ models in Python

_pending: list[BaseException] = []


def _read(pointer: Any, count: int, dtype: Any = float) -> np.ndarray:
    if count == 0:
        return np.empty(0, dtype)
    array = np.frombuffer(ffi.buffer(pointer, count * np.dtype(dtype).itemsize), dtype)
    array.flags.writeable = False
    return array


class People:
    """Columns of everybody, or of a model's own people: `id`, `x`, `y`, `vx`, `vy`, `wish_x`, `wish_y`, `radius`, ..."""

    def __init__(self, view: Any, count: int, rows: np.ndarray | None) -> None:
        self._view, self._count, self._rows = view, count, rows

    def _column(self, name: str, dtype: Any = float) -> np.ndarray:
        array = _read(getattr(self._view, name), self._count, dtype)
        return array if self._rows is None else array[self._rows]

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_") or name not in _PEOPLE:
            raise AttributeError(f"people have no column '{name}'")
        return self._column(name, _PEOPLE[name])

    def __len__(self) -> int:
        return self._count if self._rows is None else len(self._rows)

    @property
    def positions(self) -> np.ndarray:
        return np.column_stack([self.x, self.y])

    @property
    def velocities(self) -> np.ndarray:
        return np.column_stack([self.vx, self.vy])

    @property
    def wishes(self) -> np.ndarray:
        """The desired velocities."""
        return np.column_stack([self.wish_x, self.wish_y])


_PEOPLE: dict[str, Any] = {name: float for name in (
    "x", "y", "vx", "vy", "wish_x", "wish_y", "push_x", "push_y", "impulse_x", "impulse_y", "radius", "desired_speed",
    "max_speed", "mass")}  # fmt: skip
_PEOPLE.update(id=np.uint64, profile=np.uint32, group=np.uint32, goal=np.uint32, state=np.uint8)


class Step:
    """One step as a model sees it: `mine` are its own people, `everybody` all of them; arrays are valid within the step."""

    def __init__(self, step: Any) -> None:
        count = int(step.people.count)
        slots = _read(step.mine, int(step.mine_count), np.uint32)
        rows = _read(step.near.row, int(step.near.count), np.uint32)[slots]
        self._step, self._rows = step, rows
        self.dt, self.time, self.seed = float(step.dt), float(step.people.time), int(step.seed)
        self.everybody = People(step.people, count, None)
        self.mine = People(step.people, count, rows)
        walls = step.walls
        n = int(walls.count)
        start = np.column_stack([_read(walls.x, n), _read(walls.y, n)])
        self.walls = np.hstack([start, start[_read(walls.next, n, np.uint32)]]) if n else np.empty((0, 4))

    def _finish(self, velocities: np.ndarray) -> None:
        for k, axis in enumerate("xy"):
            now = _read(getattr(self._step.people, axis), len(self.everybody))[self._rows]
            for name, values in ((f"next_v{axis}", velocities[:, k]), (f"next_{axis}", now + self.dt * velocities[:, k])):
                pointer = getattr(self._step, name)
                np.frombuffer(ffi.buffer(pointer, 8 * len(self.everybody)), float)[self._rows] = values


class Model:
    """A model in Python: give it a `name` and a `step`, and hand an instance of it to `Simulation(model=...)` or
    `add_profile`; it moves its people beside those of other models."""

    name = ""
    title = ""
    citation = ""
    dt = 0.1

    def step(self, view: Step) -> Any:
        """The velocities of all of its people over this step, of shape (n, 2), in the order of `view.mine`."""
        raise NotImplementedError

    def register(self) -> str:
        """Makes the model known by its name, once; a world that uses it does so by itself."""
        if id(self) not in _handles:
            _register(self)
        return self.name


_handles: dict[int, Any] = {}


def _register(model: Model) -> None:
    handle = ffi.new_handle(model)
    texts = [ffi.new("char[]", str(value).encode()) for value in (model.name, model.title or model.name, model.citation)]
    struct = ffi.new("throng_model *")
    struct.name, struct.title, struct.citation = texts
    struct.default_dt = model.dt
    struct.context = handle
    struct.step = lib.throng_python_step
    error = new_error()
    if not lib.throng_register_model(struct, error):
        raise Error(message(error))
    _handles[id(model)] = (model, handle, texts, struct)  # the library keeps pointers to them


def name_of(model: Any) -> str:
    """The name of a model; one in Python is made known first."""
    if isinstance(model, Model):
        return model.register()
    if isinstance(model, str):
        return model
    raise Error(f"expected the name of a model or an instance of throng.Model, not {model!r}")


@ffi.def_extern()
def throng_python_step(state: Any, step: Any) -> None:
    view = Step(step)
    shape = (len(view.mine), 2)
    velocities = np.zeros(shape)
    try:
        model = ffi.from_handle(step.context)
        given = np.asarray(model.step(view), dtype=float)
        if given.shape != shape:
            raise Error(f"model '{model.name}' must give velocities of shape {shape}, not {given.shape}")
        velocities = given
    except BaseException as error:  # told when the step is over: nothing may leave the library this way
        _pending.append(error)
    view._finish(velocities)


def raise_pending() -> None:
    """Raises what a model has raised in the last step; its people have stood still."""
    if _pending:
        error = _pending[0]
        _pending.clear()
        raise error
