"""Attribute verbs: one row of the verb table each, all interpreted here.

A row says: the action applies where `attribute == value`, and flips it; some need a held tool that
provides the action's name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from earsim.actions.checks import named
from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.team import people_for
from earsim.actions.verb import Call, Facts, Reads, Verb, check
from earsim.joint import joint
from earsim.prose import listing, value
from earsim.schema.verb_table import AttributeVerb
from earsim.world import Blueprint, World
from earsim.world.consumables import spent_tool, use_up
from earsim.world.hands import renew_abilities
from earsim.world.numbers import is_vessel


def grammar(row: AttributeVerb) -> Grammar:
    """`OPEN box_1`."""
    return Grammar.of(row.name.upper() + " {target}")


def joint_grammar(row: AttributeVerb) -> Grammar:
    """`CORP_OPEN agent_1,agent_2 box_1`; empty names in the list are dropped (EAR-Bench 3.10)."""
    return Grammar.of(joint(row.name.upper()) + " {actors} {target}", actors=r"[\w,]+")


def says(row: AttributeVerb) -> str:
    """What the verb does, in one line."""
    return f"{_change(row)}; needs a tool in hand" if row.requires_tool else _change(row)


def _change(row: AttributeVerb) -> str:
    return f"{row.attribute}: {str(row.value).lower()} to {str(not row.value).lower()}"


def row_of(call: Call) -> AttributeVerb:
    """The table row of an attribute verb."""
    return _row(call.verb)


def _row(verb: Verb) -> AttributeVerb:
    row = verb.attribute
    assert row is not None, f"{verb.name} is no attribute verb"
    return row


def _takes_a_tool(verb: Verb, _: Blueprint) -> bool:
    return _row(verb).requires_tool


def _takes_a_tool_or_key(verb: Verb, _: Blueprint) -> bool:
    return _row(verb).requires_tool or _row(verb).attribute == "is_locked"


def _moves_a_bolt_or_lid(verb: Verb, _: Blueprint) -> bool:
    return _row(verb).attribute in ("is_open", "is_locked")


def _lifts_a_lid(verb: Verb, blueprint: Blueprint) -> bool:
    row = _row(verb)
    return row.attribute == "is_open" and not row.value and blueprint.has_lids_on_top


@check(Reason.ATTR_MISSING)
def has_attribute(world: World, agent: str, call: Call) -> Refusal | None:
    """The target has the attribute, among its states or else its open attributes."""
    attribute = row_of(call).attribute
    if attribute in world.states[call.target]:
        return None
    if call.target in world.location and attribute in world.attributes(call.target):
        return None
    return Refusal(Reason.ATTR_MISSING, {"id": call.target, "attribute": attribute})


@check(Reason.ATTR_PRECONDITION, reads=Reads.THING, selective=True)
def meets_precondition(world: World, agent: str, call: Call) -> Refusal | None:
    """The attribute has the value that the verb changes."""
    row = row_of(call)
    value = _current(world, call.target, row.attribute)
    if value == row.value:
        return None
    facts = {"id": call.target, "attribute": row.attribute, "value": value, "needed": row.value}
    return Refusal(Reason.ATTR_PRECONDITION, facts)


@check(Reason.NO_ABILITY, reads=Reads.GIVER, can_object=_takes_a_tool)
def has_ability(world: World, agent: str, call: Call) -> Refusal | None:
    """The agent holds a tool for it, where one is needed."""
    row = row_of(call)
    if not row.requires_tool or row.name in world.agents[agent].abilities:
        return None
    return Refusal(Reason.NO_ABILITY, {"id": call.target, "ability": row.name, "agent": agent})


def flip(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Flip the attribute where it was found; a single-handed change loses the joint mark."""
    facts = _flip(world, call.target, row_of(call).attribute)
    world.mark_joint(call.target, facts["attribute"], joint=False)
    return facts


