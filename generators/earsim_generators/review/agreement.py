"""Agreement of reviewers: raw, and beyond chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from earsim_generators.review.review import ReviewDecision

Decisions = Mapping[str, ReviewDecision]
"""The decisions about one scenario, by reviewer."""


class ReviewerPair(NamedTuple):
    """Two reviewers on the scenarios that both of them decided.

    Attributes:
        scenarios: how many those are.
        agree: of these, those that they decided alike.
        kappa: Cohen's (1960); None where chance alone would make them agree, or on nothing.
    """

    one: str
    other: str
    scenarios: int
    agree: int
    kappa: float | None


class Agreement(NamedTuple):
    """All reviewers together.

    Attributes:
        reviewers: everybody who decided something.
        scenarios: decided by somebody.
        shared: decided by two or more.
        raw: share of pairs of decisions about one scenario that are alike; None without any.
        complete: scenarios that everybody decided, on which `fleiss` rests.
        fleiss: Fleiss' kappa (1971); None for fewer than two reviewers, no such scenario, or
            where all decisions are the same.
        pairs: every two reviewers.
    """

    reviewers: tuple[str, ...]
    scenarios: int
    shared: int
    raw: float | None
    complete: int
    fleiss: float | None
    pairs: tuple[ReviewerPair, ...]


def agreement_of(decided: Iterable[Decisions]) -> Agreement:
    """The agreement over scenarios, each with whoever decided it."""
    rows = [row for row in decided if row]
    reviewers = tuple(sorted({name for row in rows for name in row}))
    complete = [row for row in rows if len(row) == len(reviewers)]
    alike = pairs = 0
    for row in rows:
        for one, other in combinations(row.values(), 2):
            pairs += 1
            alike += one is other
    return Agreement(
        reviewers=reviewers,
        scenarios=len(rows),
        shared=sum(len(row) > 1 for row in rows),
        raw=alike / pairs if pairs else None,
        complete=len(complete),
        fleiss=fleiss_kappa([Counter(row.values()) for row in complete]),
        pairs=tuple(_pair(rows, one, other) for one, other in combinations(reviewers, 2)),
    )


def _pair(rows: Sequence[Decisions], one: str, other: str) -> ReviewerPair:
    both = [(row[one], row[other]) for row in rows if one in row and other in row]
    agree = sum(first is second for first, second in both)
    return ReviewerPair(one, other, len(both), agree, cohen_kappa(both))


def cohen_kappa(decided: Sequence[tuple[ReviewDecision, ReviewDecision]]) -> float | None:
    """Agreement of two reviewers beyond chance: (observed - expected) / (1 - expected)."""
    count = len(decided)
    if not count:
        return None
    observed = sum(one is other for one, other in decided) / count
    first, second = (Counter(column) for column in zip(*decided, strict=True))
    expected = sum(first[each] * second[each] for each in ReviewDecision) / count**2
    return _beyond(observed, expected)


def fleiss_kappa(counts: Sequence[Counter[ReviewDecision]]) -> float | None:
    """Agreement of equally many reviewers per scenario, whoever they are, beyond chance.

    Args:
        counts: how often each decision was taken, by scenario.
    """
    raters = counts[0].total() if counts else 0
    if raters < 2:
        return None
    observed = sum(
        (sum(count[each] ** 2 for each in ReviewDecision) - raters) / (raters * (raters - 1))
        for count in counts
    ) / len(counts)
    total = raters * len(counts)
    shares = [sum(count[each] for count in counts) / total for each in ReviewDecision]
    return _beyond(observed, sum(share**2 for share in shares))


def _beyond(observed: float, expected: float) -> float | None:
    """Kappa; None where everything is expected to agree, for then nothing can be shown."""
    return None if expected >= 1 else (observed - expected) / (1 - expected)
