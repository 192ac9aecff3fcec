"""Family `wet`: protocols that are read, prepared and performed to the letter, or lost."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import pytest

from earsim import Engine, Episode
from earsim.apparatus.protocol import sequence_similarity
from earsim.evaluation.policies import make_policy
from earsim.evaluation.runner import play
from earsim.planner.laboratory.told_protocol import told_protocol
from earsim.planner.proofs.certificate import recheck
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.schema.scenario import Scenario, SceneFile
from earsim.schema.wet_bench import ActionPool
from earsim.world.pools import compiled
from earsim_generators import GenerationSettings, generate
from earsim_generators.families.wet import DEMANDS, PROCEDURES, wet
from earsim_generators.families.wet.procedure import Procedure, ProcedureStep
from earsim_generators.families.wet.protocol import (
    DrawnProtocol,
    ProtocolDemands,
    draw_protocol,
    is_possible,
)
from earsim_generators.families.wet.scene import bench_scene

LEVELS = ("easy", "medium", "hard")
SEEDS = range(4)


class Posed(NamedTuple):
    """A protocol and the task made of it.

    Attributes:
        ready: The walkthrough before the first step.
        steps: What the walkthrough performs, a list of commands each.
    """

    protocol: DrawnProtocol
    scenario: Scenario
    ready: Sequence[str]
    steps: Sequence[Sequence[str]]


@cache
def posed(name: str, level: str, seed: int) -> Posed:
    rng = Random(f"{name} {level} {seed}")
    draws = (draw_protocol(rng, PROCEDURES[name], DEMANDS[level]) for _ in range(200))
    protocol = next(each for each in draws if each is not None)
    document = Document("drawn", bench_scene(rng, level, protocol))
    (scenario,) = validated(document, SceneFile).scenarios()
    said = [str(each) for each in scenario.task.walkthrough]
    first = next(place for place, each in enumerate(said) if each.startswith("RUN "))
    steps: list[list[str]] = []
    for each in said[first:-2]:
        if each.startswith("RUN "):
            steps.append([])
        steps[-1].append(each)
    return Posed(protocol, scenario, said[:first], steps)


ALL = [(name, level, seed) for name in PROCEDURES for level in LEVELS for seed in SEEDS]


def won(task: Posed, commands: Sequence[str]) -> bool:
    """Whether commands win, once the right answer is given as well."""
    episode = Episode(Engine(task.scenario))
    (agent,) = episode.agents
    outcome = task.protocol.procedure.outcome
    for each in (*commands, f"SUBMIT {outcome.name}={task.protocol.answer}", "DONE"):
        if not (episode.over or episode.truncated):
            episode.step({agent: each})
    return episode.success


def of(task: Posed, action: str, numbers: dict[str, float]) -> list[str]:
    """Commands of a step that is not of the walkthrough."""
    bench = task.steps[0][0].split()[1]
    named = [f"{name}={value}" for name, value in numbers.items()]
    return [" ".join(("RUN", bench, action, *named)), *[f"WAIT UNTIL {bench} done"] * 8]


def joined(steps: Sequence[Sequence[str]]) -> list[str]:
    return [command for step in steps for command in step]


# -- what is drawn ---------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("name", "level", "seed"), ALL)
def test_the_text_gives_the_protocol_away_and_the_bench_would_do_it(name, level, seed):
    protocol = posed(name, level, seed).protocol
    pool = compiled(ActionPool.model_validate(protocol.pool))
    wanted = [each.settings for each in protocol.steps]
    assert told_protocol(protocol.text, pool) == wanted
    assert is_possible(pool, protocol.steps)
    untold = len(protocol.steps) - len(protocol.told)
    assert untold == DEMANDS[level].untold
    spoiling = pool.actions.keys() - {each.step.action for each in protocol.steps}
    assert len(spoiling) == min(DEMANDS[level].distractors, len(PROCEDURES[name].distractors))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "level", "seed"), [each for each in ALL if each[1] != "easy"])
def test_the_bench_would_do_swapped_steps_in_either_order(name, level, seed):
    protocol = posed(name, level, seed).protocol
    pool = compiled(ActionPool.model_validate(protocol.pool))
    kept = [each for each in protocol.steps if each in protocol.told]
    moved = [a != b for a, b in zip(kept, protocol.told, strict=True)]
    assert sum(moved) == 2 * DEMANDS[level].swaps
    untold = [each for each in protocol.steps if each not in protocol.told]
    in_text_order = list(protocol.told)
    for each in untold:
        in_text_order.insert(protocol.steps.index(each), each)
    assert is_possible(pool, in_text_order)


def test_no_protocol_is_drawn_where_there_is_no_place_for_swaps():
    (first, *_) = PROCEDURES["spores"].steps
    alone = PROCEDURES["spores"]._replace(steps=(first,))
    demands = ProtocolDemands(distractors=0, swaps=1, untold=0, converts=False)
    assert draw_protocol(Random(0), alone, demands) is None
    assert draw_protocol(Random(0), alone, demands._replace(swaps=0)) is not None


def test_a_text_that_is_read_otherwise_makes_no_protocol():
    procedure: Procedure = PROCEDURES["spores"]
    smear = procedure.steps[0]
    named_alike = ProcedureStep("fix", {"slide": {"has_smear": True}}, {})
    pair = procedure._replace(steps=(smear, named_alike), distractors=())
    demands = ProtocolDemands(distractors=0, swaps=0, untold=0, converts=False)
    assert draw_protocol(Random(0), pair, demands) is not None
    hidden = pair._replace(steps=(smear._replace(action="smear_fix"), named_alike))
    assert draw_protocol(Random(0), hidden, demands) is not None
    silent = pair._replace(steps=(smear, named_alike._replace(takes={"nothing": {}})))
    silent = silent._replace(materials={**silent.materials, "nothing": {}})
    assert draw_protocol(Random(0), silent._replace(made=frozenset({"nothing"})), demands) is None


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", PROCEDURES)
def test_a_seed_gives_a_scene_and_another_gives_another(name, level):
    assert wet(Random(name), level) == wet(Random(name), level)
    assert wet(Random(name), level) != wet(Random(f"{name}!"), level)


# -- who wins --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("name", "level", "seed"), ALL)
def test_the_walkthrough_wins(name, level, seed):
    task = posed(name, level, seed)
    assert won(task, [*task.ready, *joined(task.steps)])


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", PROCEDURES)
def test_the_expert_reads_prepares_and_performs_it(name, level):
    scenario = posed(name, level, 0).scenario
    assert play(scenario, make_policy("expert"), name="expert").result.success_final


@pytest.mark.slow
@pytest.mark.parametrize(("name", "level", "seed"), ALL)
def test_who_fetches_nothing_does_not_win(name, level, seed):
    task = posed(name, level, seed)
    bench = task.steps[0][0].split()[1]
    there = [each for each in task.ready if each.split()[0] in ("GOTO", "EXPLORE", "OPEN")]
    there += [each for each in task.ready if each.startswith("TURN_ON")]
    assert not won(task, [*there, f"GOTO {bench}", *joined(task.steps)])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "level", "seed"), [each for each in ALL if each[1] != "easy"])
def test_who_performs_as_told_does_not_win(name, level, seed):
    """Steps in the order of the text, and those that the text leaves out where they belong."""
    task = posed(name, level, seed)
    steps = dict(zip(map(str, task.protocol.steps), task.steps, strict=True))
    order = list(task.protocol.told)
    for place, each in enumerate(task.protocol.steps):
        if each not in order:
            order.insert(place, each)
    assert not won(task, [*task.ready, *joined([steps[str(each)] for each in order])])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "level", "seed"), [each for each in ALL if each[1] == "hard"])
def test_who_performs_no_more_than_is_told_does_not_win(name, level, seed):
    task = posed(name, level, seed)
    pairs = zip(task.protocol.steps, task.steps, strict=True)
    told = [commands for step, commands in pairs if step in task.protocol.told]
    assert not won(task, [*task.ready, *joined(told)])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "level", "seed"), ALL)
def test_who_does_all_that_the_bench_offers_does_not_win(name, level, seed):
    task = posed(name, level, seed)
    told: dict[str, dict[str, Any]] = {e.step.action: dict(e.values) for e in task.protocol.steps}
    offered = {each["name"]: each for each in task.protocol.pool["actions"]}
    commands = []
    for action, fields in offered.items():
        least = {each["name"]: each["bounds"][0] for each in fields["parameters"]}
        commands += of(task, action, told.get(action, least))
    assert not won(task, [*task.ready, *commands])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "level", "seed"), ALL)
def test_a_step_that_spoils_it_loses(name, level, seed):
    """It is performed where the bench takes it, and the protocol is performed after it."""
    task = posed(name, level, seed)
    known = {each.step.action for each in task.protocol.steps}
    elsewhere = {each.id for each in task.protocol.procedure.supplies}
    for fields in task.protocol.pool["actions"]:
        if fields["name"] in known or elsewhere & fields["inputs"].keys():
            continue
        least = {each["name"]: each["bounds"][0] for each in fields["parameters"]}
        commands = [*task.ready]
        for step in task.steps:
            commands += [*step, *of(task, fields["name"], least)]
        assert not won(task, commands)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "level", "seed"), ALL)
def test_a_number_without_its_unit_or_a_wrong_one_loses(name, level, seed):
    task = posed(name, level, seed)
    place = next(i for i, each in enumerate(task.protocol.steps) if each.values)
    (parameter, value), *others = task.protocol.steps[place].values.items()
    wrong = of(
        task, task.protocol.steps[place].step.action, {parameter: value * 1.05, **dict(others)}
    )
    steps = [*task.steps[:place], wrong, *task.steps[place + 1 :]]
    assert not won(task, [*task.ready, *joined(steps)])


# -- through the command ---------------------------------------------------------------------------


@pytest.mark.slow
def test_scenes_are_certified_and_scored_as_wet_experiments():
    made = tuple(islice(generate(GenerationSettings(seed=9, families=("wet",))), 3))
    for one in made:
        assert not list(recheck(one.certificate, one.scenario))
        assert one.certificate.solution.found == "plan"
        assert one.scenario.task.workflow is not None
        assert one.scenario.task.workflow.family == "wet_experiment"


def test_swapped_neighbours_cost_a_pair_of_the_sequence_similarity():
    for level in ("medium", "hard"):
        protocol = posed("crystals", level, 0).protocol
        kept = [each.step.action for each in protocol.steps if each in protocol.told]
        told = [each.step.action for each in protocol.told]
        assert sequence_similarity(told, kept) < 1.0
