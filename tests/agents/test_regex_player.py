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
from earsim_agents.baselines.lexicon import Lexicon
from earsim_agents.baselines.noun_phrases import Unreadable
from earsim_agents.baselines.references import References
from earsim_agents.baselines.sentences import ReadInstruction

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
        found = ReadInstruction(engine.instruction, References(lexicon))
        return facts(scenario, found.goal, found.select)
    except (Unreadable, EarSimError):
        return set()


def test_it_reads_nineteen_of_twenty_sentences_of_the_grammar_of_version_1() -> None:
    right = 0
    for id in MINI.ids:
        scenario = MINI.load(id)
        right += read(scenario) == facts(scenario, scenario.task.goal, scenario.task.select)
    assert right >= 0.95 * len(MINI.ids)


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
