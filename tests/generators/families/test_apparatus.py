"""Family `apparatus`: what is asked of an apparatus can be found out, and not be had without."""

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from functools import cache
from random import Random

import pytest

from earsim import Engine, Episode
from earsim.apparatus.ns2d.curves import curve as stored_curve
from earsim.apparatus.parameter import defaults
from earsim.apparatus.registry import MODELS as SIMULATIONS
from earsim.certificates.validation import check_scenario
from earsim.envs.policy import PolicyContext, observations_of
from earsim.planner.proofs.certificate import recheck
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.schema.scenario import SceneFile
from earsim_agents.rule import RulePolicy
from earsim_generators import GenerationSettings, generate
from earsim_generators.families.apparatus import MODELS, apparatus
from earsim_generators.suites.family_worker import wins_by_waiting

LEVELS = ("easy", "medium", "hard")
QUICK = {
    "maglev/1": ("easy", "hard"),
    "levitation/1": ("medium",),
    "heat1d/1": LEVELS,
    "euler1d/1": ("easy",),
    "ns2d/1": ("easy",),
    "sixbox/1": LEVELS,
}
EACH = [
    pytest.param(model, level, marks=() if level in QUICK[model] else pytest.mark.slow)
    for model in MODELS
    for level in LEVELS
]
GRIDS = [each for each in EACH if each.values[0] in ("heat1d/1", "euler1d/1")]
GUESSES = ("SUBMIT flux=0", "SUBMIT flux=100", "SUBMIT threshold=none", "SUBMIT threshold=1e6")


@cache
def drawn(model, level, seed=0):
    document = Document("drawn", MODELS[model](Random(f"{model} {seed}"), level))
    (scenario,) = validated(document, SceneFile).scenarios()
    return scenario


def bench_of(scenario):
    (bench,) = [each for each in scenario.scene.objects if each.apparatus is not None]
    return bench


def decisions(scenario, commands):
    """One agent says them, but all give RUN together."""
    crew = [agent.id for agent in scenario.agents]
    for said in commands:
        if isinstance(said, str):
            said = dict.fromkeys(crew if said.startswith("RUN ") else crew[:1], said)
        yield said


def commands_of(scenario):
    """Those of the walkthrough, whoever gives them."""
    said = decisions(scenario, scenario.task.walkthrough)
    return [command for decision in said for command in decision.values()]


def errand(scenario):
    """What is done until the apparatus is ready."""
    for decision in decisions(scenario, scenario.task.walkthrough):
        if any(command.startswith(("CONFIGURE ", "RUN ")) for command in decision.values()):
            break
        yield decision


def ever_won(scenario, commands):
    episode = Episode(Engine(scenario))
    for decision in decisions(scenario, commands):
        episode.step(decision)
    return episode.verdict.ever


def runs(bench, *settings, count=3):
    configured = [f"CONFIGURE {bench.id} {' '.join(settings)}"] if settings else []
    one = [f"RUN {bench.id}", f"WAIT UNTIL {bench.id} done", f"READ {bench.id}"]
    return [*configured, *one * count]


def extremes(bench):
    """The settings at the upper and lower ends of what can be set."""
    known = {p.name: p for p in SIMULATIONS[bench.apparatus.model].parameters}
    for end in (0, 1):
        yield [
            f"{name}={bench.apparatus.bounds.get(name, (known[name].low, known[name].high))[end]:g}"
            for name in bench.apparatus.tunable
        ]


def play_by_rule(scenario):
    episode, policy = Episode(Engine(scenario), end_on="goal"), RulePolicy()
    policy.reset(PolicyContext.of(episode))
    while not (episode.over or episode.truncated):
        episode.step(policy.act(observations_of(episode)))
    return episode.verdict.ever


@pytest.mark.slow
@pytest.mark.parametrize(("model", "level"), EACH)
def test_the_walkthrough_is_sound_and_wins(model, level):
    scenario = drawn(model, level)
    assert not list(check_scenario(scenario))
    assert ever_won(scenario, scenario.task.walkthrough)


