"""Figures of agreement, against the textbook and against definitions worked out otherwise."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earsim.evaluation.scorers.agreement import cohen_kappa, fleiss_kappa
from earsim_generators.review.review import Consensus, ReviewDecision, outcome_of
from earsim_generators.review.summary import agreement_of
from tests.generators.review.rig import review, scenarios

ACCEPT, CORRECT, REJECT = ReviewDecision.ACCEPT, ReviewDecision.CORRECT, ReviewDecision.REJECT


def test_cohen_as_in_the_textbook():
    """20 both yes, 15 both no, 5 and 10 apart: observed 0.7, expected 0.5, kappa 0.4."""
    pairs = [(ACCEPT, ACCEPT)] * 20 + [(ACCEPT, REJECT)] * 5
    pairs += [(REJECT, ACCEPT)] * 10 + [(REJECT, REJECT)] * 15
    assert cohen_kappa(pairs) == pytest.approx(0.4)


def test_fleiss_by_hand():
    """Three raters: rows 3-0, 2-1, 0-3 agree by 1, 1/3, 1; shares 5/9 and 4/9."""
    rows = [Counter({ACCEPT: 3}), Counter({ACCEPT: 2, REJECT: 1}), Counter({REJECT: 3})]
    observed, expected = Fraction(7, 9), Fraction(25 + 16, 81)
    assert fleiss_kappa(rows) == pytest.approx(float((observed - expected) / (1 - expected)))


def test_where_nothing_can_be_shown_there_is_no_figure():
    assert cohen_kappa([]) is None
    assert cohen_kappa([(ACCEPT, ACCEPT)] * 9) is None
    assert fleiss_kappa([]) is None
    assert fleiss_kappa([Counter({ACCEPT: 1})]) is None
    assert fleiss_kappa([Counter({ACCEPT: 3})] * 4) is None
    nobody = agreement_of([{}, {}])
    assert (nobody.scenarios, nobody.raw, nobody.pairs) == (0, None, ())


decisions = st.sampled_from(list(ReviewDecision))


@given(st.lists(st.tuples(decisions, decisions), min_size=1, max_size=30))
def test_cohen_is_one_for_twins_and_never_more(pairs):
    kappa = cohen_kappa(pairs)
    assert kappa is None or kappa <= 1 + 1e-12
    assert kappa == (cohen_kappa([(b, a) for a, b in pairs]))
    twins = cohen_kappa([(a, a) for a, _ in pairs])
    assert twins is None or twins == pytest.approx(1)


@given(st.lists(st.dictionaries(st.sampled_from("abcd"), decisions, max_size=4), max_size=20))
def test_raw_agreement_is_the_share_of_pairs_alike(rows):
    found = agreement_of(rows)
    pairs = [pair for row in rows for pair in combinations(row.values(), 2)]
    alike = [one for one, other in pairs if one == other]
    assert found.raw == (len(alike) / len(pairs) if pairs else None)
    assert found.scenarios == sum(bool(row) for row in rows)
    assert sum(pair.agree for pair in found.pairs) == len(alike)
    assert sum(pair.scenarios for pair in found.pairs) == len(pairs)


@pytest.mark.parametrize(
    ("said", "consensus", "words"),
    [
        ([], Consensus.OPEN, None),
        (["accept"], Consensus.ACCEPTED, None),
        (["accept", "reject"], Consensus.SPLIT, None),
        (["accept", "accept", "reject"], Consensus.ACCEPTED, None),
        (["reject", "reject", "better"], Consensus.REJECTED, None),
        (["better"], Consensus.CORRECTED, "better"),
        (["accept", "better"], Consensus.SPLIT, None),
        (["better", "better", "accept", "reject"], Consensus.CORRECTED, "better"),
        (["better", "best", "accept"], Consensus.SPLIT, None),
    ],
)
def test_most_must_be_for_it_and_for_the_same_words(said, consensus, words):
    (scenario, *_) = scenarios()
    made = {}
    for number, word in enumerate(said):
        if word in ("accept", "reject"):
            made[f"r{number}"] = review(scenario, f"r{number}", word)
        else:
            made[f"r{number}"] = review(scenario, f"r{number}", "correct", instruction=word)
    assert outcome_of(made) == (consensus, words)
