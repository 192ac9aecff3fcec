"""Family `figures`: what is asked stands in the figures, and not anywhere else."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest

from earsim import Engine, Episode
from earsim.planner.proofs.certificate import recheck
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.schema.scenario import Scenario, SceneFile
from earsim_generators import GenerationSettings, generate
from earsim_generators.families.figures import ASKED, FIGURE_QUESTIONS, figures
from earsim_generators.families.figures.question import Curve, FigureQuestion, screen_scene

LEVEL_OF = {name: level for level, names in ASKED.items() for name in names}
EACH = [(name, seed) for name in FIGURE_QUESTIONS for seed in range(5)]


@cache
def posed(name: str, seed: int) -> tuple[FigureQuestion, Scenario]:
    """The question of a seed, and its task."""
    drawn: list[FigureQuestion] = []

    def draw(rng: Random) -> FigureQuestion | None:
        found = FIGURE_QUESTIONS[name](rng)
        if found is not None:
            drawn.append(found)
        return found

    fields = screen_scene(Random(f"{name} {seed}"), LEVEL_OF[name], draw)
    (scenario,) = validated(Document("drawn", fields), SceneFile).scenarios()
    return drawn[-1], scenario


def screen(scenario: Scenario) -> Any:
    (thing,) = [each for each in scenario.scene.objects if each.apparatus is not None]
    return thing


def decisions(scenario: Scenario) -> list[dict[str, str]]:
    """The walkthrough, a command of each who gives one."""
    alone = scenario.agents[0].id
    said = scenario.task.walkthrough
    return [{alone: each} if isinstance(each, str) else dict(each) for each in said]


def commands(scenario: Scenario) -> list[str]:
    return [next(iter(each.values())) for each in decisions(scenario)]


def won(scenario: Scenario, *, submits: str = "", without: Sequence[str] = ()) -> bool:
    """Whether the walkthrough wins with another answer, or without some of its commands."""
    episode = Episode(Engine(scenario))
    for decision in decisions(scenario):
        (command,) = set(decision.values())
        if command in without:
            continue
        if submits and command.startswith("SUBMIT "):
            decision = dict.fromkeys(decision, submits)
        episode.step(decision)
    return episode.success


def submitted(question: FigureQuestion, value: float) -> str:
    words = [f"{name}={word}" for name, word in question.choice.items()]
    return " ".join(("SUBMIT", *words, f"value={value}"))


# -- curves ----------------------------------------------------------------------------------------


def test_a_curve_is_straight_between_its_points():
    curve = Curve("c", ((0.0, 4.0), (2.0, 8.0), (4.0, 0.0)))
    assert [curve.at(t) for t in (0.0, 1.0, 3.0)] == [4.0, 6.0, 4.0]
    assert curve.passes(6.0) == [1.0, 2.5]
    assert curve.passes(9.0) == []
    assert curve.area(0.0, 4.0) == 20.0
    assert curve.area(1.0, 3.0) == 13.0
    assert curve.at(5.0) != curve.at(5.0)


# -- who wins --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), EACH)
def test_the_walkthrough_wins_and_an_answer_beyond_what_is_allowed_does_not(name, seed):
    question, scenario = posed(name, seed)
    assert won(scenario)
    for beyond in (-1.6, 1.6):
        wrong = question.answer + beyond * question.within
        assert not won(scenario, submits=submitted(question, wrong))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), EACH)
def test_nobody_wins_by_a_guess(name, seed):
    question, scenario = posed(name, seed)
    for guess in question.guesses:
        assert not won(scenario, submits=submitted(question, guess))


@pytest.mark.parametrize(("name", "seed"), [each for each in EACH if LEVEL_OF[each[0]] == "medium"])
def test_another_letter_loses_with_the_right_number(name, seed):
    question, scenario = posed(name, seed)
    ((choice, right),) = question.choice.items()
    for letter in set("ABCD") - {right}:
        said = f"SUBMIT {choice}={letter} value={question.answer}"
        assert not won(scenario, submits=said)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), EACH)
def test_the_right_answer_without_its_figures_loses(name, seed):
    _question, scenario = posed(name, seed)
    shown = [each for each in commands(scenario) if " show figure=" in each]
    assert len(shown) == (2 if LEVEL_OF[name] == "hard" else 1)
    for left_out in shown:
        assert not won(scenario, without=[left_out])
    silent = [each for each in commands(scenario) if not each.startswith("SUBMIT ")]
    assert not won(scenario, without=silent)


@pytest.mark.parametrize(("name", "seed"), EACH)
def test_which_figures_are_asked_for_does_not_show_in_their_ids(name, seed):
    _question, scenario = posed(name, seed)
    ids = [each.id for each in screen(scenario).apparatus.figures.figures]
    assert ids == [f"figure_{number}" for number in range(1, len(ids) + 1)]
    assert len(ids) > len([each for each in commands(scenario) if " show figure=" in each])


def test_the_figures_asked_for_are_in_no_fixed_place():
    first = {
        next(e for e in commands(posed("passing", seed)[1]) if "show" in e) for seed in range(8)
    }
    assert len({each.partition("figure=")[2] for each in first}) > 1


# -- what is drawn ---------------------------------------------------------------------------------


@pytest.mark.parametrize("level", ASKED)
def test_a_seed_gives_a_scene_and_another_gives_another(level):
    assert figures(Random(1), level) == figures(Random(1), level)
    assert figures(Random(1), level) != figures(Random(2), level)


@pytest.mark.slow
def test_scenes_are_certified_and_scored_as_figures():
    made = tuple(islice(generate(GenerationSettings(seed=9, families=("figures",))), 3))
    for one in made:
        assert not list(recheck(one.certificate, one.scenario))
        workflow = one.scenario.task.workflow
        assert workflow is not None
        assert workflow.family == "figure"
        assert workflow.facts
