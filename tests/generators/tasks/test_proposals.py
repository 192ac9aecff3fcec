"""Proposals: what a task of each category looks like before anything is proved."""

from random import Random

import pytest

from earsim.engine import Engine
from earsim.goals.tree import compile_goal
from earsim.planner.proofs.answer_leak import leaked_answer
from earsim.schema import AnyOf, At, Category, DoneJointly, HasState, Not, Scenario
from earsim.schema.goal_tree import leaf_of
from earsim.world.containment import inside
from earsim_generators.difficulty import Band
from earsim_generators.tasks import TaskRequest, for_several, propose
from tests.generators.tasks.rig import indexes

TEAMS = [category for category in Category if category.is_collaboration]


def proposals(category, *, seeds=2, request=None, preset="standard"):
    """Scenarios from proposals, over all domains; there are some."""
    found = 0
    for place in indexes(preset):
        for seed in range(seeds):
            rng = Random(f"{category} {seed}")
            made = propose(place, category, request or TaskRequest(), rng, id="task")
            if made is not None:
                found += 1
                yield (
                    place,
                    Scenario(
                        id=f"{place.scene.id}/task",
                        scene=for_several(place.scene, made.people),
                        agents=made.agents,
                        task=made.task,
                        channel=made.channel,
                    ),
                )
    assert found


@pytest.mark.slow
@pytest.mark.parametrize("category", Category)
def test_every_domain_offers_every_category(category):
    assert len({place.scene.id for place, _ in proposals(category)}) >= len(indexes()) - 1


@pytest.mark.slow
@pytest.mark.parametrize("category", Category)
def test_what_is_to_be_found_out_is_not_told(category):
    for _, scenario in proposals(category):
        engine = Engine(scenario)
        assert scenario.task.answer == dict(engine.task.answer)
        assert not any(leaked_answer(engine, answer) for answer in engine.task.answer.values())
        assert "{" not in engine.instruction


@pytest.mark.slow
@pytest.mark.parametrize("category", Category)
def test_the_rehearsed_plan_wins(category):
    """It is how a scenario is solved where a search gives up."""
    lost = []
    for _, scenario in proposals(category):
        engine = Engine(scenario)
        world = engine.start()
        assert not engine.task.goal.holds(world)
        for entry in scenario.task.walkthrough:
            told = entry if isinstance(entry, dict) else {scenario.agents[0].id: entry}
            decision = engine.step(world, told)
            lost += [o.command for o in decision.outcomes.values() if o.reason is not None]
        lost += [] if engine.task.goal.holds(world) else [scenario.id]
    assert len(lost) <= 1, lost


@pytest.mark.slow
def test_doing_it_to_another_that_might_be_meant_loses():
    seen = 0
    for category in Category:
        for place, scenario in proposals(category):
            *told, last = scenario.task.goal.all
            if not (isinstance(last, Not) and isinstance(last.not_, AnyOf)):
                continue
            seen += 1
            engine, names = Engine(scenario), set(scenario.task.answer.values())
            assert compile_goal(last, engine.task.answer).holds(engine.start()), (
                "the others are left alone"
            )
            kinds = {(type(part), place.scene.id) for part in told}
            for other in last.not_.any:
                assert leaf_of(other).fact.object not in names
                assert (type(other), place.scene.id) in kinds
    assert seen > 30


def test_by_the_published_rules_a_goal_says_what_is_asked_for_alone():
    place = indexes()[0]
    for seed in range(20):
        rng = Random(f"published {seed}")
        made = propose(
            place, Category.ATTRIBUTE_REASONING, TaskRequest(), rng, id="task", named=True
        )
        if made is not None:
            assert not any(isinstance(part, Not) for part in made.task.goal.all)


@pytest.mark.parametrize("category", TEAMS)
def test_the_plan_fits_well_within_the_budget(category):
    for _, scenario in proposals(category):
        assert 2 * len(scenario.task.walkthrough) <= scenario.task.budget


def test_a_load_is_too_heavy_for_each_and_light_enough_for_all():
    loads = 0
    for place, scenario in proposals(Category.IMPLICIT_COLLABORATION):
        limits = [agent.max_mass_kg for agent in scenario.agents]
        lifted = _lifted(scenario)
        if lifted is not None:
            loads += 1
            assert max(limits) < place.things[lifted].mass_kg <= place.mass(lifted) <= sum(limits)
    assert loads > 5


def test_only_explicit_tasks_say_that_it_takes_several():
    said = ("ogether", "oin forces", "takes both", "takes all", "both of you", "all three of you")
    for _, scenario in proposals(Category.IMPLICIT_COLLABORATION):
        assert not any(word in scenario.task.instruction for word in said)
    for _, scenario in proposals(Category.EXPLICIT_COLLABORATION):
        names = [agent.name for agent in scenario.agents]
        told = scenario.task.instruction
        assert any(word in told for word in said) or all(name in told for name in names)


@pytest.mark.parametrize("band", Band)
def test_a_wish_changes_how_long_a_task_is(band):
    request = TaskRequest(band)
    lengths = [
        len(scenario.task.walkthrough)
        for _, scenario in proposals(Category.ATTRIBUTE_REASONING, request=request)
    ]
    expected = {Band.EASY: (5, 10), Band.MEDIUM: (8, 18), Band.HARD: (14, 40)}[band]
    assert expected[0] <= sorted(lengths)[len(lengths) // 2] <= expected[1]


def _lifted(scenario):
    for entry in scenario.task.walkthrough:
        for command in entry.values():
            if command.startswith("CORP_GRAB"):
                return command.split()[-1]
    return None


@pytest.mark.slow
@pytest.mark.parametrize("category", Category)
def test_nothing_is_spoken_of_that_was_carried_elsewhere(category):
    """The dish in the ward, after the trolley that it is on has gone to the corridor."""
    for place, scenario in proposals(category, seeds=4):
        carried: set[str] = set()
        for part in scenario.task.goal.all:
            if isinstance(part, Not) and isinstance(part.not_, AnyOf):
                continue  # it says of others that they stay
            fact = next(iter(part.model_dump(by_alias=True, exclude_none=True).values()))
            fact = next(iter(fact.values())) if isinstance(part, Not) else fact
            what = scenario.task.answer.get(fact["object"][1:], fact["object"])
            assert not any(what in inside(place.world, holder) for holder in carried)
            if not isinstance(part, HasState | DoneJointly):
                carried.add(what)


@pytest.mark.slow
@pytest.mark.parametrize("category", Category)
def test_nothing_is_thrown_away(category):
    for place, scenario in proposals(category, seeds=4):
        world = Engine(scenario).start()
        for part in scenario.task.goal.all:
            if isinstance(part, At) and part.at.in_ is not None:
                holder = part.at.in_
                assert "is_full" not in world.states[scenario.task.answer.get(holder[1:], holder)]
            if isinstance(part, HasState) and part.has_state.state == "is_full":
                what = part.has_state.object
                what = scenario.task.answer.get(what[1:], what)
                assert not place.is_bin(what) or part.has_state.equals is False
