"""Outcome of several reviews of one scenario."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from earsim_generators.review.review import Review


class Consensus(StrEnum):
    """SPLIT: as many for it as against it, or nobody's words have a majority."""

    OPEN = "open"
    ACCEPTED = "accepted"
    CORRECTED = "corrected"
    REJECTED = "rejected"
    SPLIT = "split"


class ReviewOutcome(NamedTuple):
    """What becomes of a scenario.

    Attributes:
        instruction: the one that it is to have; None for the one it has.
    """

    standing: Consensus
    instruction: str | None = None


def outcome_of(reviews: Mapping[str, Review]) -> ReviewOutcome:
    """More must be for a scenario than against it, and most of those for the same words."""
    if not reviews:
        return ReviewOutcome(Consensus.OPEN)
    kept = [review for review in reviews.values() if review.decision.keeps]
    against = len(reviews) - len(kept)
    if len(kept) == against:
        return ReviewOutcome(Consensus.SPLIT)
    if len(kept) < against:
        return ReviewOutcome(Consensus.REJECTED)
    words = Counter(review.instruction for review in kept)
    instruction, votes = words.most_common(1)[0]
    if 2 * votes <= len(kept):
        return ReviewOutcome(Consensus.SPLIT)
    return ReviewOutcome(
        Consensus.ACCEPTED if instruction is None else Consensus.CORRECTED, instruction
    )
