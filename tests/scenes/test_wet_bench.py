"""The tasks of `wet_bench`: nobody wins by doing everything, twice, or in another order."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any

import pytest

from earsim import Engine, Episode, open_suite
from earsim.apparatus.protocol import Step, parameter_accuracy, sequence_similarity
from earsim.goals.laboratory import nearness
from earsim.planner.laboratory.protocols import step_command
from earsim.planner.laboratory.told_protocol import told_protocol
from earsim.schema import Scenario
from earsim.schema.goal import PerformedFact
from earsim.schema.goal_tree import leaves
from earsim.world.benches import bench_of, performed

SUITE = open_suite("laboratory")
IDS = [id_ for id_ in SUITE.ids if id_.startswith("wet_bench/")]
ALONE = [id_ for id_ in IDS if len(SUITE.load(id_).agents) == 1]


def fact_of(scenario: Scenario) -> PerformedFact:
    facts = [leaf.fact for leaf in leaves(scenario.task.goal)]
    (found,) = [fact for fact in facts if isinstance(fact, PerformedFact)]
    return found


def reference_of(scenario: Scenario) -> list[Step]:
    return [Step(step.action, step.parameters) for step in fact_of(scenario).protocol]


def bench_for(scenario: Scenario) -> Any:
    engine = Engine(scenario)
    bench = bench_of(engine.start(), fact_of(scenario).apparatus)
    assert bench is not None
    return bench


def wins(scenario: Scenario, steps: Sequence[Step]) -> bool:
    """Whether a protocol would do, were all of its actions accepted."""
    fact, reference = fact_of(scenario), reference_of(scenario)
    similarity = sequence_similarity([s.action for s in steps], [s.action for s in reference])
    return (
        similarity >= fact.ss_at_least
        and parameter_accuracy(steps, reference) >= fact.pa_at_least
    )  # fmt: skip


@pytest.mark.parametrize("scenario_id", IDS)
def test_the_reference_wins_and_no_step_of_it_can_be_left_out(scenario_id: str):
    scenario = SUITE.load(scenario_id)
    reference = reference_of(scenario)
    assert wins(scenario, reference)
    for place in range(len(reference)):
        assert not wins(scenario, [*reference[:place], *reference[place + 1 :]])


@pytest.mark.parametrize("scenario_id", IDS)
def test_twice_everything_or_anything_besides_does_not_win(scenario_id: str):
    scenario = SUITE.load(scenario_id)
    reference, pool = reference_of(scenario), bench_for(scenario).pool
    others = [Step(name) for name in pool.actions if name not in {s.action for s in reference}]
    assert not wins(scenario, [*reference, *reference])
    assert not wins(scenario, [step for step in reference for _ in range(2)])
    assert not wins(scenario, [*reference, *others]) or not others
    for extra in (*others, *reference):
        for place in range(len(reference) + 1):
            assert not wins(scenario, [*reference[:place], extra, *reference[place:]])


@pytest.mark.slow
@pytest.mark.parametrize("scenario_id", IDS)
def test_of_all_orders_only_the_right_one_wins_or_one_with_two_neighbours_swapped(
    scenario_id: str,
):
    scenario = SUITE.load(scenario_id)
    reference = reference_of(scenario)
    good = [order for order in permutations(reference) if wins(scenario, order)]
    if fact_of(scenario).ss_at_least == 1.0:
        assert {tuple(step.action for step in order) for order in good} == {
            tuple(step.action for step in reference)
        }
    for order in good:
        moved = sum(a is not b for a, b in zip(order, reference, strict=True))
        assert moved in (0, 2)


@pytest.mark.parametrize("scenario_id", IDS)
@pytest.mark.parametrize("bound", ["low", "high"])
def test_parameters_at_their_bounds_do_not_win(scenario_id: str, bound: str):
    scenario = SUITE.load(scenario_id)
    actions = bench_for(scenario).pool.actions
    steps = [
        Step(step.action, {p.name: getattr(p, bound) for p in actions[step.action].parameters})
        for step in reference_of(scenario)
    ]
    assert not wins(scenario, steps)


# -- played ----------------------------------------------------------------------------------------


def entries(scenario: Scenario) -> Iterator[Mapping[str, str]]:
    for entry in scenario.task.walkthrough:
        yield {scenario.agents[0].id: entry} if isinstance(entry, str) else entry


@pytest.mark.slow
@pytest.mark.parametrize("scenario_id", IDS)
def test_each_run_of_the_walkthrough_is_needed(scenario_id: str):
    """Without it either a later action is refused, or the protocol is not near enough."""
    scenario = SUITE.load(scenario_id)
    said = list(entries(scenario))
    runs = [place for place, entry in enumerate(said) if "RUN " in str(entry)]
    for left_out in runs:
        episode = Episode(Engine(scenario))
        for entry in (*said[:left_out], *said[left_out + 1 :]):
            episode.step(entry)
        assert not episode.engine.task.goal.holds(episode.world)


@pytest.mark.slow
@pytest.mark.parametrize("scenario_id", ALONE)
def test_a_second_performance_undoes_the_first(scenario_id: str):
    """What is right once is wrong as soon as the same, or anything else, is done again."""
    scenario = SUITE.load(scenario_id)
    fact, (agent,) = fact_of(scenario), [each.id for each in scenario.agents]
    episode = Episode(Engine(scenario, "physical"))
    for entry in entries(scenario):
        episode.step(entry)
    world = episode.world
    assert nearness(world, fact).sequence >= fact.ss_at_least
    before = len(performed(world, fact.apparatus))
    bench = bench_of(world, fact.apparatus)
    assert bench is not None
    for action in bench.pool.actions.values():
        command = step_command(fact.apparatus, action, Step(action.name))
        if command is not None:
            episode.engine.step(world, {agent: command})
            for _ in range(30):
                episode.engine.step(world, {agent: f"WAIT UNTIL {fact.apparatus} done"})
    if len(performed(world, fact.apparatus)) > before:
        assert not episode.engine.task.goal.holds(world)


# -- answers, by hand ------------------------------------------------------------------------------


def told(scenario_id: str, result: str) -> float:
    episode = Episode(Engine(SUITE.load(scenario_id)))
    for entry in entries(SUITE.load(scenario_id)):
        episode.step(entry)
    assert episode.world.timeline is not None
    assert episode.world.timeline.lab is not None
    results = [run.results.get(result) for run in episode.world.timeline.lab.runs.values()]
    return float(str(next(value for value in results if value is not None)))


def test_the_vinegar_follows_from_the_lye_used():
    used_ml = told("wet_bench/strength_of_vinegar", "used_ml")
    assert used_ml == pytest.approx(20.8)
    diluted = 0.1 * used_ml / 25  # mol in a litre: as much acid as lye
    assert 10 * diluted == pytest.approx(0.832)


def test_the_broth_follows_from_the_colonies():
    colonies = told("wet_bench/count_the_living", "colonies")
    assert colonies == pytest.approx(86)
    assert colonies * 1_000_000 / 0.1 == pytest.approx(8.6e8)


# -- what a rule reads -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("task", "is_read"),
    [
        ("transform_the_cells", True),
        ("amplify_and_show", True),
        ("count_the_living", True),
        ("clear_the_lysate", True),
        ("stain_by_gram", False),
        ("strength_of_vinegar", False),
        ("purify_the_protein", False),
    ],
)
def test_a_rule_reads_a_protocol_only_where_the_text_names_its_actions(task: str, is_read: bool):
    scenario = SUITE.load(f"wet_bench/{task}")
    bench = bench_for(scenario)
    read = told_protocol(Engine(scenario).instruction, bench.pool)
    steps = [bench.action(settings).step(settings) for settings in read]
    assert wins(scenario, steps) is is_read
