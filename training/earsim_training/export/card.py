"""The card of an export: what is in it, how much, and where it comes from; with the counts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from earsim_training.export.rows import Row

Measure = Callable[[str], int]
"""The length of a text, in tokens or words."""

_LEARNED = {
    "decisions": "`prompt` and `completion`: one row per reply, with all that was asked before it. "
    "The loss belongs on the completion.",
    "episodes": "`messages`: one row per episode. `supervised` says of each reply, in order, "
    "whether it is to be learned; a trainer that does not look at it learns stray commands, too, "
    "where there are any.",
    "records": "`system`, `instruction`, `output`: one row per reply, in the form of the OmniEAR "
    "paper's files.",
}


def card(tally: ExportCounts, manifest: Mapping[str, Any], unit: str) -> str:
    """The text of `README.md`; its head tells the Hugging Face library which files there are."""
    return "\n".join(
        (
            *_head(manifest),
            "",
            "# Demonstrations in EAR-Sim",
            "",
            *_what(tally, manifest),
            "",
            *_amounts(tally, unit),
            "",
            *_categories(tally),
            "",
            *_left(tally),
            "## How it was made",
            "",
            "```json",
            json.dumps(manifest["settings"], indent=2, ensure_ascii=False),
            "```",
            "",
            f"From `{_plain(manifest['source'])}`, with "
            + ", ".join(f"{name} {number}" for name, number in manifest["versions"].items())
            + f". Hash of all files: `{manifest['hash']}`.",
            "",
        )
    )


def _head(manifest: Mapping[str, Any]) -> Iterator[str]:
    """Front matter: a configuration per form, a split per file."""
    files: dict[str, dict[str, str]] = {}
    for name in manifest["files"]:
        form, _, file = name.partition("/")
        split = file.rpartition(".")[0]
        if split not in files.setdefault(form, {}) or file.endswith(".parquet"):
            files[form][split] = name
    yield "---"
    yield "configs:"
    for form, splits in files.items():
        yield f"- config_name: {form}"
        yield "  data_files:"
        for split, name in splits.items():
            yield f"  - split: {split}"
            yield f"    path: {name}"
    yield "tags: [earsim, embodied-agents, text-world]"
    yield "---"


def _what(tally: ExportCounts, manifest: Mapping[str, Any]) -> Iterator[str]:
    episodes, scenes = sum(tally.episodes.values()), len(tally.scenes)
    if scenes:
        yield f"{episodes:,} episodes in {scenes:,} scenes. A scene is in one split only."
    for form in dict.fromkeys(name.partition("/")[0] for name in manifest["files"]):
        yield ""
        yield f"- **{form}** hold {_LEARNED[form]}"
    yield ""
    yield "All other columns say where a row comes from."


def _amounts(tally: ExportCounts, unit: str) -> Iterator[str]:
    yield f"| form | split | rows | {unit} read | {unit} learned | longest row | same as another |"
    yield "|---|---|---|---|---|---|---|"
    for (form, split), amount in sorted(tally.amounts.items()):
        numbers = (amount.rows, amount.prompt, amount.reply, amount.longest, amount.duplicates)
        cells = " | ".join(f"{number:,}" for number in numbers)
        yield f"| {form} | {split} | {cells} |"
    refused = sum(amount.after_refusal for amount in tally.amounts.values())
    if refused:
        yield ""
        yield f"{refused:,} of the decisions follow a refused command. Rows that are the same as"
        yield "another were left out."


def _categories(tally: ExportCounts) -> Iterator[str]:
    yield "| category | episodes |"
    yield "|---|---|"
    for category, count in sorted(tally.episodes.items()):
        yield f"| {_plain(category)} | {count:,} |"


def _left(tally: ExportCounts) -> Iterator[str]:
    reasons = dict(tally.left)
    if tally.problems:
        reasons["could not be played or read"] = len(tally.problems)
    if not reasons:
        return
    yield "| left out because | episodes |"
    yield "|---|---|"
    for reason, count in sorted(reasons.items()):
        yield f"| {reason} | {count:,} |"
    yield ""


def _plain(text: str) -> str:
    """Text of others, unable to end a cell or a line of code."""
    return "".join(c for c in text if c.isprintable() and c not in "|`<>")


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
