"""Ranking of texts: words of grammar are no reason, rare words weigh more."""

from earsim.ranking import BM25, words_of

TEXTS = (
    "You must not tell which of us should do it, nor how one can do so.",
    "The grid of the wall is fine where it has 256 cells.",
    "Bring the wall clock to the fine room.",
)


def test_words_of_grammar_are_not_searched_for():
    assert words_of("How fine must a grid be, and which should I take?") == ["fine", "grid", "take"]


def test_a_question_finds_what_it_is_about():
    found = BM25(TEXTS).search("how fine must a grid be?")
    assert [(each.at, each.words) for each in found] == [(1, ("fine", "grid")), (2, ("fine",))]
