"""Goals about many things: each, so many, exactly these, unchanged, contents."""

from __future__ import annotations

import json
from typing import Any

import pytest

from earsim.certificates.validation import check_scenario
from earsim.engine import Engine
from earsim.episode import Episode
from earsim.errors import UsageError
from earsim.goals import grounding
from earsim.goals.grounding import number_of_parts, start_of
from earsim.planner import Impossible, Plan, plan
from earsim.planner.acting.expert import Expert
from earsim.planner.pddl.export import export
from earsim.planner.proofs.certificate import certify
from earsim.render.words.goals import goal_lines
from earsim.schema import AllOf, AnyOf, Scenario, SceneFile, parse
from earsim.schema.certificate import ClaimShown
from earsim.schema.goal import HasState, HeldBy
from earsim.schema.goal_tree import FALSE, TRUE
from earsim.world import Location, World

YARD = """\
schema: earsim.scene/1
id: yard
perceived_by: {mass_kg: seen}
rooms: [{id: yard, name: Yard, connects: [barn]}, {id: barn, name: Barn}]
objects:
  - {id: cart, name: Cart, kind: furniture, in: yard, mass_kg: 30}
  - {id: sack_a, name: Sack, kind: item, in: yard, mass_kg: 2, states: {is_open: false}}
  - {id: sack_b, name: Sack, kind: item, in: barn, mass_kg: 3, states: {is_open: false}}
  - {id: sack_c, name: Sack, kind: item, on: cart, mass_kg: 4, states: {is_open: false}}
  - {id: crate, name: Crate, kind: item, in: barn, mass_kg: 1, container: {}}
  - {id: bell, name: Bell, kind: item, in: crate, mass_kg: 1}
abilities: [open, close]
tasks:
  - {id: do, category: direct_command, agents: [{id: ada, max_mass_kg: 20}], select: SELECT,
     goal: GOAL, instruction: Do it.}
"""
ON_CART = {"at": {"object": "$each", "on": "cart"}}
SACKS = {"name": "Sack"}
HEAVIEST = {"it": {"largest": "mass_kg", "among": SACKS}}
EACH = {"each": {"among": SACKS, "goal": ON_CART}}
EXACTLY = {"exactly": {"these": ["sack_a"], "among": SACKS, "goal": ON_CART}}


def scenario(goal: Any, select: Any = None) -> Scenario:
    text = YARD.replace("GOAL", json.dumps(goal)).replace("SELECT", json.dumps(select or {}))
    found = parse(text)
    assert isinstance(found, SceneFile)
    return found.scenarios()[0]


def engine(goal: Any, select: Any = None) -> Engine:
    return Engine(scenario(goal, select))


def moved(world: World, *things: str, to: tuple[str, str] = ("on", "cart")) -> World:
    for thing in things:
        world.location[thing] = Location(*to)
    return world


@pytest.mark.parametrize(
    ("goal", "on_cart", "holds"),
    [
        (EACH, ("sack_a",), False),
        (EACH, ("sack_a", "sack_b"), True),
        ({"count": {"among": SACKS, "goal": ON_CART, "at_least": 2}}, (), False),
        ({"count": {"among": SACKS, "goal": ON_CART, "at_least": 2}}, ("sack_b",), True),
        ({"count": {"among": SACKS, "goal": ON_CART, "equals": 2}}, ("sack_a", "sack_b"), False),
        ({"count": {"among": SACKS, "goal": ON_CART, "equals": 2}}, ("sack_a",), True),
        ({"count": {"among": SACKS, "goal": ON_CART, "at_most": 1}}, ("sack_a",), False),
        (EXACTLY, ("sack_a",), True),
        (EXACTLY, ("sack_a", "sack_b"), False),
        ({"contents": {"of": "cart", "at_least": 2}}, ("bell",), True),
        ({"contents": {"of": "cart", "at_least": 2, "among": SACKS}}, ("bell",), False),
        ({"contents": {"of": "cart", "at_most": 1}}, ("bell",), False),
        ({"contents": {"of": "cart", "relation": "in", "at_most": 0}}, ("bell",), True),
        ({"unchanged": {"object": "bell"}}, (), True),
        ({"unchanged": {"object": "bell"}}, ("bell",), False),
    ],
)
def test_what_holds(goal, on_cart, holds):
    rules = engine(goal)
    assert rules.task.goal.holds(moved(rules.start(), *on_cart)) is holds


def test_what_is_as_it_was_has_its_states_and_its_place():
    rules = engine({"unchanged": {"object": "sack_a"}})
    world = rules.start()
    world.set_state("sack_a", "is_open", True)
    assert not rules.task.goal.holds(world)
    world.set_state("sack_a", "is_open", False)
    assert rules.task.goal.holds(world)
    assert not rules.task.goal.holds(moved(world, "sack_a", to=("held", "ada")))


