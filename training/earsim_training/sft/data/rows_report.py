"""What is known of the data before hours are spent on them: counts, and one row as learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from earsim.errors import UsageError
from earsim_training.sft.data.masking import IGNORED, Encoded, token_spans
from earsim_training.sft.recipe import DataSettings


@dataclass(frozen=True, slots=True)
class RowsReport:
    """Counts of a corpus.

    Attributes:
        rows: that are learned from.
        tokens: of them.
        supervised: tokens that carry loss.
        longest: tokens of the longest row.
        too_long: rows that did not fit the context and were dropped.
        unsupervised: rows without any token to learn that were dropped.
    """

    rows: int
    tokens: int
    supervised: int
    longest: int
    too_long: int = 0
    unsupervised: int = 0

    def lines(self) -> list[str]:
        """The report as a person reads it."""
        share = self.supervised / self.tokens if self.tokens else 0.0
        mean = self.tokens / max(1, self.rows)
        counts = f"{self.rows:,} rows, {self.tokens:,} tokens, {self.supervised:,} of them learned"
        told = [
            f"{counts} ({100 * share:.1f} %)",
            f"{mean:.0f} tokens per row, longest {self.longest:,}; no row is ever cut",
        ]
        if self.too_long:
            told.append(f"{self.too_long:,} rows do not fit the context and were dropped")
        if self.unsupervised:
            told.append(f"{self.unsupervised:,} rows have nothing to learn and were dropped")
        return told


class FilteredRows(NamedTuple):
    """The rows that are left, and the report on all of them."""

    rows: list[Encoded]
    report: RowsReport


def filter_rows(encoded: Sequence[Encoded], settings: DataSettings) -> FilteredRows:
    """Leave out, or complain about, rows that cannot be learned as they are.

    Nothing is ever cut: a trajectory that is cut loses its end, which is what it is there for.

    Raises:
        UsageError: There are such rows and the recipe does not allow it, or no others.
    """
    long = [row for row in encoded if len(row.ids) > settings.context]
    if long and settings.too_long == "error":
        longest = max(len(row.ids) for row in long)
        raise UsageError(
            f"{len(long):,} of {len(encoded):,} rows are longer than the context of "
            f"{settings.context:,} tokens, the longest has {longest:,}: set data.context, or "
            "data.too_long: drop"
        )
    short = [row for row in encoded if len(row.ids) <= settings.context]
    empty = [row for row in short if not row.supervised]
    if empty and settings.unsupervised == "error":
        raise UsageError(
            f"{len(empty):,} of {len(encoded):,} rows have no token to learn: look at the chat "
            "template and the rows, or set data.unsupervised: drop"
        )
    rows = [row for row in short if row.supervised]
    if not rows:
        raise UsageError("no row is left to learn from: all are too long or have nothing to learn")
    report = RowsReport(
        rows=len(rows),
        tokens=sum(len(row.ids) for row in rows),
        supervised=sum(row.supervised for row in rows),
        longest=max(len(row.ids) for row in rows),
        too_long=len(long),
        unsupervised=len(empty),
    )
    return FilteredRows(rows, report)


def passages(row: Encoded, tokenizer: Any) -> list[tuple[str, bool]]:
    """A row as text again, cut where loss begins and ends; True for what carries loss."""
    spans = token_spans(row.ids, [label != IGNORED for label in row.labels])
    return [(tokenizer.decode(span.ids), span.learned) for span in spans]
