"""What of a scene changes by itself: its processes, vessels and fittings, compiled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from earsim.apparatus.lookup import LookUpModel
from earsim.apparatus.wet_bench.model import WetBench
from earsim.apparatus.wet_bench.pool import Action
from earsim.pickled import Frozen
from earsim.schema import Scene, SceneObject
from earsim.schema import process as law
from earsim.schema.liquids import known_liquids
from earsim.schema.process import Mark, Process, Substance
from earsim.world.lab import Rig
from earsim.world.rigs import rig

TEMPERATURE = law.TEMPERATURE
MELTED = law.MELTED
CHARGE = law.CHARGE
MOISTURE = law.MOISTURE
USES = law.USES
CONTENT = law.CONTENT
DONE = "done"
"""What is waited for at an apparatus: the end of its run, or a warning of it."""
DISPLAY = "display"
"""Stands for the channels of an apparatus among the numbers that show themselves."""

_SHOWN = {TEMPERATURE: 1, MELTED: 1, CHARGE: 1, MOISTURE: 3, USES: 0, CONTENT: 3}
"""Decimals with which live numbers are shown; masses have three."""


def decimals(name: str) -> int:
    """With how many decimals a live number is shown."""
    return _SHOWN.get(name, 3)


def shown(name: str, value: float) -> float:
    """A live number as it is shown."""
    return round(value, decimals(name)) + 0.0  # no minus before nought


@dataclass(frozen=True, eq=False, repr=False)
class LiveScene(Frozen):
    """The part of a scene that time bears on; mappings are in file order.

    Attributes:
        processes: of the objects that have any.
        vessels: grams of each substance in each vessel at the start.
        sources: the liquid that a thing gives without end.
        drains: what liquids can be emptied into.
        fittings: how many hoses or cables of each kind go to a thing.
        supplies: the fittings through which a thing gives power.
        substances: every liquid by name.
        marks: the named values of the numbers of things.
        uses_up: how many uses a verb takes from its tool.
        numbers: the names of the numbers of things that change, those of vessels' contents aside.
        rigs: the simulations behind things.
    """

    processes: Mapping[str, tuple[Process, ...]]
    vessels: Mapping[str, Mapping[str, int]]
    sources: Mapping[str, str]
    drains: frozenset[str]
    fittings: Mapping[str, Mapping[str, int]]
    supplies: Mapping[str, frozenset[str]]
    substances: Mapping[str, Substance]
    marks: Mapping[str, tuple[Mark, ...]]
    uses_up: Mapping[str, int]
    numbers: Mapping[str, tuple[str, ...]]
    rigs: Mapping[str, Rig]
    nodes: tuple[str, ...] = field(init=False)
    benches: Mapping[str, WetBench] = field(init=False)
    lookups: Mapping[str, LookUpModel] = field(init=False)
    actions: Mapping[str, Mapping[str, Action]] = field(init=False)
    liquid_runs: bool = field(init=False)
    melts_or_boils: bool = field(init=False)
    stores: Mapping[str, frozenset[str]] = field(init=False)
    cables: frozenset[str] = field(init=False)
    hoses: frozenset[str] = field(init=False)
    derived: Mapping[str, frozenset[str]] = field(init=False)
    turning: Mapping[str, frozenset[str]] = field(init=False)
    awaited: tuple[tuple[str, tuple[str, ...]], ...] = field(init=False)

    def __post_init__(self) -> None:
        keep = object.__setattr__  # once: the class is frozen
        keep(self, "nodes", _nodes(self))
        keep(self, "benches", _benches(self))
        keep(self, "lookups", _lookups(self))
        keep(self, "actions", _actions(self))
        keep(self, "liquid_runs", _liquid_runs(self))
        keep(self, "melts_or_boils", _melts_or_boils(self))
        keep(self, "stores", _stores(self))
        keep(self, "cables", _cables(self))
        keep(self, "hoses", _hoses(self))
        keep(self, "derived", _derived(self))
        keep(self, "turning", _turning(self))
        keep(self, "awaited", _awaited(self))

    @classmethod
    def of(cls, scene: Scene) -> LiveScene | None:
        """Compile a scene; None where nothing changes by itself."""
        objects = scene.objects
        if not scene.uses_up and not any(map(_is_live, objects)):
            return None
        substances = {**known_liquids(), **{each.id: each for each in scene.substances}}
        return cls(
            processes={o.id: o.processes for o in objects if o.processes},
            vessels={o.id: _grams(o) for o in objects if o.liquids is not None},
            sources={o.id: o.source for o in objects if o.source is not None},
            drains=frozenset([o.id for o in objects if o.drains]),
            fittings={o.id: o.fittings for o in objects if o.fittings},
            supplies={o.id: frozenset(o.supplies) for o in objects if o.supplies},
            substances=substances,
            marks={o.id: o.marks for o in objects if o.marks},
            uses_up=scene.uses_up,
            numbers={
                o.id: names for o in objects if (names := _numbers(o, uses=bool(scene.uses_up)))
            },
            rigs={o.id: rig(o.id, o.apparatus) for o in objects if o.apparatus is not None},
        )

    def unlabelled(self, node: str) -> set[str]:
        """The numbers of a thing that no label can tell, because they change."""
        names = {*self.numbers.get(node, ())}
        if node in self.rigs:
            names.add(DISPLAY)
        if node in self.vessels:
            names |= {"mass_kg", CONTENT, *(f"{name}_kg" for name in self.substances)}
        return names

    def numbers_of(self, node: str) -> tuple[str, ...]:
        """The names of the numbers of a thing that change, without those of its contents."""
        return self.numbers.get(node, ())


def _nodes(live: LiveScene) -> tuple[str, ...]:
    """Every object that a process is of, or is switched by, or that liquid may be in."""
    switches = [p.active.of for ps in live.processes.values() for p in ps if p.active]
    named = dict.fromkeys([*live.processes, *live.vessels, *filter(None, switches)])
    return tuple(named | dict.fromkeys([*live.supplies, *live.fittings, *live.rigs]))


def _benches(live: LiveScene) -> Mapping[str, WetBench]:
    """The wet benches."""
    rigs = live.rigs.items()
    return {node: rig.model for node, rig in rigs if isinstance(rig.model, WetBench)}


def _lookups(live: LiveScene) -> Mapping[str, LookUpModel]:
    """The libraries and collections of figures."""
    rigs = live.rigs.items()
    return {node: rig.model for node, rig in rigs if isinstance(rig.model, LookUpModel)}


def _actions(live: LiveScene) -> Mapping[str, Mapping[str, Action]]:
    """What `RUN` names at a thing: the actions of a bench, the operations of a library."""
    looked_up = {node: model.actions for node, model in live.lookups.items()}
    return {node: bench.pool.actions for node, bench in live.benches.items()} | looked_up


def _liquid_runs(live: LiveScene) -> bool:
    """Whether liquid is anywhere, or may run."""
    laws = [p.flow or p.burns for processes in live.processes.values() for p in processes]
    return bool(live.vessels) or any(law is not None for law in laws)


def _melts_or_boils(live: LiveScene) -> bool:
    """Whether anything does."""
    laws = [p.phase or p.boils for processes in live.processes.values() for p in processes]
    return any(law is not None for law in laws)


def _stores(live: LiveScene) -> Mapping[str, frozenset[str]]:
    """The things that charge, discharge or dry, each with those that switch it and itlive."""
    found = {}
    for node, processes in live.processes.items():
        laws = [p.active for p in processes if p.discharge or p.charge or p.drying]
        if laws:
            found[node] = frozenset([node, *(a.of for a in laws if a is not None and a.of)])
    return found


def _cables(live: LiveScene) -> frozenset[str]:
    """The kinds of fittings through which power comes, and so no liquid."""
    return frozenset([kind for kinds in live.supplies.values() for kind in kinds])


def _hoses(live: LiveScene) -> frozenset[str]:
    """What leads on what comes through it: two or more ends of a kind, and no other use.

    A vessel, a supply and what pumps have ports, and hoses and cables go to them.
    """
    pumps = [node for node, ps in live.processes.items() if any(p.flow for p in ps)]
    ports = {*live.vessels, *live.supplies, *pumps}
    fitted = live.fittings.items()
    return frozenset([n for n, ends in fitted if n not in ports and max(ends.values()) > 1])


def _derived(live: LiveScene) -> Mapping[str, frozenset[str]]:
    """States that follow from a number or from a connection, so that no verb changes them."""
    found: dict[str, frozenset[str]] = {}
    for node, processes in live.processes.items():
        states = [p.state.name for p in processes if p.state is not None]
        if states:
            found[node] = frozenset(states)
    for node in live.fittings:
        found[node] = found.get(node, frozenset()) | {"is_plugged_in", "is_connected"}
    return found


def _turning(live: LiveScene) -> Mapping[str, frozenset[str]]:
    """States that may become true by themselves."""
    found = {}
    for node, processes in live.processes.items():
        states = {p.state.name for p in processes if p.state is not None}
        for process in processes:
            if process.crossing is not None:
                states |= {name for name, value in process.crossing.sets.items() if value}
        if states:
            found[node] = frozenset(states)
    return found


def _awaited(live: LiveScene) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What can be waited for: marks, the end of runs, and states that may turn true."""
    found = {
        node: (
            *[mark.name for mark in live.marks.get(node, ())],
            *([DONE] if node in live.rigs else ()),
            *sorted(live.turning.get(node, ())),
        )
        for node in live.nodes
    }
    return tuple([(node, names) for node, names in found.items() if names])


def _is_live(spec: SceneObject) -> bool:
    return bool(
        spec.processes
        or spec.liquids is not None
        or spec.source
        or spec.drains
        or spec.fittings
        or spec.supplies
        or spec.apparatus
    )


def _grams(spec: SceneObject) -> dict[str, int]:
    return {name: round(kg * 1000) for name, kg in (spec.liquids or {}).items() if kg}


def _numbers(spec: SceneObject, *, uses: bool) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_each_number(spec, uses=uses)))


def _each_number(spec: SceneObject, *, uses: bool) -> Iterator[str]:
    for process in spec.processes:
        if process.number is not None:
            yield process.number
    if uses and USES in spec.quantities:
        yield USES
