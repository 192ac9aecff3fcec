"""Choosing a small suite from a large one, so that it is as mixed as that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from earsim.schema import Category


class SubsetCandidate(NamedTuple):
    """What decides whether a scenario is chosen."""

    id: str
    category: Category
    band: str
    domain: str


def chosen(candidates: Sequence[SubsetCandidate], n: int) -> frozenset[str]:
    """The ids of `n` scenarios: as many of each category, and of each band within it.

    Of what is left, always the first whose domain was chosen least often so far is taken.
    """
    left = list(candidates)
    domains: Counter[str] = Counter()
    found: list[str] = []
    categories = list(dict.fromkeys(each.category for each in candidates))
    bands = list(dict.fromkeys(each.band for each in candidates))
    for turn in range(n):
        category = categories[turn % len(categories)]
        band = bands[turn // len(categories) % len(bands)]
        # Where a band has run out the category goes on with the others.
        suited = sorted(
            left, key=lambda c: (c.category != category, c.band != band, domains[c.domain])
        )
        left.remove(suited[0])
        domains[suited[0].domain] += 1
        found.append(suited[0].id)
    return frozenset(found)
