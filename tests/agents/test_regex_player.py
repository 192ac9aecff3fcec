"""The regex player reads instructions and plays what it has read; tricks choose without reading."""

from __future__ import annotations

import json
from typing import Any

import pytest

from earsim import Engine, Episode, open_suite
from earsim.envs.policy import PolicyContext, observations_of
from earsim.errors import EarSimError, UsageError
from earsim.evaluation.policies import make_policy
from earsim.schema import Scenario, Task
from earsim_agents.baselines.choices import CHOICES
from earsim_agents.baselines.conditions import seconds_of
from earsim_agents.baselines.lexicon import Lexicon
from earsim_agents.baselines.noun_phrases import Unreadable
from earsim_agents.baselines.references import References
from earsim_agents.baselines.sentences import ReadInstruction
from earsim_agents.baselines.teamwork import plainly

MINI = open_suite("earsim-bench-mini")


def facts(scenario: Scenario, goal: Any, select: Any) -> set[str]:
    """What must come about, with ids for what selectors pick."""
    task = Task(id="t", category="direct_command", instruction="-", goal=goal, select=select)
    answer = Engine(scenario.model_copy(update={"task": task})).task.answer
    told = task.goal.model_dump_json(exclude_none=True, by_alias=True)
    for name, node in answer.items():
        told = told.replace(f'"${name}"', json.dumps(node))
    parts = [part for part in json.loads(told)["all"] if "any" not in part.get("not", {})]
    return {json.dumps(part, sort_keys=True) for part in parts}


def read(scenario: Scenario) -> set[str]:
    """What is read where everything has been perceived; nothing where it is unreadable."""
    engine = Engine(scenario)
    lexicon = Lexicon(engine.start(), [*engine.blueprint.things, *engine.blueprint.doors])
    try:
        found = ReadInstruction(engine.instruction, References(lexicon, is_complete=True))
        return facts(scenario, found.goal, found.select)
    except (Unreadable, EarSimError):
        return set()


@pytest.mark.slow
def test_it_reads_nineteen_of_twenty_sentences_of_the_grammar_of_version_1() -> None:
    right = 0
    for id in MINI.ids:
        scenario = MINI.load(id)
        right += read(scenario) == facts(scenario, scenario.task.goal, scenario.task.select)
    assert right >= 0.95 * len(MINI.ids)


@pytest.mark.slow
@pytest.mark.parametrize(
    "id",
    [
        "clinic_test_2026_00000/direct_command_0_1",
        "office_test_2026_00004/attribute_reasoning_4_2",
        "school_test_2026_00015/explicit_collaboration_15_5",
    ],
)
def test_it_wins_without_being_told_the_goal(id: str) -> None:
    episode = played(id, "regex")
    assert episode.success


def test_alone_partners_say_done_at_once() -> None:
    episode = played("school_test_2026_00015/explicit_collaboration_15_5", "regex", alone=True)
    first, *others = episode.agents
    assert not episode.world.agents[first].idle or episode.over
    assert all(episode.world.agents[agent].idle for agent in others)
    assert not episode.success


@pytest.mark.slow
@pytest.mark.parametrize("choose", CHOICES)
def test_a_trick_chooses_the_same_each_time(choose: str) -> None:
    id = "kitchen_test_2026_00002/compound_collaboration_2_7"
    one, other = (played(id, "regex", choose=choose) for _ in range(2))
    assert one.world.location == other.world.location
    assert one.decisions == other.decisions


def test_done_to_all_is_not_what_was_asked_for() -> None:
    assert not played(
        "office_test_2026_00004/attribute_reasoning_4_2", "regex", choose="all"
    ).success


@pytest.mark.parametrize("kind", ["deadline", "order", "one_trip", "apart"])
def test_a_trick_plays_conditions_to_the_end(kind: str) -> None:
    of_kind = (
        scenario
        for scenario in open_suite("earsim-bench-2-mini")
        if scenario.provenance.get("condition", {}).get("kind") == kind and scenario.task.select
    )
    episode = Episode(Engine(next(of_kind)))
    policy = make_policy("regex", choose="first")
    policy.reset(PolicyContext.of(episode))
    while not (episode.over or episode.truncated):
        episode.step(policy.act(observations_of(episode)))
    assert episode.decisions > 1


