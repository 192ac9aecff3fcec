"""Directed scenarios: their answers by hand, by brute force and by the planner; what they cover."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from earsim.actions.verb import Verb
from earsim.engine import Engine
from earsim.planner import Impossible, Plan
from earsim.rulesets import RULESETS
from earsim.world import Blueprint
from tests.planner.agreement import fault_of_replay
from tests.planner.brute_force import Commands
from tests.planner.families import families, without_check
from tests.planner.small_worlds import small_world
from tests.planner.tries import SILENT

FAMILIES = {ruleset: families(ruleset) for ruleset in RULESETS}
ALL = [
    pytest.param(family, id=f"{ruleset}: {name}")
    for ruleset, found in FAMILIES.items()
    for name, family in found.items()
]
LARGE = {
    ("physical", "who stands where it belongs is handed it"),
    ("physical", "a load for two while the third waits"),
}
"""Those over which brute force takes seconds."""

NAMES = [
    pytest.param(ruleset, name, marks=pytest.mark.slow if (ruleset, name) in LARGE else ())
    for ruleset, found in FAMILIES.items()
    for name in found
]
DECIDING = [param for param in ALL if param.values[0].decides]

NEVER_DECIDES = {
    "actors_exist issuer_exists all_awake awake are_a_team issuer_is_listed": (
        "only agents of the scenario are asked, for themselves, and nobody says DONE"
    ),
    "exists target_exists destination_exists is_complete is_here": (
        "canonical commands name what exists, say where to, and explore the own room"
    ),
    "is_object has_state has_attribute is_room all_carry_it exactly_the_carriers": (
        "the checks after it, or the effect, cannot do without"
    ),
    "a_way_leads_there a_way_is_wide_enough": "the effect cannot do without",
    "team_is_large_enough": "a later check says the same",
    "carries_something all_carriers_give_it": "a decision finds out by them who is in a team",
    "carries_it": "the effect cannot do without",
    "not_into_itself": "without it the world comes to lie inside itself",
    "in_nobodys_hands not_holding not_held_by_other destination_is_no_agent": (
        "what is in hands, and people, are out of reach besides"
    ),
    "is_free can_be_taken nothing_ties_the_hands": (
        "of states that follow and of what is connected; nothing of these worlds is either"
    ),
    "light_if_furniture light_with_contents": "light_enough says the same later",
}
"""Checks of any verb without which no plan gets shorter, and why."""

NOT_ALONE = {
    "physical": {
        ("PLACE", "is_known"): "what is in hand is known",
        ("GIVE", "is_known"): "what is in hand is known",
        ("GIVE", "is_held"): "the decision asks that itself, to find out who gives and who takes",
        ("GIVE", "is_taken"): "a decision finds out by it who gives and who takes",
        ("GIVE", "receiver_exists"): "the effect cannot do without",
        ("GIVE", "not_to_oneself"): "it would change nothing",
        ("GIVE", "free_of_lock"): "who carries it too can set it down in the same decision",
        ("RELEASE", "is_known"): "what is in hand is known",
        ("CORP_PLACE", "is_known"): "what is in hands is known",
        ("CORP_GOTO", "hands_free_to_go"): "plugged in, what several carry is of no use to a plan",
        ("CORP_GRAB", "enough_give_it"): "a decision finds out by it who is in a team",
    },
    "ear-bench": {
        ("GOTO", "free_of_lock"): "what agents stand at is no goal, and they walk together",
        ("GRAB", "free_of_lock"): "without GOTO nothing new is near",
        ("PLACE", "free_of_lock"): "without GOTO nothing new is near",
        ("EXPLORE", "free_of_lock"): "one explores before one lifts",
        ("CORP_GRAB", "free_of_lock"): "what was carried before could not be put down",
        ("CORP <attribute>", "free_of_lock"): "one changes before one lifts",
        ("GOTO", "room_or_same_room"): "whoever goes there afterwards has lost what was near",
        ("GRAB", "discovered"): "nothing unknown is ever near",
        ("GRAB", "in_same_room"): "what is near and elsewhere was in hand's reach before",
        ("CORP <attribute>", "discovered"): "in the class `plain` it is so by definition",
    },
}
"""Checks that forbid something, but never what a plan would want of that verb alone."""


@cache
def way_of(ruleset: str, name: str) -> tuple[Commands, ...] | None:
    """The decisions that brute force finds, if any lead to the goal."""
    family = FAMILIES[ruleset][name]
    engine = Engine(family.scenario)
    space = family.space(engine)
    first = space.first(engine.task.goal.holds)
    assert first is not None or space.exhausted, "too large for brute force"
    return None if first is None else tuple(space.way_to(first))


@pytest.mark.parametrize(("ruleset", "name"), NAMES)
def test_brute_force_finds_what_is_known_by_hand(ruleset, name):
    way = way_of(ruleset, name)
    assert (None if way is None else len(way)) == FAMILIES[ruleset][name].least


@pytest.mark.slow
@pytest.mark.parametrize("family", ALL)
def test_the_planner_finds_it_too(family):
    question = family.question(states=1)
    engine = Engine(question.scenario)
    result = question.ask(engine)
    if family.least is None:
        assert isinstance(result, Impossible)
        assert result.why is family.why
        return
    assert isinstance(result, Plan)
    assert fault_of_replay(question, engine, result.decisions, commands=result.commands) is None
    assert (len(result), result.bound, result.least) == (family.least, family.least, True)


@pytest.mark.slow
@pytest.mark.parametrize("family", DECIDING)
def test_without_its_check_fewer_would_do(family):
    forgetful = family.found(without_check(family.scenario, *family.decides))
    assert forgetful is not None
    assert family.least is None or forgetful < family.least


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_check_of_every_verb_decides_somewhere(ruleset):
    deciding = [family.decides for family in FAMILIES[ruleset].values() if family.decides]
    decided = {(_kind(verb), check) for verb, check in deciding}
    excused = {name for names in NEVER_DECIDES for name in names.split()}
    missing = {
        pair
        for pair in _checks(ruleset)
        if pair not in decided and pair[1] not in excused and pair not in NOT_ALONE[ruleset]
    }
    assert not missing
    assert set(NOT_ALONE[ruleset]) <= set(_checks(ruleset)) - decided


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_verb_occurs_in_a_plan(ruleset):
    used = {
        _kind(command.split()[0].upper())
        for name in FAMILIES[ruleset]
        if (ruleset, name) not in LARGE
        for decision in way_of(ruleset, name) or ()
        for command in decision.values()
    }
    assert used == {verb for verb, _ in _checks(ruleset)}


def _checks(ruleset: str) -> Iterator[tuple[str, str]]:
    """Every verb but the silent ones with each of its checks; attribute verbs are one."""
    blueprint: Blueprint = Engine(small_world(1, ruleset, agents=2)).blueprint
    verbs: dict[str, Verb] = dict(RULESETS[ruleset].verbs(blueprint))
    for verb in verbs.values():
        if verb.name not in SILENT:
            for check, _ in verb.checks:
                yield _kind(verb.name), check.name


def _kind(verb: str) -> str:
    basic = {
        "GOTO",
        "GRAB",
        "GIVE",
        "PLACE",
        "RELEASE",
        "EXPLORE",
        "CORP_GRAB",
        "CORP_GOTO",
        "CORP_PLACE",
    }
    if verb in basic:
        return verb
    return "CORP <attribute>" if verb.startswith("CORP_") else "<attribute>"