def flip_together(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Flip the attribute and mark it as changed by several."""
    facts = _flip(world, call.target, row_of(call).attribute)
    world.mark_joint(call.target, facts["attribute"], joint=True)
    return {**facts, "actors": list(call.actors)}


# -- together, `ear-bench` (EAR-Bench 3.10) -------------------------------------------------------


@check(Reason.INITIATOR_NOT_LISTED, touches=("actors",))
def issuer_is_listed(world: World, agent: str, call: Call) -> Refusal | None:
    """Who gives a joint command takes part in it."""
    if agent in call.actors:
        return None
    return Refusal(Reason.INITIATOR_NOT_LISTED, {"agent": agent, "actors": list(call.actors)})


@check(
    Reason.NO_ABILITY,
    reads=Reads.GIVER | Reads.TEAM,
    touches=("target", "actors"),
    each=True,
    can_object=_takes_a_tool,
)
def all_have_ability(world: World, agent: str, call: Call) -> Refusal | None:
    """Everybody listed holds a tool for it, where one is needed."""
    for actor in call.actors:
        refusal = has_ability.test(world, actor, call)
        if refusal is not None:
            return refusal
    return None


def _current(world: World, target: str, attribute: str) -> Any:
    states = world.states[target]
    return states[attribute] if attribute in states else world.attributes(target)[attribute]


def _flip(world: World, target: str, attribute: str) -> dict[str, Any]:
    old = _current(world, target, attribute)
    new = (
        not old if isinstance(old, bool) else old
    )  # 0 and 1 pass the check but stay (EAR-Bench 3.8)
    if attribute in world.states[target]:
        world.set_state(target, attribute, new)
    else:
        world.set_attribute(target, attribute, new)
    return {"id": target, "attribute": attribute, "old": old, "new": new}


# -- `physical` ----------------------------------------------------------------------------------


@check(Reason.ATTR_MISSING)
def has_state(world: World, agent: str, call: Call) -> Refusal | None:
    """The target, an object or a door, has the state."""
    attribute = row_of(call).attribute
    states = world.states.get(call.target)
    if states is not None and attribute in states:
        return None
    return Refusal(Reason.ATTR_MISSING, {"id": call.target, "attribute": attribute})


@check(Reason.DERIVED, can_object=lambda _, blueprint: blueprint.live is not None)
def is_free(world: World, agent: str, call: Call) -> Refusal | None:
    """The state does not follow from a number or a connection of the thing."""
    live, attribute = world.blueprint.live, row_of(call).attribute
    if live is None or attribute not in live.derived.get(call.target, ()):
        return None
    return Refusal(Reason.DERIVED, {"id": call.target, "attribute": attribute})


@check(Reason.ATTR_PRECONDITION, reads=Reads.THING, selective=True)
def has_the_value(world: World, agent: str, call: Call) -> Refusal | None:
    """The state has the value that the verb changes; 0 is not false here."""
    row = row_of(call)
    value = world.states[call.target][row.attribute]
    if value is row.value:
        return None
    facts = {"id": call.target, "attribute": row.attribute, "value": value, "needed": row.value}
    return Refusal(Reason.ATTR_PRECONDITION, facts)


def _may_be_equipped(world: World, agent: str, call: Call) -> Refusal | None:
    """The agent holds a tool for it; of a lock, anything: which key fits shows when it is tried."""
    row = row_of(call)
    state = world.agents[agent]
    if people_for(world, call) > 1 or row.attribute != "is_locked":
        return somebody_is_equipped.test(world, agent, call)
    return None if state.inventory else Refusal(Reason.NO_KEY, {"id": call.target})


@check(
    Reason.NO_KEY,
    Reason.NO_ABILITY,
    reads=Reads.GIVER | Reads.HANDS | Reads.TEAM,
    touches=("target", "actors"),
    foreseen=_may_be_equipped,
    can_object=_takes_a_tool_or_key,
)
def somebody_is_equipped(world: World, agent: str, call: Call) -> Refusal | None:
    """The agent, or one of those who act together, holds the key or tool that it takes.

    What has a key is locked and unlocked with exactly that; anything else as the verb table says.
    """
    row = row_of(call)
    actors = call.actors or (agent,)
    if not call.actors and people_for(world, call) > 1:
        return None  # a partner may hold it
    key = _key_of(world, call.target) if row.attribute == "is_locked" else None
    if key is not None:
        if any(key in world.agents[actor].inventory for actor in actors):
            return None
        return Refusal(Reason.NO_KEY, {"id": call.target, "actors": list(actors)})
    if not row.requires_tool or any(row.name in world.agents[a].abilities for a in actors):
        return None
    facts = {"id": call.target, "ability": row.name, "agent": agent, "actors": list(actors)}
    things = world.blueprint.things
    held = [node for actor in actors for node in world.agents[actor].inventory]
    useless = [node for node in held if row.name in things[node].provides]
    return Refusal(Reason.NO_ABILITY, facts | {"out_of_order": useless} if useless else facts)


def _key_of(world: World, node: str) -> str | None:
    door = world.blueprint.doors.get(node)
    return world.blueprint.things[node].key if door is None else door.key


@check(Reason.LOCKED, Reason.STILL_OPEN, reads=Reads.THING, can_object=_moves_a_bolt_or_lid)
def lock_allows(world: World, agent: str, call: Call) -> Refusal | None:
    """What is locked does not open, and what is open cannot be locked: locked implies closed."""
    row = row_of(call)
    states = world.states[call.target]
    if row.attribute == "is_open" and not row.value and states.get("is_locked") is True:
        return Refusal(Reason.LOCKED, {"id": call.target})
    if row.attribute == "is_locked" and not row.value and states.get("is_open") is True:
        return Refusal(Reason.STILL_OPEN, {"id": call.target})
    return None


def _lid_seems_clear(world: World, agent: str, call: Call) -> Refusal | None:
    return _load_on_lid(world, agent, call, world.known[agent])


@check(
    Reason.LID_BLOCKED,
    reads=Reads.THING | Reads.CONTENTS,
    foreseen=_lid_seems_clear,
    can_object=_lifts_a_lid,
)
def lid_is_clear(world: World, agent: str, call: Call) -> Refusal | None:
    """Nothing lies on a lid that opens at the top."""
    return _load_on_lid(world, agent, call, None)


def _load_on_lid(
    world: World, agent: str, call: Call, among: frozenset[str] | None
) -> Refusal | None:
    row = row_of(call)
    thing = world.blueprint.things.get(call.target)
    if row.attribute != "is_open" or row.value or thing is None or not thing.lid_on_top:
        return None
    for child in world.contents.get(call.target, ()):
        if world.location[child].relation == "on" and (among is None or child in among):
            return Refusal(
                Reason.LID_BLOCKED, {"id": call.target} | named(world, agent, load=child)
            )
    return None


def _seems_to_have_a_hand(world: World, agent: str, call: Call) -> Refusal | None:
    """Of a lock, what is in hand may be the key."""
    if row_of(call).attribute == "is_locked" and world.agents[agent].inventory:
        return None
    return has_a_hand.test(world, agent, call)


@check(
    Reason.HANDS_FULL,
    reads=Reads.GIVER | Reads.HANDS,
    foreseen=_seems_to_have_a_hand,
)
def has_a_hand(world: World, agent: str, call: Call) -> Refusal | None:
    """The agent has a free hand for it, or what it does it with in hand."""
    state, hands = world.agents[agent], world.blueprint.bodies[agent].hands
    held = len(state.inventory) + (state.carrying is not None)
    if held < hands:
        return None
    row = row_of(call)
    key = _key_of(world, call.target) if row.attribute == "is_locked" else None
    if key in state.inventory or (key is None and row.name in state.abilities):
        return None
    return Refusal(Reason.HANDS_FULL, {"agent": agent, "held": held, "hands": hands})


def change(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Flip the state; an opened container shows what lies directly in it.

    A tool in hand that is put in order gives its abilities, one put out of order takes them away.
    """
    used = spent_tool(world, call.actors or (agent,), row_of(call).name)
    facts = dict((flip_together if call.actors else flip)(world, agent, call))
    if used is not None:
        facts |= use_up(world, used, row_of(call).name)
    if call.target in world.blueprint.fallible_tools:
        facts |= _renewed(world, call.target)
    thing = world.blueprint.things.get(call.target)
    opened = facts["attribute"] == "is_open" and facts["new"] is True
    if opened and thing is not None and thing.is_container:
        inner = world.contents.get(call.target, ())
        shown = [node for node in inner if world.location[node].relation == "in"]
        if shown or not is_vessel(world, call.target):  # what is in that is seen as its contents
            facts["revealed"] = shown
    return facts


def _renewed(world: World, tool: str) -> dict[str, list[str]]:
    """The abilities that its holder has gained or lost by the change of a tool."""
    holder = world.location[tool].holder
    state = world.agents.get(holder)
    if state is None or tool not in state.inventory:
        return {}
    before = state.abilities
    renew_abilities(world, holder)
    gained = [ability for ability in state.abilities if ability not in before]
    lost = [ability for ability in before if ability not in state.abilities]
    return {name: found for name, found in (("gained", gained), ("lost", lost)) if found}


# -- sentences -----------------------------------------------------------------------------------


def changed(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "Box: is_open changes from false to true. Inside: Cup"."""
    together = " together" if "actors" in facts else ""
    revealed = facts.get("revealed")
    inside = "" if revealed is None else f" Inside: {listing(map(name, revealed))}."
    gained, lost = facts.get("gained"), facts.get("lost")
    tool = f" You can now {listing(gained)}." if gained else ""
    tool += f" You can no longer {listing(lost)}." if lost else ""
    if "used_up" in facts:
        tool += f" {name(facts['used_up'])} is used up."
    return (
        f"{name(facts['id'])}: {facts['attribute']} changes from {value(facts['old'])} "
        f"to {value(facts['new'])}{together}.{inside}{tool}"
    )
