"""Every verb is known to whatever reasons about verbs, or is refused there by its name."""

import pytest

from earsim.certificates.connectivity import unreachable_rooms
from earsim.engine import Engine
from earsim.errors import UsageError
from earsim.evaluation.policies import make_policy
from earsim.evaluation.runner import play
from earsim.planner import known_verbs, least_commands, plan
from earsim.planner.pddl.export import export
from earsim.rulesets import RULESETS
from earsim.schema import parse
from earsim.suites import open_suite
from tests.physical.naive import Naive


@pytest.fixture(scope="module")
def scenarios():
    return list(open_suite("starter"))


@pytest.fixture(scope="module")
def scenario(scenarios):
    return next(each for each in without_time(scenarios) if len(each.agents) == 1)


def without_time(scenarios):
    """Those in which no number changes by itself: the twin and PDDL know no others."""
    return [each for each in scenarios if Engine(each).blueprint.live is None]


def unlearn(monkeypatch, verb):
    monkeypatch.setattr(known_verbs, "PLANNED", known_verbs.PLANNED - {verb})


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_verb_of_every_ruleset_is_known_to_the_planner(scenarios, ruleset):
    for each in scenarios:
        assert known_verbs.unknown_verbs(Engine(each, ruleset)) == []


def test_the_planner_knows_no_verb_that_there_is_not(scenarios, scenario):
    task = scenario.task.model_copy(update={"right_claim": "done"})
    declinable = scenario.model_copy(update={"task": task})
    verbs = {verb for each in (*scenarios, declinable) for verb in Engine(each).verbs}
    assert verbs >= known_verbs.PLANNED | known_verbs.NEVER_NEEDED


@pytest.mark.parametrize("ask", [plan, least_commands, export])
def test_a_verb_that_it_does_not_know_is_refused_by_name(scenario, monkeypatch, ask):
    unlearn(monkeypatch, "RELEASE")
    with pytest.raises(UsageError, match="does not know the verb RELEASE of physical/2"):
        ask(Engine(scenario))


def test_what_does_not_plan_goes_on(scenario, monkeypatch):
    unlearn(monkeypatch, "RELEASE")
    assert play(scenario, make_policy("walkthrough"), name="walkthrough").result.success_final


def test_the_naive_twin_knows_every_verb(scenarios):
    for each in without_time(scenarios):
        assert set(Naive(each).verbs) == set(Engine(each).verbs)


def test_where_a_verb_is_unknown_no_room_is_called_shut(monkeypatch):
    text = (
        "schema: earsim.scene/1\nid: cell\nrooms: [{id: hall}, {id: cell}]\n"
        "doors: [{id: gate, between: [hall, cell], states: {is_open: false, is_locked: true}}]\n"
        "objects: []\ntasks:\n  - {id: out, category: direct_command, instruction: Leave.,\n"
        "     agents: [{id: eva, max_mass_kg: 9}], goal: {all: [{inside_room: {object: eva, room: "
        "cell}}]}}\n"
    )
    (scenario,) = parse(text).scenarios()
    assert [finding.reason for finding in unreachable_rooms(scenario)]
    unlearn(monkeypatch, "RELEASE")
    assert [finding.reason for finding in unreachable_rooms(scenario)] == []
