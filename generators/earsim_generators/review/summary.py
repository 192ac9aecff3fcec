"""A suite's reviews in figures: what they come to, who decided what, and how far they agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from earsim.schema import Category
from earsim_generators.review.agreement import Agreement, agreement_of
from earsim_generators.review.outcome import outcome_of
from earsim_generators.review.review import Review, ReviewDecision
from earsim_generators.review.reviewed_suite import ReviewedSuite


class Counts(NamedTuple):
    """What one reviewer did.

    Attributes:
        tried: scenarios that they attempted before they decided.
        won: of these.
    """

    decided: int
    accept: int
    correct: int
    reject: int
    tried: int
    won: int


class Summary(NamedTuple):
    """All figures.

    Attributes:
        scenarios: how many there are, reviewed or not.
        standings: how many of them are accepted, open ...
        reviewers: what each of them did, by name.
    """

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


def summary_of(shelf: ReviewedSuite, category: Category | None = None) -> Summary:
    """The figures of a suite, or of one category of it."""
    rows = [shelf.reviews.of(scenario) for scenario in shelf.suite.select(category=category)]
    standings = Counter(outcome_of(reviews).standing.value for reviews in rows)
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