@pytest.mark.slow
@pytest.mark.parametrize(("model", "level"), EACH)
def test_what_a_run_takes_lies_in_another_room_and_is_named_with_its_place_unless_hard(
    model, level
):
    scenario = drawn(model, level)
    bench = bench_of(scenario)
    without = [
        said
        for said in decisions(scenario, scenario.task.walkthrough)
        if not any(command.startswith("GRAB") for command in said.values())
    ]
    assert not ever_won(scenario, without)
    assert (bench.apparatus.needs.ability is None) == (len(scenario.agents) == 2)
    samples = [each for each in scenario.scene.objects if each.id == bench.apparatus.needs.loaded]
    assert len(samples) == (level != "easy")
    assert bool(scenario.task.select) == (level == "hard")
    assert ("from the {" in scenario.task.instruction) == (level != "hard")


@pytest.mark.slow
@pytest.mark.parametrize(("model", "level"), EACH)
def test_runs_with_the_settings_as_they_are_do_not_win(model, level):
    scenario = drawn(model, level)
    commands = [*errand(scenario), *runs(bench_of(scenario)), *GUESSES]
    assert not ever_won(scenario, commands)


@pytest.mark.slow
@pytest.mark.parametrize(("model", "level"), EACH)
def test_runs_with_settings_at_their_bounds_do_not_win(model, level):
    scenario = drawn(model, level)
    for settings in extremes(bench_of(scenario)):
        value = settings[0].partition("=")[2]
        told = [f"SUBMIT threshold={value}", "SUBMIT flux=100"]
        commands = [*errand(scenario), *runs(bench_of(scenario), *settings), *told]
        assert not ever_won(scenario, commands)


@pytest.mark.parametrize(("model", "level"), EACH)
def test_an_answer_without_runs_does_not_win(model, level):
    scenario = drawn(model, level)
    right = [c for c in commands_of(scenario) if c.startswith("SUBMIT")]
    assert not ever_won(scenario, [*errand(scenario), *right, *GUESSES])


def test_the_right_threshold_without_a_run_that_shows_it_does_not_win():
    scenario = drawn("sixbox/1", "easy")
    answer = commands_of(scenario)[-1]
    assert answer.startswith("SUBMIT threshold=")
    assert not ever_won(scenario, [*errand(scenario), *runs(bench_of(scenario)), answer])


def test_some_take_two_who_start_together_and_one_alone_does_not_win():
    pairs = [each for seed in range(12) for each in [drawn("heat1d/1", "medium", seed)]]
    pairs = [scenario for scenario in pairs if len(scenario.agents) == 2]
    assert 1 <= len(pairs) <= 8
    for scenario in pairs:
        first, second = (agent.id for agent in scenario.agents)
        assert bench_of(scenario).apparatus.needs.people == 2
        assert ever_won(scenario, scenario.task.walkthrough)
        alone = [
            {first: said[first]} if first in said else said
            for said in decisions(scenario, scenario.task.walkthrough)
        ]
        assert {second} in [set(said) for said in alone]
        assert not ever_won(scenario, alone)


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_nobody_wins_by_waiting(model):
    engine = Engine(drawn(model, "easy"))
    assert not any(wins_by_waiting(engine, f"WAIT {seconds}") for seconds in (10, 600))


@pytest.mark.parametrize(("model", "level"), GRIDS)
@pytest.mark.parametrize("seed", range(2))
def test_of_doubled_grids_only_the_wanted_one_passes_and_can_be_paid_for(model, level, seed):
    scenario = drawn(model, level, seed)
    block, simulation = bench_of(scenario).apparatus, SIMULATIONS[model]
    tolerance = next(
        goal.measured.at_most
        for goal in scenario.task.goal.all
        if getattr(goal, "measured", None) and goal.measured.result == "error"
    )
    settings = {**defaults(simulation.parameters), **block.settings}
    sizes = [block.settings["n"] * 2**power for power in range(6)]
    checks = []
    for n in sizes:
        checks.append(simulation.check({**settings, "n": n}))
        if checks[-1].converged(tolerance):
            break
    assert len(checks) > 1
    paid = scenario.task.limits["eur"] / block.price.eur_per_mflop * 1e6
    assert sum(check.cost for check in checks) <= paid < checks[-1].check_cost
    assert block.bounds["n"][1] >= 4 * checks[-1].n
    assert f"n={checks[-1].n}" not in scenario.task.instruction


