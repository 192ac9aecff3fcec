"""A filter in words: what stands before the noun, the place behind it, the clauses after that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from earsim.render.words.instruction import plural, relative
from earsim.render.words.names import indefinite
from earsim.render.words.traits import TraitPhrase, attribute_words
from earsim.schema.selector import Filter
from earsim_generators.language.nouns import Noun, noun_of
from earsim_generators.language.object_names import DiscourseNames
from earsim_generators.language.predicates import said_of
from earsim_generators.language.quantities import bounds, comparison

_TRAILING = re.compile(r" (?:with|without|in|on|from|to|at|by|against|under|for) ")
"""What a place would be taken for a part of: the flask on a cart outside the ward."""

_THING = Noun("thing", "things")

_SAID_OF_IT = {"label": "is labelled", "tag": "is tagged", "material": "is made of"}
"""What is said of a thing with such an attribute: is labelled A 12, is made of oak."""


class ModifiedNoun(NamedTuple):
    """Modifiers of a filter around its noun.

    Attributes:
        adjectives: `red sealed`; may be empty.
        where: `in the workshop`; may be empty.
        that: Clauses after "that", each with its verb first.
        whose: Clauses after "whose".
        others: Number of other things it is compared with.
    """

    adjectives: str
    noun: Noun
    where: str
    that: tuple[str, ...]
    whose: tuple[str, ...]
    others: int

    @property
    def is_plain(self) -> bool:
        """Whether nothing follows the place."""
        return not self.that and not self.whose

    @property
    def is_a_heap(self) -> bool:
        """Whether only a place is given, as of things that are on the shelf."""
        only_there = len(self.that) == 1 and self.that[0].startswith(("is on ", "is in "))
        return self.noun == _THING and only_there and not self.whose

    def one(self, before: str = "") -> str:
        """`second heaviest red oil can in the workshop that is not sealed`."""
        clauses = self._many_clauses if self.noun.is_many else relative(self.that, self.whose)
        return joined(before, self.adjectives, self.noun.one, self.where, clauses)

    def many(self) -> str:
        """`red oil cans in the workshop that are not sealed`."""
        return joined(self.adjectives, self.noun.many, self.where, self._many_clauses)

    @property
    def _many_clauses(self) -> str:
        return relative([*map(plural, self.that)], self.whose)


def described(
    condition: Filter, names: DiscourseNames, *, before_a_place: bool = False
) -> ModifiedNoun:
    """The modifiers of a filter.

    Before another place its own becomes a clause: `the can that is on the shelf` goes on the table.
    """
    noun = _noun(condition)
    before_a_place = before_a_place or _TRAILING.search(noun.one) is not None
    traits = list(_traits(condition))
    where = joined(*_places(condition, names))
    is_by_holder = condition.on is not None or condition.in_ is not None
    clauses = [*(said.that for said in traits if said.that), *_clauses(condition, names)]
    # Not "the can on the shelf that is open": the shelf?
    before_a_place = before_a_place or (is_by_holder and bool(clauses))
    compared = [one for one in (condition.more_than, condition.less_than) if one is not None]
    return ModifiedNoun(
        adjectives=joined(*(said.adjective for said in traits)),
        noun=noun,
        where="" if before_a_place else where,
        that=(*([f"is {where}"] if before_a_place and where else []), *clauses),
        whose=(*(said.whose for said in traits if said.whose), *_denied_whose(condition)),
        others=len(compared),
    )


def joined(*words: str) -> str:
    """The words that are not empty, with blanks between."""
    return " ".join(filter(None, words))


def _noun(condition: Filter) -> Noun:
    if condition.name is not None:
        return noun_of(condition.name)
    if condition.kind == "furniture":
        return Noun("piece of furniture", "pieces of furniture")
    return _THING


def _places(condition: Filter, names: DiscourseNames) -> Iterator[str]:
    for relation, node in (("on", condition.on), ("in", condition.in_)):
        if node is not None:
            yield f"{relation} {names.the(node)}"
    if condition.inside_room is not None:
        yield names.inside(condition.inside_room)
    elif _is_elsewhere(condition):
        assert condition.not_ is not None
        assert condition.not_.inside_room is not None
        inside = names.inside(condition.not_.inside_room)
        # One is outside a yard, but not on a landing.
        is_in = inside.startswith("in ")
        yield f"outside {names.the(condition.not_.inside_room)}" if is_in else f"not {inside}"


def _is_elsewhere(condition: Filter) -> bool:
    """Whether all that is said of the place is a room that it is not in."""
    denied = condition.not_
    places = (condition.on, condition.in_, condition.inside_room)
    return denied is not None and denied.inside_room is not None and places == (None,) * 3


def _traits(condition: Filter) -> Iterator[TraitPhrase]:
    for state, what in condition.has_state.items():
        yield said_of(state, what)
    for name, what in condition.attribute.items():
        if name in _SAID_OF_IT and isinstance(what, str):
            yield TraitPhrase(that=f"{_SAID_OF_IT[name]} {what}")
        else:
            yield attribute_words(name, what)


def _clauses(condition: Filter, names: DiscourseNames) -> Iterator[str]:
    if condition.provides is not None:
        yield f"can {condition.provides.replace('_', ' ')}"
    yield from bounds(condition.at_least, condition.at_most)
    for compared, more in ((condition.more_than, True), (condition.less_than, False)):
        if compared is not None:
            yield comparison(compared.of, names.the(compared.object), more=more)
    denied = condition.not_
    if denied is not None and not _is_elsewhere(condition) and not [*_denied_whose(condition)]:
        yield _denied(denied, names)


def _denied_whose(condition: Filter) -> Iterator[str]:
    """`gas is not argon`, where that is all that is denied."""
    denied = condition.not_
    if denied is None or len(denied.model_fields_set) != 1:
        return
    traits = list(_traits(denied))
    if len(traits) == 1 and traits[0].whose:
        subject, _, said = traits[0].whose.partition(" is ")
        is_denied = said.startswith("not ")
        yield (
            f"{subject} is {said.removeprefix('not ')}" if is_denied else f"{subject} is not {said}"
        )


def _denied(condition: Filter, names: DiscourseNames) -> str:
    """One simple condition is denied by itself; any others only together."""
    inner = described(condition, names)
    if len(condition.model_fields_set) == 1:
        if inner.where:
            return f"is not {inner.where}"
        if inner.adjectives:
            return f"is not {inner.adjectives}"
        if len(inner.that) == 1 and inner.that[0].startswith("is "):
            return f"is not {inner.that[0].removeprefix('is ')}"
        if len(inner.that) == 1 and inner.that[0].startswith("can "):
            return f"cannot {inner.that[0].removeprefix('can ')}"
    return f"is not {indefinite(inner.one())}"
