"""Referring expressions for a selector: the second heaviest of the oil cans."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from earsim.goals.selectors import CONTENTS
from earsim.schema.selector import Largest, Only, Rank, Smallest
from earsim_generators.language.modifiers import ModifiedNoun, described
from earsim_generators.language.nouns import Noun, head_of, noun_of
from earsim_generators.language.object_names import DiscourseNames
from earsim_generators.language.quantities import quantity, superlative


class Ranking(NamedTuple):
    """A place in an order."""

    of: str
    k: int
    largest: bool


class NounPhrase(NamedTuple):
    """A noun phrase for one thing.

    Attributes:
        text: With its article.
        noun: For later mentions.
        others: Number of other things it is compared with, which `it` could mean.
    """

    text: str
    noun: Noun
    others: int = 0


def choice(
    selector: Any, names: DiscourseNames, rng: Random, *, before_a_place: bool = False
) -> NounPhrase:
    """One of the noun phrases of a selector, drawn by `rng`."""
    is_only = isinstance(selector, Only)
    among = selector.only if is_only else selector.among
    found = described(among, names, before_a_place=before_a_place)
    ways = list(_only(found) if is_only else _ranked(found, ranking_of(selector)))
    return NounPhrase(rng.choice(ways), found.noun, found.others)


def ranking_of(selector: Any) -> Ranking:
    """The ranking of a selector."""
    if isinstance(selector, Largest):
        return Ranking(selector.largest, 1, True)
    if isinstance(selector, Smallest):
        return Ranking(selector.smallest, 1, False)
    assert isinstance(selector, Rank)
    rank = selector.rank
    return Ranking(rank.of, rank.k, rank.order == "largest")


def _only(found: ModifiedNoun) -> Iterator[str]:
    yield f"the only {found.one()}"
    if not found.is_plain and not found.noun.is_many:
        yield f"the one {found.one()}"
    if found.is_plain and (found.adjectives or found.where):
        yield f"the {found.one()}"


def _ranked(found: ModifiedNoun, ranking: Ranking) -> Iterator[str]:
    head = head_of(found.noun.one)[-1]
    before, after = superlative(ranking.of, ranking.k, largest=ranking.largest, head=head)
    if before:
        yield f"the {before} of the {found.many()}"
        if found.is_a_heap:
            yield f"the {found.one(before)}"
        if found.is_plain:  # "the heaviest can that is red" might be the heaviest of all
            yield f"the {found.one(before)}"
            if not found.where:
                yield f"the {before} of all the {found.many()}"
        return
    yield f"whichever of the {found.many()} {_finite(after)}"
    if after.startswith("with ") and not ranking.of.startswith(CONTENTS):
        yield f"the one {after} of all the {found.many()}"
    if found.is_plain and not found.where:  # else the place might be what has it
        yield f"the {found.one()} {_plural(after) if found.noun.is_many else after}"
        if after.startswith("with ") and not ranking.of.startswith(CONTENTS):
            yield _whose(found, ranking, after)


def _finite(after: str) -> str:
    """`has the highest power` for `with the highest power`, `holds the most` for `that ...`."""
    if after.startswith("that "):
        return after.removeprefix("that ")
    return f"has {after.removeprefix('with ')}"


def _plural(after: str) -> str:
    return after.replace("that holds ", "that hold ")


def _whose(found: ModifiedNoun, ranking: Ranking, after: str) -> str:
    """`the oil can whose pressure is the second lowest`."""
    what, of_it = quantity(ranking.of), after.removeprefix("with the ")
    degree = of_it.removesuffix(what).strip()
    if f"{degree} {what}" != of_it:  # the most pages
        return f"the {found.one()} that {'have' if found.noun.is_many else 'has'} the {of_it}"
    verb = "are" if noun_of(what).is_many else "is"
    return f"the {found.one()} whose {what} {verb} the {degree}"
