"""Where each agent knows what it saw or heard of, the expert's agents tell each other enough."""

from __future__ import annotations

from functools import cache

import pytest

from earsim import Episode, Reason
from earsim.engine import Engine
from earsim.planner.acting.expert import Expert
from earsim.suites import open_suite

TEAMS = [scenario.id for scenario in open_suite("starter") if len(scenario.agents) > 1]
SOME = ("museum_depot/relief_to_the_studio", "old_exchange/transformer_and_diesel")


@cache
def engine(scenario_id: str, channel: str) -> Engine:
    scenario = open_suite("starter").load(scenario_id)
    return Engine(scenario.model_copy(update={"knowledge": "own", "channel": channel}))


def check(scenario_id: str, channel: str) -> int:
    """Play to the end; returns how often somebody spoke."""
    episode = Episode(engine(scenario_id, channel))
    expert, spoken = Expert(episode.engine), 0
    while not episode.over:
        decision = expert.decide(episode.world, left=episode.budget - episode.decisions)
        taken = episode.step(decision)
        expert.note(taken, episode.world)
        reasons = [outcome.reason for outcome in taken.outcomes.values()]
        assert Reason.UNDISCOVERED not in reasons
        assert all(message.accepted for message in taken.messages.values())
        spoken += len(taken.messages)
    assert episode.success
    return spoken


@pytest.mark.slow
@pytest.mark.parametrize("channel", ["all", "room"])
def test_the_expert_wins_where_each_keeps_its_own_knowledge(channel):
    assert sum(check(scenario_id, channel) for scenario_id in SOME) > 0


@pytest.mark.slow
@pytest.mark.parametrize("channel", ["all", "room"])
def test_the_expert_wins_all_team_tasks_so(channel):
    assert sum(check(scenario_id, channel) for scenario_id in TEAMS) > len(TEAMS) // 2
