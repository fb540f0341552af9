"""Protects, audits and attacks statistical tables, and measures microdata, by the program hitoku.

The program is found by the argument ``program``, the environment variable ``HITOKU`` or in PATH. What goes to it lies in a
folder that only its owner can enter and that is removed at the end; its command line tells the verb and nothing else.
"""

from ._errors import HitokuError, HitokuWarning, InputError, NoPattern, ProgramNotFound, SystemFault, UsageError
from ._program import find_program
from ._risk import Measure, delta_presence, k_anonymity, k_map, l_diversity, measure, survey, t_closeness, uniques
from ._tables import Attack, Audit, Cell, Protection, attack, audit, explain, inspect, protect, schema, verify, version

__version__ = "0.2.0"

__all__ = [
    "protect", "audit", "attack", "explain", "verify", "inspect", "schema", "version",
    "k_anonymity", "l_diversity", "t_closeness", "k_map", "delta_presence", "survey", "uniques", "measure",
    "Protection", "Audit", "Attack", "Cell", "Measure",
    "HitokuError", "UsageError", "InputError", "SystemFault", "NoPattern", "ProgramNotFound", "HitokuWarning",
    "find_program",
]
