"""Suites side by side: their places and things."""

from __future__ import annotations

from collections.abc import Sequence

from earsim.datasets.statistics.scene_counts import UNSAID
from earsim.datasets.statistics.side_by_side import Value, mean, measured, part, parts, side_by_side
from earsim.datasets.statistics.suite_statistics import SuiteStatistics
from earsim.datasets.statistics.task_tables import verbs_of_plans
from earsim.tables.document import Table


def size(suites: Sequence[SuiteStatistics]) -> Table:
    """How much there is of everything."""
    note = "A scene counts once, however many tasks are set in it."
    return side_by_side("size", "Size", note, suites, measured(_SIZE, suites))


_SIZE: dict[str, Value] = {
    "scenarios": lambda suite: suite.scenarios,
    "cannot be read": lambda suite: len(suite.unreadable),
    "scenes": lambda suite: suite.scenery.scenes,
    "rooms": lambda suite: sum(suite.scenery.rooms),
    "doors": lambda suite: sum(suite.scenery.doors),
    "objects": lambda suite: sum(suite.scenery.objects),
    "scenarios per scene": lambda suite: mean([suite.scenarios / (suite.scenery.scenes or 1)]),
    "rooms per scene": lambda suite: mean(suite.scenery.rooms),
    "objects per scene": lambda suite: mean(suite.scenery.objects),
}


def connectivity(suites: Sequence[SuiteStatistics]) -> Table:
    """How rooms are joined."""
    note = (
        "Rooms as a graph whose edges are the ways between them, doors open or not. A component is "
        "a part that no way leads out of, a path is as long as it has ways, and paths are the "
        "shortest between two rooms of one component: the diameter is the longest of them."
    )
    rows = measured(_CONNECTIVITY, suites)
    return side_by_side("connectivity", "Connectivity", note, suites, rows)


_CONNECTIVITY: dict[str, Value] = {
    "scenes of one component": lambda suite: part(
        suite.scenery.components.count(1), suite.scenery.scenes
    ),
    "most components": lambda suite: max(suite.scenery.components, default=None),
    "mean diameter": lambda suite: mean(suite.scenery.diameters),
    "longest diameter": lambda suite: max(suite.scenery.diameters, default=None),
    "mean shortest path": lambda suite: mean(suite.scenery.mean_paths),
}


def variety(suites: Sequence[SuiteStatistics]) -> Table:
    """How many different things there are."""
    note = (
        "Different ones of each. Properties are what is said of things, measured ones included; "
        "attribute verbs are those that exist in some scene, and verbs of plans all that the plans "
        "of the certificates command."
    )
    return side_by_side("variety", "Variety", note, suites, measured(_VARIETY, suites))


_VARIETY: dict[str, Value] = {
    "domains": lambda suite: len(set(suite.scenery.domains) - {UNSAID}),
    "names of things": lambda suite: len(suite.scenery.names),
    "materials": lambda suite: len(suite.scenery.materials),
    "properties": lambda suite: len(suite.scenery.properties),
    "properties with a unit": lambda suite: len(suite.scenery.numbers),
    "states": lambda suite: len(suite.scenery.states),
    "abilities of tools": lambda suite: len(suite.scenery.abilities),
    "attribute verbs": lambda suite: len(suite.scenery.verbs),
    "verbs of plans": lambda suite: len(verbs_of_plans(suite)) or None,
}


def domains(suites: Sequence[SuiteStatistics]) -> Table:
    """Scenes by the kind of place."""
    found = [suite.scenery.domains for suite in suites]
    rows = parts(found, [suite.scenery.scenes for suite in suites], most=None)
    return side_by_side("domains", "Domains", "Scenes by the kind of place.", suites, rows)


def things(suites: Sequence[SuiteStatistics]) -> Table:
    """Objects by what they are."""
    note = "Furniture and items are all things; containers and tools are among them."
    rows = parts([suite.scenery.kinds for suite in suites], _objects(suites))
    return side_by_side("things", "Kinds of things", note, suites, rows)


def materials(suites: Sequence[SuiteStatistics]) -> Table:
    """What things are made of."""
    rows = parts([suite.scenery.materials for suite in suites], _objects(suites))
    note = "Things by material, the most frequent; what is written in one text is one material."
    return side_by_side("materials", "Materials", note, suites, rows)


def properties(suites: Sequence[SuiteStatistics]) -> Table:
    """What is said of things."""
    rows = parts([suite.scenery.properties for suite in suites], _objects(suites))
    note = "Things by what is said of them, the most frequent properties."
    return side_by_side("properties", "Properties", note, suites, rows)


def tools(suites: Sequence[SuiteStatistics]) -> Table:
    """What tools are good for."""
    found = [suite.scenery.abilities for suite in suites]
    rows = parts(found, [suite.scenery.kinds["tool"] for suite in suites])
    return side_by_side("tools", "Tools", "Tools by what they give the power to do.", suites, rows)


def _objects(suites: Sequence[SuiteStatistics]) -> list[int]:
    return [sum(suite.scenery.objects) for suite in suites]
