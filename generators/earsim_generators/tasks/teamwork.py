"""Sampling of agents, and subgoals that take a team."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from earsim.schema import AgentSpec
from earsim_generators.tasks.builder import TaskBuilder

_NAMES = (
    "Ada", "Amir", "Anouk", "Bao", "Ben", "Berta", "Carlos", "Chika", "Clara", "Dana", "Dmitri",
    "Elif", "Emeka", "Esther", "Farah", "Felix", "Goran", "Greta", "Hana", "Hugo", "Ines",
    "Ivan", "Jada", "Jonas", "Kaveh", "Keiko", "Lars", "Leila", "Lucia", "Marek", "Maya",
    "Milan", "Nadia", "Nils", "Noor", "Olga", "Omar", "Petra", "Priya", "Rafael", "Rosa",
    "Samir", "Sana", "Selma", "Stefan", "Tariq", "Tessa", "Tomas", "Uma", "Vera", "Viktor",
    "Wanda", "Yara", "Yusuf", "Zoe",
)  # fmt: skip

_ALONE_KG = (25.0, 30.0, 35.0, 40.0, 45.0)
"""What one person alone may be able to carry."""

_LEAST_SHARE, _MOST_SHARE = 0.56, 0.9
"""Of a load for two, what one of the two can carry."""

_ROOM_FOR_ERROR = 1.12
"""By how much the team is stronger than it must be, at least."""


def alone(room: str, rng: Random, *, carries: float = 0.0) -> tuple[AgentSpec, ...]:
    """One agent, strong enough for a load in kg."""
    strong = [limit for limit in _ALONE_KG if limit >= carries] or [float(round(carries + 5))]
    return (_person(rng.choice(_NAMES), room, rng.choice(strong)),)


def team(rooms: Sequence[str], limits: Sequence[float], rng: Random) -> tuple[AgentSpec, ...]:
    """Agents with different names, each with its room and what it can carry."""
    names = rng.sample(_NAMES, len(rooms))
    return tuple(map(_person, names, rooms, limits))


def shares(load: float, total: float, count: int, rng: Random) -> tuple[float, ...] | None:
    """Limits with which `count` agents can lift a load that fewer cannot; None if there are none.

    Args:
        load: Mass in kg without contents.
        total: With all that is in and on it.
        count: Agents.
        rng: Draws the limits.
    """
    fewer = count - 1
    for _ in range(8):
        drawn = [rng.uniform(_LEAST_SHARE, _MOST_SHARE) * load * 2 / count for _ in range(count)]
        limits = tuple(max(5.0, float(round(limit))) for limit in drawn)
        enough = sum(limits) >= _ROOM_FOR_ERROR * total
        if enough and sum(sorted(limits)[-fewer:]) < load:
            return limits
    return None


def _person(name: str, room: str, limit: float) -> AgentSpec:
    return AgentSpec(id=name.lower(), name=name, in_=room, max_mass_kg=limit)


HEAVY_KG = (22.0, 140.0)
"""Lighter things anybody carries, and heavier ones nobody."""

STRONG_KG = (8.0, 45.0)
"""What one strong person carries, and others may not."""

_THREE = 0.1
"""How often a load that is all of a task takes three."""

LEAST_RESCUED_KG = 4.0
"""Of lighter things one would not say that somebody is too weak for them."""


def lifted(
    draft: TaskBuilder, *, conditions: int, chosen: float, aloud: bool, is_all: bool = False
) -> bool:
    """Have something moved that no agent can lift alone; samples the agents.

    Args:
        draft: Is added to.
        conditions: Of a selector, if one is used.
        chosen: Chance that the load is told by a selector.
        aloud: The instruction says that they do it together.
        is_all: Nothing else is to be done; then it sometimes takes three.
    """
    by_choice = draft.rng.random() < chosen
    for attempt in (by_choice, not by_choice):
        reference = (
            draft.chosen(lambda node, _: _is_heavy(draft, node), conditions=conditions)
            if attempt
            else draft.named(lambda node: _is_heavy(draft, node))
        )
        if reference is not None:
            count = 3 if is_all and draft.rng.random() < _THREE else 2
            return _lift(draft, reference, draft.team or count, aloud=aloud)
    return False


def paired(draft: TaskBuilder) -> bool:
    """Have something changed by two together; chooses the agents."""
    node = draft.named(lambda node: bool(draft.index.flips_of(node)))
    if node is None:
        return False
    draft.agents = team(draft.gather(2), (30.0, 40.0), draft.rng)
    draft.flip_jointly(node, draft.rng.choice(draft.index.flips_of(node)))
    return draft.tool_kg <= 30.0


def divided(draft: TaskBuilder, conditions: int, *, in_hand: bool = False) -> bool:
    """Two things, one too heavy for one agent, one too large for the other; samples the agents.

    They hold the things in the end (`in_hand`), or else put them somewhere.
    """
    rng = draft.rng
    heavy = draft.chosen(lambda node, _: _is_for_the_strong(draft, node), conditions=conditions)
    heavy = heavy or draft.named(lambda node: _is_for_the_strong(draft, node))
    if heavy is None:
        return False
    node = draft.node(heavy)
    size, own = _edges(draft, node), draft.index.things[node].mass_kg
    bulky = draft.named(lambda node: _is_bulky(draft, node, beside=size))
    if bulky is None:
        return False
    strong = float(round(draft.index.mass(node) * rng.uniform(1.1, 1.5) + 1))
    weak = float(int(own * rng.uniform(0.6, 0.9)))
    agents = team(draft.gather(2), (strong, weak), rng)
    reach = tuple(round(edge * 1.05, 2) for edge in size)
    draft.agents = (agents[0].model_copy(update={"max_size_m": reach}), agents[1])
    for who, thing in enumerate((heavy, bulky)):
        if in_hand:
            draft.hold(thing, draft.agents[who].id, who=who)
        elif not draft.move(thing, who=who):
            return False
    return draft.index.mass(bulky) <= weak


def rescued(draft: TaskBuilder) -> bool:
    """A thing out of a locked room: who is strong enough is in there, and the key is outside."""
    index, rng = draft.index, draft.rng
    things = [node for node in index.things if _is_shut_in(draft, node)]
    node = draft.named(lambda node: node in things)
    if node is None:
        return False
    room, own = index.room_of(node), index.things[node].mass_kg
    strong = float(round(index.mass(node) * rng.uniform(1.1, 1.6) + 1))
    starts = draft.gather(2, room)
    draft.agents = team(starts, (strong, float(int(own * rng.uniform(0.5, 0.9)))), rng)
    for door in index.doors_between(starts[1], room):
        draft.plan.open_door(1, door)
    return draft.move(node, who=0)


def _lift(draft: TaskBuilder, reference: str, count: int, *, aloud: bool) -> bool:
    node, rng = draft.node(reference), draft.rng
    own = draft.index.things[node].mass_kg
    limits = shares(own, draft.index.mass(node), count, rng)
    if limits is None:
        return False
    draft.agents = team(draft.gather(count), limits, rng)
    if aloud:
        draft.jointly.add(reference)
    return draft.carry(reference)


def _is_heavy(draft: TaskBuilder, node: str) -> bool:
    low, high = HEAVY_KG
    is_free, own = draft.index.is_freely_carried(node), draft.index.things[node].mass_kg
    return is_free and own >= low and draft.index.mass(node) <= high


def _is_for_the_strong(draft: TaskBuilder, node: str) -> bool:
    """Whether a strong agent can carry a thing and a weak one cannot."""
    thing = draft.index.things[node]
    low, high = STRONG_KG
    is_fit = (
        draft.index.is_freely_carried(node)
        and low <= thing.mass_kg
        and draft.index.mass(node) <= high
        and thing.size_m is not None
    )
    return is_fit and not thing.is_furniture


def _is_bulky(draft: TaskBuilder, node: str, *, beside: tuple[float, ...]) -> bool:
    """Whether a light thing is clearly larger than another."""
    size = _edges(draft, node)
    return draft.is_portable(node) and any(
        edge > 1.1 * other for edge, other in zip(size, beside, strict=False)
    )


def _is_shut_in(draft: TaskBuilder, node: str) -> bool:
    """Whether a thing that not everybody can carry lies behind a locked door."""
    thing, index = draft.index.things[node], draft.index
    return (
        index.room_of(node) not in index.start_rooms
        and index.is_freely_carried(node)
        and not thing.is_furniture
        and thing.mass_kg >= LEAST_RESCUED_KG
        and index.mass(node) <= STRONG_KG[1]
    )


def _edges(draft: TaskBuilder, node: str) -> tuple[float, ...]:
    """Its edges in metres, the longest last."""
    return tuple(sorted(draft.index.things[node].size_m or ()))
