"""Numbers that change by themselves, as far as a team knows of what changes them.

What is known of a thing is known with its laws: a team that has seen a kettle heat up can tell how
warm it is by now. What acts on it unseen is not reckoned with, until it shows.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from earsim.schema import SceneObject
from earsim.schema.process import Process
from earsim.world.live import CHARGE, CONTENT, MOISTURE, TEMPERATURE, LiveScene
from earsim.world.perceived import MASS
from earsim.world.timeline import FLOOR, Timeline

_READS = {
    "heat": TEMPERATURE,
    "compartment": TEMPERATURE,
    "heats": TEMPERATURE,
    "phase": TEMPERATURE,
    "boils": TEMPERATURE,
    "discharge": CHARGE,
    "charge": CHARGE,
    "drying": MOISTURE,
    "flow": CONTENT,
    "burns": CONTENT,
}
"""The number that a law cannot do without."""


def with_known_processes(
    thing: SceneObject, ids: Collection[str], unread: Collection[str]
) -> SceneObject:
    """A thing with those of its processes of which everything is known.

    Args:
        thing: as it is.
        ids: the objects and doors that are known.
        unread: its numbers that nobody has felt or measured.
    """
    if not thing.processes and thing.liquids is None:
        return thing
    kept = tuple([each for each in thing.processes if _is_known(each, ids, unread)])
    update: dict[str, Any] = {"processes": kept}
    if CONTENT in unread:
        update |= {"liquids": None}
    return thing.model_copy(update=update)


def _is_known(process: Process, ids: Collection[str], unread: Collection[str]) -> bool:
    named = [process.active.of] if process.active is not None else []
    if process.flow is not None:
        named += [process.flow.from_, process.flow.to]
    if any(node is not None and node not in ids for node in named):
        return False
    if process.heat is not None and process.heat.material is not None and MASS in unread:
        return False  # how much heat it holds shows when it is lifted
    threshold = process.state or process.crossing
    reads = _READS.get(process.kind) if threshold is None else threshold.of
    return reads not in unread


def known_timeline(
    timeline: Timeline, live: LiveScene | None, ids: Collection[str]
) -> Timeline | None:
    """What time bears on, of known things alone; None where that is nothing.

    Args:
        timeline: of the world as it is; left so.
        live: what changes by itself in the known scene.
        ids: what is known.
    """
    if live is None:
        if not timeline.monitors:
            return None
        numbers: set[tuple[str, str]] = set()
    else:
        numbers = {(node, name) for node, names in live.numbers.items() for name in names}
    found = timeline.copy()
    vessels = () if live is None else live.vessels
    found.contents = {node: own for node, own in timeline.contents.items() if node in vessels}
    numbers |= {(node, name) for node, own in found.contents.items() for name in (*own, CONTENT)}
    found.laws = {k: v for k, v in timeline.laws.items() if k in numbers or k[0] == FLOOR}
    found.wired = {k: v for k, v in timeline.wired.items() if k in found.laws}
    for key in [key for key in timeline.edges if key not in found.laws]:
        found.forget_edge(key)
    found.links = tuple([each for each in timeline.links if {*each[:2]} <= {*ids}])
    found.gone = frozenset([node for node in timeline.gone if node in ids])
    found.streams = tuple([s for s in timeline.streams if s.source in ids])
    found.unseen = {node: states for node, states in timeline.unseen.items() if node in ids}
    found.in_view = {who: nodes & {*ids} for who, nodes in timeline.in_view.items()}
    found.looks = {}
    found.stamps = None  # what is coupled is found out anew, among what is known
    return found
