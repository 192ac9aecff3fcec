"""The order of rows: batches of about one length, themselves in any order."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

_POOL = 32
"""Batches that are made from one handful of rows: more would sort better and mix less."""


class LengthBatches:
    """Indices of rows, batch after batch, another order for every epoch.

    Sorting by length alone would teach short rows and long ones in turns.
    """

    def __init__(self, lengths: Sequence[int], batch: int, seed: int) -> None:
        """Prepare to order rows.

        Args:
            lengths: of all rows, in tokens.
            batch: rows that are put together.
            seed: decides the order.
        """
        self._lengths = lengths
        self._batch = batch
        self._seed = seed
        self._epoch = 0

    def __len__(self) -> int:
        return len(self._lengths)

    def set_epoch(self, epoch: int) -> None:
        """Say which epoch comes next, counted from 0."""
        self._epoch = epoch

    def __iter__(self) -> Iterator[int]:
        draw = random.Random(f"rows/{self._seed}/{self._epoch}")
        order = list(range(len(self._lengths)))
        draw.shuffle(order)
        handful = _POOL * self._batch
        batches: list[list[int]] = []
        for start in range(0, len(order), handful):
            rows = sorted(order[start : start + handful], key=lambda row: self._lengths[row])
            batches += [rows[at : at + self._batch] for at in range(0, len(rows), self._batch)]
        # What fills no batch comes last, so that all others stay whole.
        rest = [batch for batch in batches if len(batch) < self._batch]
        whole = [batch for batch in batches if len(batch) == self._batch]
        draw.shuffle(whole)
        return (row for batch in (*whole, *rest) for row in batch)
