"""Figures of a suite's reviews, and the agreement of reviewers: raw, and beyond chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from earsim.evaluation.scorers.agreement import cohen_kappa, fleiss_kappa
from earsim.schema import Category
from earsim_generators.review.review import Review, ReviewDecision, outcome_of
from earsim_generators.review.reviewed_suite import ReviewedSuite

Decisions = Mapping[str, ReviewDecision]
"""The decisions about one scenario, by reviewer."""


class ReviewerPair(NamedTuple):
    """Two reviewers on the scenarios that both of them decided.

    Attributes:
        agree: Number of equal decisions.
        kappa: Cohen's (1960); None where chance alone would make them agree, or on nothing.
    """

    one: str
    other: str
    scenarios: int
    agree: int
    kappa: float | None


class Agreement(NamedTuple):
    """Agreement of all reviewers.

    Attributes:
        scenarios: Decided by somebody.
        shared: Decided by two or more.
        raw: Share of equal pairs of decisions about one scenario; None without any.
        complete: Decided by everybody, on which `fleiss` rests.
        fleiss: Fleiss' kappa (1971); None for fewer than two reviewers, no such scenario, or where
            all decisions are the same.
    """

    reviewers: tuple[str, ...]
    scenarios: int
    shared: int
    raw: float | None
    complete: int
    fleiss: float | None
    pairs: tuple[ReviewerPair, ...]


def agreement_of(decided: Iterable[Decisions]) -> Agreement:
    """The agreement over scenarios, from decisions by reviewer."""
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


class Counts(NamedTuple):
    """Decisions and attempts of one reviewer."""

    decided: int
    accept: int
    correct: int
    reject: int
    tried: int
    won: int


class Summary(NamedTuple):
    """All figures; `standings` counts scenarios by consensus."""

    scenarios: int
    standings: Mapping[str, int]
    reviewers: Mapping[str, Counts]
    agreement: Agreement

    def as_data(self) -> dict[str, Any]:
        """The same as JSON values."""
        agreement = self.agreement._asdict()
        agreement["pairs"] = [pair._asdict() for pair in self.agreement.pairs]
        return {
            **self._asdict(),
            "reviewers": {name: counts._asdict() for name, counts in self.reviewers.items()},
            "agreement": agreement,
        }


def summary_of(reviewed: ReviewedSuite, category: Category | None = None) -> Summary:
    """The figures of a suite, or of one category of it."""
    rows = [reviewed.reviews.of(scenario) for scenario in reviewed.suite.select(category=category)]
    standings = Counter(outcome_of(reviews).consensus.value for reviews in rows)
    by_name: dict[str, list[Review]] = {}
    for reviews in rows:
        for name, review in reviews.items():
            by_name.setdefault(name, []).append(review)
    return Summary(
        scenarios=len(rows),
        standings=dict(sorted(standings.items())),
        reviewers={name: _counts(by_name[name]) for name in sorted(by_name)},
        agreement=agreement_of(
            {name: review.decision for name, review in reviews.items()} for reviews in rows
        ),
    )


def _counts(reviews: Sequence[Review]) -> Counts:
    decisions = Counter(review.decision for review in reviews)
    tried = [review.tried for review in reviews if review.tried is not None]
    return Counts(
        decided=len(reviews),
        accept=decisions[ReviewDecision.ACCEPT],
        correct=decisions[ReviewDecision.CORRECT],
        reject=decisions[ReviewDecision.REJECT],
        tried=len(tried),
        won=sum(each.won for each in tried),
    )
