"""The scenes of the suite `laboratory`: each task is done as its author says, and no other way
than by doing something; numbers that goals ask for come from the models."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from earsim import Engine, Episode, open_suite
from earsim.apparatus.bodies.confinement import DEMAND, reached
from earsim.apparatus.euler1d import EULER1D
from earsim.apparatus.euler1d.reference import LEVELS as TUBE_LEVELS
from earsim.apparatus.forecaster import FORECASTER
from earsim.apparatus.heat1d import HEAT1D
from earsim.apparatus.heat1d.equations import END_S, Conditions
from earsim.apparatus.heat1d.exact import flux
from earsim.apparatus.parameter import Settings, defaults
from earsim.apparatus.registry import MODELS
from earsim.apparatus.sixbox.presets import preset
from earsim.apparatus.sixbox.questions import (
    NO_CHANGE,
    QUESTIONS,
    Direction,
    ThresholdAnswer,
    ThresholdQuestion,
)
from earsim.apparatus.sixbox.reference import by_grid, regimes_of
from earsim.apparatus.sixbox.regimes import changed
from earsim.apparatus.tipgan import TIPGAN
from earsim.schema import Scenario, load_scenarios
from earsim.schema.goal import MeasuredFact, SpentFact, SubmittedFact
from earsim.schema.goal_tree import Leaf, fold
from earsim.schema.task import Category
from earsim.world.lab import Lab

FOLDER = Path(__file__).parents[2] / "scenes" / "laboratory"
SUITE = open_suite("laboratory")
IDS = list(SUITE.ids)
SLOW = (
    "shock_hall/sod_step_by_step",
    "wind_tunnel/around_a_cylinder",
    "wind_tunnel/before_it_blows_up",
    "wind_tunnel/the_city_block",
)
"""Walkthroughs of half a second or more."""
CODED = ("numerics_room/", "dry_desks/")
"""Scenes whose walkthroughs have code executed."""


def marks_of(scenario_id: str) -> list[pytest.MarkDecorator]:
    """Runs of half a second or more; code is executed where there is a sandbox for it."""
    is_slow = scenario_id in SLOW or scenario_id.startswith("numerics_room/")
    marks = [pytest.mark.slow] if is_slow else []
    if scenario_id.startswith(CODED):
        no_sandbox = reached().level < DEMAND.level
        marks.append(pytest.mark.skipif(no_sandbox, reason="no sandbox for code here"))
    return marks


EACH = [pytest.param(id_, marks=marks_of(id_), id=id_.replace("/", "-")) for id_ in IDS]
TEAMS = [id_ for id_ in IDS if len(SUITE.load(id_).agents) > 1]
HEAVY = [id_ for id_ in IDS if SUITE.load(id_).task.category is Category.IMPLICIT_COLLABORATION]
FREE = ("CONFIGURE", "SUBMIT", "WAIT", "SAY", "EXEC", "SAVE")
"""Verbs of commands of which not every one is listed."""

LEAST_MARGIN = 1e-6
WITHIN = 1.35
SLOWLY = ("pacific_depth",)
"""Questions whose grid takes some seconds where nothing is compiled."""


def played(scenario: Scenario) -> Episode:
    """The walkthrough to its end; each command was accepted, and listed or of a free verb."""
    episode = Episode(Engine(scenario))
    for entry in scenario.task.walkthrough:
        commands = {episode.agents[0]: entry} if isinstance(entry, str) else entry
        for agent, text in commands.items():
            free = text.split()[0] in FREE or "=" in text  # values are not gone through
            assert free or text in episode.admissible(agent), text
        decision = episode.step(commands)
        told = [*decision.outcomes.values(), *decision.messages.values()]
        assert [outcome for outcome in told if outcome.reason is not None] == []
    return episode


def lab_of(episode: Episode) -> Lab:
    timeline = episode.world.timeline
    assert timeline is not None
    assert timeline.lab is not None
    return timeline.lab


def leaves(scenario: Scenario) -> list[Leaf]:
    """The parts of a goal."""
    found: list[Leaf] = []
    fold(scenario.task.goal, leaf=found.append, every=list, some=list, negated=lambda part: part)
    return found


ASKING = [id_ for id_ in IDS if any(leaf.key == "submitted" for leaf in leaves(SUITE.load(id_)))]


def test_the_suite_is_every_scene_of_the_folder():
    files = sorted(FOLDER.glob("*.yaml"))
    found = [scenario.id for path in files for scenario in load_scenarios(path)]
    assert sorted(found) == sorted(IDS)
    assert len(files) == 9
    assert len(IDS) >= 34


def test_all_models_and_all_categories_are_there():
    objects = [thing for id_ in IDS for thing in SUITE.load(id_).scene.objects]
    models = {thing.apparatus.model for thing in objects if thing.apparatus is not None}
    assert models == {
        "maglev/1", "levitation/1", "heat1d/1", "euler1d/1", "ns2d/1", "sixbox/1",
        "wet_bench/1", "dry_bench/1", "python/1", "octave/1",
        "library/1", "figures/1", "forecaster/1", "tipgan/1",
    }  # fmt: skip
    categories = Counter(SUITE.load(id_).task.category for id_ in IDS)
    assert set(categories) == set(Category)
    assert len(TEAMS) >= 10


@pytest.mark.slow
@pytest.mark.parametrize("scenario_id", EACH)
def test_the_walkthrough_wins_within_the_budget_and_not_by_a_hair(scenario_id: str):
    scenario = SUITE.load(scenario_id)
    episode = played(scenario)
    assert episode.success
    assert episode.decisions <= episode.budget
    for margin in margins(scenario, episode):
        assert margin >= LEAST_MARGIN


def margins(scenario: Scenario, episode: Episode) -> Iterator[float]:
    """How far results, costs and answers keep away from the bounds of the goal, relative to them.

    Costs that a bound was made of, such as a number of runs, are whole numbers and may meet it.
    """
    lab = lab_of(episode)
    for leaf in leaves(scenario):
        match leaf.fact:
            case MeasuredFact() as fact if fact.equals is None:
                result = last_completed(lab, fact.apparatus)[fact.result]
                bounds = ((fact.at_most, 1.0), (fact.at_least, -1.0))
                yield from ((b - result) / abs(b) * sign for b, sign in bounds if b is not None)
            case SpentFact(account=account, at_most=bound) if account != "runs":
                yield (bound - lab.booked(account)) / bound
            case SubmittedFact(factor=float() as factor) as fact if fact.equals != NO_CHANGE:
                ratio = lab.answers[fact.name] / fact.equals
                yield factor - max(ratio, 1 / ratio)
            case SubmittedFact(within=float(within)) as fact if within:
                yield (within - abs(lab.answers[fact.name] - fact.equals)) / abs(fact.equals)


def last_completed(lab: Lab, apparatus: str) -> Mapping[str, Any]:
    runs = [run for run in lab.runs.values() if run.apparatus == apparatus]
    return [run.results for run in runs if run.operation.status == "completed"][-1]


@pytest.mark.parametrize("scenario_id", IDS)
def test_doing_nothing_fails(scenario_id: str):
    episode = Episode(Engine(SUITE.load(scenario_id)))
    assert not episode.engine.task.goal.holds(episode.world)
    episode.step(dict.fromkeys(episode.agents, "DONE"))
    assert episode.over
    assert not episode.success


@pytest.mark.parametrize("scenario_id", ASKING)
def test_answers_alone_are_not_enough(scenario_id: str):
    """Who guesses right has not done the task: runs are asked for as well."""
    scenario = SUITE.load(scenario_id)
    episode = Episode(Engine(scenario))
    asked = [leaf.fact for leaf in leaves(scenario) if isinstance(leaf.fact, SubmittedFact)]
    for fact in asked:
        episode.step({episode.agents[0]: f"SUBMIT {fact.name}={fact.equals}"})
    episode.step(dict.fromkeys(episode.agents, "DONE"))
    assert not episode.success


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario_id", "left_out"),
    [
        ("control_lab/stop_it_in_time", "STOP lag_rig"),
        ("control_lab/stop_it_in_time", "CONFIGURE lag_rig topology=pid Kp=12 Ki=8 Kd=0"),
        ("control_lab/stop_it_in_time", "WAIT UNTIL lag_rig done"),
        ("control_lab/stop_it_and_mend_it", "CONFIGURE lag_rig topology=pid Kp=20 Ki=5 Kd=1"),
        ("control_lab/catch_the_fall", "STOP ball_rig"),
        ("heat_bay/pull_the_plug", "STOP old_bench"),
        ("control_lab/p_alone_cannot", "CONFIGURE lag_rig topology=pid Kp=2.818 Ki=0.8 Kd=1.886"),
        ("heat_bay/cure_the_old_bench", "CONFIGURE old_bench cfl=0.3"),
        ("shock_hall/better_slopes", "CONFIGURE sod_tube reconstruction=kappa beta=2"),
    ],
)
def test_a_task_is_lost_without_what_it_is_about(scenario_id: str, left_out: str):
    scenario = SUITE.load(scenario_id)
    episode = Episode(Engine(scenario))
    assert left_out in scenario.task.walkthrough
    for entry in scenario.task.walkthrough:
        assert isinstance(entry, str)
        episode.step({episode.agents[0]: "WAIT 1" if entry == left_out else entry})
    assert not episode.success


@pytest.mark.parametrize(
    ("scenario_id", "bolder"),
    [
        ("control_lab/catch_the_fall", "CONFIGURE ball_rig kp=65"),
        ("heat_bay/pull_the_plug", "CONFIGURE old_bench h=7000"),
        pytest.param(
            "wind_tunnel/before_it_blows_up",
            "CONFIGURE large_tunnel cfl=0.6",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_run_stopped_with_other_settings_is_not_the_one_asked_for(scenario_id: str, bolder: str):
    episode = Episode(Engine(SUITE.load(scenario_id)))
    configured = False
    for entry in episode.engine.scenario.task.walkthrough:
        commands = {episode.agents[0]: entry} if isinstance(entry, str) else dict(entry)
        agent, command = list(commands.items())[-1]
        if command.startswith("RUN") and not configured:
            configured = episode.step({agent: bolder}).outcomes[agent].accepted
        episode.step(commands)
    assert configured
    runs = lab_of(episode).runs.values()
    assert next(iter(runs)).operation.failure == "halted"
    assert any(event.name in ("diverging", "out_of_range") for run in runs for event in run.events)
    assert not episode.success


def test_an_attended_run_ends_when_the_one_who_began_it_leaves():
    scenario = SUITE.load("control_lab/one_stays_with_the_ball")
    episode = Episode(Engine(scenario))
    for entry in scenario.task.walkthrough[:10]:
        assert isinstance(entry, Mapping)
        episode.step(entry)
    episode.step({"ada": "RUN ball_rig"})
    episode.step({"ada": "GOTO passage"})
    (run,) = lab_of(episode).runs.values()
    assert run.operation.failure == "halted"
    assert run.message == "nobody attends it"


@pytest.mark.parametrize("scenario_id", HEAVY)
def test_what_takes_two_is_too_heavy_for_each(scenario_id: str):
    scenario = SUITE.load(scenario_id)
    strongest = max(agent.max_mass_kg for agent in scenario.agents)
    entries = [entry for entry in scenario.task.walkthrough if isinstance(entry, Mapping)]
    commands = [command for entry in entries for command in entry.values()]
    lifted = {c.split()[1] for c in commands if c.startswith("CORP_GRAB")}
    things = {thing.id: thing for thing in scenario.scene.objects}
    assert lifted
    assert all(things[node].mass_kg > strongest for node in lifted)


def test_one_alone_cannot_start_what_takes_two():
    scenario = SUITE.load("control_lab/two_at_the_buttons")
    episode = Episode(Engine(scenario))
    for entry in scenario.task.walkthrough[:-2]:
        assert isinstance(entry, Mapping)
        episode.step(entry)
    decision = episode.step({"ada": "RUN teaching_rig"})
    assert decision.outcomes["ada"].reason == "partner_missing"


# -- where numbers come from -----------------------------------------------------------------------


ASKED: dict[str, tuple[str, str]] = {
    "freshwater_from_the_north": ("published", "north_atlantic_freshwater"),
    "freshwater_from_the_south": ("published", "southern_freshwater"),
    "weaker_winds": ("round", "ekman_transport"),
    "another_start": ("published", "pacific_depth"),
    "stronger_mixing": ("published", "more_mixing"),
    "weaker_mixing": ("published", "less_mixing"),
    "sinking_made_hard": ("published", "pacific_resistance"),
    "between_the_basins": ("round", "interbasin_resistance"),
    "which_way_mixing": ("published", "mixing_direction"),
    "a_warmer_north": ("round", "north_atlantic_warmth"),
}
"""The ten questions: the values in use and the question, by task."""


def question_of(name: str) -> ThresholdQuestion:
    return next(question for question in QUESTIONS if question.name == name)


def settings_in(scenario: Scenario) -> dict[str, Settings]:
    """What each workstation of a scene starts with."""
    specs = {o.id: o.apparatus for o in scenario.scene.objects if o.apparatus is not None}
    return {id_: {**preset("published"), **spec.settings} for id_, spec in specs.items()}


def used_in(scenario: Scenario) -> str:
    """The one workstation that a task is about."""
    (facts,) = [leaf.fact for leaf in leaves(scenario) if leaf.key == "operation"]
    return str(facts.apparatus)  # type: ignore[union-attr]


@pytest.mark.parametrize("task", ASKED)
def test_a_workstation_has_the_values_that_its_answer_is_about(task: str):
    scenario = SUITE.load(f"ocean_office/{task}")
    name, _ = ASKED[task]
    assert settings_in(scenario)[used_in(scenario)] == preset(name)


@pytest.mark.parametrize(
    "task",
    [
        pytest.param(t, marks=[pytest.mark.slow] if q in SLOWLY or q.endswith("mixing") else [])
        for t, (_, q) in ASKED.items()
    ],
)
def test_the_answer_of_an_ocean_question_is_that_of_the_grid(task: str):
    name, asked = ASKED[task]
    (fact,) = submitted(f"ocean_office/{task}")
    answer = by_grid(question_of(asked), preset(name))
    assert fact.equals == answer.value
    assert fact.factor == (None if isinstance(answer.value, str) else WITHIN)


def submitted(scenario_id: str) -> list[SubmittedFact]:
    facts = [leaf.fact for leaf in leaves(SUITE.load(scenario_id))]
    return [fact for fact in facts if isinstance(fact, SubmittedFact)]


def test_the_answers_of_the_chain_are_those_of_the_grid():
    mixing, freshwater = submitted("ocean_office/mixing_then_freshwater")
    values = preset("published")
    assert mixing.equals == first_change("mixing_direction", values, Direction.DOWN)
    weak = {**values, "A_R": 600.0}
    assert regimes_of(weak) == regimes_of(values)
    assert freshwater.equals == grid_of("north_atlantic_freshwater", weak).value


def test_the_nearer_ocean_is_the_one_whose_threshold_is_less():
    alba, bora, nearer = submitted("ocean_office/whose_ocean_is_nearer")
    assert alba.equals == grid_of("southern_freshwater", preset("published")).value
    assert bora.equals == grid_of("southern_freshwater", preset("round")).value
    assert nearer.equals == ("bora" if bora.equals < alba.equals else "alba")


def test_the_nearer_forecast_is_the_one_with_the_smaller_error_and_not_by_a_hair():
    settings = {**settings_at("ocean_office/whose_forecast_is_nearer", "cora"), "horizon": 10}
    running, stopped = submitted("ocean_office/whose_forecast_is_nearer")
    for fact, fresh in ((running, 6e5), (stopped, 8e5)):
        errors = {}
        for method in ("persistence", "ar"):
            run = FORECASTER.start({**settings, "F_nA": fresh, "method": method})
            error = FORECASTER.results(FORECASTER.advance(run, 1e9).state)["error"]
            errors[method] = float(error or 0.0)
        less, more = sorted(errors, key=lambda method: errors[method])
        assert fact.equals == less
        assert errors[more] > 1.5 * errors[less]


@pytest.mark.slow
def test_the_nearer_proposals_are_those_with_the_smaller_distance_and_not_by_a_hair():
    settings = settings_at("ocean_office/whose_proposals_are_nearer", "dora")
    first, second = submitted("ocean_office/whose_proposals_are_nearer")
    distances = {}
    for method in ("even", "balanced", "uncertain"):
        end = TIPGAN.advance(TIPGAN.start({**settings, "method": method}), 1e9)
        distances[method] = float(TIPGAN.results(end.state)["distance"] or 0.0)
    assert distances["even"] > 1.5 * distances["balanced"] > 1.5**2 * distances["uncertain"]
    assert (first.equals, second.equals) == ("balanced", "uncertain")


def test_what_keeps_it_sinking_is_not_there_as_it_is_set():
    settings = settings_at("ocean_office/keep_it_sinking", "edda")
    found = [regimes_of({**settings, "A_R": value}) for value in (settings["A_R"], 1500.0, 2000.0)]
    assert [None if each is None else each.a for each in found] == [1, 1, 3]


def settings_at(scenario_id: str, apparatus: str) -> Settings:
    """The settings that an apparatus has at the start."""
    things = SUITE.load(scenario_id).scene.objects
    (spec,) = [thing.apparatus for thing in things if thing.id == apparatus]
    assert spec is not None
    return {**defaults(MODELS[spec.model].parameters), **spec.settings}


def grid_of(name: str, settings: Settings) -> ThresholdAnswer:
    return by_grid(question_of(name), settings)


def first_change(name: str, settings: Settings, way: Direction) -> float | None:
    """The first value of a grid, one way, that changes a regime."""
    question, before = question_of(name), regimes_of(settings)
    assert before is not None
    for value in question.grid(float(settings[question.parameter]), way):
        after = regimes_of({**settings, question.parameter: value})
        if changed(before, after, question.which):
            return value
    return None


def test_the_true_flow_is_the_exact_one():
    (fact,) = submitted("heat_bay/the_true_flow")
    bench = next(o for o in SUITE.load("heat_bay/the_true_flow").scene.objects if o.apparatus)
    assert bench.apparatus is not None
    settings = {**defaults(HEAT1D.parameters), **bench.apparatus.settings}
    assert fact.equals == pytest.approx(flux(Conditions.of(settings), END_S), abs=1e-5)


def test_tubes_ask_for_the_levels_of_their_profiles():
    wanted = {
        "one_shot_at_sod": TUBE_LEVELS["sod"]["low"],
        "sod_step_by_step": TUBE_LEVELS["sod"]["medium"],
        "one_shot_at_lax": TUBE_LEVELS["lax"]["low"],
        "the_driver_bottle": TUBE_LEVELS["mach_3"]["low"],
    }
    for task, level in wanted.items():
        facts = [leaf.fact for leaf in leaves(SUITE.load(f"shock_hall/{task}"))]
        errors = [f for f in facts if isinstance(f, MeasuredFact) and f.result == "error"]
        assert [fact.at_most for fact in errors] == [level]


def test_a_tube_one_level_coarser_would_not_do():
    """The doubling search from 256 cells ends on 512 for the medium level of sod."""
    settings = {**defaults(EULER1D.parameters), "case": "sod", "n": 256}
    assert EULER1D.check(settings).error > TUBE_LEVELS["sod"]["medium"]
