"""Goals over time about trips into a room, and about what is so in time."""

from __future__ import annotations

import json
from typing import Any

import pytest

from earsim import digest
from earsim.certificates.validation import check_scenario
from earsim.engine import Engine
from earsim.episode import Episode
from earsim.errors import UsageError
from earsim.evaluation.policies import make_policy
from earsim.evaluation.runner import play
from earsim.goals.over_time import trips_made
from earsim.planner import Impossible, Plan, plan
from earsim.planner.pddl.export import export
from earsim.render.words.goals import goal_lines
from earsim.schema import Scenario, parse

YARD = """\
schema: earsim.scene/1
id: yard
rooms: [{id: yard, connects: [barn]}, {id: barn, connects: [loft]}, {id: loft}]
objects:
  - {id: log_a, name: Log, kind: item, in: yard, mass_kg: 2}
  - {id: log_b, name: Log, kind: item, in: yard, mass_kg: 2}
  - {id: log_c, name: Log, kind: item, in: yard, mass_kg: 2}
  - {id: crate, kind: item, in: yard, mass_kg: 1, container: {}}
  - {id: beam, kind: item, in: yard, mass_kg: 30}
  - {id: lamp, kind: item, in: yard, mass_kg: 1}
tasks:
  - {id: do, category: direct_command, agents: AGENTS, goal: GOAL, instruction: Do it.}
"""
ADA = "[{id: ada, name: Ada, max_mass_kg: 20}]"
PAIR = "[{id: ada, name: Ada, max_mass_kg: 20}, {id: bo, name: Bo, max_mass_kg: 20}]"
LOGS = {"name": "Log"}
TRIPS = {"trips": {"room": "barn", "among": LOGS, "at_most": 1}}
IN_BARN = {"each": {"among": LOGS, "goal": {"inside_room": {"object": "$each", "room": "barn"}}}}
LAMP = {"inside_room": {"object": "lamp", "room": "barn"}}


def scenario(goal: Any, agents: str = ADA) -> Scenario:
    text = YARD.replace("GOAL", json.dumps(goal)).replace("AGENTS", agents)
    (found,) = parse(text).scenarios()
    return found


def played(goal: Any, *commands: str | dict[str, str], agents: str = ADA) -> Episode:
    episode = Episode(Engine(scenario(goal, agents)))
    for each in commands:
        episode.step({"ada": each} if isinstance(each, str) else each)
        for agent in episode.agents:
            assert episode.outcome(agent) is None or episode.outcome(agent).accepted
    return episode


def trips(episode: Episode) -> int:
    assert episode.world.timeline is not None
    made, _here = episode.world.timeline.monitors[0]
    return made


TAKE = ("EXPLORE", "GOTO log_a", "GRAB log_a")
CRATED = (*TAKE, "GOTO crate", "PLACE log_a in crate", "GRAB crate")


@pytest.mark.parametrize(
    ("commands", "made"),
    [
        ((), 0),
        (("GOTO barn",), 0),  # with nothing
        ((*TAKE, "GOTO barn"), 1),
        ((*CRATED, "GOTO barn"), 1),  # in what is carried
        ((*TAKE, "GOTO loft"), 0),  # through the barn, not into it
        ((*TAKE, "GOTO loft", "GOTO barn"), 1),
        ((*TAKE, "GOTO barn", "GOTO yard", "GOTO barn"), 2),
        ((*TAKE, "GOTO barn", "PLACE log_a in barn", "GOTO yard", "GOTO barn"), 1),
        (("EXPLORE", "GOTO lamp", "GRAB lamp", "GOTO barn"), 0),  # with what does not count
    ],
)
def test_trips_are_counted(commands, made):
    assert trips(played(TRIPS, *commands)) == made


def test_before_time_begins_no_trip_was_made():
    world = played(TRIPS).world
    assert trips_made(0, world) == 0
    assert trips_made(7, world) == 0, "no such monitor"
    world.timeline = None
    assert trips_made(0, world) == 0


def test_who_carries_one_thing_together_makes_one_trip():
    goal = {"trips": {"room": "barn", "of": ["beam"], "at_most": 1}}
    both = [dict.fromkeys(("ada", "bo"), text) for text in ("EXPLORE", "GOTO beam")]
    lift = dict.fromkeys(("ada", "bo"), "CORP_GRAB beam")
    walk = dict.fromkeys(("ada", "bo"), "CORP_GOTO barn")
    assert trips(played(goal, *both, lift, walk, agents=PAIR)) == 1


