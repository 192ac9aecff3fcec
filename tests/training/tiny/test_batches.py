"""Rows in batches of about one length, every row once, another order for every epoch."""

import random
from itertools import pairwise

import pytest

for name in ("torch", "transformers", "trl"):
    pytest.importorskip(name, reason="the extra `train` is not installed")

from tiny_model.trainer import LengthBatches  # noqa: E402

LENGTHS = [random.Random(row).randint(5, 500) for row in range(1_003)]


def batches(found: LengthBatches, size: int = 8) -> list[list[int]]:
    order = list(found)
    return [order[at : at + size] for at in range(0, len(order), size)]


def test_every_row_comes_once():
    assert sorted(LengthBatches(LENGTHS, 8, seed=1)) == list(range(len(LENGTHS)))


def test_rows_of_a_batch_are_of_about_one_length():
    spreads = []
    for batch in batches(LengthBatches(LENGTHS, 8, seed=1)):
        lengths = [LENGTHS[row] for row in batch]
        spreads.append(max(lengths) - min(lengths))
    assert sum(spreads) / len(spreads) < 40


def test_long_and_short_batches_come_in_no_order():
    means = [LENGTHS[batch[0]] for batch in batches(LengthBatches(LENGTHS, 8, seed=1))]
    rising = sum(later > earlier for earlier, later in pairwise(means))
    assert 0.35 < rising / len(means) < 0.65


def test_an_order_depends_on_seed_and_epoch_alone():
    found = LengthBatches(LENGTHS, 8, seed=1)
    first, again = list(found), list(found)
    assert first == again == list(LengthBatches(LENGTHS, 8, seed=1))
    assert first != list(LengthBatches(LENGTHS, 8, seed=2))
    found.set_epoch(1)
    assert list(found) != first
