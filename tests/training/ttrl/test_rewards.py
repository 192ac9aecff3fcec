"""Rewards of test-time reinforcement learning, and what they cannot be talked into."""

import json
from pathlib import Path

import pytest

from earsim import open_suite
from earsim.errors import FileError
from earsim.evaluation.scorers.embedding import TfIdf
from earsim_training.ttrl.rewards import (
    Novelty,
    PlanReward,
    answer_of,
    calibrated,
    format_reward,
    innovation,
    passing,
)
from earsim_training.ttrl.works import OpenQuestion, Work, WorkIndex, read_records

GOOD = "<think>why</think><answer>an idea</answer>"


@pytest.mark.parametrize(
    "reply", [GOOD, f"\n{GOOD}\n", "<think>a\nb</think>\n<answer>c\n</answer>"]
)
def test_one_thought_and_then_one_answer_is_the_form(reply):
    assert format_reward(reply) == 1


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "an idea",
        "<answer>an idea</answer>",
        "<think>why</think>",
        "<answer>an idea</answer><think>why</think>",
        f"Sure! {GOOD}",
        f"{GOOD} And more.",
        GOOD + GOOD,
        "<think>a</think><think>b</think><answer>c</answer>",
        "<think>a</think><answer>b</answer><answer>c</answer>",
        "<think><answer>a</answer></think><answer>b</answer>",
        "<think>a</think><answer> </answer>",
        "<think></think><answer>b</answer>",
        "<think>a<answer>b</answer>",
        "<THINK>a</THINK><answer>b</answer>",
    ],
)
def test_nothing_else_is(reply):
    assert format_reward(reply) == 0
    assert answer_of(reply) is None


@pytest.mark.parametrize(("similarity", "novel"), [(0.499, True), (0.5, False), (0.0, True)])
def test_innovation_must_pass_five(similarity, novel):
    assert (innovation(similarity) > 5) is novel
    assert innovation(0.499) == pytest.approx(5.01)
    assert innovation(-0.3) == 10


@pytest.fixture(scope="module")
def corpus():
    works = read_records(Path("works.jsonl"), Work)
    return WorkIndex(works, TfIdf([work.words for work in works]))


def test_a_known_work_is_less_novel_than_other_words(corpus):
    novelty = Novelty(corpus)
    known = corpus.works[3].words
    assert novelty.innovation(known) < novelty.innovation("perovskite sails for yeast")
    assert novelty("  ") == 0


def test_a_threshold_is_calibrated_to_a_share_of_works(corpus):
    found = calibrated(corpus, nearest=4, pass_rate=0.5)
    assert found.works == len(corpus.works)
    assert found.pass_rate == pytest.approx(0.5, abs=1 / found.works)
    assert passing(corpus, nearest=4, threshold=found.threshold) == found.pass_rate
    assert calibrated(corpus, nearest=4, pass_rate=0.25).threshold > found.threshold


def test_syllables_that_no_work_has_are_no_idea(corpus):
    assert Novelty(corpus, threshold=0.0)("flurb gnarl") == 0


def test_what_is_off_the_question_is_novel_unless_relevance_is_asked_for(corpus):
    question = "How could bacteria in biofilms be made to betray themselves to a drug?"
    assert Novelty(corpus, threshold=8.0)("sleep flow gravel", question) == 1
    strict = Novelty(corpus, threshold=8.0, relevance=0.05)
    assert strict("sleep flow gravel", question) == 0
    assert strict("lasers and magnets betray sleepers to a drug", question) == 1


SCENARIO = "bicycle_workshop/guest_book_to_the_bench"


def test_a_plan_is_paid_when_it_reaches_the_goal():
    scenario = open_suite("starter").load(SCENARIO)
    agent = scenario.agents[0].id
    steps = [step if isinstance(step, str) else step[agent] for step in scenario.task.walkthrough]
    plan = "\n".join(steps)
    pay = PlanReward(scenario)
    assert pay(f"Do this: <plan>\n{plan}\n</plan>") == 1
    assert pay(f"<plan>{steps[0]}</plan>") == 0
    assert pay(plan) == 0
    assert pay("<plan>" + "WAIT\n" * 10_000 + "</plan>") == 0
    assert pay("<plan>\ud800\x00; rm -rf /</plan>") == 0


def test_the_plan_of_an_idea_is_paid_for_what_the_ocean_does_and_not_for_what_is_said():
    scenario = open_suite("laboratory").load("ocean_office/keep_it_sinking")
    steps = [step for step in scenario.task.walkthrough if isinstance(step, str)]
    acts = [step for step in steps if not step.startswith("SAY")]
    pay = PlanReward(scenario)

    def plan(lines):
        return "<plan>\n" + "\n".join(lines) + "\n</plan>"

    assert pay(plan(acts)) == 1
    assert pay(plan([step.replace("A_R=2500", "A_R=1200") for step in acts])) == 0
    assert pay(plan([step for step in steps if step.startswith("SAY")])) == 0


def test_a_broken_line_is_named(tmp_path):
    path = tmp_path / "works.jsonl"
    path.write_text(json.dumps({"id": "a", "text": "b"}) + "\n{", encoding="utf-8")
    with pytest.raises(FileError, match=r"works\.jsonl:2"):
        read_records(path, Work)
    path.write_text(json.dumps({"id": "a", "txt": "b"}), encoding="utf-8")
    with pytest.raises(FileError, match="txt"):
        read_records(path, Work)
    path.write_text("\n", encoding="utf-8")
    with pytest.raises(FileError, match="no records"):
        read_records(path, OpenQuestion)