def test_two_who_come_with_a_thing_each_make_two():
    there = {"ada": "GOTO barn", "bo": "GOTO barn"}
    take = [dict(zip(("ada", "bo"), (f"{verb} log_a", f"{verb} log_b"), strict=True))
            for verb in ("GOTO", "GRAB")]  # fmt: skip
    explored = {"ada": "EXPLORE", "bo": "EXPLORE"}
    assert trips(played(TRIPS, explored, *take, there, agents=PAIR)) == 2


def test_one_trip_too_many_is_never_made_good():
    twice = (*TAKE, "GOTO barn", "GOTO yard", "GOTO barn")
    assert played(TRIPS, *TAKE, "GOTO barn").success
    assert not played(TRIPS, *twice).success


def test_trips_are_copied_and_digested():
    episode = played(TRIPS, *TAKE)
    other = episode.fork()
    other.step({"ada": "GOTO barn"})
    assert (trips(episode), trips(other)) == (0, 1)
    again = episode.fork()
    again.step({"ada": "GOTO barn"})
    assert digest(again.world) == digest(other.world)
    assert again.world.timeline is not None
    again.world.timeline.monitors[0] = (7, ("ada",))
    assert digest(again.world) != digest(other.world)


@pytest.mark.parametrize(
    ("seconds", "commands", "holds"),
    [
        (600.0, ("EXPLORE", "GOTO lamp", "GRAB lamp", "GOTO barn"), True),
        (600.0, ("EXPLORE", "GOTO lamp", "GRAB lamp", "GOTO barn", "GOTO yard"), True),
        (5.0, ("EXPLORE", "GOTO lamp", "GRAB lamp", "GOTO barn"), False),
        (600.0, ("EXPLORE",), False),
    ],
)
def test_what_was_so_in_time_stays_so(seconds, commands, holds):
    assert played({"by": {"goal": LAMP, "seconds": seconds}}, *commands).success is holds


def test_plans_take_one_trip_where_one_is_allowed():
    """Three logs and two hands: one lies on another."""
    rules = Engine(scenario({"all": [TRIPS, IN_BARN]}))
    found = plan(rules)
    assert isinstance(found, Plan)
    world = rules.start()
    for decision in found.decisions:
        rules.step(world, decision)
    assert rules.task.goal.holds(world)
    assert [each["ada"] for each in found.decisions].count("GOTO barn") == 1


def test_plans_in_time():
    found = plan(Engine(scenario({"by": {"goal": LAMP, "seconds": 120.0}})))
    assert isinstance(found, Plan)
    assert found.seconds is not None
    assert found.seconds <= 120


def test_the_expert_makes_one_trip():
    result = play(scenario({"all": [TRIPS, IN_BARN]}), make_policy("expert"), name="expert").result
    assert result is not None
    assert result.success_final


def test_what_can_never_be_is_impossible_in_time_too():
    heavy = {"inside_room": {"object": "beam", "room": "barn"}}
    assert isinstance(plan(Engine(scenario({"by": {"goal": heavy, "seconds": 60.0}}))), Impossible)


@pytest.mark.parametrize(
    ("key", "goal"), [("trips", TRIPS), ("by", {"by": {"goal": LAMP, "seconds": 9.0}})]
)
def test_pddl_refuses_them_by_name(key, goal):
    with pytest.raises(UsageError, match=f"its goal says '{key}'"):
        export(Engine(scenario(goal)))


WORDS = {
    "at most 1 trip into barn with any log": TRIPS,
    "at most 2 trips into barn with lamp and beam": {
        "trips": {"room": "barn", "of": ["lamp", "beam"], "at_most": 2}
    },
    "within 90 s: lamp is in barn": {"by": {"goal": LAMP, "seconds": 90.0}},
}


@pytest.mark.parametrize("words", WORDS)
def test_words(words):
    rules = Engine(scenario(WORDS[words]))
    assert goal_lines(rules.scenario.task.goal, rules.task.answer, rules.blueprint) == (words,)


def test_a_condition_over_time_within_each_is_a_finding():
    each = {"each": {"among": LOGS, "goal": {"by": {"goal": LAMP, "seconds": 9.0}}}}
    (found,) = check_scenario(scenario(each))
    assert "'by' stands within a goal about many things" in found.reason


def test_nothing_to_count_is_a_finding():
    goal = {"all": [LAMP, {"trips": {"room": "barn", "among": {"name": "Pig"}, "at_most": 1}}]}
    (found,) = check_scenario(scenario(goal))
    assert found.reason == "trips: no object fits its filter"
