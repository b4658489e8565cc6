"""Simulate crowds of people.

    import throng

    room = throng.Simulation([(0, 0), (12, 0), (12, 13), (10, 13), (10, 2), (0, 2)], model="orca")
    out = room.add_exit([(10, 12), (12, 12), (12, 13), (10, 13)])
    room.add_agents([(1, 1), (2, 1), (3, 1)], out)
    room.run()
    print(room.time, room.stats["arrived"])

Metres, seconds, kilograms; x to the right, y up.
"""

from ._core import Error, lib as _lib, text as _text
from .files import read, write
from .measuring import measure
from .modelling import Model, Parameter, Step, models, parameters
from .place import distribute_by_number
from .program import compare, sweep
from .recorder import Recorder
from .scenario import Scenario, scenarios
from .simulation import Column, Happening, Hit, Simulation, StaleView, View

__version__ = _text(_lib.throng_version())
__all__ = [
    "Column", "Error", "Happening", "Hit", "Model", "Parameter", "Recorder", "Scenario", "Simulation", "StaleView",
    "Step", "View", "compare", "distribute_by_number", "measure", "models", "parameters", "read", "scenarios", "sweep",
    "write",
]  # fmt: skip
