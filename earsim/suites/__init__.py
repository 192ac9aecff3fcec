"""Finding and loading scenarios: our own files, packed suites, and EAR-Bench."""

from earsim.suites.opening import open_suite, scenes_root, suite_names
from earsim.suites.packed import pack
from earsim.suites.repair import Imported, Repair, RepairKind
from earsim.suites.suite import LoadProblem, Suite

__all__ = [
    "Imported",
    "LoadProblem",
    "Repair",
    "RepairKind",
    "Suite",
    "open_suite",
    "pack",
    "scenes_root",
    "suite_names",
]