def test_a_trick_that_is_not_there_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match=r"choose='luck' is none of all, random"):
        make_policy("regex", choose="luck")


def played(id: str, name: str, **options: Any) -> Episode:
    """An episode to its end."""
    episode = Episode(Engine(MINI.load(id)))
    policy = make_policy(name, **options)
    policy.reset(PolicyContext.of(episode))
    while not (episode.over or episode.truncated):
        episode.step(policy.act(observations_of(episode)) or {})
    json.dumps(policy.memory)
    return episode


ANY = MINI.load("office_test_2026_00004/attribute_reasoning_4_2")


def goal_of(form: str) -> Any:
    """What is read of a sentence about `a` and `b`, things of one name each, and two rooms."""
    engine = Engine(ANY)
    lexicon = Lexicon(engine.start(), [*engine.blueprint.things, *engine.blueprint.doors])
    alone = [node for node in lexicon.loose if lexicon.called(lexicon.names[node]) == [node]]
    rooms = list(lexicon.rooms)[:2]
    words = {"a": lexicon.names[alone[0]], "b": lexicon.names[alone[1]]}
    words |= {"r": lexicon.rooms[rooms[0]], "s": lexicon.rooms[rooms[1]]}
    read = ReadInstruction(form.format(**words), References(lexicon, is_complete=True)).goal
    told = json.dumps(read)
    for name, node in (("A", alone[0]), ("B", alone[1]), ("R", rooms[0]), ("S", rooms[1])):
        told = told.replace(json.dumps(node), json.dumps(name))
    return json.loads(told)["all"]


A_IN_R = {"inside_room": {"object": "A", "room": "R"}}
B_IN_S = {"inside_room": {"object": "B", "room": "S"}}


@pytest.mark.parametrize(
    ("form", "condition"),
    [
        (
            (
                "Bring the {a} to the {r}, and take the {b} to the {s}. For the latter you have 2 "
                "and a half minutes; for the rest there is no hurry."
            ),
            {"by": {"goal": B_IN_S, "seconds": 150.0}},
        ),
        (
            (
                "Bring the {b} to the {s}, but not until the {a} is in the {r}. Get the {a} to "
                "the {r}."
            ),
            {"before": {"first": A_IN_R, "then": B_IN_S}},
        ),
    ],
)
def test_conditions_over_time_are_read(form: str, condition: Any) -> None:
    read = goal_of(form)
    assert all(part in read for part in (A_IN_R, B_IN_S, condition))
    assert len(read) == 3


def test_two_things_that_go_to_a_room_together_are_one_trip() -> None:
    read = goal_of("Bring the {a} and the {b} to the {r}, and do not go twice for it.")
    assert read[-1] == {"trips": {"room": "R", "of": ["A", "B"], "at_most": 1}}


def test_what_is_to_stay_apart_is_never_in_any_room_together() -> None:
    *_, apart = goal_of(
        "Bring the {a} to the {r} and bring the {b} to the {s}. The two must not be in the same "
        "room at any moment."
    )
    both = [A_IN_R, {"inside_room": {"object": "B", "room": "R"}}]
    assert {"all": both} in apart["never"]["any"]


@pytest.mark.parametrize(
    ("said", "seconds"), [("half a minute", 30), ("1 minute", 60), ("90 seconds", 90)]
)
def test_times_are_read(said: str, seconds: float) -> None:
    assert seconds_of(said) == seconds
    with pytest.raises(Unreadable):
        seconds_of("a while")


def test_team_sentences_are_said_plainly() -> None:
    told = "we need the anvil on the bench and the banner over in the foyer."
    assert plainly(told) == "put the anvil onto the bench. bring the banner to the foyer."
    assert plainly("take the anvil to the foyer.") == "take the anvil to the foyer."
