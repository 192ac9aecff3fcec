"""What the domain `physical` needs to know of a scenario."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from earsim.actions.verb import Call, lasting_objection
from earsim.engine import Engine
from earsim.errors import UsageError
from earsim.planner.pddl.action import action, tool_for
from earsim.planner.pddl.circuit import Circuit
from earsim.planner.pddl.facts import Names, PddlFacts, body_of, common_facts, loads, mass
from earsim.planner.pddl.scale import Weight, is_large, number
from earsim.schema.verb_table import AttributeVerb
from earsim.world import Blueprint, World
from earsim.world.containment import ancestors
from earsim.world.limits import (
    TOLERANCE_KG,
    TOLERANCE_L,
    TOLERANCE_M2,
    footprint_m2,
    is_within_size,
    surface_m2,
)

FILE = "physical.pddl"

MOST_ON_A_SCALE = 12
"""Things that a surface has a scale for; of more, only what is too wide by itself is expressed."""

MOST_HANDS = 4
"""With more, every way to put things into what other hands hold would be an action of its own."""


def facts(engine: Engine, names: Names, rows: Collection[AttributeVerb]) -> PddlFacts:
    """Objects and start of the problem.

    Raises:
        UsageError: There are too many hands, or something that is not expressed.
    """
    blueprint = engine.blueprint
    body = body_of(engine)
    if body.hands > MOST_HANDS:
        raise UsageError(
            f"{engine.scenario.id} cannot be exported: {body.id} has {body.hands} hands, "
            f"and under 'physical' at most {MOST_HANDS} are expressed"
        )
    for feature in _not_expressed(blueprint):
        raise UsageError(
            f"{engine.scenario.id} cannot be exported: {feature}, which is not expressed in PDDL"
        )
    limit = number(body.max_mass_kg) + number(TOLERANCE_KG)
    world = engine.start()
    too_large = {n for n in blueprint.things if not _fits(engine, world, n)}
    too_large |= {holder for node in too_large for holder in ancestors(world, node)}
    liftable = [
        node
        for node in blueprint.things
        if body.hands and mass(engine, node) <= limit and node not in too_large
    ]
    found = common_facts(engine, names, rows, liftable)
    found.objects["thing"] = [names[node] for node in blueprint.things]
    found.objects["door"] = [names[door] for door in blueprint.doors]
    found.start.append("(in-the-open)")
    found.start.extend(_hands(found, body.hands))
    found.start.extend(_ways(engine, names))
    found.start.extend(_keys(engine, names))
    found.start.extend(_hideouts(world, names))
    found.add_scale(loads(engine, names, liftable), limit, "load-mark-")
    _add_capacities(found, engine, names, liftable)
    for node, thing in blueprint.things.items():
        if thing.people > 1:
            found.start.append(f"(for-several {names[node]})")
        if thing.lid_on_top:
            found.start.append(f"(lid-on-top {names[node]})")
        if node in blueprint.corded:
            found.start.append(f"(corded {names[node]})")
        if thing.is_container:
            found.start.extend(_too_large(engine, names, node, liftable))
        _add_area(found, engine, names, node, liftable)
    return found


def _not_expressed(blueprint: Blueprint) -> Iterator[str]:
    """What the scene has of the rules that the domain leaves out."""
    for tool in sorted(blueprint.fallible_tools, key=blueprint.rank.__getitem__):
        yield f"whether the tool {tool} works depends on its states"
    for thing in sorted(blueprint.wheeled, key=blueprint.rank.__getitem__):
        yield f"{thing} has wheels"
    if blueprint.has_narrow_ways:
        yield "a way has a width"
    for thing in blueprint.load_limits:
        yield f"{thing} bears a load up to a limit"


def _too_large(
    engine: Engine, names: Names, container: str, liftable: Collection[str]
) -> Iterator[str]:
    things = engine.blueprint.things
    for node in liftable:
        if node != container and not is_within_size(things[node].size_m, things[container].size_m):
            yield f"(too-large-for {names[node]} {names[container]})"


def _fits(engine: Engine, world: World, node: str) -> bool:
    call = Call(engine.verbs["GRAB"], node)
    return lasting_objection(world, body_of(engine).id, call) is None


def _hands(found: PddlFacts, count: int) -> Iterator[str]:
    hands = found.objects["hand"] = [f"hand-no-{hand}" for hand in range(1, count + 1)]
    for place, hand in enumerate(hands):
        yield f"(free {hand})"
        yield from (f"(before {earlier} {hand})" for earlier in hands[:place])


def _ways(engine: Engine, names: Names) -> Iterator[str]:
    for room, passages in engine.blueprint.passages.items():
        for way in passages:
            if way.door is None:
                yield f"(open-way {names[room]} {names[way.room]})"
            else:
                yield f"(door-way {names[room]} {names[way.room]} {names[way.door]})"
    for door in engine.blueprint.doors.values():
        yield from (f"(side {names[door.id]} {names[room]})" for room in door.between)


def _keys(engine: Engine, names: Names) -> Iterator[str]:
    blueprint = engine.blueprint
    keys = {door.id: door.key for door in blueprint.doors.values()}
    keys |= {thing.id: thing.key for thing in blueprint.things.values()}
    for node, key in keys.items():
        if key is not None:
            yield f"(keyed {names[node]})"
            yield f"(key {names[node]} {names[key]})"


def _hideouts(world: World, names: Names) -> Iterator[str]:
    """What lies in something with a lid, open or not, and so can be overlooked."""
    things = world.blueprint.things
    hideable: set[str] = set()
    waiting = list(world.blueprint.rooms)
    for holder in waiting:  # grows while it is read
        for node in world.contents.get(holder, ()):
            waiting.append(node)
            lid = isinstance(world.states.get(holder, {}).get("is_open"), bool)
            if holder in hideable or (lid and world.location[node].relation == "in"):
                hideable.add(node)
                yield f"(hideable {names[node]})"
            if lid and things[holder].is_container and world.location[node].relation == "in":
                yield f"(hides {names[holder]} {names[node]})"


class _Limit(NamedTuple):
    """What may be directly in, or on, something.

    Attributes:
        relation: `in` or `on`.
        amounts: what each thing takes.
        most: what they may take together, tolerance included.
        weighs, over: predicates of its scale.
        mark: beginning of the names of its marks.
    """

    relation: str
    amounts: Mapping[str, Fraction]
    most: Fraction
    weighs: str
    over: str
    mark: str


def _add_capacities(
    found: PddlFacts, engine: Engine, names: Names, liftable: Collection[str]
) -> None:
    """Weigh the volumes directly in containers.

    Containers whose diagrams are large share one circuit, which adds up what is in the container
    that something was put in last: in the others nothing has been added since.
    """
    things = engine.blueprint.things
    volumes = {node: number(thing.volume_l) for node, thing in things.items()}
    large = []
    for node, thing in things.items():
        if thing.capacity_l is None:
            continue
        most = number(thing.capacity_l) + number(TOLERANCE_L)
        limit = _Limit("in", volumes, most, "fill", "crowded", "space")
        if not _add_limit(found, engine, names, node, liftable, limit, share=True):
            large.append(node)
    if large:
        _share(found, engine, names, large, liftable, volumes)


def _share(
    found: PddlFacts,
    engine: Engine,
    names: Names,
    containers: Collection[str],
    liftable: Collection[str],
    volumes: Mapping[str, Fraction],
) -> None:
    """One circuit for all of these containers, and a comparison with the free volume of each."""
    world, things = engine.start(), engine.blueprint.things
    free: dict[str, Fraction] = {}
    weights = []
    for node in containers:
        there = {n for n in world.contents.get(node, ()) if world.location[n].relation == "in"}
        free[node] = number(things[node].capacity_l or 0) + number(TOLERANCE_L)
        free[node] -= sum((volumes[n] for n in there if n not in liftable), Fraction(0))
        weights += [
            Weight("fill", f"{names[n]} {names[node]}", volumes[n])
            for n in liftable
            if n != node
            and volumes[n]
            and (n in there or is_within_size(things[n].size_m, things[node].size_m))
        ]
    circuit = Circuit(weights, list(free.values()), "space-mark-")
    for node in containers:
        root = circuit.wire()
        found.start.append(f"(crowded {circuit.wires[0]} {names[node]} {root})")
        circuit.compare(free[node], "broken", root=root)
        found.objects["thing"].remove(names[node])
    found.objects["vessel"] = [names[node] for node in containers]
    found.add_circuit(circuit)


def _add_area(
    found: PddlFacts, engine: Engine, names: Names, holder: str, liftable: Collection[str]
) -> None:
    """What is too wide for something by itself; and of few things, what is so together.

    A scale for each surface and all that may ever stand on it would be larger than the rest of the
    problem. What is left out shows when a plan is carried out.
    """
    things = engine.blueprint.things
    area = surface_m2(things[holder])
    if area is None:
        return
    areas = {node: number(footprint_m2(thing.size_m) or 0.0) for node, thing in things.items()}
    most = number(area) + number(TOLERANCE_M2)
    wide = [node for node in liftable if node != holder and areas[node] > most]
    found.start.extend(f"(too-wide-for {names[node]} {names[holder]})" for node in wide)
    there = engine.start().contents.get(holder, ())
    liftable = [node for node in liftable if node not in wide or node in there]
    if len(liftable) > MOST_ON_A_SCALE:
        return
    limit = _Limit("on", areas, most, "lay", "covered", "area")
    _add_limit(found, engine, names, holder, liftable, limit)


def _add_limit(
    found: PddlFacts,
    engine: Engine,
    names: Names,
    holder: str,
    liftable: Collection[str],
    limit: _Limit,
    *,
    share: bool = False,
) -> bool:
    """A scale for what is put there; what nobody can lift takes its space for good.

    Where more is there at the start than fits, that is only told once something is put there.
    With `share`, a scale that is large is not added, and the answer is False.
    """
    world, amounts, free = engine.start(), limit.amounts, limit.most
    there = [
        node
        for node in world.contents.get(holder, ())
        if world.location[node].relation == limit.relation
    ]
    crowded = sum(amounts[node] for node in there) > free
    free -= sum((amounts[node] for node in there if node not in liftable), Fraction(0))
    weights = [
        Weight(limit.weighs, f"{names[node]} {names[holder]}", amounts[node])
        for node in liftable
        if node != holder and amounts[node]
    ]
    mark = f"{limit.mark}-{names[holder]}-mark-"
    if share and free >= 0 and is_large(weights, free):
        return False
    if not crowded:
        found.add_scale(weights, free, mark)
        return True
    over = f"{mark}over"
    found.objects.setdefault("mark", []).append(over)
    found.start.append(f"({limit.over} {over} {names[holder]} broken)")
    if free < 0:
        found.start.append(f"(begin {over})")
    else:
        found.add_scale(weights, free, mark, over=over)
    return True


_A_HAND = (
    "(or (exists (?h - hand) (free ?h)) (exists (?t - thing) (and (in-hand ?t) (gives-{} ?t))))"
)
_CLEAR_LID = (
    "(imply (lid-on-top ?x) (not (exists (?z - thing) (and (at ?z ?x) (not (inside ?z))))))"
)


def actions(row: AttributeVerb) -> Iterator[str]:
    """What is locked with a key takes that key, and no other tool."""
    tool, held = tool_for(row)
    near = "(near ?x) (not (for-several ?x))"
    if row.attribute != "is_locked":
        effect = ""
        if not row.requires_tool:
            near += f"\n      {_A_HAND.format(row.name)}"
        if row.attribute == "is_open" and not row.value:
            near += f" (not (is_locked ?x))\n      {_CLEAR_LID}"
            effect = "\n      (forall (?y - thing) (when (hides ?x ?y) (seen ?y)))"
        yield action(row, row.name, f"?x - node{tool}", near + held, effect=effect)
        return
    if not row.value:
        near += " (not (is_open ?x))"
    yield action(row, row.name, f"?x - node{tool}", f"{near} (not (keyed ?x)){held}")
    with_key = f"{near} (key ?x ?k) (in-hand ?k)"
    yield action(row, f"{row.name}-with-key", "?x - node ?k - thing", with_key)