def test_what_is_in_a_hand_at_first_is_as_it_was_while_it_is_there():
    start = moved(engine(EACH).start(), "sack_a", to=("held", "ada"))
    held, shut = start_of(start, "sack_a").all
    assert held == HeldBy(held_by={"object": "sack_a", "agent": "ada"})
    assert shut == HasState(has_state={"object": "sack_a", "state": "is_open", "equals": False})


def test_candidates_are_those_of_the_start():
    """What was in the barn counts although it is there no more; what is brought there does not."""
    rules = engine({"each": {"among": {"name": "Sack", "inside_room": "barn"}, "goal": ON_CART}})
    assert rules.task.goal.holds(moved(rules.start(), "sack_b"))


def test_exactly_these_may_be_what_selectors_pick():
    rules = engine({"exactly": {"these": ["$it"], "among": SACKS, "goal": ON_CART}}, HEAVIEST)
    assert rules.task.goal.holds(rules.start())
    assert not rules.task.goal.holds(moved(rules.start(), "sack_b"))


def test_one_thing_may_be_about_another():
    """No sack has anything on it; the inner filter may speak of the outer thing."""
    empty = {"contents": {"of": "$each", "at_most": 0}}
    rules = engine({"each": {"among": SACKS, "goal": empty}})
    assert rules.task.goal.holds(rules.start())
    assert not rules.task.goal.holds(moved(rules.start(), "bell", to=("on", "sack_b")))


def test_a_filter_within_may_speak_of_the_thing_outside():
    """Whatever is in a crate is in the barn."""
    within = {"inside_room": {"object": "$each", "room": "barn"}}
    inner = {"each": {"among": {"in": "$each"}, "goal": within}}
    rules = engine({"each": {"among": {"name": "Crate"}, "goal": inner}})
    assert rules.task.goal.holds(rules.start())
    assert not rules.task.goal.holds(moved(rules.start(), "crate", to=("in", "yard")))


def test_contents_may_be_those_of_what_a_selector_picks():
    rules = engine({"contents": {"of": "$it", "at_most": 0}}, HEAVIEST)
    assert rules.task.goal.holds(rules.start())
    assert not rules.task.goal.holds(moved(rules.start(), "bell", to=("on", "sack_c")))


def test_a_goal_about_each_scores_each():
    rules = engine(EACH)
    assert (len(rules.task.goal.parts), rules.task.goal.score(rules.start())) == (3, 1)


@pytest.mark.parametrize("most", [0, 1, 2, 3, 4, float("inf")])
@pytest.mark.parametrize("least", range(5))
def test_a_number_of_parts_is_counted(least, most):
    """Against counting, for every number of true parts among four."""
    for true in range(5):
        parts = [TRUE] * true + [FALSE] * (4 - true)
        assert _value(number_of_parts(parts, least, most)) is (least <= true <= most)


def test_all_of_the_parts_are_no_choice():
    assert number_of_parts([TRUE] * 3, 3, float("inf")) == AllOf(all=(TRUE,) * 3)
    assert number_of_parts([TRUE] * 3, 1, float("inf")) == AnyOf(any=(TRUE,) * 3)
    assert number_of_parts([TRUE] * 3, 3, 3) == AllOf(all=(TRUE,) * 3), "there are no more"


def _value(goal: Any) -> bool:
    if isinstance(goal, AllOf):
        return all(map(_value, goal.all))
    if isinstance(goal, AnyOf):
        return any(map(_value, goal.any))
    return not _value(goal.not_)


def test_too_many_ways_are_refused():
    with pytest.raises(UsageError, match="counts 20 of 40, which are too many ways"):
        number_of_parts([TRUE] * 40, 20, float("inf"))


def test_nested_goals_stand_for_no_more_than_can_be_read():
    deep: Any = ON_CART
    for _ in range(9):
        deep = {"each": {"among": {}, "goal": deep}}
    with pytest.raises(UsageError, match="a tree of more than 20,000 nodes"):
        engine(deep).task.goal_tree  # noqa: B018 (a property)


def test_a_goal_stands_for_as_many_nodes_as_can_be_read(monkeypatch):
    """The one about each sack, and one about each of three sacks."""
    monkeypatch.setattr(grounding, "MOST_NODES", 4)
    assert len(engine(EACH).task.goal_tree.all) == 3
    monkeypatch.setattr(grounding, "MOST_NODES", 3)
    with pytest.raises(UsageError, match="a tree of more than 3 nodes"):
        engine(EACH).task.goal_tree  # noqa: B018 (a property)


