"""Errands beside what a family is about: one of several things alike, to be brought to a table.

Which one is meant follows from two numbers: it is on one side of a thing that they are compared
with, and has a rank among those that are. Goods that no errand is about lie beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Final

from earsim_generators.families.compared_errand import ComparedErrand, DrawnErrands, ErrandRequest
from earsim_generators.families.draft import SceneDraft
from earsim_generators.families.goods import (
    ALIKE,
    Goods,
    drawn_bodies,
    drawn_goods,
    fields_of,
)
from earsim_generators.families.needed_thing import NeededThing
from earsim_generators.families.ranked_choice import drawn_choice
from earsim_generators.families.rivals import draw_needed
from earsim_generators.language.nouns import noun_of
from earsim_generators.scenes.attributes import PhysicalAttributes

_ORDERED: Final = 0.5

_OTHER_GOODS: Final = 2
"""Of which there are as many things, and something to compare them with, though no errand is about
them. They stand last in a file that does not list things by their ids."""

_OTHER_GOODS_BESIDE_RIVALS: Final = 1
"""Where rivals lie about as well."""


def draft_with_errands(
    rng: Random,
    difficulty: str,
    domain: str,
    places: dict[str, str],
    errands: ErrandRequest | None,
) -> SceneDraft:
    """A draft with the errands that are asked for, about things and tables in any of its rooms."""
    draft = SceneDraft(rng, difficulty, domain, places)
    if errands is not None:
        draw_errands(draft, errands, draft.rooms)
    return draft


def draw_errands(
    draft: SceneDraft,
    errands: ErrandRequest,
    rooms: Sequence[str],
    *,
    gauges: str = "",
    ordered: float = _ORDERED,
) -> DrawnErrands:
    """Errands about different goods, whose things are added to the draft, as they are.

    Args:
        draft: The scene.
        errands: How many; those that are drawn are noted there.
        rooms: Where the things and the tables are.
        gauges: The room of what they are compared with; drawn for each if none is given.
        ordered: How often the order of two matters, of those of which one is done right after the
            other.
    """
    rng, count = draft.rng, errands.count
    tables = rng.sample([draft.table(room) for room in rooms], min(count, len(rooms)))
    others = _OTHER_GOODS_BESIDE_RIVALS if errands.needed else _OTHER_GOODS
    goods = drawn_goods(rng, draft.domain, count + others)
    found = _told_apart(
        [
            _errand(draft, each, tables[number % len(tables)], rooms, gauges)
            for number, each in enumerate(goods[:count])
        ]
    )
    for each in goods[count:]:
        bodies = drawn_bodies(rng, each)
        for body in bodies.things:
            _put(draft, each.name, body, draft.table(rng.choice(rooms)))
        _put_gauge(draft, each, bodies.gauge, gauges)
    needed = _needed(draft, errands.needed, goods, rooms)
    goal = [part for errand in found for part in errand.goal]
    goal += [part for each in needed for part in each.goal]
    told = [_said(errand, draft) for errand in rng.sample(found, count)]
    told += [_said_needed(each, draft) for each in needed]
    for first, then in pairwise(found):
        if rng.random() < ordered:
            goal.append({"before": {"first": first.done, "then": then.done}})
            told.append(_order(rng, first.goods, then.goods))
    draft.errands = errands.drawn = DrawnErrands(tuple(found), needed, tuple(goal), " ".join(told))
    return draft.errands


def _needed(
    draft: SceneDraft, count: int, goods: Sequence[Goods], rooms: Sequence[str]
) -> tuple[NeededThing, ...]:
    """Things that are needed, of other kinds than the goods and what lies about already."""
    if not count:
        return ()
    names = [*draft.names, *(name for each in goods for name in (each.name, each.gauge))]
    return draw_needed(draft, count, rooms, names)


def _told_apart(errands: Sequence[ComparedErrand]) -> list[ComparedErrand]:
    """Errands none of whose selectors is called like a gauge, so that placeholders mean that."""
    gauges = {errand.gauge for errand in errands}
    return [
        errand._replace(name=f"{errand.name}_meant") if errand.name in gauges else errand
        for errand in errands
    ]


def _order(rng: Random, first: Goods, then: Goods) -> str:
    one, other = noun_of(first.name).one, noun_of(then.name).one
    forms = (
        f"The {one} is there before the {other} is.",
        f"The {other} comes to its place only after the {one} has come to its own.",
    )
    return rng.choice(forms)


def _errand(
    draft: SceneDraft, goods: Goods, table: str, rooms: Sequence[str], gauges: str
) -> ComparedErrand:
    rng = draft.rng
    choice, bodies = drawn_choice(rng, goods)
    company = rng.choice(tuple(_COMPANY))
    wrong = rng.choice([each for each in range(ALIKE) if each != choice.target])
    away = [draft.table(room) for room in rooms if draft.table(room) != table]
    nodes, places = [""] * ALIKE, [""] * ALIKE
    for each in rng.sample(range(ALIKE), ALIKE):
        places[each] = table if each == wrong and company != "none" else rng.choice(away)
        nodes[each] = _put(draft, goods.name, bodies.things[each], places[each])
    return ComparedErrand(
        name=goods.kind.id,
        goods=goods,
        choice=choice,
        things=tuple(nodes),
        places=tuple(places),
        gauge=_put_gauge(draft, goods, bodies.gauge, gauges),
        table=table,
        company=company,
        spare=rng.choice(away),
    )


def _put_gauge(draft: SceneDraft, goods: Goods, body: PhysicalAttributes, room: str) -> str:
    return _put(draft, goods.gauge, body, draft.table(room or draft.rng.choice(draft.rooms)))


def _put(draft: SceneDraft, name: str, body: PhysicalAttributes, table: str) -> str:
    """A thing on a table; its id."""
    return draft.item(name, on=table, **fields_of(body))


_COMPANY: Final = {
    "goes": ", and take away the one that lies there now",
    "stays": ", beside the one that lies there now, which stays",
    "none": ", and none of the others",
}
"""What becomes of another one of that name that lies there, or that does not."""


def _said(errand: ComparedErrand, draft: SceneDraft) -> str:
    """A sentence, with placeholders for ids."""
    which = errand.choice.said(errand.goods, errand.gauge)
    where = f"the {{{errand.table}}} in the {{{draft.room_of(errand.table)}}}"
    return f"{which} onto {where}{_COMPANY[errand.company]}."


def _said_needed(needed: NeededThing, draft: SceneDraft) -> str:
    """A sentence, with placeholders for ids."""
    table = needed.table
    return f"The {{{needed.thing}}} is needed on the {{{table}}} in the {{{draft.room_of(table)}}}."
