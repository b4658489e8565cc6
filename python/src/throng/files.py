"""Recordings as tables, and back."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from typing import TYPE_CHECKING, Any

import numpy as np

from ._core import Error, Kept, ffi, lib, message, new_error, text

if TYPE_CHECKING:
    import pandas


def read(path: Any, *, fps: float = 0, metres_per_unit: float = 0, format: str | None = None) -> "pandas.DataFrame":
    """A recording of any format as a table with the columns `id`, `frame`, `x`, `y` and what was recorded besides, in
    metres. `attrs` has "frame_rate", "walkable_area" (WKT), "frame_count" and, of an endless place, "periodic" (the ends
    of each axis that wraps), so that PedPy takes it as it is:

        frame = throng.read("out.sqlite")
        pedpy.TrajectoryData(data=frame, frame_rate=frame.attrs["frame_rate"])
    """
    import pandas

    kept = Kept()
    definition = lib.throng_default_recording_def()
    definition.path, definition.format = kept.text(os.fspath(path)), kept.text(format)
    definition.fps, definition.metres_per_unit = fps, metres_per_unit
    error = new_error()
    recording = lib.throng_recording_open_with(ffi.new("throng_recording_def *", definition), error)
    if recording == ffi.NULL:
        raise Error(message(error))
    recording = ffi.gc(recording, lib.throng_recording_close)
    info = lib.throng_recording_info_of(recording)
    names = [text(lib.throng_recording_quantity(recording, i).name) for i in range(lib.throng_recording_quantity_count(recording))]
    parts: dict[str, list[np.ndarray]] = {name: [] for name in ("id", "frame", "x", "y", *names)}
    frame = ffi.new("throng_frame *")
    for number in range(info.frame_count):
        if not lib.throng_recording_frame(recording, number, frame, error):
            raise Error(message(error))
        count = int(frame.count)
        if count == 0:
            continue
        parts["id"].append(np.frombuffer(ffi.buffer(frame.id, 8 * count), np.uint64).astype(np.int64))
        parts["frame"].append(np.full(count, number, np.int64))
        columns = [("x", frame.x), ("y", frame.y), *((name, frame.values[i]) for i, name in enumerate(names))]
        for name, pointer in columns:
            parts[name].append(np.copy(np.frombuffer(ffi.buffer(pointer, 8 * count), float)))
    whole = {"id": np.int64, "frame": np.int64}
    table = {name: np.concatenate(p) if p else np.empty(0, whole.get(name, float)) for name, p in parts.items()}
    result = pandas.DataFrame(table)
    result.attrs.update(
        frame_rate=float(info.fps), walkable_area=text(info.wkt), frame_count=int(info.frame_count)
    )
    period = lib.throng_recording_period(recording)
    ends = {axis: (getattr(period.low, axis), getattr(period.high, axis)) for axis in "xy" if getattr(period, axis)}
    if ends:
        result.attrs["periodic"] = ends
    return result


def write(data: Any, path: Any, *, frame_rate: float | None = None, walkable_area: Any = None) -> None:
    """Writes a table with `id`, `frame`, `x`, `y`, or a `TrajectoryData` of PedPy, to a recording; the format follows the
    ending. Rate and place are taken from the table's `attrs` where they are not given."""
    if hasattr(data, "frame_rate") and hasattr(data, "data"):
        frame_rate, data = frame_rate or float(data.frame_rate), data.data
    attributes = getattr(data, "attrs", {})
    rate = frame_rate or attributes.get("frame_rate")
    if not rate:
        raise Error("the frame rate is not known: say frame_rate=")
    area = walkable_area if walkable_area is not None else attributes.get("walkable_area", "")
    area = getattr(area, "polygon", area)  # PedPy's WalkableArea
    wkt = area if isinstance(area, str) else area.wkt
    with tempfile.TemporaryDirectory() as folder:
        between = os.path.join(folder, "table.sqlite")
        _write_sqlite(between, data, float(rate), wkt)
        error = new_error()
        recording = lib.throng_recording_open(between.encode(), error)
        if recording == ffi.NULL:
            raise Error(message(error))
        recording = ffi.gc(recording, lib.throng_recording_close)
        kept = Kept()
        definition = lib.throng_default_convert_def()
        definition.path, definition.description = kept.text(os.fspath(path)), kept.text("")
        convert = ffi.new("throng_convert_def *", definition)
        if not lib.throng_recording_convert(recording, convert, ffi.NULL, error):
            raise Error(message(error))


def _write_sqlite(path: str, data: Any, rate: float, wkt: str) -> None:
    """JuPedSim's format, version 2."""
    rows = zip(*(np.asarray(data[name]).tolist() for name in ("frame", "id", "x", "y")))
    frames = sorted({int(frame) for frame in np.asarray(data["frame"])})
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE trajectory_data (frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL,"
                 " pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL)")  # fmt: skip
    base.execute("CREATE TABLE metadata (key TEXT NOT NULL UNIQUE, value TEXT NOT NULL)")
    base.execute("CREATE TABLE geometry (hash INTEGER NOT NULL, wkt TEXT NOT NULL)")
    base.execute("CREATE TABLE frame_data (frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL)")
    base.executemany("INSERT INTO trajectory_data VALUES (?, ?, ?, ?, 1, 0)", rows)
    base.executemany("INSERT INTO metadata VALUES (?, ?)", [("version", "2"), ("fps", repr(rate))])
    if wkt:
        base.execute("INSERT INTO geometry VALUES (1, ?)", (wkt,))
        base.executemany("INSERT INTO frame_data VALUES (?, 1)", [(frame,) for frame in frames])
    base.commit()
    base.close()
