"""What the domain `physical` needs to know of a scenario."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction

from earsim.actions.verb import Call, lasting_objection
from earsim.engine import Engine
from earsim.errors import UsageError
from earsim.planner.pddl.action import action, tool_for
from earsim.planner.pddl.facts import Names, PddlFacts, body_of, common_facts, loads, mass
from earsim.planner.pddl.scale import Weight, number
from earsim.schema.verb_table import AttributeVerb
from earsim.world import World
from earsim.world.limits import TOLERANCE_KG, TOLERANCE_L

FILE = "physical.pddl"

MOST_HANDS = 4
"""With more, every way to put things into what other hands hold would be an action of its own."""


def facts(engine: Engine, names: Names, rows: Collection[AttributeVerb]) -> PddlFacts:
    """Objects and start of the problem.

    Raises:
        UsageError: There are too many hands.
    """
    blueprint = engine.blueprint
    body = body_of(engine)
    if body.hands > MOST_HANDS:
        raise UsageError(
            f"{engine.scenario.id} cannot be exported: {body.id} has {body.hands} hands, "
            f"and under 'physical' at most {MOST_HANDS} are expressed"
        )
    limit = number(body.max_mass_kg) + number(TOLERANCE_KG)
    world = engine.start()
    liftable = [
        node
        for node in blueprint.things
        if body.hands and mass(engine, node) <= limit and _fits(engine, world, node)
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
    for node, thing in blueprint.things.items():
        if thing.capacity_l is not None:
            _add_capacity(found, engine, names, node, liftable)
    return found


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


def _add_capacity(
    found: PddlFacts, engine: Engine, names: Names, container: str, liftable: Collection[str]
) -> None:
    """Weigh the volumes directly in a container; what nobody can lift takes its space for good.

    Where more is in it at the start than fits, that is only told once something is put in.
    """
    things, world = engine.blueprint.things, engine.start()
    volume = {node: number(things[node].volume_l) for node in things}
    inside = [
        node for node in world.contents.get(container, ()) if world.location[node].relation == "in"
    ]
    free = number(things[container].capacity_l or 0) + number(TOLERANCE_L)
    crowded = sum(volume[node] for node in inside) > free
    free -= sum((volume[node] for node in inside if node not in liftable), Fraction(0))
    weights = [
        Weight("fill", f"{names[node]} {names[container]}", volume[node])
        for node in liftable
        if node != container
    ]
    mark = f"space-{names[container]}-mark-"
    if not crowded:
        found.add_scale(weights, free, mark)
        return
    over = f"{mark}over"
    found.objects.setdefault("mark", []).append(over)
    found.start.append(f"(crowded {over} {names[container]} broken)")
    if free < 0:
        found.start.append(f"(begin {over})")
    else:
        found.add_scale(weights, free, mark, over=over)


def actions(row: AttributeVerb) -> Iterator[str]:
    """What is locked with a key takes that key, and no other tool."""
    tool, held = tool_for(row)
    near = "(near ?x)"
    if row.attribute != "is_locked":
        effect = ""
        if row.attribute == "is_open" and not row.value:
            near = "(near ?x) (not (is_locked ?x))"
            effect = "\n      (forall (?y - thing) (when (hides ?x ?y) (seen ?y)))"
        yield action(row, row.name, f"?x - node{tool}", near + held, effect=effect)
        return
    if not row.value:
        near = "(near ?x) (not (is_open ?x))"
    yield action(row, row.name, f"?x - node{tool}", f"{near} (not (keyed ?x)){held}")
    with_key = f"{near} (key ?x ?k) (in-hand ?k)"
    yield action(row, f"{row.name}-with-key", "?x - node ?k - thing", with_key)
