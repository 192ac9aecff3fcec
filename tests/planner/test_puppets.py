"""Partners that do nothing: no task of a team is won while one agent alone gives commands."""

from collections.abc import Iterator, Mapping

import pytest

from earsim import Engine, Episode, open_suite
from earsim.schema import Scenario

FILLERS = ("", "WAIT", "DONE", "LOOK")

TEAMS = {
    scenario.id: scenario
    for scenario in map(open_suite("starter").load, open_suite("starter").ids)
    if scenario.task.category.is_collaboration
}


def puppeteered(scenario: Scenario, filler: str) -> Iterator[tuple[str, Episode]]:
    """The walkthrough as each agent alone would give it, with what the others say instead."""
    for master in scenario.agents:
        episode = Episode(Engine(scenario), budget=10**6)
        for entry in scenario.task.walkthrough:
            assert isinstance(entry, Mapping)
            said = entry.get(master.id, "WAIT")
            others = {agent: filler for agent in episode.agents if agent != master.id}
            # What a partner was to do, the one commander says as well, in a decision of its own.
            for text in dict.fromkeys([said, *entry.values()]):
                episode.step({**others, master.id: text})
        yield master.id, episode


@pytest.mark.slow
@pytest.mark.parametrize("scenario_id", TEAMS)
def test_one_commander_wins_no_task_of_a_team(scenario_id):
    scenario = TEAMS[scenario_id]
    for filler in FILLERS:
        for master, episode in puppeteered(scenario, filler):
            assert not episode.verdict.ever, (master, filler)
