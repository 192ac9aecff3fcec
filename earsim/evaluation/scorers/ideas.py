"""Research ideas: effectiveness, novelty, detailedness and feasibility (SGI, conception).

Each dimension is the mean of an objective number and of what judges vote, on 0 to 100. The
objective numbers are those of the published script, which measures words and shapes, not sense: an
idea is compared by them with its reference, and never called good for them alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from earsim.evaluation.scorers.embedding import Embedder, mean_cosine, mean_pairwise_cosine
from earsim.evaluation.scorers.votes import Vote, win_gate, win_share

PARTS = ("background", "hypothesis", "method", "steps", "outcome", "risks")
"""What a complete idea tells."""

_SHORTEST, _LONGEST = 300, 700
_WORD = re.compile(r"\w+")


class Idea(NamedTuple):
    """A research idea.

    Attributes:
        parts: text of each of `PARTS`; an absent or blank one is missing.
        edges: its step graph, as pairs of step names; each leads from a step to one after it.
    """

    parts: dict[str, str]
    edges: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """All of it, in the order of `PARTS`."""
        told = (self.parts.get(part, "").strip() for part in PARTS)
        return "\n".join(part for part in told if part)

    @property
    def words(self) -> frozenset[str]:
        """The words of its steps."""
        names = " ".join(step for edge in self.edges for step in edge)
        return frozenset(_WORD.findall(names.casefold()))


def effectiveness(idea: Idea, keywords: Sequence[str], embed: Embedder | None = None) -> float:
    """Ten times the cosine to the keywords, or without an embedder the share of them it has.

    Returns:
        0 to 10; 0 without keywords.
    """
    if not keywords:
        return 0.0
    if embed is not None:
        return _clip(10 * mean_cosine(embed, idea.text, [" ".join(keywords)]))
    text = " ".join(_WORD.findall(idea.text.casefold()))
    wanted = [" ".join(_WORD.findall(keyword.casefold())) for keyword in keywords]
    hits = sum(f" {keyword} " in f" {text} " for keyword in wanted if keyword)
    return 10 * hits / len(wanted)


def novelty(idea: Idea, given: Sequence[str], held_out: Sequence[str], embed: Embedder) -> float:
    """Distance to the work that was given and to held-out work, 5 points each; 0 to 10."""
    near, far = (mean_cosine(embed, idea.text, works) for works in (given, held_out))
    return _clip(5 * (1 - near) + 5 * (1 - far))


def detailedness(idea: Idea, embed: Embedder) -> float:
    """Completeness (weight .2), freedom from repetition (.4) and fit of length (.4); 0 to 10."""
    text = idea.text
    complete = 10 * sum(bool(idea.parts.get(part, "").strip()) for part in PARTS) / len(PARTS)
    sentences = [s for s in re.split(r"(?<=[.!?])\s+|\n+", text) if _WORD.search(s)]
    repeated = _clip(10 * (mean_pairwise_cosine(embed, sentences) - 0.2))
    length = _clip(max(_SHORTEST - len(text), len(text) - _LONGEST, 0) / 100)
    return 0.2 * complete + 0.4 * (10 - repeated) + 0.4 * (10 - length)


def feasibility(idea: Idea, reference: Idea) -> float:
    """Overlap of the step graph with the reference's: edges (.6) and words (.4); 0 to 10."""
    edges = jaccard(frozenset(idea.edges), frozenset(reference.edges))
    return 10 * (0.6 * edges + 0.4 * jaccard(idea.words, reference.words))


def jaccard(first: frozenset[object], second: frozenset[object]) -> float:
    """Shared members over all members; 0 for two empty sets."""
    return len(first & second) / len(first | second) if first | second else 0.0


def dimension(
    objective: float, votes: Sequence[Vote], *, gate: bool = False, novelty: float = 10.0
) -> float | None:
    """One dimension of an idea, 0 to 100; None where no vote counts.

    Args:
        objective: 0 to 10.
        votes: of the judges, on this dimension.
        gate: all or nothing instead of the share of votes, as the published script has it.
        novelty: objective novelty, which the gate asks for.
    """
    win = win_gate(votes, novelty) if gate else win_share(votes)
    return None if win is None else (10 * objective + win) / 2


def _clip(value: float) -> float:
    return min(max(value, 0.0), 10.0)
