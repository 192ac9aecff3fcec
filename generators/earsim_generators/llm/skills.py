"""Attribute verbs for a place: those whose things a text speaks of, and a few by draw."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import NamedTuple

from earsim.ranking import BM25
from earsim.schema import AttributeVerb, verb_table
from earsim_generators.catalogue import Domain, domain_names, load_domain

_SHARE_OF_FITTING = 0.75
"""Of the verbs that are offered; the others are drawn, so that every verb comes up now and then."""


class _VerbIndex(NamedTuple):
    verbs: tuple[AttributeVerb, ...]
    ranking: BM25


def fitting_verbs(text: str, rng: Random, count: int) -> tuple[AttributeVerb, ...]:
    """Verbs by name: ranked by the words that a text shares with what they are for, then drawn."""
    index = _verb_index()
    ranked = index.ranking.search(text, most=round(_SHARE_OF_FITTING * count))
    chosen = [index.verbs[each.at] for each in ranked]
    names = {verb.name for verb in chosen}
    others = [verb for verb in index.verbs if verb.name not in names]
    chosen += rng.sample(others, min(count - len(chosen), len(others)))
    return tuple(sorted(chosen, key=lambda verb: verb.name))


@cache
def _verb_index() -> _VerbIndex:
    """The verbs, each described by what the domains have for it."""
    words: dict[str, list[str]] = defaultdict(list)
    for name in domain_names():
        for verb, told in _associations(load_domain(name)):
            words[verb].append(told)
    verbs = tuple(verb_table().values())
    texts = [" ".join([verb.name, *words[verb.name]]).replace("_", " ") for verb in verbs]
    return _VerbIndex(verbs, BM25(texts))


def _associations(domain: Domain) -> Iterator[tuple[str, str]]:
    """Verbs of a domain with its kind of place, tools, and things that they change."""
    changing: dict[str, list[str]] = defaultdict(list)
    for verb in verb_table().values():
        if verb.name in domain.verbs:
            changing[verb.attribute].append(verb.name)
            yield verb.name, " ".join((domain.id, *domain.titles))
    for thing in (*domain.furniture, *domain.items):
        changed = (name for state in thing.states for name in changing[state])
        for name in (*thing.provides, *changed):
            yield name, " ".join(thing.names)
