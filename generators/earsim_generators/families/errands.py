"""Errands beside what a family is about: one of several things alike, to be brought to a table.

Which one is meant follows from two numbers: it is on one side of a thing that they are compared
with, and has a rank among those that are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Final

from earsim_generators.families.compared_errand import ComparedErrand, ComparedErrands
from earsim_generators.families.draft import Fields, SceneDraft
from earsim_generators.families.goods import GOODS, Goods
from earsim_generators.families.ranked_choice import ALIKE, NumberPair, drawn_choice, numbers_of

_ORDERED: Final = 0.5


def draft_with_errands(
    rng: Random, difficulty: str, domain: str, places: dict[str, str], count: int
) -> SceneDraft:
    """A draft with so many errands, about things and tables in any of its rooms."""
    draft = SceneDraft(rng, difficulty, domain, places)
    if count:
        draft.errands = drawn_errands(draft, count, draft.rooms)
    return draft


def drawn_errands(
    draft: SceneDraft,
    count: int,
    rooms: Sequence[str],
    *,
    gauges: str = "",
    ordered: float = _ORDERED,
) -> ComparedErrands:
    """Errands about different goods, whose things are added to the draft.

    Args:
        draft: The scene.
        count: How many, from 1 to 6.
        rooms: Where the things and the tables are.
        gauges: The room of what they are compared with; drawn for each if none is given.
        ordered: How often the order of two matters, of those of which one is done right after the
            other.
    """
    rng = draft.rng
    tables = rng.sample([draft.table(room) for room in rooms], min(count, len(rooms)))
    found = [
        _errand(draft, goods, tables[number % len(tables)], rooms, gauges or rng.choice(rooms))
        for number, goods in enumerate(rng.sample(GOODS, count))
    ]
    goal = [part for errand in found for part in errand.goal]
    told = [errand.said for errand in rng.sample(found, count)]
    for first, then in pairwise(found):
        if rng.random() < ordered:
            goal.append({"before": {"first": first.done, "then": then.done}})
            told.append(_order(rng, first.one, then.one))
    return ComparedErrands(tuple(found), tuple(goal), " ".join(told))


def _order(rng: Random, first: str, then: str) -> str:
    forms = (
        f"The {first} is there before the {then} is.",
        f"The {then} comes to its place only after the {first} has come to its own.",
    )
    return rng.choice(forms)


def _errand(
    draft: SceneDraft, goods: Goods, table: str, rooms: Sequence[str], gauge_room: str
) -> ComparedErrand:
    rng = draft.rng
    choice = drawn_choice(rng, goods)
    gauge = _put(draft, goods.gauge, goods, choice.gauge, draft.table(gauge_room))
    company = rng.choice(tuple(_COMPANY))
    wrong = rng.choice([each for each in range(ALIKE) if each != choice.target])
    away = [draft.table(room) for room in rooms if draft.table(room) != table]
    nodes: dict[int, str] = {}
    for each in rng.sample(range(ALIKE), ALIKE):
        is_there = each == wrong and company != "free"
        place = table if is_there else rng.choice(away)
        nodes[each] = _put(draft, goods.name, goods, choice.things[each], place)
    stays = [nodes[wrong]] if company == "beside" else []
    others = sorted({*nodes.values()} - {nodes[choice.target], *stays})
    name = goods.one.split()[-1]
    goal = (
        on_table(f"${name}", table),
        *(on_table(node, table) for node in stays),
        {"not": {"any": [on_table(node, table) for node in others]}},
    )
    which, where = choice.said(goods, gauge), f"the {{{table}}} in the {{{draft.room_of(table)}}}"
    return ComparedErrand(
        one=goods.one,
        thing=nodes[choice.target],
        gauge=gauge,
        table=table,
        cleared=nodes[wrong] if company == "alone" else "",
        spare=rng.choice(away),
        select={name: choice.selector(goods, gauge)},
        goal=goal,
        said=f"{which} onto {where}{_COMPANY[company]}.",
    )


def _put(draft: SceneDraft, name: str, goods: Goods, numbers: NumberPair, table: str) -> str:
    """A thing of that shape on a table; its id."""
    return draft.item(name, on=table, **numbers_of(goods, numbers))


_COMPANY: Final = {
    "alone": ", and take away the one that lies there now",
    "beside": ", beside the one that lies there now, which stays",
    "free": ", and none of the others",
}
"""What becomes of another one of that name that lies there, or that does not."""


def on_table(thing: str, table: str) -> Fields:
    """Part of a goal: that a thing is on a table."""
    return {"at": {"object": thing, "on": table}}
