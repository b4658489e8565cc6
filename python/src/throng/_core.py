"""What the other modules stand on: the C library, its errors, texts and arrays."""

from __future__ import annotations

from typing import Any, Iterable, Sequence

import numpy as np

from ._throng import ffi, lib  # type: ignore


class Error(ValueError):
    """Something was refused; the text is the library's own."""


def text(pointer: Any) -> str:
    """A C text as a string; "" for none."""
    return ffi.string(pointer).decode("utf-8", "replace") if pointer != ffi.NULL else ""


def new_error() -> Any:
    return ffi.new("throng_error *")


def message(error: Any) -> str:
    """The text of a throng_error, with line and column where it has them."""
    place = f"line {error.line}, column {error.column}: " if error.line > 0 else ""
    return place + text(error.text)


class Kept:
    """Memory handed to the library for the time of a call."""

    def __init__(self) -> None:
        self._all: list[Any] = []

    def keep(self, item: Any) -> Any:
        self._all.append(item)
        return item

    def text(self, value: str | None) -> Any:
        return ffi.NULL if value is None else self.keep(ffi.new("char[]", str(value).encode()))

    def ring(self, points: Any) -> Any:
        """Points of one ring as a throng_ring, which does not repeat its first point."""
        array = np.asarray(points, dtype=float)
        if array.ndim != 2 or array.shape[1] != 2:
            raise Error(f"expected points as an array of shape (n, 2), not {array.shape}")
        if len(array) > 1 and (array[0] == array[-1]).all():
            array = array[:-1]
        array = np.ascontiguousarray(array)
        memory = self.keep(ffi.new("throng_point[]", max(len(array), 1)))
        ffi.memmove(memory, array, array.nbytes)
        return self.keep(ffi.new("throng_ring *", {"points": memory, "count": len(array)}))[0]

    def settings(self, params: dict[str, Any]) -> Any:
        """Parameters by name, as throng_setting has them."""
        memory = self.keep(ffi.new("throng_setting[]", max(len(params), 1)))
        for at, (name, value) in zip(memory, params.items()):
            at.name = self.text(name)
            if isinstance(value, str):
                at.word = self.text(value)
            else:
                at.number = float(value)
        return memory

    def goals(self, goals: Sequence[int]) -> Any:
        return self.keep(ffi.new("throng_goal[]", [int(goal) for goal in goals] or [0]))


def point(at: Any) -> Any:
    """A pair of numbers, or something with x and y, as a throng_point."""
    pair = (at.x, at.y) if hasattr(at, "x") and hasattr(at, "y") else tuple(at)
    if len(pair) != 2:
        raise Error(f"expected a point (x, y), not {at!r}")
    return ffi.new("throng_point *", (float(pair[0]), float(pair[1])))[0]


def rings_of(shape: Any) -> list[np.ndarray]:
    """The rings of a polygon: its border, then its holes. Takes points, or a polygon of shapely."""
    if hasattr(shape, "geoms"):
        parts = list(shape.geoms)
        if len(parts) != 1:
            raise Error(f"expected one polygon, not {len(parts)}")
        shape = parts[0]
    if hasattr(shape, "exterior"):
        return [np.asarray(ring.coords, dtype=float)[:, :2] for ring in (shape.exterior, *shape.interiors)]
    return [np.asarray(shape, dtype=float)]


def ring_of(shape: Any) -> np.ndarray:
    """The only ring of a polygon."""
    rings = rings_of(shape)
    if len(rings) != 1:
        raise Error("the polygon must not have holes")
    return rings[0]


def column(values: Any, count: int, name: str) -> np.ndarray:
    """One number for everybody, or one each."""
    array = np.asarray(values, dtype=float)
    if array.ndim == 0:
        return np.full(count, float(array))
    if array.shape != (count,):
        raise Error(f"{name} must be one number or {count} of them, not an array of shape {array.shape}")
    return array


def number_list(values: Iterable[Any]) -> list[float]:
    return [float(value) for value in values]