@pytest.mark.parametrize(("model", "level"), EACH)
def test_the_instruction_holds_no_setting_of_the_walkthrough(model, level):
    scenario = drawn(model, level)
    said = Engine(scenario).instruction
    assert "{" not in said
    configured = [c for c in commands_of(scenario) if c.startswith("CONFIGURE")]
    for setting in configured[-1].split()[2:]:
        assert setting.partition("=")[2] not in said.replace(",", " ").split()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", range(4))
def test_a_wanted_resolution_passes_and_the_finest_cannot_be_paid_for(level, seed):
    scenario = drawn("ns2d/1", level, seed)
    block = bench_of(scenario).apparatus
    (tolerance,) = [g.measured.at_most for g in scenario.task.goal.all if hasattr(g, "measured")]
    points = stored_curve(block.settings["boundary"], block.settings["reynolds"])
    passing = [point for point in points if point.error <= tolerance]
    paid = scenario.task.limits["eur"] / block.price.eur_per_mflop * 1e6
    assert points[0] not in passing
    assert passing[0].cost < paid < points[-1].cost


def test_harder_levels_leave_less_room():
    factors = [drawn("sixbox/1", level).task.goal.all for level in LEVELS]
    widths = [
        next(g.submitted.factor for g in goal if getattr(g, "submitted", None)) for goal in factors
    ]
    assert widths == sorted(widths, reverse=True)
    windows = []
    for level in LEVELS:
        (window,) = [
            g.measured
            for g in drawn("maglev/1", level).task.goal.all
            if getattr(g, "measured", None) and g.measured.result == "overshoot_percent"
        ]
        windows.append(window.at_most - window.at_least)
    assert windows == [16, 10, 6]


COMPUTED_QUICKLY = ("maglev/1", "heat1d/1", "euler1d/1")


def digest(models):
    """Of a document about each model."""
    documents = [MODELS[model](Random(3), "medium") for model in models]
    return hashlib.sha256(json.dumps(documents).encode()).hexdigest()


@pytest.mark.slow
@pytest.mark.parametrize(
    "models", [COMPUTED_QUICKLY, pytest.param(("sixbox/1",), marks=pytest.mark.slow)]
)
def test_the_same_bytes_in_another_process_with_another_hash_seed(models):
    environment = {**os.environ, "PYTHONHASHSEED": "77", "PYTHONPATH": os.pathsep.join(sys.path)}
    code = f"from {__name__} import digest; print(digest({models!r}))"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == digest(models)


ASKED = {"gains", "ball", "flux", "shock", "wake", "threshold"}


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [5, pytest.param(24, marks=pytest.mark.slow)])
def test_every_model_has_its_turn_and_another_seed_draws_another_scene(seeds):
    found = [apparatus(Random(seed), "easy") for seed in range(seeds)]
    assert len({json.dumps(each, sort_keys=True) for each in found}) == seeds
    asked = {each["tasks"][0]["id"] for each in found}
    assert asked == ASKED if seeds > len(ASKED) else 3 <= len(asked) <= len(ASKED)


@pytest.mark.slow
def test_the_answer_of_no_ocean_is_right_in_most_others():
    wanted = []
    for seed in range(30):
        goal = drawn("sixbox/1", LEVELS[seed % 3], seed).task.goal.all
        wanted += [g.submitted for g in goal if getattr(g, "submitted", None)]
    right = [
        sum(1 / w.factor <= guess.equals / w.equals <= w.factor for w in wanted) for guess in wanted
    ]
    assert max(right) <= 8


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("model", MODELS)
def test_the_rule_wins_most(model):
    won = Counter(play_by_rule(drawn(model, LEVELS[seed % 3], seed)) for seed in range(20))
    assert won[True] >= 16


@pytest.mark.slow
def test_generated_scenarios_are_certified_with_sound_plans():
    settings = GenerationSettings(seed=9, n=6, families=("apparatus",))
    for one in generate(settings):
        assert not list(recheck(one.certificate, one.scenario))
        assert one.certificate.solution.found == "plan"
        assert one.scenario.provenance["family"] == "apparatus"
