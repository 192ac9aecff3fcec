"""Rivals: things that serve alike purposes, one of which is needed, see `NeededThing`.

The grammar calls it by its name. Whoever tells what it is needed for, and does not call it by its
name, asks for what no number and no word of the scene says.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

from earsim.errors import UsageError
from earsim_generators import catalogue
from earsim_generators.catalogue.domain import domain_names, load_domain
from earsim_generators.catalogue.stock import ThingStock
from earsim_generators.families.draft import SceneDraft
from earsim_generators.families.goods import fields_of, heads_of, scales_of_kind
from earsim_generators.families.needed_thing import NeededThing
from earsim_generators.scenes.attributes import draw_attributes

RIVALS: Final = 4
"""Beside the thing that is needed."""

_TRIES: Final = 100


def draw_needed(
    draft: SceneDraft, count: int, rooms: Sequence[str], others: Sequence[str]
) -> tuple[NeededThing, ...]:
    """Needed things of different sets of rivals, all of which are added to the draft.

    One more set lies about, of which nothing is needed.

    Args:
        draft: The scene.
        count: How many.
        rooms: Where they are, and are to be brought.
        others: What other things are called; none of these is of their kinds or called alike.
    """
    rng = draft.rng
    *asked, spare = _drawn_sets(rng, count + 1, others)
    tables = rng.sample([draft.table(room) for room in rooms], len(rooms))
    for name in spare:
        _put(draft, name, draft.table(rng.choice(rooms)))
    return tuple(
        _needed(draft, names, tables[number % len(tables)], rooms)
        for number, names in enumerate(asked)
    )


def _needed(
    draft: SceneDraft, names: Sequence[str], table: str, rooms: Sequence[str]
) -> NeededThing:
    rng = draft.rng
    target = rng.randrange(len(names))
    all_tables = [draft.table(room) for room in rooms]
    nodes: list[str] = []
    others: list[str] = []
    for number, name in enumerate(names):
        is_meant = number == target
        place = rng.choice([each for each in all_tables if not (is_meant and each == table)])
        nodes.append(_put(draft, name, place))
        if not is_meant and place != table:
            others.append(nodes[-1])
    rivals = tuple(node for number, node in enumerate(nodes) if number != target)
    return NeededThing(nodes[target], rivals, table, tuple(others))


def _put(draft: SceneDraft, name: str, table: str) -> str:
    """A thing on a table; its id."""
    kind = kinds_by_name()[name][0]
    (body,) = draw_attributes(kind, 1, scales_of_kind(kind), draft.rng)
    return draft.item(name, on=table, **fields_of(body))


def _drawn_sets(rng: Random, count: int, others: Sequence[str]) -> list[list[str]]:
    """Names of rivals, set by set.

    Nothing in one set has the kind or a main word of what is in another, or of other things.

    Raises:
        UsageError: There are not so many sets.
    """
    sets = rivals()
    for _ in range(_TRIES):
        found: list[list[str]] = []
        for names in _apart(rng.sample(sets, len(sets)), others):
            found.append(rng.sample(names, 1 + RIVALS))
            if len(found) == count:
                return found
    raise UsageError(f"{count - 1} needed things: there are not so many sets of rivals apart")


def _apart(sets: Sequence[Sequence[str]], others: Sequence[str]) -> Iterator[Sequence[str]]:
    """Of some sets, those with no kind and no main word in common with an earlier one."""
    taken, kinds = _words_of(others), _kinds_of(others)
    for names in sets:
        if not (_words_of(names) & taken or _kinds_of(names) & kinds):
            taken |= _words_of(names)
            kinds |= _kinds_of(names)
            yield names


def _words_of(names: Sequence[str]) -> set[str]:
    return {word for name in names for word in heads_of(name)}


def _kinds_of(names: Sequence[str]) -> set[str]:
    """Ids of all kinds of things that are called so."""
    return {kind.id for name in names for kind in kinds_by_name().get(name, ())}


@cache
def rivals() -> tuple[tuple[str, ...], ...]:
    """Sets of names of the catalogue: things that serve alike purposes, no two of them the same.

    For each there are situations in which it is needed, and none of the others would do.
    """
    with (
        Path(catalogue.__file__).with_name("rivals.csv").open(encoding="utf-8", newline="") as file
    ):
        return tuple(tuple(names) for names in csv.reader(file))


@cache
def kinds_by_name() -> Mapping[str, tuple[ThingStock, ...]]:
    """Kinds of the catalogue by what they are called, the lightest first."""
    kinds = [kind for domain in domain_names() for kind in load_domain(domain).stock.items]
    found: dict[str, tuple[ThingStock, ...]] = {}
    for kind in sorted(kinds, key=lambda kind: (kind.mass_kg.high, kind.id)):
        for name in kind.names["common"]:
            found[name] = (*found.get(name, ()), kind)
    return found
