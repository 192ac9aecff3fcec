"""Whether `the heaviest red item in the lab` is what the goal says it is.

A phrase can be read in more than one way. Every reading is tried, and only where all of them come
to the same verdict is there one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from enum import StrEnum
from itertools import product
from typing import NamedTuple

from docs.studies.ear_bench_audit.clauses import ENDS, PLACING
from docs.studies.ear_bench_audit.interpretations import Description, Interpretation
from docs.studies.ear_bench_audit.phrases import Item, NameMention
from earsim.world import World
from earsim.world.blueprint import Thing

_BY_MASS = {"heaviest": max, "lightest": min}
_BY_VOLUME = {"largest": max, "biggest": max, "smallest": min}
_ORDINALS = frozenset(("second", "third", "fourth", "fifth", "next"))
_ON_WITH = frozenset(("and", "then", "which", "that"))

_READINGS = tuple(Interpretation(*answers) for answers in product((True, False), repeat=3))


class RankOutcome(StrEnum):
    """How the thing that a goal means stands among those that a phrase may mean."""

    FIRST = "first"
    ONLY = "the only one"
    TIED = "tied"
    BEATEN = "beaten"
    OUTSIDE = "not among them"


class Ranked(NamedTuple):
    """The verdict on which all readings agree, and a thing that equals or beats the target."""

    standing: RankOutcome
    rival: str | None = None


class _Phrase(NamedTuple):
    """A superlative and what it is about."""

    best: Callable[..., float]
    by_volume: bool
    said: Description

    def value(self, thing: Thing) -> float | None:
        """The number that is compared; None where it is not known."""
        if not self.by_volume:
            return thing.mass_kg
        return None if thing.size_m is None else thing.volume_l


def rank(
    items: Sequence[Item], world: World, target: str, *, destinations: Collection[str] = ()
) -> Ranked | None:
    """How a target stands by the superlative in an instruction; None where nobody can tell.

    None too where there is no superlative of mass or volume.

    Args:
        items: the instruction.
        world: the scene as it is at the start.
        target: what the goal means.
        destinations: where it has to go; nobody would bring a thing to itself, and `place the
            heaviest item on the desk` does not speak of the items that are there.
    """
    phrase = _phrase(items)
    if phrase is None or target not in world.blueprint.things:
        return None
    if phrase.said.place in destinations:
        phrase = phrase._replace(said=phrase.said._replace(place=None))
    verdicts = [_by(reading, phrase, world, target, destinations) for reading in _READINGS]
    found = [verdict for verdict in verdicts if verdict is not None]
    agree = len({verdict.standing for verdict in found}) == 1
    return found[0] if agree else None


def _by(
    reading: Interpretation,
    phrase: _Phrase,
    world: World,
    target: str,
    destinations: Collection[str],
) -> Ranked | None:
    """The verdict of one reading; None where it means nothing."""
    things = world.blueprint.things
    candidates = [n for n in reading.candidates(phrase.said, world) if n not in destinations]
    numbers = {node: phrase.value(things[node]) for node in candidates}
    known = {node: value for node, value in numbers.items() if value is not None}
    if not known or len(known) < len(numbers):
        return None
    best = phrase.best(known.values())
    leaders = [node for node, value in known.items() if value == best]
    if target not in known:
        excluded = reading.excludes(phrase.said, world, target)
        return Ranked(RankOutcome.OUTSIDE, leaders[0]) if excluded else None
    if len(known) == 1:
        return Ranked(RankOutcome.ONLY)
    if target not in leaders:
        return Ranked(RankOutcome.BEATEN, leaders[0])
    others = [node for node in leaders if node != target]
    return Ranked(RankOutcome.TIED, others[0]) if others else Ranked(RankOutcome.FIRST)


def _phrase(items: Sequence[Item]) -> _Phrase | None:
    """The one superlative, if what it is about is understood to its end."""
    places = [at for at, item in enumerate(items) if item in _BY_MASS or item in _BY_VOLUME]
    if len(places) != 1 or items[max(0, places[0] - 1)] in _ORDINALS:
        return None
    word = str(items[places[0]])
    words, rest = _described(items[places[0] + 1 :])
    place, relation = None, ""
    if rest and rest[0] in PLACING and rest[0] != "to":
        behind = [item for item in rest[1:3] if item != "the"]
        if not behind or not isinstance(behind[0], NameMention) or len(behind[0].ids) > 1:
            return None
        place, relation = behind[0].ids[0], PLACING[str(rest[0])]
        rest = rest[rest.index(behind[0]) + 1 :]
    if not words or (rest and rest[0] not in ENDS):
        return None
    said = Description(tuple(words[:-1]), words[-1], place, relation)
    by_volume = word in _BY_VOLUME
    return _Phrase((_BY_VOLUME if by_volume else _BY_MASS)[word], by_volume, said)


def _described(items: Sequence[Item]) -> tuple[list[str], list[Item]]:
    """The words of a description, without the commas between them, and what follows it."""
    words: list[str] = []
    for at, item in enumerate(items):
        if isinstance(item, NameMention):
            words += item.words
        elif item == "," and at + 1 < len(items) and items[at + 1] not in _ON_WITH:
            continue
        elif item in ENDS or item in PLACING:
            return words, list(items[at:])
        else:
            words.append(item)
    return words, []
