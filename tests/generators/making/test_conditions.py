"""Tasks with conditions: proved, played by `expert`, and missed by who does not heed them."""

import math
import re
from collections import Counter

import pytest

from earsim.certificates.validation import check_scenario
from earsim.engine import Engine
from earsim.errors import UsageError
from earsim.goals.selectors import matching
from earsim.planner.proofs.certificate import recheck, staleness
from earsim.schema import AllOf, At, InsideRoom
from earsim.schema.certificate import ClaimShown
from earsim.schema.goal import By, CountOf, Exactly, NeverHolds, Trips
from earsim.schema.goal_tree import nodes
from earsim.schema.selector import Only
from earsim_generators import GenerationSettings, generate
from earsim_generators.conditions import (
    BUDGET_RATIO,
    CONDITIONS,
    ExpertPlay,
    expert_play,
    is_missed_by,
    is_won_without,
    play,
    within_budget,
)
from earsim_generators.conditions.condition_task import Shortcut
from earsim_generators.conditions.declining import DECLINING
from earsim_generators.language.object_names import SceneNaming
from earsim_generators.presets import PRESETS

pytestmark = pytest.mark.slow  # generating and playing takes a minute

KINDS = PRESETS["conditions"].conditions


@pytest.fixture(scope="module")
def made():
    """Three of each kind, and two to be declined."""
    return [*generate(GenerationSettings(n=20, seed=7, preset="conditions"))]


@pytest.fixture(scope="module")
def heeded(made):
    """Those that can be done."""
    return [one for one in made if one.scenario.task.right_claim == "done"]


def test_every_kind_is_made_as_often_and_a_tenth_is_to_be_declined(made):
    assert set(CONDITIONS) == {*KINDS, *DECLINING}
    assert Counter(one.quota.label for one in made) == Counter(KINDS)
    assert Counter(one.scenario.task.right_claim for one in made) == {
        "done": 18,
        "impossible": 1,
        "unclear": 1,
    }


def test_every_task_lets_agents_decline_and_no_sentence_says_that_one_should(made):
    assert all(one.scenario.task.right_claim for one in made)
    for one in made:
        told = one.scenario.task.instruction.casefold()
        assert "report" not in told
        assert "{" not in told


def test_every_task_is_proved_and_sound(made):
    for one in made:
        certificate, scenario = one.certificate, one.scenario
        assert not staleness(certificate, scenario)
        assert not certificate.goal_at_start
        declined = scenario.task.right_claim != "done"
        assert (certificate.claim is not None) is declined
        if certificate.claim is not None:
            assert certificate.claim.shown is ClaimShown.PROVED
        assert (certificate.solution.found == "plan") is (one.quota.label != "impossible")
        assert list(recheck(certificate, scenario)) == []
        assert list(check_scenario(scenario)) == []


