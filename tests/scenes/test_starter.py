"""The scenes that ship: each task can be done as its author says, and only by doing something."""

from collections import Counter
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

import pytest

from earsim import Engine, Episode, open_suite
from earsim.goals.selectors import pick
from earsim.planner.proofs.informed import informed
from earsim.render.things import room_line, thing_facts
from earsim.schema import load_scenarios
from earsim.schema.selector import Filter, Largest, Only, Rank, Smallest
from earsim.schema.task import Category
from earsim.schema.task_references import Reference, goal_references
from earsim.units import format_field
from earsim.world.numbers import number_of
from earsim.world.perceived import read_by_anybody
from earsim.world.plausibility import MARKS

FOLDER = Path(__file__).parents[2] / "scenes" / "starter"
SUITE = open_suite("starter")
IDS = list(SUITE.ids)
SELECTED = [id_ for id_ in IDS if SUITE.load(id_).task.select]
EDGES = ("length_m", "width_m", "height_m")
HEAVY = [id_ for id_ in IDS if SUITE.load(id_).task.category is Category.IMPLICIT_COLLABORATION]


def engine(scenario_id: str) -> Engine:
    return Engine(SUITE.load(scenario_id))


def test_the_suite_is_every_file_of_the_folder():
    files = sorted(FOLDER.glob("*.yaml"))
    assert len(files) >= 16
    found = [scenario.id for path in files for scenario in load_scenarios(path)]
    assert sorted(found) == sorted(IDS)


def test_there_is_enough_of_everything():
    scenarios = [SUITE.load(id_) for id_ in IDS]
    categories = Counter(scenario.task.category for scenario in scenarios)
    assert len(scenarios) >= 80
    assert len({scenario.scene.domain for scenario in scenarios}) >= 8
    assert all(categories[category] >= 5 for category in Category), categories


@pytest.mark.parametrize("scenario_id", IDS)
def test_the_walkthrough_wins_without_a_refusal(scenario_id):
    episode = Episode(engine(scenario_id))
    assert episode.engine.scenario.ruleset == "physical"
    assert episode.engine.scenario.task.walkthrough
    for entry in episode.engine.scenario.task.walkthrough:
        commands = {episode.agents[0]: entry} if isinstance(entry, str) else entry
        decision = episode.step(commands)
        refused = [o for o in decision.outcomes.values() if o.reason is not None]
        assert not refused, refused
    assert episode.success
    assert episode.decisions <= episode.budget


@pytest.mark.parametrize("scenario_id", IDS)
def test_doing_nothing_fails(scenario_id):
    episode = Episode(engine(scenario_id))
    assert not episode.engine.task.goal.holds(episode.world)
    episode.step(dict.fromkeys(episode.agents, "DONE"))
    assert episode.over
    assert not episode.success


@pytest.mark.slow
@pytest.mark.parametrize("scenario_id", SELECTED)
def test_selectors_pick_one_by_what_can_be_seen(scenario_id):
    played = engine(scenario_id)
    world = played.start(discovered=True)
    answers: dict[str, str] = {}
    for name, selector in played.scenario.task.select.items():
        found = pick(selector, world, answers)
        answers[name] = found.answer
        for node in found.candidates:
            seen = f"{thing_facts(world, node)}; {room_line(played.blueprint, world.room_of(node))}"
            for number in numbers(selector):
                if number in played.blueprint.hidden.get(node, ()):
                    assert number in perceived_on_the_way(scenario_id, node), (node, number)
                    continue
                value = number_of(world, node, number)
                shown = f"{value:g} kg" if number == "mass_kg" else format_field(number, value)
                if number in EDGES:  # told as one size: it must not matter which edge is meant
                    shown = f"{value:g}"
                    assert by_longest_edge(played, selector, found.candidates) == found.answer
                assert shown in seen, (node, number)
    assert answers == dict(played.task.answer)


def by_longest_edge(played: Engine, selector: Largest | Rank, candidates: Collection[str]) -> str:
    """What a selector of large things picks if it means their longest edges."""
    edges = {node: max(played.blueprint.things[node].size_m or ()) for node in candidates}
    place = 1 if isinstance(selector, Largest) else selector.rank.k
    return sorted(edges, key=edges.__getitem__)[-place]


@cache
def readings(scenario_id: str) -> Mapping[str, Collection[str]]:
    """The numbers of things that the informed plan has felt or measured at its end."""
    played = engine(scenario_id)
    plan, world = informed(played), played.start()
    assert plan is not None, "no plan within the budget perceives all candidates"
    for decision in plan.plan:
        played.step(world, decision)
    return read_by_anybody(world)


def perceived_on_the_way(scenario_id: str, node: str) -> Collection[str]:
    return readings(scenario_id).get(node, {})


def numbers(selector: object) -> set[str]:
    """The names of the numbers a selector asks for."""
    if isinstance(selector, Only):
        return bounded(selector.only)
    ranked = (
        selector.largest
        if isinstance(selector, Largest)
        else selector.smallest
        if isinstance(selector, Smallest)
        else selector.rank.of
    )
    return {ranked} | bounded(selector.among)


def bounded(condition: Filter) -> set[str]:
    compared = [c.of for c in (condition.more_than, condition.less_than) if c is not None]
    return {*condition.at_least, *condition.at_most, *compared}


@pytest.mark.parametrize("scenario_id", SELECTED)
def test_sentence_and_goal_come_from_one_selector(scenario_id):
    task = SUITE.load(scenario_id).task
    assert all(f"{{{name}}}" in task.instruction for name in task.select)


@pytest.mark.parametrize("scenario_id", HEAVY)
def test_what_takes_several_is_too_heavy_for_each(scenario_id):
    played = engine(scenario_id)
    strongest = max(body.max_mass_kg for body in played.blueprint.bodies.values())
    refs = [ref.name for ref in goal_references(played.scenario.task.goal) if _is_subject(ref)]
    moved = [played.task.answer[name[1:]] if name.startswith("$") else name for name in refs]
    assert any(played.blueprint.things[node].mass_kg > strongest for node in moved)


def _is_subject(reference: Reference) -> bool:
    """Whether a reference in a goal names what the goal is about, not where it must be."""
    return reference.loc[-1] == "object"


def test_no_state_says_what_the_places_of_things_say():
    """Whether something is loaded or stacked is where things lie; no goal asks for a mark of it."""
    retired = {mark for mark, by in MARKS.items() if by == "what it is in or on"}
    marked = {
        (scenario.scene.id, thing.id)
        for scenario in map(SUITE.load, IDS)
        for thing in scenario.scene.objects
        if retired & thing.states.keys()
    }
    assert not marked


def test_what_is_plugged_in_stays_so_until_it_is_unplugged():
    for scenario in map(SUITE.load, IDS):
        for thing in scenario.scene.objects:
            assert "is_plugged_in" not in thing.states or "is_plugged_in" in thing.needs
