"""Splits: parts of a benchmark without common scenes, some of them without common words."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Split(StrEnum):
    """A part of a benchmark.

    TEST_VOCABULARY: names of objects occur in no other split. TEST_DOMAIN: its domains occur in no
    other. TEST_TIME, TEST_TALK, TEST_LANGUAGE: of benchmarks that have a preset for each; what time
    does, what a team has to tell, and what is told by what it is needed for. TEST_DECLINED and the
    like: what is to be declined, beside a part of the same words and domains; their values, which
    are in the ids of scenes, do not tell it.
    """

    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"
    TEST_VOCABULARY = "test_vocabulary"
    TEST_DOMAIN = "test_domain"
    TEST_TIME = "test_time"
    TEST_TALK = "test_talk"
    TEST_LANGUAGE = "test_language"
    TEST_DECLINED = "test_beside"
    TEST_VOCABULARY_DECLINED = "test_vocabulary_beside"
    TEST_DOMAIN_DECLINED = "test_domain_beside"
    TEST_TIME_DECLINED = "test_time_beside"
    TEST_TALK_DECLINED = "test_talk_beside"
    TEST_LANGUAGE_DECLINED = "test_language_beside"


NAMES_HELD_OUT = (Split.TEST_VOCABULARY, Split.TEST_VOCABULARY_DECLINED)
DOMAINS_HELD_OUT = (Split.TEST_DOMAIN, Split.TEST_DOMAIN_DECLINED)

DECLINED_BESIDE = {
    Split.TEST: Split.TEST_DECLINED,
    Split.TEST_VOCABULARY: Split.TEST_VOCABULARY_DECLINED,
    Split.TEST_DOMAIN: Split.TEST_DOMAIN_DECLINED,
    Split.TEST_TIME: Split.TEST_TIME_DECLINED,
    Split.TEST_TALK: Split.TEST_TALK_DECLINED,
    Split.TEST_LANGUAGE: Split.TEST_LANGUAGE_DECLINED,
}
"""The split of what is to be declined, by the split beside which it is made."""

HELD_OUT_DOMAINS = ("data_centre", "museum")
"""Domains that are kept for `test_domain` and what is declined beside it."""

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
