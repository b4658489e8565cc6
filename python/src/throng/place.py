"""Where people can walk, and where to put them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._core import Error, Kept, ffi, lib, message, new_error, ring_of, rings_of


def make_place(geometry: Any, obstacles: Any = ()) -> Any:
    """A place from a shapely geometry, WKT or points; obstacles are polygons, or polygons by name."""
    kept = Kept()
    definition = lib.throng_default_place_def()
    if isinstance(geometry, str):
        definition.walkable_wkt = kept.text(geometry)
    elif hasattr(geometry, "wkt"):
        definition.walkable_wkt = kept.text(geometry.wkt)
    elif geometry is not None:
        definition.walkable = kept.ring(geometry)
    named = obstacles.items() if isinstance(obstacles, dict) else [("", shape) for shape in obstacles]
    shapes = [(name, ring_of(shape)) for name, shape in named]
    memory = ffi.new("throng_obstacle[]", max(len(shapes), 1))
    for obstacle, (name, ring) in zip(memory, shapes):
        obstacle.kind = lib.THRONG_POLYGON
        obstacle.ring = kept.ring(ring)
        obstacle.id = kept.text(name)
    definition.obstacles = memory
    definition.obstacle_count = len(shapes)
    error = new_error()
    place = lib.throng_place_create(ffi.new("throng_place_def *", definition), error)
    if place == ffi.NULL:
        raise Error(message(error))
    return ffi.gc(place, lib.throng_place_destroy)


def _edges(rings: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    closed = [ring if (ring[0] == ring[-1]).all() else np.vstack([ring, ring[:1]]) for ring in rings]
    return np.vstack([ring[:-1] for ring in closed]), np.vstack([ring[1:] for ring in closed])


def _fits(rings: list[np.ndarray], points: np.ndarray, margin: float) -> np.ndarray:
    """Which points are in a polygon with holes and at least so far from its border."""
    a, b = _edges(rings)
    x, y = points[:, :1], points[:, 1:]
    up = (a[:, 1] > y) != (b[:, 1] > y)
    with np.errstate(divide="ignore", invalid="ignore"):
        right = x < (b[:, 0] - a[:, 0]) * (y - a[:, 1]) / (b[:, 1] - a[:, 1]) + a[:, 0]
    inside = (up & right).sum(axis=1) % 2 == 1
    along = b - a
    length2 = np.maximum((along**2).sum(axis=1), 1e-300)
    t = np.clip(((x - a[:, 0]) * along[:, 0] + (y - a[:, 1]) * along[:, 1]) / length2, 0, 1)
    apart = np.hypot(a[:, 0] + t * along[:, 0] - x, a[:, 1] + t * along[:, 1] - y)
    return inside & (apart.min(axis=1) >= margin)


def distribute_by_number(
    *,
    polygon: Any,
    number_of_agents: int,
    distance_to_agents: float,
    distance_to_polygon: float,
    seed: int | None = None,
    max_iterations: int = 10000,
) -> list[tuple[float, float]]:
    """Points in a polygon, at random, that keep distances from each other and from its border.

    Raises `Error` when there is no room for so many."""
    if number_of_agents == 0:
        return []
    rings = rings_of(polygon)
    draw = np.random.default_rng(seed)
    low, high = rings[0].min(axis=0), rings[0].max(axis=0)
    cell = max(distance_to_agents, 1e-9)
    taken: dict[tuple[int, int], list[np.ndarray]] = {}
    found: list[tuple[float, float]] = []
    for _ in range(max_iterations):
        batch = draw.uniform(low, high, (64, 2))
        for at in batch[_fits(rings, batch, distance_to_polygon)]:
            i, k = (int(v) for v in np.floor((at - low) / cell))
            near = [p for di in (-1, 0, 1) for dk in (-1, 0, 1) for p in taken.get((i + di, k + dk), ())]
            if any(np.hypot(*(p - at)) < distance_to_agents for p in near):
                continue
            taken.setdefault((i, k), []).append(at)
            found.append((float(at[0]), float(at[1])))
            if len(found) == number_of_agents:
                return found
    raise Error(f"there is room for {len(found)} of {number_of_agents} people at most, as far as could be found")
