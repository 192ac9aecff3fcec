"""Step-level accuracy (SLA) of a derivation, and validity of a rationale (RV), without a judge.

A step is matched to a reference by the words and numbers that both share. Word overlap cannot tell
a step from its negation: a judge replaces these two where one is at hand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from earsim.errors import MissingExtra

_RATIO = 80
_WITHIN = 0.02
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?", re.IGNORECASE)
_LONGEST, _MOST = 2_000, 200


def step_level_accuracy(steps: Sequence[str], reference: Sequence[str]) -> float:
    """Share of steps that match a reference step, each of which is matched once at most.

    Args:
        steps: of the answer; what follows the 200th counts as wrong and is not read.
        reference: the right steps, in any order.

    Returns:
        0 to 1; 0 for an answer without steps.

    Raises:
        MissingExtra: `rapidfuzz` is not installed.
    """
    left = list(reference)
    right = 0
    for step in steps[:_MOST]:
        fits = [(similarity(step, each), -at) for at, each in enumerate(left) if agrees(step, each)]
        if fits:
            right += 1
            del left[-max(fits)[1]]
    return right / len(steps) if steps else 0.0


def rationale_validity(rationale: str, facts: Sequence[str]) -> float:
    """Ten times the share of reference facts that a rationale states, 0 to 10.

    Raises:
        MissingExtra: `rapidfuzz` is not installed.
    """
    if not facts:
        return 0.0
    sentences = re.split(r"(?<=[.;!?])\s+|\n+", rationale)[:_MOST]
    told = sum(any(agrees(sentence, fact) for sentence in sentences) for fact in facts)
    return 10 * told / len(facts)


def agrees(step: str, reference: str) -> bool:
    """Whether a step has the words of a reference (token-set ratio at least 80) and its numbers.

    Each number of the reference stands in the step within 2 %.
    """
    wanted, found = numbers(reference), numbers(step)
    if not all(any(_near(each, number) for each in found) for number in wanted):
        return False
    return similarity(step, reference) >= _RATIO


def similarity(first: str, second: str) -> float:
    """Token-set ratio, 0 to 100, of two texts without their numbers.

    Raises:
        MissingExtra: `rapidfuzz` is not installed.
    """
    try:
        from rapidfuzz.fuzz import token_set_ratio
        from rapidfuzz.utils import default_process
    except ModuleNotFoundError as error:
        raise MissingExtra("rapidfuzz", "science") from error
    ours, theirs = (_NUMBER.sub(" ", text[:_LONGEST]) for text in (first, second))
    return float(token_set_ratio(ours, theirs, processor=default_process))


def numbers(text: str) -> list[float]:
    """The numbers that stand in a text."""
    return [float(each) for each in _NUMBER.findall(text[:_LONGEST])]


def _near(number: float, reference: float) -> bool:
    return abs(number - reference) <= _WITHIN * abs(reference)
