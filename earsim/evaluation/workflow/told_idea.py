"""An idea as agents told it, and its objective numbers.

A message that begins with the name of a part and a colon, ``hypothesis: ...``, tells that part;
what follows without one goes on with it. In the part ``steps``, ``a -> b -> c`` is a chain of
steps.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping

from earsim.evaluation.scorers.embedding import TfIdf
from earsim.evaluation.scorers.ideas import (
    Idea,
    detailedness,
    effectiveness,
    feasibility,
    novelty,
)
from earsim.schema.workflow import IdeaDimension, IdeaPart, IdeaReference

_HEAD = re.compile(rf"\s*({'|'.join(IdeaPart)})\s*:\s*", re.IGNORECASE)
_ARROW = re.compile(r"\s*->\s*")
_LONGEST_PART = 4_000


def idea_told(messages: Iterable[str]) -> Idea:
    """The idea in some messages; one without any part is empty."""
    parts: dict[str, str] = {}
    at = ""
    for message in messages:
        head = _HEAD.match(message)
        if head is not None:
            at = head[1].lower()
            message = message[head.end() :]
        if at:
            parts[at] = f"{parts[at]}\n{message}" if at in parts else message
    return idea_of({name: text[:_LONGEST_PART] for name, text in parts.items()})


def idea_of(parts: Mapping[str, str]) -> Idea:
    """The idea of these parts, its step graph read from the part ``steps``."""
    return Idea(dict(parts), tuple(dict.fromkeys(edges(parts.get("steps", "")))))


def edges(steps: str) -> Iterable[tuple[str, str]]:
    """Pairs of steps that follow each other."""
    for line in re.split(r"[\n;]|(?<=[a-z])\.\s", steps):
        chain = [" ".join(step.casefold().split()).strip(" .") for step in _ARROW.split(line)]
        for first, second in itertools.pairwise(chain):
            if first and second:
                yield first, second


def reference_idea(reference: IdeaReference) -> Idea:
    """The idea that others are compared with."""
    return idea_of({part.value: text for part, text in reference.parts.items()})


def idea_numbers(idea: Idea, reference: IdeaReference) -> dict[str, float]:
    """The objective number of each dimension, 0 to 10; all 0 for an idea that was not told.

    The embedder is TF-IDF over the works and the reference, so numbers of two tasks, or of another
    embedder, cannot be compared.

    Raises:
        MissingExtra: scikit-learn is not installed.
    """
    if not idea.text:
        return {dimension.value: 0.0 for dimension in IdeaDimension}
    right = reference_idea(reference)
    embed = TfIdf([*reference.given, *reference.held_out, right.text, *reference.keywords])
    found = {
        IdeaDimension.EFFECTIVENESS: effectiveness(idea, reference.keywords),
        IdeaDimension.NOVELTY: novelty(idea, reference.given, reference.held_out, embed),
        IdeaDimension.DETAILEDNESS: detailedness(idea, embed),
        IdeaDimension.FEASIBILITY: feasibility(idea, right),
    }
    return {dimension.value: round(value, 10) for dimension, value in found.items()}
