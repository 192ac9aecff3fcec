"""What is so at the start of a scenario, as facts of PDDL that both domains ask for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from earsim.actions.verb import Call
from earsim.engine import Engine
from earsim.planner.pddl.circuit import Circuit, Gate
from earsim.planner.pddl.scale import (
    LARGE_DIAGRAM,
    MOST_WEIGHTS,
    DiagramStep,
    DiagramTooLarge,
    Weight,
    number,
    scale,
)
from earsim.schema.verb_table import AttributeVerb
from earsim.world.blueprint import Body
from earsim.world.containment import ancestors

Names = Mapping[str, str]

LIDS_LOCKS_AND_PLUGS = ("is_open", "is_locked", "is_plugged_in")
"""States that rules ask for, whether a verb of the scene changes them or not."""


@dataclass(frozen=True, slots=True)
class PddlFacts:
    """The first two parts of a problem: its objects by type, and its start."""

    objects: dict[str, list[str]]
    start: list[str]

    @property
    def has_gates(self) -> bool:
        """Whether there is a circuit."""
        return any(fact.startswith(("(both ", "(differ ")) for fact in self.start)

    def add_scale(
        self, weights: Collection[Weight], limit: Fraction, mark: str, *, over: str = "broken"
    ) -> None:
        """Add a scale whose marks are named after `mark`; the mark `over` exists already.

        A circuit where it is smaller than the diagram.
        """
        if len(weights) > MOST_WEIGHTS or sum(weight.amount for weight in weights) <= limit:
            self._add_diagram(scale(weights, limit, mark=mark, over=over), mark)
            return
        circuit = Circuit(weights, [limit], mark)
        circuit.compare(limit, over)
        most = max(circuit.size, LARGE_DIAGRAM) // 2  # a node has up to two steps
        try:
            steps = scale(weights, limit, mark=mark, over=over, most_nodes=most)
        except DiagramTooLarge:
            self.add_circuit(circuit)
        else:
            self._add_diagram(steps, mark)

    def add_circuit(self, circuit: Circuit) -> None:
        """Add a circuit and its wires."""
        self._add_steps(circuit.steps, circuit.wires, circuit.wires[0])

    def _add_diagram(self, steps: Collection[DiagramStep], mark: str) -> None:
        if steps:
            self._add_steps(steps, list(dict.fromkeys(step.start for step in steps)), f"{mark}0")

    def _add_steps(
        self, steps: Collection[DiagramStep | Gate], marks: Sequence[str], first: str
    ) -> None:
        self.objects.setdefault("mark", []).extend(marks)
        self.start.append(f"(begin {first})")
        self.start.extend(step.fact for step in steps)


def body_of(engine: Engine) -> Body:
    """The one who acts."""
    return next(iter(engine.blueprint.bodies.values()))


def verb_rows(engine: Engine) -> list[AttributeVerb]:
    """The rows of the verbs that one agent can give; `ear-bench` hides some behind other words."""
    found = []
    for verb in engine.verbs.values():
        if verb.attribute is None or verb.joint:
            continue
        call = engine.parse(f"{verb.name} x")
        if isinstance(call, Call) and call.verb is verb:
            found.append(verb.attribute)
    return found


def attributes(rows: Iterable[AttributeVerb]) -> tuple[str, ...]:
    """The states that a domain has predicates for."""
    return tuple(dict.fromkeys([*LIDS_LOCKS_AND_PLUGS, *(row.attribute for row in rows)]))


def changeable(engine: Engine, rows: Iterable[AttributeVerb]) -> Iterator[tuple[str, str]]:
    """The states that are facts of the problem, as id and attribute; all others stay as they are.

    Doors of `ear-bench` are nowhere, so nothing can be done to them.
    """
    blueprint = engine.blueprint
    doors = () if engine.ruleset.physics.keeps_near_set else blueprint.doors
    for node in (*blueprint.things, *doors):
        for name in attributes(rows):
            if isinstance(blueprint.states[node].get(name), bool):
                yield node, name


def common_facts(
    engine: Engine, names: Names, rows: Collection[AttributeVerb], liftable: Iterable[str]
) -> PddlFacts:
    """Where everything is, how it is, and what it is good for."""
    blueprint = engine.blueprint
    facts = PddlFacts({"room": [names[room] for room in blueprint.rooms]}, [])
    facts.start.append(f"(agent-in {names[body_of(engine).start_room]})")
    facts.start.extend(_places(engine, names))
    facts.start.extend(f"(liftable {names[node]})" for node in liftable)
    for node, name in changeable(engine, rows):
        facts.start.append(f"(has-{name} {names[node]})")
        if blueprint.states[node][name]:
            facts.start.append(f"({name} {names[node]})")
    for row in rows:
        for thing in blueprint.things.values():
            if row.name in thing.provides:
                facts.start.append(f"(gives-{row.name} {names[thing.id]})")
    return facts


def _places(engine: Engine, names: Names) -> Iterator[str]:
    world = engine.start()
    for node, place in world.location.items():
        yield f"(at {names[node]} {names[place.holder]})"
        if place.relation == "in":
            yield f"(inside {names[node]})"
        yield f"(home {names[node]} {names[str(world.room_of(node))]})"
        if engine.blueprint.things[node].is_container:
            yield f"(container {names[node]})"


def mass(engine: Engine, node: str) -> Fraction:
    """The own mass of a thing, in kg."""
    return number(engine.blueprint.things[node].mass_kg)


def loads(engine: Engine, names: Names, liftable: Collection[str]) -> list[Weight]:
    """What may be carried some time: what can be lifted, and what that holds at the start."""
    world = engine.start()
    return [
        Weight("add", names[node], mass(engine, node))
        for node in world.location
        if node in liftable or any(holder in liftable for holder in ancestors(world, node))
    ]