def test_the_budget_is_half_as_much_again_as_the_expert_needs(made):
    for one in made:
        told = one.scenario.provenance["condition"]
        assert told["budget_per_decision_of_expert"] == 1.5
        assert one.scenario.task.budget == -(-3 * told["expert"] // 2)
        declined = one.scenario.task.right_claim != "done"
        assert told["missed_by"] in ([[]] if declined else [["all"], ["as_told"], ["one_by_one"]])


def test_the_expert_can_be_asked_again(made):
    for one in made[:6]:
        played = expert_play(one.scenario)
        expected = one.scenario.provenance["condition"]["expert"]
        assert (played.won, played.decisions) == (True, expected)


@pytest.mark.parametrize(("least", "is_bound"), [(15, True), (16, False)])
def test_the_expert_has_to_win_the_same_way_when_the_budget_binds(
    made, monkeypatch, least, is_bound
):
    played = ExpertPlay(True, ({},) * 10, 90.0, least)
    monkeypatch.setattr(play, "expert_play", lambda scenario: played)
    found = within_budget(made[0].scenario)
    assert (found is not None) is is_bound
    assert found is None or found.scenario.task.budget == math.ceil(BUDGET_RATIO * 10)


def test_with_the_least_budget_an_episode_is_the_same(made):
    for one in made[:6]:
        played = expert_play(one.scenario)
        task = one.scenario.task.model_copy(update={"budget": played.least_budget})
        assert expert_play(one.scenario.model_copy(update={"task": task})) == played


def test_every_kind_has_its_condition(made):
    asked = {kind: set() for kind in KINDS}
    for one in made:
        asked[one.quota.label] |= {type(node) for node in nodes(one.scenario.task.goal)}
    assert Exactly in asked["exactly"]
    assert CountOf in asked["count"]
    assert NeverHolds in asked["apart"]
    assert Trips in asked["one_trip"]
    assert By in asked["deadline"]


def test_a_description_fits_one_thing_and_does_not_name_it(heeded):
    described = 0
    for one in heeded:
        engine = Engine(one.scenario)
        for name, selector in one.scenario.task.select.items():
            if isinstance(selector, Only) and selector.only.name is None:
                answer = engine.task.answer[name]
                assert matching(selector.only, engine.start(), engine.task.answer) == [answer]
                told = one.scenario.task.instruction.casefold()
                own = engine.blueprint.name(answer).casefold()
                if not any(own in other for other in _longer_names(engine, own)):
                    assert re.search(rf"\b{re.escape(own)}\b", told) is None
                described += 1
    assert described > 5


def test_what_is_named_goes_by_words_that_fit_nothing_else(heeded):
    named = 0
    for one in heeded:
        if one.quota.label in ("exactly", "count"):  # which speak of many
            continue
        scene, told = one.scenario.scene, one.scenario.task.instruction.casefold()
        naming, names = SceneNaming(scene), Counter(thing.name for thing in scene.objects)
        goal = one.scenario.task.goal.model_dump_json()
        for thing in scene.objects:
            if f'"{thing.id}"' not in goal:
                continue
            called = naming.called(thing.id)
            assert called is not None
            assert called.text.casefold() in told or called.before_a_place.casefold() in told
            assert names[thing.name] == 1 or called.place is not None
            named += 1
    assert named > 5


def _longer_names(engine, own):
    names = {engine.blueprint.name(node).casefold() for node in engine.blueprint.ids()}
    return names - {own}


def test_a_plan_that_heeds_the_condition_is_no_shortcut(heeded):
    for one in heeded:
        plan = one.certificate.solution.plan
        commands = tuple(said for decision in plan for said in decision.values())
        scenario = one.scenario
        assert not is_missed_by(scenario, Shortcut("plan", scenario.task.goal, commands))
        assert not is_missed_by(scenario, Shortcut("nothing", scenario.task.goal, ()))


def test_what_a_shortcut_must_do_to_be_missed(made):
    one = next(one for one in made if one.quota.label == "one_trip")
    *done, _ = one.scenario.task.goal.all
    assert not is_missed_by(one.scenario, Shortcut("idle", done[0], ()))


def test_who_is_told_no_condition_has_to_miss_it(heeded):
    order, one_trip = (
        next(one.scenario for one in heeded if one.quota.label == kind)
        for kind in ("order", "one_trip")
    )
    without = {
        scenario.id: AllOf(
            all=tuple(
                [part for part in scenario.task.goal.all if isinstance(part, At | InsideRoom)]
            )
        )
        for scenario in (order, one_trip)
    }
    assert not is_won_without(order, [Shortcut("as_told", without[order.id], ())])
    assert is_won_without(order, [Shortcut("heeded", order.task.goal, ())])
    assert is_won_without(one_trip, [Shortcut("one_by_one", without[one_trip.id], ())])
    by_one = Shortcut("one_by_one", without[one_trip.id], (), is_best=False)
    assert not is_won_without(one_trip, [by_one])


def test_its_kinds_decide_about_categories_and_difficulty():
    for given in ({"categories": ("tool_use",)}, {"bands": ("easy",)}, {"ruleset": "ear-bench"}):
        with pytest.raises((UsageError, ValueError), match="conditions"):
            GenerationSettings(preset="conditions", **given)


def test_the_same_settings_give_the_same_bytes():
    settings = GenerationSettings(n=6, seed=3, preset="conditions")
    assert [one.line for one in generate(settings)] == [one.line for one in generate(settings)]
