"""The scenes of the suite `time`: each task is done as its author says, in time, and no other way
than by doing something. What its certificates say is in `test_time_certificates`.
"""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from earsim import Engine, Episode, open_suite
from earsim.schema import Scenario, load_scenarios
from earsim.schema.goal_tree import Leaf, fold
from earsim.schema.selector import Filter, Largest, Only, Rank, Selector, Smallest
from earsim.schema.task import Category
from earsim.world.live import LiveScene

FOLDER = Path(__file__).parents[2] / "scenes" / "time"
SUITE = open_suite("time")
IDS = list(SUITE.ids)
TEAMS = [id_ for id_ in IDS if len(SUITE.load(id_).agents) > 1]
HEAVY = [id_ for id_ in IDS if SUITE.load(id_).task.category is Category.IMPLICIT_COLLABORATION]


def played(scenario: Scenario) -> Episode:
    """The walkthrough to its end; each command was accepted, and listed or a message."""
    episode = Episode(Engine(scenario))
    for entry in scenario.task.walkthrough:
        commands = {episode.agents[0]: entry} if isinstance(entry, str) else entry
        for agent, text in commands.items():
            command = text.splitlines()[0]
            assert command in episode.admissible(agent) or command.startswith("SAY "), command
        decision = episode.step(commands)
        told = [*decision.outcomes.values(), *decision.messages.values()]
        assert [outcome for outcome in told if outcome.reason is not None] == []
    return episode


def test_the_suite_is_every_scene_of_the_folder():
    files = sorted(FOLDER.glob("*.yaml"))
    found = [scenario.id for path in files for scenario in load_scenarios(path)]
    assert sorted(found) == sorted(IDS)
    assert len(files) >= 4
    assert len(IDS) >= 18


def test_there_are_tasks_for_one_and_for_teams_and_one_where_each_knows_its_own():
    categories = Counter(SUITE.load(id_).task.category for id_ in IDS)
    assert set(categories) == set(Category)
    assert len(TEAMS) >= 6
    assert any(SUITE.load(id_).knowledge == "own" for id_ in TEAMS)


@pytest.mark.parametrize("scenario_id", IDS)
def test_the_walkthrough_wins_by_listed_commands_within_the_budget(scenario_id: str):
    episode = played(SUITE.load(scenario_id))
    assert episode.success
    assert episode.decisions <= episode.budget


@pytest.mark.slow
@pytest.mark.parametrize("scenario_id", IDS)
@pytest.mark.parametrize("waits", [0, 3], ids=["at once", "after three hours"])
def test_doing_nothing_fails(scenario_id: str, waits: int):
    episode = Episode(Engine(SUITE.load(scenario_id)))
    assert not episode.engine.task.goal.holds(episode.world)
    for command in ["WAIT 3600"] * waits + ["DONE"]:
        episode.step(dict.fromkeys(episode.agents, command))
    assert episode.over
    assert not episode.success


@pytest.mark.slow
@pytest.mark.parametrize("scenario_id", IDS)
def test_a_walkthrough_takes_its_time(scenario_id: str):
    """The clock runs while it is played, and no deadline is met by less than a minute."""
    scenario = SUITE.load(scenario_id)
    clock = played(scenario).world.clock
    for limit in deadlines(scenario):
        assert clock <= limit - 60
    assert clock > 50


def deadlines(scenario: Scenario) -> list[float]:
    found: list[float] = []

    def note(leaf: Leaf) -> None:
        if leaf.key == "clock":
            found.append(leaf.fact.at_most)  # type: ignore[union-attr]

    fold(scenario.task.goal, leaf=note, every=list, some=list, negated=lambda part: part)
    return found


def test_some_tasks_have_a_deadline():
    assert sum(bool(deadlines(SUITE.load(id_))) for id_ in IDS) >= 5


@pytest.mark.parametrize("scenario_id", IDS)
def test_a_selector_never_rests_on_a_number_that_moves(scenario_id: str):
    scenario = SUITE.load(scenario_id)
    live = LiveScene.of(scenario.scene)
    assert live is not None
    for selector in scenario.task.select.values():
        for thing in scenario.scene.objects:
            assert not asked(selector) & live.unlabelled(thing.id)


def asked(selector: Selector) -> set[str]:
    """The names of the numbers that a selector compares."""
    match selector:
        case Only(only=among):
            return bounds(among)
        case Largest(largest=name, among=among) | Smallest(smallest=name, among=among):
            return {name} | bounds(among)
        case Rank(rank=rank, among=among):
            return {rank.of} | bounds(among)


def bounds(condition: Filter) -> set[str]:
    compared = [each.of for each in (condition.more_than, condition.less_than) if each is not None]
    return {*condition.at_least, *condition.at_most, *compared}


@pytest.mark.parametrize("scenario_id", IDS)
def test_every_room_has_a_temperature_and_every_agent_a_limit(scenario_id: str):
    scenario = SUITE.load(scenario_id)
    for room in scenario.scene.rooms:
        assert "temperature_c" in room.quantities
    assert all(agent.max_mass_kg <= 40 for agent in scenario.agents)


@pytest.mark.parametrize("scenario_id", HEAVY)
def test_what_takes_two_is_too_heavy_for_each(scenario_id: str):
    scenario = SUITE.load(scenario_id)
    strongest = max(agent.max_mass_kg for agent in scenario.agents)
    lifted = {
        command.split()[1]
        for entry in scenario.task.walkthrough
        if isinstance(entry, Mapping)
        for command in entry.values()
        if command.startswith("CORP_GRAB")
    }
    assert lifted
    things = {thing.id: thing for thing in scenario.scene.objects}
    assert all(things[node].mass_kg > strongest for node in lifted)


@pytest.mark.parametrize(
    ("scenario_id", "spoils"),
    [
        ("cold_chain/an_hour_in_the_yard", "WAIT UNTIL pack_a is_conditioned"),
        ("kiln_house/fire_the_bowl", "WAIT UNTIL bowl bone_dry"),
        ("battery_shed/light_in_the_cellar", "WAIT 600"),
        ("tank_farm/light_enough_to_carry", "WAIT UNTIL rain_barrel ring"),
    ],
)
def test_a_task_is_lost_without_the_patience_it_takes(scenario_id: str, spoils: str):
    scenario = SUITE.load(scenario_id)
    episode = Episode(Engine(scenario))
    for entry in scenario.task.walkthrough:
        assert isinstance(entry, str)
        if entry != spoils:
            episode.step({episode.agents[0]: entry})
    assert not episode.success
