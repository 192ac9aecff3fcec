"""Running counts of exported and skipped rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from earsim_training.export.rows import Row

Measure = Callable[[str], int]
"""The length of a text, in tokens or words."""


@dataclass
class Amount:
    """The rows of one form and split.

    Attributes:
        prompt: tokens or words that are read.
        reply: likewise, that are learned.
        longest: of prompt and reply together, in one row.
        categories: rows by category.
        duplicates: rows that said the same as an earlier one, and were left out.
    """

    rows: int = 0
    prompt: int = 0
    reply: int = 0
    longest: int = 0
    duplicates: int = 0
    after_refusal: int = 0
    categories: Counter[str] = field(default_factory=Counter)

    def add(self, row: Row, measure: Measure) -> None:
        """Count a row."""
        prompt, reply = _lengths(row, measure)
        self.rows += 1
        self.prompt += prompt
        self.reply += reply
        self.longest = max(self.longest, prompt + reply)
        self.after_refusal += bool(row.get("after_refusal"))
        self.categories[row.get("category", "")] += 1


@dataclass
class ExportCounts:
    """A whole export.

    Attributes:
        episodes: taken, by category.
        left: episodes that were left out, by reason.
        problems: what could not be played or read, a line each.
        amounts: by form and split.
    """

    episodes: Counter[str] = field(default_factory=Counter)
    scenes: set[str] = field(default_factory=set)
    left: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    amounts: dict[tuple[str, str], Amount] = field(default_factory=dict)

    def amount(self, form: str, split: str) -> Amount:
        """That of a form and split, none at first."""
        return self.amounts.setdefault((form, split), Amount())

    @property
    def rows(self) -> int:
        """Of all forms and splits."""
        return sum(amount.rows for amount in self.amounts.values())


def words(text: str) -> int:
    """Number of words, the length of a text without a tokenizer."""
    return len(text.split())


def _lengths(row: Row, measure: Measure) -> tuple[int, int]:
    """Lengths of the prompt and of the supervised replies of a row."""
    if "messages" in row:
        taught = iter(row["supervised"])
        reply = prompt = 0
        for message in row["messages"]:
            length = measure(message["content"])
            if message["role"] == "assistant" and next(taught):
                reply += length
            else:
                prompt += length
        return prompt, reply
    if "output" in row:
        return measure(row["system"]) + measure(row["instruction"]), measure(row["output"])
    asked = sum(measure(message["content"]) for message in row["prompt"])
    return asked, sum(measure(message["content"]) for message in row["completion"])
