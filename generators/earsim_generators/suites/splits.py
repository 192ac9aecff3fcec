"""Splits: parts of a benchmark without common scenes, some of them without common words."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Split(StrEnum):
    """A part of a benchmark.

    TEST_VOCABULARY: names of objects occur in no other split. TEST_DOMAIN: its domains occur in no
    other. TEST_TIME, TEST_TALK: of benchmarks that have a preset for each; what time does, and what
    a team has to tell.
    """

    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"
    TEST_VOCABULARY = "test_vocabulary"
    TEST_DOMAIN = "test_domain"
    TEST_TIME = "test_time"
    TEST_TALK = "test_talk"


HELD_OUT_DOMAINS = ("data_centre", "museum")
"""Domains that are kept for `test_domain`."""

_SHARES = {
    Split.VALIDATION: 0.1,
    Split.TEST: 0.1,
    Split.TEST_VOCABULARY: 0.05,
    Split.TEST_DOMAIN: 0.05,
}


def shared_out(n: int) -> Mapping[Split, int]:
    """Numbers of scenarios by split; what the others do not get is for training."""
    shares = {split: max(1, round(n * share)) for split, share in _SHARES.items()}
    return {Split.TRAIN: max(1, n - sum(shares.values())), **shares}
