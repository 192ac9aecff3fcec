"""What the domain `ear-bench` needs to know of a scenario."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from itertools import chain, combinations, permutations

from earsim.engine import Engine
from earsim.errors import UsageError
from earsim.planner.pddl.action import action, tool_for
from earsim.planner.pddl.facts import Names, PddlFacts, body_of, common_facts, loads, mass
from earsim.planner.pddl.scale import Weight, number
from earsim.schema.verb_table import AttributeVerb

FILE = "ear_bench.pddl"


def facts(engine: Engine, names: Names, rows: Collection[AttributeVerb]) -> PddlFacts:
    """Objects and start of the problem."""
    body = body_of(engine)
    things = engine.blueprint.things
    limit = number(body.max_mass_kg)
    liftable = [node for node in things if body.hands and mass(engine, node) <= limit]
    _refuse_inexact_sums(engine, liftable)
    found = common_facts(engine, names, rows, liftable)
    for thing in things.values():
        found.objects.setdefault(thing.kind, []).append(names[thing.id])
    found.start.append(f"(start {names[body.start_room]})")
    _add_codes(found, [names[node] for node in things])
    if liftable:
        grips = [Weight("grip", names[node], Fraction(1)) for node in liftable]
        found.add_scale(grips, Fraction(body.hands - 1), "hands-mark-", over="full")
    weights = loads(engine, names, liftable)
    if body.hands > 1:
        found.start.append("(several-hands)")
        weights += [Weight("again", names[node], mass(engine, node)) for node in liftable]
    found.add_scale(weights, limit, "load-mark-")
    return found


def _refuse_inexact_sums(engine: Engine, liftable: Collection[str]) -> None:
    """The rules add binary fractions, and 0.1 + 0.2 is more than 0.3; the domain adds decimals.

    That matters where masses add up to the very limit. It is looked for in up to three things.
    """
    things, body = engine.blueprint.things, body_of(engine)
    masses = {node: mass(engine, node) for node in liftable}
    for group in _weighing(number(body.max_mass_kg), masses):
        orders = permutations([things[node].mass_kg for node in group])
        if max(sum(order) for order in orders) > body.max_mass_kg:
            raise UsageError(
                f"{engine.scenario.id} cannot be exported: {' and '.join(group)} weigh as much as "
                f"{body.id} can lift, and in binary fractions more"
            )


def _weighing(limit: Fraction, masses: Mapping[str, Fraction]) -> Iterator[tuple[str, ...]]:
    """Up to three things that weigh just so much, in any order."""
    by_mass: dict[Fraction, list[str]] = {}
    for node, amount in masses.items():
        by_mass.setdefault(amount, []).append(node)
    for others in chain.from_iterable(combinations(masses, count) for count in range(3)):
        rest = limit - sum(masses[node] for node in others)
        yield from ((*others, node) for node in by_mass.get(rest, ()) if node not in others)


def _add_codes(found: PddlFacts, things: list[str]) -> None:
    """Number the things in binary, from 1: nothing but the room is 0."""
    bits = range(len(things).bit_length())
    found.objects["bit"] = [f"bit-no-{bit}" for bit in bits]
    for code, name in enumerate(things, 1):
        found.start.extend(f"(code {name} bit-no-{bit})" for bit in bits if code >> bit & 1)


def actions(row: AttributeVerb) -> Iterator[str]:
    """EAR-Bench 3.8."""
    tool, held = tool_for(row)
    before = f"(home ?x ?h) (explored ?h) (operable ?x){held}"
    yield action(row, row.name, f"?x - thing ?h - room{tool}", before)
