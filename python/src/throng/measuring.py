"""Figures of a recording, as `throng measure` and PedPy have them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._core import Error, Kept, column, ffi, lib, message, new_error, text
from .files import read
from .place import make_place


def _tracks(table: Any, frame_rate: float | None, walkable_area: Any) -> Any:
    rate = frame_rate or table.attrs.get("frame_rate")
    if not rate:
        raise Error("the frame rate is not known: say frame_rate=")
    area = walkable_area if walkable_area is not None else table.attrs.get("walkable_area")
    area = getattr(area, "polygon", area)  # PedPy's WalkableArea
    definition = lib.throng_default_tracks_def()
    definition.fps = rate
    place = make_place(area) if area else ffi.NULL
    definition.place = place
    for axis, (low, high) in table.attrs.get("periodic", {}).items():
        setattr(definition.period, axis, True)
        setattr(definition.period.low, axis, low)
        setattr(definition.period.high, axis, high)
    error = new_error()
    tracks = lib.throng_tracks_create(ffi.new("throng_tracks_def *", definition), error)
    if tracks == ffi.NULL:
        raise Error(message(error))
    tracks = ffi.gc(tracks, lib.throng_tracks_destroy)
    ordered = table.sort_values(["frame", "id"])
    ids = np.ascontiguousarray(ordered["id"], dtype=np.uint64)
    x, y = (np.ascontiguousarray(ordered[name], dtype=float) for name in "xy")
    frames = np.asarray(ordered["frame"])
    counted = table.attrs.get("frame_count")  # of the recording: its first and last frames may have nobody in them
    first = int(frames[0]) if len(frames) and counted is None else 0
    end = max(int(frames[-1]) + 1 if len(frames) else 0, counted or 0)
    starts = np.searchsorted(frames, np.arange(first, end + 1))
    for begin, after in zip(starts[:-1], starts[1:]):
        rows = slice(begin, after)
        columns = (ffi.from_buffer("throng_agent[]", ids[rows]), *(ffi.from_buffer("double[]", c[rows]) for c in (x, y)))
        lib.throng_tracks_add(tracks, int(after - begin), *columns)
    return tracks


def measure(
    data: Any,
    *,
    frame_rate: float | None = None,
    walkable_area: Any = None,
    cut_off: float = 0,
    radius: Any = None,
) -> dict[str, float]:
    """All figures of a recording (its path, or a table as of `throng.read`) in short: speeds, densities, egress, ... as
    `throng measure --json` has them under "figures". NaN: not known. `cut_off` (m) bounds Voronoi cells, 0: by walls
    alone; `radius` of people, for overlaps, is one number or one of each in order of id."""
    table = data if hasattr(data, "columns") else read(data)
    tracks = _tracks(table, frame_rate, walkable_area)
    kept = Kept()
    definition = lib.throng_default_summary_def()
    definition.cut_off = cut_off
    if radius is not None:
        radii = column(radius, int(table["id"].nunique()), "radius")
        definition.radius = kept.keep(ffi.new("double[]", radii.tolist()))
    figures = ffi.new("throng_summary *", lib.throng_measure_summary(tracks, ffi.new("throng_summary_def *", definition)))
    names = [text(lib.throng_summary_about(i).name) for i in range(lib.throng_summary_count())]
    return {name: lib.throng_summary_value(figures, i) for i, name in enumerate(names)}
