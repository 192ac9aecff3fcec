"""Stratified subsets of suites: small ones in the proportions of the whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from earsim.schema import Scenario


class SubsetCandidate(NamedTuple):
    """The strata of a scenario that may be chosen for a small suite.

    Attributes:
        kind: The family, the kind of condition, or the category.
    """

    id: str
    kind: str
    band: str
    domain: str


def candidate_of(scenario: Scenario) -> SubsetCandidate:
    """The strata of a scenario that was generated, by its provenance."""
    made = scenario.provenance or {}
    condition = made.get("condition")
    kind = made.get("family") or (condition["kind"] if condition else scenario.task.category.value)
    band = made.get("difficulty", {}).get("band", "")
    return SubsetCandidate(scenario.id, kind, band, scenario.scene.domain or "")


def chosen(candidates: Sequence[SubsetCandidate], n: int) -> frozenset[str]:
    """Ids of a stratified subset; the first lines win.

    It has each kind in the proportion of the whole, and within a kind bands and domains in turn.
    """
    left = list(candidates)
    of_kind = Counter(each.kind for each in candidates)
    bands = list(dict.fromkeys(each.band for each in candidates))
    taken, domains = Counter[str](), Counter[str]()
    found: list[str] = []
    for turn in range(1, n + 1):
        # The one that is furthest behind; of several the first.
        kind = max(of_kind, key=lambda k: of_kind[k] * turn - taken[k] * len(candidates))
        band = bands[taken[kind] % len(bands)]
        # Where a band has run out the kind goes on with the others.
        suited = min(left, key=lambda c: (c.kind != kind, c.band != band, domains[c.domain]))
        left.remove(suited)
        taken[suited.kind] += 1
        domains[suited.domain] += 1
        found.append(suited.id)
    return frozenset(found)
