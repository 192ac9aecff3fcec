"""Scorers of scientific workflow tasks, with the worked examples of their definitions."""

import itertools
import math

import numpy as np
import pytest

from earsim.evaluation.scorers.answers import exact_match, right_choice
from earsim.evaluation.scorers.embedding import TfIdf, mean_cosine, mean_pairwise_cosine
from earsim.evaluation.scorers.ideas import (
    PARTS,
    Idea,
    detailedness,
    dimension,
    effectiveness,
    feasibility,
    jaccard,
    novelty,
)
from earsim.evaluation.scorers.joint_score import WorkflowScores
from earsim.evaluation.scorers.programs import (
    ProgramRun,
    mean_execution_time,
    pass_all_at,
    smooth_execution_rate,
)
from earsim.evaluation.scorers.steps import rationale_validity, step_level_accuracy
from earsim.evaluation.scorers.votes import (
    Criterion,
    Judgement,
    Preference,
    Vote,
    agreement,
    collect,
    order_consistency,
    win_gate,
    win_share,
)

FIRST, SECOND, TIE = Preference.FIRST, Preference.SECOND, Preference.TIE


# -- answers ---------------------------------------------------------------------------------------


def test_a_list_of_numbers_matches_as_numbers_only_where_it_is_numeric():
    assert exact_match("2.23, 3.2, 10", "2.23,3.20,10", numeric=True)
    assert not exact_match("2.23, 3.2, 10", "2.23,3.20,10")
    assert exact_match(" The  Gulf Stream. ", "the gulf stream")


@pytest.mark.parametrize(
    ("answer", "right"), [("3.14159", True), ("3.1", False), ("3.14 cm", False), ("nan", False)]
)
def test_numbers_are_rounded_to_the_demanded_digits(answer, right):
    assert exact_match(answer, "3.14", numeric=True, digits=2) is right


@pytest.mark.parametrize("answer", ["", "1e999999999", "9" * 5000, "NaN", "--1"])
def test_nonsense_is_wrong_and_raises_nothing(answer):
    assert not exact_match(answer, "1", numeric=True, digits=3)


@pytest.mark.parametrize(
    ("answer", "right"), [("b", True), ("(B)", True), ("B.", True), ("a", False), ("b or c", False)]
)
def test_a_choice_is_named_by_its_letter_alone(answer, right):
    assert right_choice(answer, "B", options=4) is right


def test_an_option_that_is_not_there_is_no_choice():
    assert not right_choice("z", "z", options=4)


# -- steps -----------------------------------------------------------------------------------------

STEPS = (
    "Heat the water to 80 C",
    "Divide the mass 12.5 g by the volume",
    "The density is 1.25 g per ml",
    "Compare the density with tabulated values",
)


def test_three_steps_of_four():
    told = [
        "heat water to 80.5 C",
        "divide mass 12.5 g by the volume",
        "the density is 2.5 g per ml",
        "compare with tabulated values the density",
    ]
    assert step_level_accuracy(told, STEPS) == 0.75


def test_a_step_said_again_does_not_count_again():
    assert step_level_accuracy([STEPS[0]] * 4, STEPS) == 0.25
    assert step_level_accuracy([], STEPS) == 0


def test_a_rationale_is_valid_by_the_facts_it_states():
    facts = ["the peak lies at 340 nm", "absorbance doubles with concentration"]
    assert rationale_validity("The peak lies at 341 nm. I like blue.", facts) == 5
    assert rationale_validity("The peak lies at 500 nm.", facts) == 0
    assert rationale_validity("anything", []) == 0


# -- programs --------------------------------------------------------------------------------------


def test_programs_pass_all_tests_or_some():
    runs = [ProgramRun(passed) for passed in (5, 3, 1, 0)]
    assert [pass_all_at(k, runs) for k in (1, 3, 5)] == [0.75, 0.5, 0.25]
    assert pass_all_at(1, []) is None


def test_a_program_that_runs_smoothly_need_not_be_right():
    runs = [ProgramRun(0, seconds=2.0), ProgramRun(0, failed_to_run=True), ProgramRun(5, seconds=4)]
    assert smooth_execution_rate(runs) == pytest.approx(2 / 3)
    assert mean_execution_time(runs) == 3
    assert mean_execution_time(runs[1:2]) is None


# -- votes -----------------------------------------------------------------------------------------


class Fixed:
    def __init__(self, *said):
        self.name, self._said = "fixed", iter(said)

    def prefer(self, criterion, first, second):
        return Judgement(next(self._said))


def test_a_judge_who_always_takes_the_first_gives_half():
    votes = collect(Criterion("novelty"), "ours", "theirs", [Fixed(FIRST, FIRST)] * 1)
    assert win_share(votes) == 50
    assert order_consistency(votes) == 0


def test_three_judges_have_six_votes_and_ties_are_half():
    votes = [Vote("a", FIRST, SECOND), Vote("b", FIRST, TIE), Vote("c", SECOND, FIRST)]
    assert win_share(votes) == pytest.approx(100 * 3.5 / 6)
    assert win_gate(votes, novelty=5) == 100
    assert win_gate(votes, novelty=4) == 0
    assert win_gate(votes[2:], novelty=9) == 0
    assert order_consistency(votes) == pytest.approx(2 / 3)


