"""Votes of judges between an answer and its reference, and how far judges agree.

Each judge is asked twice, with the two texts in both orders, so that one who always takes the
first gives half a point. A tie is half a vote; so is an answer of a judge that cannot be read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol


class Preference(StrEnum):
    """Which of two texts a judge prefers; ``unreadable`` where the judge's answer is nonsense."""

    FIRST = "first"
    SECOND = "second"
    TIE = "tie"
    UNREADABLE = "unreadable"


class Judge(Protocol):
    """Who compares two texts by a criterion.

    Attributes:
        name: in records.
    """

    name: str

    def prefer(self, criterion: str, first: str, second: str) -> Preference:
        """Which of two texts is better by the criterion."""
        ...


class Vote(NamedTuple):
    """What one judge said of an answer and its reference.

    Attributes:
        judge: who.
        forward: asked with the answer first.
        backward: asked with the reference first.
    """

    judge: str
    forward: Preference
    backward: Preference

    @property
    def points(self) -> float:
        """Votes for the answer, 0 to 2."""
        won = (self.forward is Preference.FIRST) + (self.backward is Preference.SECOND)
        lost = (self.forward is Preference.SECOND) + (self.backward is Preference.FIRST)
        return won + (2 - won - lost) / 2

    @property
    def verdict(self) -> str:
        """``win``, ``loss`` or ``tie``, both orders together."""
        return "tie" if self.points == 1 else "win" if self.points > 1 else "loss"


def collect(criterion: str, answer: str, reference: str, judges: Sequence[Judge]) -> list[Vote]:
    """Ask each judge in both orders."""
    return [
        Vote(
            judge.name,
            judge.prefer(criterion, answer, reference),
            judge.prefer(criterion, reference, answer),
        )
        for judge in judges
    ]


def win_share(votes: Sequence[Vote]) -> float:
    """Share of votes for the answer, in percent; three judges have six votes.

    Raises:
        ValueError: There are no votes.
    """
    if not votes:
        raise ValueError("no judge voted")
    return 100 * sum(vote.points for vote in votes) / (2 * len(votes))


def win_gate(votes: Sequence[Vote], novelty: float) -> float:
    """100 for more than half of the votes and a novelty above 4 of 10, else 0.

    What the published script does; the paper's text describes the share.
    """
    return 100.0 if win_share(votes) > 50 and novelty > 4 else 0.0


def agreement(items: Sequence[Sequence[Vote]]) -> float | None:
    """Fleiss' kappa of the judges' verdicts over items.

    Args:
        items: the votes on each item, of the same judges.

    Returns:
        1 for perfect agreement, 0 for that of chance; None with one judge, without items, or where
        all verdicts are the same, which leaves chance nothing to explain.

    Raises:
        ValueError: Items have different numbers of votes.
    """
    raters = {len(votes) for votes in items}
    if len(raters) > 1:
        raise ValueError("every item needs the votes of the same judges")
    count = raters.pop() if raters else 0
    if count < 2:
        return None
    tables: list[Mapping[str, int]] = [Counter(vote.verdict for vote in votes) for votes in items]
    pairs = count * (count - 1)
    observed = sum(sum(n * (n - 1) for n in t.values()) / pairs for t in tables) / len(tables)
    totals = sum((Counter(table) for table in tables), Counter[str]())
    expected = sum((n / (count * len(tables))) ** 2 for n in totals.values())
    return None if expected == 1 else (observed - expected) / (1 - expected)


def order_consistency(votes: Sequence[Vote]) -> float | None:
    """Share of votes that do not change with the order of the texts; None without votes."""
    mirrored = {Preference.FIRST: Preference.SECOND, Preference.SECOND: Preference.FIRST}
    same = [mirrored.get(vote.forward, vote.forward) is vote.backward for vote in votes]
    return sum(same) / len(same) if same else None
