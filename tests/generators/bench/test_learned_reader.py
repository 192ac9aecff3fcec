"""How far word statistics go with what is needed: the figure of the page."""

from itertools import islice

import pytest

pytest.importorskip("scipy")

from docs.figures.learned_reader import _weigh, passages_of, unlearned
from docs.figures.needed_texts import text_of
from earsim import open_suite


@pytest.fixture(scope="module")
def texts():
    some = (text_of(scenario) for scenario in islice(open_suite("earsim-bench-2-language"), 6))
    return [text for text in some if text is not None]


def test_each_text_has_five_needs_of_six_sets(texts):
    assert texts
    for text in texts:
        assert len(text.meant) == 5
        assert len(text.numbers) == 6
        assert len(passages_of(text, unlearned())) == 5


def test_sentences_about_things_alike_are_told_apart(texts):
    compared = [features.get("compared") for text in texts for features in text.told]
    assert 0 < sum(map(bool, compared)) < len(compared) / 2


def test_rare_words_have_a_weight_in_common_and_nothing_else_has():
    weights = {"first": 2.0, "word:": 0.5, "word:lamp": 1.0}
    assert _weigh({"word:lamp": 1.0, "word:crane": 1.0}, weights) == 1.5
    assert _weigh({"begins:the": 1.0, "first name": 1.0}, weights) == 0.0
