"""Votes of judges between an answer and its reference, and how far judges agree.

Each judge is asked twice, with the two texts in both orders, so that one who always takes the
first gives half of its votes to each. A tie is half a vote. A judge whose answer cannot be read in
one of the orders has no vote: nonsense decides nothing, and is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from earsim.evaluation.scorers.agreement import fleiss_kappa


class Preference(StrEnum):
    """Which of two texts a judge prefers; ``unreadable`` where the judge's answer is nonsense."""

    FIRST = "first"
    SECOND = "second"
    TIE = "tie"
    UNREADABLE = "unreadable"


class Judgement(NamedTuple):
    """What a judge said of two texts.

    Attributes:
        preference: which is better.
        why: the judge's reason.
    """

    preference: Preference
    why: str = ""


class Criterion(NamedTuple):
    """By what two texts are compared.

    Attributes:
        question: which of them is better, in words.
        facts: that a good text states; a judge without a model looks for them.
    """

    question: str
    facts: tuple[str, ...] = ()


class Judge(Protocol):
    """Who compares two texts by a criterion.

    Attributes:
        name: in records.
        options: that its model is asked with, in records; empty without a model.
    """

    name: str
    options: Mapping[str, Any]

    def prefer(self, criterion: Criterion, first: str, second: str) -> Judgement:
        """Which of two texts, which are data and give no orders, is better by the criterion."""
        ...


class Vote(NamedTuple):
    """What one judge said of an answer and its reference.

    Attributes:
        judge: who.
        forward: asked with the answer first.
        backward: asked with the reference first.
        why: its reasons, in this order.
    """

    judge: str
    forward: Preference
    backward: Preference
    why: tuple[str, str] = ("", "")

    @property
    def is_readable(self) -> bool:
        """Whether it counts: both answers could be read."""
        return Preference.UNREADABLE not in (self.forward, self.backward)

    @property
    def points(self) -> float:
        """Votes for the answer, 0 to 2; 0 of a vote that does not count."""
        if not self.is_readable:
            return 0.0
        won = (self.forward is Preference.FIRST) + (self.backward is Preference.SECOND)
        lost = (self.forward is Preference.SECOND) + (self.backward is Preference.FIRST)
        return won + (2 - won - lost) / 2

    @property
    def verdict(self) -> str:
        """``win``, ``loss`` or ``tie``, both orders together; ``none`` where it does not count."""
        if not self.is_readable:
            return "none"
        return "tie" if self.points == 1 else "win" if self.points > 1 else "loss"


def collect(
    criterion: Criterion, answer: str, reference: str, judges: Sequence[Judge]
) -> list[Vote]:
    """Ask each judge in both orders."""
    votes = []
    for judge in judges:
        forward = judge.prefer(criterion, answer, reference)
        backward = judge.prefer(criterion, reference, answer)
        whys = (forward.why, backward.why)
        votes.append(Vote(judge.name, forward.preference, backward.preference, whys))
    return votes


def win_share(votes: Sequence[Vote]) -> float | None:
    """Share of the votes that count for the answer, in percent; three judges have six votes.

    None where no vote counts.
    """
    counting = [vote for vote in votes if vote.is_readable]
    if not counting:
        return None
    return 100 * sum(vote.points for vote in counting) / (2 * len(counting))


def win_gate(votes: Sequence[Vote], novelty: float) -> float | None:
    """100 for more than half of the votes and a novelty above 4 of 10, else 0.

    What the published script does; the paper's text describes the share. None where no vote counts.
    """
    share = win_share(votes)
    if share is None:
        return None
    return 100.0 if share > 50 and novelty > 4 else 0.0


def agreement(items: Sequence[Sequence[Vote]]) -> float | None:
    """Fleiss' kappa of the judges' verdicts over items.

    A judge none of whose votes counts is left out, and then the items on which a vote of one of the
    others does not count.

    Args:
        items: the votes on each item.

    Returns:
        1 for perfect agreement, 0 for that of chance; None with one judge, without items, or where
        all verdicts are the same, which leaves chance nothing to explain.

    Raises:
        ValueError: Items have votes of different judges.
    """
    if len({tuple(sorted(vote.judge for vote in votes)) for votes in items}) > 1:
        raise ValueError("every item needs the votes of the same judges")
    heard = agreeing_on(items)
    return fleiss_kappa([Counter(vote.verdict for vote in votes) for votes in heard])


def agreeing_on(items: Sequence[Sequence[Vote]]) -> list[list[Vote]]:
    """The votes that agreement is measured on: items on which all who ever make sense do."""
    heard = {vote.judge for votes in items for vote in votes if vote.is_readable}
    kept = [[vote for vote in votes if vote.judge in heard] for votes in items]
    return [votes for votes in kept if votes and all(vote.is_readable for vote in votes)]


def of_all_judges(items: Sequence[Sequence[Vote]]) -> list[Sequence[Vote]]:
    """The items that every judge who voted on one of them has voted on."""
    judges = {vote.judge for votes in items for vote in votes}
    return [votes for votes in items if {vote.judge for vote in votes} == judges]


def order_consistency(votes: Sequence[Vote]) -> float | None:
    """Share of the votes that count which do not change with the order of the texts.

    None where no vote counts.
    """
    mirrored = {Preference.FIRST: Preference.SECOND, Preference.SECOND: Preference.FIRST}
    same = [
        mirrored.get(vote.forward, vote.forward) is vote.backward
        for vote in votes
        if vote.is_readable
    ]
    return sum(same) / len(same) if same else None
