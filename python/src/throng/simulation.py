"""A world with people in it."""

from __future__ import annotations

from typing import Any, Iterator, NamedTuple, Sequence

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from . import modelling
from ._core import Error, Kept, column, ffi, lib, message, new_error, point, ring_of, text
from .place import make_place
from .recorder import Recorder

_COLUMNS: dict[str, Any] = {
    "id": np.uint64, "x": float, "y": float, "vx": float, "vy": float, "wish_x": float, "wish_y": float,
    "push_x": float, "push_y": float, "impulse_x": float, "impulse_y": float, "force": float, "force_x": float,
    "force_y": float, "target_x": float, "target_y": float, "radius": float, "desired_speed": float,
    "max_speed": float, "mass": float, "profile": np.uint32, "group": np.uint32, "goal": np.uint32,
    "state": np.uint8,
}  # fmt: skip

STATES = ("waiting", "walking", "arrived", "pausing", "queueing")


class StaleView(RuntimeError):
    """A view was used after the world has changed."""


class Column(NDArrayOperatorsMixin):
    """One property of everybody, read where the world keeps it. Arithmetic reads it without a copy; `numpy.array` and
    indexing copy. After the next step it refuses to be read."""

    def __init__(self, view: "View", array: np.ndarray) -> None:
        self._view, self._array = view, array

    def _read(self) -> np.ndarray:
        self._view._check()
        return self._array

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.array(self._read(), dtype=dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if any(isinstance(out, Column) for out in kwargs.get("out", ())):
            raise ValueError("a view is read-only")
        plain = [item._read() if isinstance(item, Column) else item for item in inputs]
        return getattr(ufunc, method)(*plain, **kwargs)

    def __getitem__(self, index: Any) -> Any:
        return np.copy(self._read()[index])[()]

    def __len__(self) -> int:
        return len(self._read())

    def __iter__(self) -> Iterator[Any]:
        return iter(np.copy(self._read()))

    @property
    def shape(self) -> tuple[int, ...]:
        return self._read().shape

    @property
    def dtype(self) -> Any:
        return self._array.dtype

    def __repr__(self) -> str:
        return f"Column({self._read()!r})" if self._view._is_fresh() else "Column(of a step that is over)"


class View:
    """Everybody at a moment, without a copy: `view.x`, `view.vx`, ... are `Column`s. Valid until the next step, or until
    somebody is added, removed or changed."""

    def __init__(self, simulation: "Simulation") -> None:
        self._simulation, self._version = simulation, simulation._version
        self._raw = lib.throng_world_view(simulation._world)
        self.count = int(self._raw.count)
        self.time = float(self._raw.time)

    def _is_fresh(self) -> bool:
        return self._version == self._simulation._version

    def _check(self) -> None:
        if not self._is_fresh():
            raise StaleView("the view is of a step that is over: ask for another one")

    def __getattr__(self, name: str) -> Column:
        if name not in _COLUMNS:
            raise AttributeError(f"there is no column '{name}': {', '.join(_COLUMNS)}")
        self._check()
        return Column(self, _array(self._raw, name))

    def __len__(self) -> int:
        return self.count


def _array(view: Any, name: str) -> np.ndarray:
    """A column of a throng_view, read-only and without a copy."""
    dtype = np.dtype(_COLUMNS[name])
    if view.count == 0:
        return np.empty(0, dtype)
    array = np.frombuffer(ffi.buffer(getattr(view, name), view.count * dtype.itemsize), dtype)
    array.flags.writeable = False
    return array


class Happening(NamedTuple):
    """What happened to somebody in the last step."""

    kind: str  #: "reached", "entered", "struck" or "stuck"
    agent: int
    at: tuple[float, float]
    goal: int  #: reached: which
    last: bool  #: reached: its journey ends there
    mark: str  #: entered: the name of the zone or area
    impulse: float  #: struck: N s


class Hit(NamedTuple):
    """What a ray met first."""

    kind: str  #: "nothing", "wall" or "person"
    at: tuple[float, float]
    distance: float
    normal: tuple[float, float]
    agent: int  #: 0: nobody


_HAPPENINGS = {1: "reached", 2: "entered", 4: "struck", 8: "stuck"}


class Simulation:
    """A place with people in it, moved step by step.

    `geometry` is a shapely geometry, WKT or the points of a ring; without one the plane is open. `obstacles` are
    polygons, or a dictionary of polygons whose names can be used to remove and move them. Further keyword arguments
    are parameters of the model, as `throng.parameters(model)` lists them. A model may also be an instance of
    `throng.Model`.
    """

    def __init__(
        self,
        geometry: Any = None,
        model: Any = "orca",
        *,
        dt: float | None = None,
        seed: int = 1,
        threads: int = 0,
        obstacles: Any = (),
        planner: str | None = None,
        congestion: float = 0,
        allow_unreachable: bool = False,
        check: bool = True,
        **params: Any,
    ) -> None:
        kept = Kept()
        name = modelling.name_of(model)
        definition = lib.throng_default_world_def()
        definition.model = kept.text(name)
        definition.dt = dt or 0
        definition.seed = seed
        definition.threads = threads
        definition.check = check
        definition.planner = kept.text(planner)
        definition.planner_congestion = congestion
        definition.allow_unreachable = allow_unreachable
        place = make_place(geometry, obstacles)
        definition.place = place
        error = new_error()
        world = lib.throng_world_create(ffi.new("throng_world_def *", definition), error)
        if world == ffi.NULL:
            raise Error(message(error))
        self._begin(world)
        if params:
            self._profile = self.add_profile(name, **params)

    def _begin(self, world: Any) -> None:
        self._world = ffi.gc(world, lib.throng_world_destroy)
        self._profile = 0
        self._version = 0
        self._recorders: list[Recorder] = []
        self._journeys: list[list[int]] = []
        self._prepared = False

    @classmethod
    def _of_world(cls, world: Any) -> "Simulation":
        simulation = cls.__new__(cls)
        simulation._begin(world)
        return simulation

    def _must(self, result: Any) -> Any:
        """What the library has returned, unless it has refused."""
        if not result:
            raise Error(message(lib.throng_world_error(self._world)))
        self._version += 1
        return result

    # ------------------------------------------------------------------ who they are

    def add_profile(self, model: Any, **params: Any) -> int:
        """A model with parameters of its own, to give to people (`profile=`)."""
        kept = Kept()
        settings = kept.settings(params)
        name = kept.text(modelling.name_of(model))
        return int(self._must(lib.throng_world_add_profile(self._world, name, settings, len(params))))

    def profile_value(self, profile: int, name: str) -> float:
        """The value of a parameter of a profile; NaN when its model has none of that name."""
        return float(lib.throng_world_profile_value(self._world, profile, name.encode()))

    def add_group(self, name: str) -> int:
        return int(lib.throng_world_add_group(self._world, name.encode()))

    # ------------------------------------------------------------------ where they go

    def add_goal(
        self,
        where: Any,
        *,
        name: str = "",
        radius: float = 0.5,
        exit: bool = False,
        wait: float = 0,
        capacity: int = 0,
        queue: Any = None,
    ) -> int:
        """A polygon or a point to go to. `exit`: people leave the world there. With a `wait` (s) they stay for a while;
        when only `capacity` may do so at a time the others line up, in the line `queue` (points from its head) if given."""
        kept = Kept()
        goal = lib.throng_default_goal_def()
        is_point = hasattr(where, "x") or (len(where) == 2 and np.ndim(where[0]) == 0 if not hasattr(where, "exterior") else False)
        if is_point:
            goal.kind, goal.point, goal.radius = lib.THRONG_GOAL_POINT, point(where), radius
        else:
            goal.kind, goal.ring = lib.THRONG_GOAL_AREA, kept.ring(ring_of(where))
        goal.name, goal.exit, goal.wait, goal.capacity = kept.text(name), exit, wait, capacity
        if queue is not None:
            goal.queue = kept.ring(queue)
        return self._add_goal(goal)

    def _add_goal(self, goal: Any) -> int:
        return int(self._must(lib.throng_world_add_goal(self._world, ffi.new("throng_goal_def *", goal))))

    def add_exit(self, where: Any, **options: Any) -> int:
        """A polygon or point where people leave the world."""
        return self.add_goal(where, exit=True, **options)

    def add_waypoint(self, where: Any, radius: float = 0.5, **options: Any) -> int:
        """A point to pass within a radius, or a polygon to pass through."""
        return self.add_goal(where, radius=radius, **options)

    def add_queue(self, where: Any, wait: float, *, line: Any = None, capacity: int = 1, **options: Any) -> int:
        """A point where one after the other is served for `wait` seconds while the others stand in line."""
        return self.add_goal(where, wait=wait, queue=line, capacity=capacity, **options)

    def add_direction(self, direction: Any, name: str = "") -> int:
        """This way for ever."""
        kept = Kept()
        goal = lib.throng_default_goal_def()
        goal.kind, goal.point, goal.name = lib.THRONG_GOAL_DIRECTION, point(direction), kept.text(name)
        return self._add_goal(goal)

    def any_of(self, goals: Sequence[int], name: str = "") -> int:
        """Whichever of several goals is nearest, or quickest where people wait or crowds count."""
        kept = Kept()
        goal = lib.throng_default_goal_def()
        goal.kind, goal.any, goal.any_count = lib.THRONG_GOAL_ANY, kept.goals(goals), len(goals)
        goal.name = kept.text(name)
        return self._add_goal(goal)

    def add_journey(self, goals: Sequence[int]) -> int:
        """Goals one after the other, by a number for `journey=`."""
        self._journeys.append([int(goal) for goal in goals])
        return len(self._journeys) - 1

    def _journey(self, goal: Any, journey: Any) -> list[int]:
        if journey is not None:
            return self._journeys[journey] if isinstance(journey, (int, np.integer)) else [int(g) for g in journey]
        return [] if goal is None else [int(goal)]

    def close_goal(self, goal: int) -> None:
        self._must(lib.throng_world_close_goal(self._world, goal))

    def open_goal(self, goal: int) -> None:
        self._must(lib.throng_world_open_goal(self._world, goal))

    # ------------------------------------------------------------------ what changes

    def add_obstacle(self, name: str, polygon: Any) -> None:
        """A new obstacle, which comes as soon as nobody stands there."""
        kept = Kept()
        obstacle = ffi.new("throng_obstacle *", {"kind": lib.THRONG_POLYGON, "ring": kept.ring(ring_of(polygon))})
        obstacle.id = kept.text(name)
        self._must(lib.throng_world_add_obstacle(self._world, obstacle))

    def remove_obstacle(self, name: str) -> None:
        self._must(lib.throng_world_remove_obstacle(self._world, name.encode()))

    def restore_obstacle(self, name: str) -> None:
        self._must(lib.throng_world_restore_obstacle(self._world, name.encode()))

    def move_obstacle(self, name: str, by: Any, during: float = 0) -> None:
        """Moves it by a vector (m), evenly over some time (s); people in its way are pushed along."""
        self._must(lib.throng_world_move_obstacle(self._world, name.encode(), point(by), during))

    def set(self, what: str, value: float, group: int = 0) -> None:
        """Changes "params.NAME" or "desired_speed" of everybody, or of a group."""
        self._must(lib.throng_world_set(self._world, what.encode(), value, group))

    def set_model(self, model: Any, group: int = 0) -> None:
        self._must(lib.throng_world_set_model(self._world, modelling.name_of(model).encode(), group))

    def add_event(self, time: float, kind: str, **what: Any) -> None:
        """One of "remove", "restore", "move", "close", "open", "set" at a time; fields as of throng_event_def: `obstacle`,
        `by`, `during`, `goal`, `set`, `to`, `group`."""
        kinds = ("remove", "restore", "move", "close", "open", "set")
        if kind not in kinds:
            raise Error(f"there is no event '{kind}': {', '.join(kinds)}")
        kept = Kept()
        event = lib.throng_default_event_def()
        event.kind, event.time = kinds.index(kind), time
        for name, value in what.items():
            if name not in ("obstacle", "by", "during", "goal", "set", "to", "group"):
                raise Error(f"an event has no '{name}'")
            value = kept.text(value) if isinstance(value, str) else point(value) if name == "by" else value
            setattr(event, name, value)
        self._must(lib.throng_world_add_event(self._world, ffi.new("throng_event_def *", event)))

    def add_zone(self, polygon: Any, speed_factor: float = 1, **params: Any) -> None:
        """A part of the floor where people walk slower or faster, or models have other parameters."""
        kept = Kept()
        zone = lib.throng_default_zone_def()
        zone.ring, zone.speed_factor = kept.ring(ring_of(polygon)), speed_factor
        zone.settings, zone.setting_count = kept.settings(params), len(params)
        self._must(lib.throng_world_add_zone(self._world, ffi.new("throng_zone_def *", zone)))

    def add_area(self, name: str, polygon: Any) -> None:
        """Marks a part of the floor, which changes nothing; who enters it is told (`watch`)."""
        kept = Kept()
        mark = ffi.new("throng_mark *", {"kind": lib.THRONG_MARK_AREA, "ring": kept.ring(ring_of(polygon))})
        mark.name = kept.text(name)
        self._must(lib.throng_world_add_mark(self._world, mark))

    # ------------------------------------------------------------------ the people

    def _person(self, kept: Kept, goal: Any, journey: Any, options: dict[str, Any]) -> Any:
        person = lib.throng_default_agent_def()
        way = self._journey(goal, journey)
        person.profile = self._profile
        person.journey, person.journey_count = kept.goals(way), len(way)
        for name, value in options.items():
            if name == "group" and isinstance(value, str):
                value = self.add_group(value)
            elif name in ("target", "velocity", "acceleration"):
                value = point(value)
            elif name not in ("radius", "desired_speed", "max_speed", "mass", "profile", "group", "start_after", "repeat"):
                raise Error(f"people have no '{name}'")
            setattr(person, name, value)
        return person

    def add_agents(self, positions: Any, goal: Any = None, *, journey: Any = None, **options: Any) -> np.ndarray:
        """Adds people at positions of shape (n, 2) and returns their ids. `goal` is one goal, `journey` several or the
        number of one. `radius`, `desired_speed`, `max_speed`, `mass` and `start_after` are one number or n of them;
        further `profile`, `group`, `velocity` (also (n, 2)), `target`, `repeat`. All are added, or none."""
        at = np.asarray(positions, dtype=float)
        if at.size == 0:
            at = at.reshape(0, 2)
        if at.ndim != 2 or at.shape[1] != 2:
            raise Error(f"positions must have the shape (n, 2), not {at.shape}")
        numbers = ("radius", "desired_speed", "max_speed", "mass", "start_after")
        each = {name: column(options.pop(name), len(at), name) for name in numbers if name in options}
        velocity = np.broadcast_to(np.asarray(options.pop("velocity", (0.0, 0.0)), dtype=float), at.shape)
        kept = Kept()
        person = ffi.new("throng_agent_def *", self._person(kept, goal, journey, options))
        ids = np.empty(len(at), np.uint64)
        for i in range(len(at)):
            person.at.x, person.at.y = at[i]
            person.velocity.x, person.velocity.y = velocity[i]
            for name, values in each.items():
                setattr(person, name, values[i])
            ids[i] = lib.throng_world_add_agent(self._world, person)
            if ids[i] == 0:
                why = message(lib.throng_world_error(self._world))
                for agent in ids[:i]:
                    lib.throng_world_remove_agent(self._world, int(agent))
                raise Error(f"person {i}: {why}")
        self._version += 1
        self._prepared = False
        return ids

    def add_agent(self, position: Any, goal: Any = None, **options: Any) -> int:
        """Adds one person and returns its id; options as of `add_agents`."""
        at = point(position)
        return int(self.add_agents([(at.x, at.y)], goal, **options)[0])

    def add_source(
        self,
        where: Any,
        rate: Any,
        goal: Any = None,
        *,
        journey: Any = None,
        spots: bool = False,
        start: float = 0,
        until: float = float("inf"),
        limit: int = 0,
        poisson: bool = False,
        name: str = "",
        **options: Any,
    ) -> int:
        """People who come while it runs, into a polygon or (`spots`) to points: `rate` is people per second, or a list of
        (time, rate). Options as of `add_agents`, one value for all."""
        kept = Kept()
        source = lib.throng_default_source_def()
        shape = kept.ring(where if spots else ring_of(where))
        if spots:
            source.spots = shape
        else:
            source.area = shape
        schedule = [(0.0, float(rate))] if np.ndim(rate) == 0 else [(float(t), float(r)) for t, r in rate]
        source.schedule = kept.keep(ffi.new("throng_rate[]", schedule))
        source.schedule_count = len(schedule)
        source.limit, source.poisson, source.name = limit, poisson, kept.text(name)
        setattr(source, "from", start)
        source.until = until
        source.person = self._person(kept, goal, journey, options)
        self._prepared = False
        return int(self._must(lib.throng_world_add_source(self._world, ffi.new("throng_source_def *", source))))

    def remove_agent(self, agent: int) -> None:
        self._must(lib.throng_world_remove_agent(self._world, int(agent)))

    def send(self, agent: int, goal: Any = None, *, journey: Any = None, target: Any = (0, 0)) -> None:
        """Sends somebody elsewhere from now on."""
        kept = Kept()
        way = self._journey(goal, journey)
        self._must(lib.throng_world_retarget_agent(self._world, int(agent), kept.goals(way), len(way), point(target)))

    def set_agent(self, agent: int, what: str, value: float) -> None:
        """Changes "desired_speed", "max_speed", "radius", "mass" or "params.NAME" of somebody."""
        self._must(lib.throng_world_set_agent(self._world, int(agent), what.encode(), value))

    def set_profile(self, agent: int, profile: int) -> None:
        self._must(lib.throng_world_set_agent_profile(self._world, int(agent), profile))

    def move(self, agent: int, to: Any) -> None:
        """Puts somebody elsewhere at once."""
        self._must(lib.throng_world_move_agent(self._world, int(agent), point(to)))

    def set_velocity(self, agent: int, velocity: Any) -> None:
        self._must(lib.throng_world_set_agent_velocity(self._world, int(agent), point(velocity)))

    def wish(self, agent: int, velocity: Any) -> None:
        """The velocity somebody desires in the next step, and in that one alone."""
        self._must(lib.throng_world_wish_agent(self._world, int(agent), point(velocity)))

    def push(self, agent: int, impulse: Any) -> None:
        """Hits somebody with an impulse (N s)."""
        self._must(lib.throng_world_push_agent(self._world, int(agent), point(impulse)))

    # ------------------------------------------------------------------ the clock

    def prepare(self) -> None:
        """Makes ready what the next step needs; raises `Error` when somebody cannot reach its goal."""
        error = new_error()
        self._version += 1
        self._prepared = True
        if not lib.throng_world_prepare(self._world, error):
            raise Error(message(error))

    def step(self, count: int = 1) -> None:
        """Moves everybody by so many steps. The first one prepares, and raises what `prepare` would."""
        if not self._prepared:
            self.prepare()
        for _ in range(count):
            self._version += 1
            lib.throng_world_step(self._world)
            modelling.raise_pending()
            for recorder in self._recorders:
                recorder._step()

    def run(self, until: float = float("inf")) -> "Simulation":
        """Steps until a time, or until everybody has arrived."""
        while not self.done and self.time < until - 1e-9:
            self.step()
        return self

    @property
    def time(self) -> float:
        """Seconds since the beginning."""
        return float(lib.throng_world_time(self._world))

    @property
    def dt(self) -> float:
        """Seconds a step takes; may be set between steps."""
        return float(lib.throng_world_dt(self._world))

    @dt.setter
    def dt(self, seconds: float) -> None:
        self._must(lib.throng_world_set_dt(self._world, seconds))

    @property
    def done(self) -> bool:
        """Nobody is left, due or to come."""
        return bool(lib.throng_world_is_done(self._world))

    @property
    def planner(self) -> str:
        return text(lib.throng_world_planner(self._world))

    @property
    def digest(self) -> int:
        """A hash of the whole state: equal states, equal digests."""
        return int(lib.throng_world_digest(self._world))

    @property
    def stats(self) -> dict[str, Any]:
        """Counts and measures since the world was made."""
        stats = lib.throng_world_stats(self._world)
        figures: dict[str, Any] = {}
        for name, _ in ffi.typeof("throng_stats").fields:
            if name != "stage_ms":
                figures[name] = getattr(stats, name)
        stages = range(lib.THRONG_STAGE_COUNT)
        figures["stage_ms"] = {text(lib.throng_stage_name(i)): stats.stage_ms[i] for i in stages}
        return figures

    @property
    def warnings(self) -> list[str]:
        """What was noticed since the world was made."""
        report = lib.throng_world_report(self._world)
        return [text(lib.throng_report_message(report, i).text) for i in range(lib.throng_report_count(report))]

    @property
    def walkable_area(self) -> str:
        """The place as WKT; "" when the plane is open."""
        return text(lib.throng_place_wkt(lib.throng_world_place(self._world)))

    def record(self, path: Any, *, fps: float | None = None, quantities: Sequence[str] = (), description: str = "") -> Recorder:
        """Writes a frame now and with every further step that is due, until `close()` or the end of a `with` block. The
        format follows the ending."""
        recorder = Recorder(self, path, fps, quantities, description)
        self._recorders.append(recorder)
        return recorder

    # ------------------------------------------------------------------ looking

    @property
    def view(self) -> View:
        """Everybody without a copy, valid until the next step."""
        return View(self)

    def column(self, name: str) -> np.ndarray:
        """A copy of one property of everybody, in order of id."""
        if name not in _COLUMNS:
            raise Error(f"there is no column '{name}': {', '.join(_COLUMNS)}")
        return np.copy(_array(lib.throng_world_view(self._world), name))

    @property
    def ids(self) -> np.ndarray:
        return self.column("id")

    @property
    def positions(self) -> np.ndarray:
        """Of shape (n, 2), m, in order of id."""
        return np.column_stack([self.column("x"), self.column("y")])

    @property
    def velocities(self) -> np.ndarray:
        """Of shape (n, 2), m/s, in order of id."""
        return np.column_stack([self.column("vx"), self.column("vy")])

    def quantity(self, name: str, component: int = 0) -> np.ndarray:
        """What models show of their people ("density", ...), in order of id; NaN where it is not known. Ask once before
        the step that brings it about."""
        index = lib.throng_world_quantity_named(self._world, name.encode())
        if index >= lib.throng_world_quantity_count(self._world):
            raise Error(f"nobody here shows '{name}'")
        lib.throng_world_want_quantity(self._world, index)
        values = np.empty(lib.throng_world_raw_view(self._world).count)
        lib.throng_world_quantity_values(self._world, index, component, ffi.from_buffer("double[]", values, True))
        return values

    # ------------------------------------------------------------------ asking

    def _ask(self) -> Any:
        return lib.throng_world_ask(self._world)

    def _ids(self, ask: Any, *where: Any) -> np.ndarray:
        count = ask(self._ask(), *where, ffi.NULL, 0)
        ids = np.empty(count, np.uint64)
        if count:
            ask(self._ask(), *where, ffi.from_buffer("throng_agent[]", ids, True), count)
        return ids

    def nearest(self, at: Any, reach: float = float("inf"), but: int = 0) -> int:
        """Who is nearest to a point, but for one; 0: nobody."""
        return int(lib.throng_ask_nearest(self._ask(), point(at), reach, int(but), ffi.NULL))

    def agents_in_range(self, at: Any, distance: float) -> np.ndarray:
        """The ids of those within a distance of a point."""
        return self._ids(lib.throng_ask_disc, point(at), distance)

    def agents_in_polygon(self, polygon: Any) -> np.ndarray:
        """The ids of those in a polygon."""
        kept = Kept()
        return self._ids(lib.throng_ask_polygon, kept.ring(ring_of(polygon)))

    def ray(self, start: Any, end: Any, *, walls: bool = True, people: bool = True, but: int = 0) -> Hit:
        """What is met first on the straight way from a point to another."""
        hit = lib.throng_ask_ray(self._ask(), point(start), point(end), walls + 2 * people, int(but))
        kind = ("nothing", "wall", "person")[hit.kind]
        return Hit(kind, (hit.at.x, hit.at.y), hit.distance, (hit.normal.x, hit.normal.y), int(hit.agent))

    def is_free(self, at: Any, radius: float, but: int = 0) -> bool:
        """Whether a disc would touch neither a wall nor anybody nor a thing."""
        return bool(lib.throng_ask_is_free(self._ask(), point(at), radius, int(but)))

    def density(self, at: Any, reach: float = 1.0) -> float:
        """People per m^2 of floor within reach of a point."""
        return float(lib.throng_ask_density(self._ask(), point(at), reach))

    def path(self, start: Any, end: Any, radius: float = 0.2) -> np.ndarray:
        """The shortest way to a point, or to a goal (its number), as points (n, 2); none when no way leads there."""
        to_goal = isinstance(end, (int, np.integer))
        ask = lib.throng_ask_path_to_goal if to_goal else lib.throng_ask_path
        end = int(end) if to_goal else point(end)
        count = ask(self._ask(), point(start), end, radius, ffi.NULL, 0)
        points = np.empty((count, 2))
        if count:
            ask(self._ask(), point(start), end, radius, ffi.cast("throng_point *", ffi.from_buffer(points)), count)
        return points

    def distance(self, start: Any, goal: int, radius: float = 0.2) -> float:
        """The length of the way to a goal, m."""
        return float(lib.throng_ask_distance(self._ask(), point(start), goal, radius))

    def watch(self, *kinds: str) -> None:
        """Notes what happens from now on: "reached", "entered", "struck", "stuck"; without any of these, all."""
        numbers = {name: number for number, name in _HAPPENINGS.items()}
        unknown = [kind for kind in kinds if kind not in numbers]
        if unknown:
            raise Error(f"there is no happening '{unknown[0]}': {', '.join(numbers)}")
        lib.throng_world_watch(self._world, sum(numbers[kind] for kind in kinds or numbers))

    @property
    def happenings(self) -> list[Happening]:
        """What happened in the last step, after `watch`."""
        count = ffi.new("size_t *")
        all_of_them = lib.throng_world_happenings(self._world, count)
        found = []
        for h in ffi.unpack(all_of_them, count[0]) if count[0] else []:
            entered = h.kind == lib.THRONG_ENTERED
            mark = text(lib.throng_world_mark(self._world, h.mark).name) if entered else ""
            at = (h.at.x, h.at.y)
            found.append(Happening(_HAPPENINGS[h.kind], int(h.agent), at, int(h.goal), bool(h.last), mark, h.impulse))
        return found

    # ------------------------------------------------------------------ names that users of JuPedSim know

    def iterate(self, count: int = 1) -> None:
        """As `step`."""
        self.step(count)

    def agent_count(self) -> int:
        """How many people are there."""
        return int(lib.throng_world_raw_view(self._world).count)

    def elapsed_time(self) -> float:
        """As `time`."""
        return self.time

    def delta_time(self) -> float:
        """As `dt`."""
        return self.dt

    def iteration_count(self) -> int:
        """Steps taken."""
        return int(lib.throng_world_raw_view(self._world).step)

    def add_exit_stage(self, polygon: Any) -> int:
        """As `add_exit`."""
        return self.add_exit(polygon)

    def add_waypoint_stage(self, position: Any, distance: float) -> int:
        """As `add_waypoint`."""
        return self.add_waypoint(position, distance)

    def mark_agent_for_removal(self, agent_id: int) -> None:
        """As `remove_agent`; at once."""
        self.remove_agent(agent_id)

    def switch_agent_journey(self, agent_id: int, journey_id: int, stage_id: int) -> None:
        """Sends somebody on a journey, from one of its stages on."""
        journey = self._journeys[journey_id]
        self.send(agent_id, journey=journey[journey.index(stage_id) :])