@pytest.mark.parametrize(
    ("goal", "length"),
    [
        (EACH, 11),
        ({"count": {"among": SACKS, "goal": ON_CART, "equals": 2}}, 5),
        (EXACTLY, 5),
        ({"contents": {"of": "cart", "at_most": 0}}, 3),
        ({"contents": {"of": "crate", "at_least": 2}}, 6),
        (
            {
                "all": [
                    {"unchanged": {"object": "crate"}},
                    {"contents": {"of": "crate", "at_most": 0}},
                ]
            },
            4,
        ),
    ],
)
def test_plans(goal, length):
    found = plan(engine(goal))
    assert isinstance(found, Plan)
    assert (found.least, len(found.decisions)) == (True, length)


def test_what_excludes_itself_is_proved_impossible():
    goal = {"all": [EACH, {"contents": {"of": "cart", "at_most": 0}}]}
    assert isinstance(plan(engine(goal)), Impossible)


def by_expert(goal: Any) -> tuple[Episode, list[str]]:
    episode = Episode(engine(goal), budget=60)
    expert, said = Expert(episode.engine), []
    while not (episode.over or episode.truncated):
        commands = expert.decide(episode.world)
        said.append(commands["ada"])
        episode.step(commands)
        assert episode.last is not None
        expert.note(episode.last, episode.world)
    return episode, said


@pytest.mark.parametrize("goal", [EACH, EXACTLY, {"contents": {"of": "crate", "at_most": 0}}])
def test_the_expert_finds_what_it_is_about(goal):
    episode, _ = by_expert(goal)
    assert episode.engine.task.goal.holds(episode.world)


@pytest.mark.parametrize(
    ("goal", "looks"),
    [
        (EACH, True),
        ({"each": {"among": {**SACKS, "inside_room": "yard"}, "goal": ON_CART}}, False),
        (EXACTLY, False),
        ({"count": {"among": SACKS, "goal": ON_CART, "at_least": 2}}, False),
        ({"count": {"among": SACKS, "goal": ON_CART, "equals": 2}}, True),
    ],
)
def test_the_expert_looks_for_the_others_only_where_they_count(goal, looks):
    """What nobody has seen, nobody has touched; where all or no more count, all must be seen."""
    _, commands = by_expert(goal)
    assert ("GOTO barn" in commands) is looks


def test_pddl_knows_them():
    problem = export(engine(EACH)).problem
    assert all(f"(at sack_{letter} cart)" in problem for letter in "abc")


WORDS = {
    "of every sack: it is on Cart (cart)": EACH,
    "of Sack (sack_a): it is on Cart (cart); every other sack is as it was": EXACTLY,
    "of exactly 2, each a sack: it is on Cart (cart)": {
        "count": {"among": SACKS, "goal": ON_CART, "equals": 2}
    },
    "nothing is in or on Cart (cart)": {"contents": {"of": "cart", "at_most": 0}},
    "at least 2 things are on Cart (cart), each a sack": {
        "contents": {"of": "cart", "relation": "on", "among": SACKS, "at_least": 2}
    },
    "Bell (bell) is where and as it was at the start": {"unchanged": {"object": "bell"}},
    "never: of every sack: it is on Cart (cart)": {"never": EACH},
}


@pytest.mark.parametrize("words", WORDS)
def test_words(words):
    rules = engine(WORDS[words])
    assert goal_lines(rules.scenario.task.goal, rules.task.answer, rules.blueprint) == (words,)


FINDINGS = {
    "each: no object fits its filter": {"each": {"among": {"name": "Pig"}, "goal": ON_CART}},
    "count: 4 are asked for, and 3 fit": {
        "count": {"among": SACKS, "goal": ON_CART, "at_least": 4}
    },
    "exactly: 'bell' does not fit the filter": {
        "exactly": {"these": ["bell"], "among": SACKS, "goal": ON_CART}
    },
    "exactly: there is no other candidate": {
        "exactly": {"these": ["bell"], "among": {"name": "Bell"}, "goal": ON_CART}
    },
    "is true at the start": {"unchanged": {"object": "bell"}},
}


@pytest.mark.parametrize("reason", FINDINGS)
def test_findings(reason):
    found = check_scenario(scenario(FINDINGS[reason]))
    assert reason in [finding.reason for finding in found]


@pytest.mark.parametrize("things", [SACKS, {"name": "Pig"}])
def test_what_is_impossible_may_ask_for_more_than_there_are(things):
    task = scenario({"count": {"among": things, "goal": ON_CART, "at_least": 4}})
    assert [finding.place for finding in check_scenario(task)] == ["task.goal"]
    claims = task.task.model_copy(update={"right_claim": "impossible"})
    task = task.model_copy(update={"task": claims})
    assert not any("fit" in finding.reason for finding in check_scenario(task))
    assert certify(task).claim.shown is ClaimShown.PROVED
