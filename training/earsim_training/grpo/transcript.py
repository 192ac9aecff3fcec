"""An episode as one sequence of tokens, with what the model wrote told apart from what it read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Transcript:
    """Grows by what the environment says and what the model replies; nothing in it ever changes.

    Attributes:
        prompt: tokens of the first prompt.
        completion: all tokens after it.
        mask: for each of them, 1 where the model wrote it.
    """

    def __init__(self) -> None:
        self.prompt: list[int] = []
        self.completion: list[int] = []
        self.mask: list[int] = []

    def __len__(self) -> int:
        return len(self.prompt) + len(self.completion)

    @property
    def ids(self) -> list[int]:
        """The whole sequence."""
        return self.prompt + self.completion

    def read(self, ids: Sequence[int]) -> None:
        """Go on with what the environment says."""
        if not self.completion:
            self.prompt += ids
            return
        self.completion += ids
        self.mask += [0] * len(ids)

    def wrote(self, ids: Sequence[int]) -> None:
        """Go on with a reply."""
        self.completion += ids
        self.mask += [1] * len(ids)


class TokenSpan(NamedTuple):
    """A stretch of a transcript."""

    ids: list[int]
    learned: bool


def passages(transcript: Transcript) -> list[TokenSpan]:
    """A transcript, cut where the model begins and ceases to write."""
    found = [TokenSpan(list(transcript.prompt), learned=False)]
    for token, learned in zip(transcript.completion, transcript.mask, strict=True):
        if found[-1].learned != bool(learned):
            found.append(TokenSpan([], learned=bool(learned)))
        found[-1].ids.append(token)
    return found
