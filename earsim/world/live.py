"""What of a scene changes by itself: its processes, vessels and fittings, compiled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from earsim.apparatus.lookup import LookUpModel
from earsim.apparatus.wet_bench.model import WetBench
from earsim.apparatus.wet_bench.pool import Action
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


@dataclass(frozen=True)
class LiveScene:
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

    @cached_property
    def nodes(self) -> tuple[str, ...]:
        """Every object that a process is of, or is switched by, or that liquid may be in."""
        switches = [p.active.of for ps in self.processes.values() for p in ps if p.active]
        named = dict.fromkeys([*self.processes, *self.vessels, *filter(None, switches)])
        return tuple(named | dict.fromkeys([*self.supplies, *self.fittings, *self.rigs]))

    @cached_property
    def benches(self) -> Mapping[str, WetBench]:
        """The wet benches."""
        rigs = self.rigs.items()
        return {node: rig.model for node, rig in rigs if isinstance(rig.model, WetBench)}

    @cached_property
    def lookups(self) -> Mapping[str, LookUpModel]:
        """The libraries and collections of figures."""
        rigs = self.rigs.items()
        return {node: rig.model for node, rig in rigs if isinstance(rig.model, LookUpModel)}

    @cached_property
    def actions(self) -> Mapping[str, Mapping[str, Action]]:
        """What `RUN` names at a thing: the actions of a bench, the operations of a library."""
        looked_up = {node: model.actions for node, model in self.lookups.items()}
        return {node: bench.pool.actions for node, bench in self.benches.items()} | looked_up

    @cached_property
    def liquid_runs(self) -> bool:
        """Whether liquid is anywhere, or may run."""
        laws = [p.flow or p.burns for processes in self.processes.values() for p in processes]
        return bool(self.vessels) or any(law is not None for law in laws)

    @cached_property
    def melts_or_boils(self) -> bool:
        """Whether anything does."""
        laws = [p.phase or p.boils for processes in self.processes.values() for p in processes]
        return any(law is not None for law in laws)

    @cached_property
    def stores(self) -> Mapping[str, frozenset[str]]:
        """The things that charge, discharge or dry, each with those that switch it and itself."""
        found = {}
        for node, processes in self.processes.items():
            laws = [p.active for p in processes if p.discharge or p.charge or p.drying]
            if laws:
                found[node] = frozenset([node, *(a.of for a in laws if a is not None and a.of)])
        return found

    @cached_property
    def cables(self) -> frozenset[str]:
        """The kinds of fittings through which power comes, and so no liquid."""
        return frozenset([kind for kinds in self.supplies.values() for kind in kinds])

    @cached_property
    def hoses(self) -> frozenset[str]:
        """What leads on what comes through it: two or more ends of a kind, and no other use.

        A vessel, a supply and what pumps have ports, and hoses and cables go to them.
        """
        pumps = [node for node, ps in self.processes.items() if any(p.flow for p in ps)]
        ports = {*self.vessels, *self.supplies, *pumps}
        fitted = self.fittings.items()
        return frozenset([n for n, ends in fitted if n not in ports and max(ends.values()) > 1])

    @cached_property
    def derived(self) -> Mapping[str, frozenset[str]]:
        """States that follow from a number or from a connection, so that no verb changes them."""
        found: dict[str, frozenset[str]] = {}
        for node, processes in self.processes.items():
            states = [p.state.name for p in processes if p.state is not None]
            if states:
                found[node] = frozenset(states)
        for node in self.fittings:
            found[node] = found.get(node, frozenset()) | {"is_plugged_in", "is_connected"}
        return found

    @cached_property
    def turning(self) -> Mapping[str, frozenset[str]]:
        """States that may become true by themselves."""
        found = {}
        for node, processes in self.processes.items():
            states = {p.state.name for p in processes if p.state is not None}
            for process in processes:
                if process.crossing is not None:
                    states |= {name for name, value in process.crossing.sets.items() if value}
            if states:
                found[node] = frozenset(states)
        return found

    @cached_property
    def awaited(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """What can be waited for: marks, the end of runs, and states that may turn true."""
        found = {
            node: (
                *[mark.name for mark in self.marks.get(node, ())],
                *([DONE] if node in self.rigs else ()),
                *sorted(self.turning.get(node, ())),
            )
            for node in self.nodes
        }
        return tuple([(node, names) for node, names in found.items() if names])

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