def test_what_a_judge_says_without_sense_moves_nothing():
    votes = [Vote("a", FIRST, SECOND), Vote("b", FIRST, TIE), Vote("c", SECOND, FIRST)]
    mad = [Vote("d", Preference.UNREADABLE, SECOND), Vote("e", FIRST, Preference.UNREADABLE)]
    assert win_share([*votes, *mad]) == win_share(votes)
    assert order_consistency([*votes, *mad]) == order_consistency(votes)
    assert [vote.verdict for vote in mad] == ["none", "none"]
    assert win_share(mad) is win_gate(mad, novelty=9) is None
    assert dimension(8.0, mad) is None


def test_agreement_leaves_out_who_makes_no_sense():
    win, loss = (FIRST, SECOND), (SECOND, FIRST)

    def cast(*said):
        return [Vote(judge, *each) for judge, each in zip("abc", said, strict=True)]

    items = [[*cast(win, win, loss), Vote("mad", Preference.UNREADABLE, TIE)],
             [*cast(win, win, win), Vote("mad", TIE, Preference.UNREADABLE)]]  # fmt: skip
    assert agreement(items) == agreement([votes[:3] for votes in items]) is not None
    once = cast(win, (FIRST, Preference.UNREADABLE), loss)
    assert agreement([cast(win, win, loss), cast(win, win, win), once]) == agreement(
        [cast(win, win, loss), cast(win, win, win)]
    )


def test_agreement_is_that_beyond_chance():
    def cast(*said):
        return [Vote(str(at), *(each)) for at, each in enumerate(said)]

    win, loss = (FIRST, SECOND), (SECOND, FIRST)
    assert agreement([cast(win, win, win), cast(loss, loss, loss)]) == 1
    assert agreement([cast(win, loss), cast(loss, win)]) == -1
    # by hand: observed (1/3 + 1)/2 = 2/3, shares 5/6 and 1/6, expected 26/36
    assert agreement([cast(win, win, loss), cast(win, win, win)]) == pytest.approx(
        (2 / 3 - 26 / 36) / (1 - 26 / 36)
    )
    assert agreement([cast(win, win)]) is None
    assert agreement([cast(win)]) is None
    with pytest.raises(ValueError, match="same judges"):
        agreement([cast(win), cast(win, loss)])


# -- ideas -----------------------------------------------------------------------------------------


def idea_of(*edges, **parts):
    return Idea(parts, tuple(tuple(edge) for edge in edges))


def test_step_graphs_of_the_definition():
    ours, theirs = idea_of("ab", "bc", "cd"), idea_of("ab", "bd", "cd")
    assert jaccard(frozenset(ours.edges), frozenset(theirs.edges)) == 0.5
    assert feasibility(ours, theirs) == pytest.approx(10 * (0.6 * 0.5 + 0.4))
    assert feasibility(idea_of(), idea_of()) == 0


def test_effectiveness_by_keywords():
    idea = idea_of(method="Anneal the thin film at low pressure.")
    assert effectiveness(idea, ["thin film", "pressure", "laser", "anneal"]) == 7.5
    assert effectiveness(idea, ["film at", "ilm"]) == 5
    assert effectiveness(idea, []) == 0


WORKS = ["thin films grow by sputtering", "laser pulses ablate metal", "yeast ferments sugar"]


def test_a_copy_is_not_novel_and_something_else_is():
    embed = TfIdf(WORKS)
    copy = idea_of(method=WORKS[0])
    assert novelty(copy, WORKS[:1], WORKS[:1], embed) == pytest.approx(0)
    assert novelty(copy, WORKS[1:], WORKS[1:], embed) == pytest.approx(10)
    assert mean_cosine(embed, WORKS[0], WORKS[:1]) == pytest.approx(1)


def test_detailedness_counts_parts_repetition_and_length():
    embed = TfIdf([*WORKS, *PARTS])
    full = idea_of(**{part: f"{part}." + "x" * 60 for part in PARTS})
    again = idea_of(method=" ".join(["Yeast ferments sugar."] * 20))
    long = idea_of(method="w" * 5000)
    assert detailedness(full, embed) == pytest.approx(10)
    assert detailedness(again, embed) == pytest.approx(0.2 * 10 / 6 + 0.4 * 2 + 4)
    assert detailedness(long, embed) == pytest.approx(0.2 * 10 / 6 + 4)


def test_a_dimension_is_half_objective_half_votes():
    votes = [Vote("a", FIRST, SECOND)]
    assert dimension(4.0, votes) == 70
    assert dimension(4.0, votes, gate=True, novelty=3) == 20


def test_pairwise_cosine_is_that_of_all_pairs():
    embed = TfIdf(WORKS)
    texts = [*WORKS, "sputtering films of metal", "yeast and laser"]
    vectors = embed(texts)
    pairs = [float(a @ b) for a, b in itertools.combinations(vectors, 2)]
    assert math.isclose(mean_pairwise_cosine(embed, texts), float(np.mean(pairs)))
    assert mean_pairwise_cosine(embed, texts[:1]) == 0


# -- joint score -----------------------------------------------------------------------------------


def test_the_score_is_the_mean_of_five_families():
    assert WorkflowScores(20, (40, 40, 40, 40), 30, 50, 30, 40).score == 34
    assert WorkflowScores(20, (40, 40, 40, 40), 30, 50, 30).score is None
    assert WorkflowScores(20, (40, 40), 30, 50, 30, 40).score is None


def test_the_printed_row_leaves_what_the_definition_says():
    """SGI's best printed row: 33.83 from three known families leaves 72.11 for idea and wet."""
    assert pytest.approx(72.11) == 5 * 33.83 - 18.48 - 36.64 - 41.92
    assert WorkflowScores(18.48, (55.4,) * 4, 36.64, 0, 2 * (72.11 - 55.4), 41.92).score == (
        pytest.approx(33.83)
    )
