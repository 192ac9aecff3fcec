"""What leaves the generator: proved, sound, and as hard as was asked for."""

import json
from collections import Counter

import pytest

from earsim.certificates.validation import check_scenario
from earsim.engine import Engine
from earsim.planner.proofs.certificate import recheck, staleness
from earsim.schema import Category
from earsim.schema.certificate import LabelProof
from earsim.schema.scenario import Scenario
from earsim_generators import GenerationSettings, generate
from earsim_generators.difficulty import Band, band_of, lookalikes, measure
from earsim_generators.presets import PRESETS


@pytest.mark.slow
def test_every_scenario_is_certified(made):
    for one in made:
        certificate, scenario = one.certificate, one.scenario
        assert not staleness(certificate, scenario)
        assert not certificate.goal_at_start
        assert certificate.solution.found == "plan"
        assert certificate.label is not LabelProof.NOT_PROVED
        assert list(recheck(certificate, scenario)) == []


@pytest.mark.slow
def test_every_scenario_is_sound(made):
    for one in made:
        assert list(check_scenario(one.scenario)) == []


def test_every_category_is_made_as_often(made):
    assert set(Counter(one.scenario.task.category for one in made).values()) == {9}


def test_every_selector_has_at_least_three_candidates(made):
    selectors = 0
    for one in made:
        world = Engine(one.scenario).start()
        for selector in one.scenario.task.select.values():
            assert len(lookalikes(selector, world)) >= 3
            selectors += 1
    assert selectors > 10


def test_a_scenario_says_where_it_comes_from(made):
    for one in made:
        told = one.scenario.provenance
        assert told["generator"].startswith("earsim_generators/")
        assert told["seed"] == 5
        assert told["difficulty"]["length"] == len(one.certificate.solution.plan)
        assert told["difficulty"]["band"] == band_of(one.measures)


def test_what_was_measured_can_be_measured_again(made):
    for one in made[::5]:
        engine = Engine(one.scenario)
        assert measure(engine, one.certificate.solution.plan) == one.measures


@pytest.mark.parametrize("preset", ["small", "hard"])
def test_presets_hit_their_bands(made, preset):
    bands = PRESETS[preset].bands
    scenarios = [one for one in made if one.scenario.provenance["preset"] == preset]
    assert {band_of(one.measures) for one in scenarios} == set(bands)
    least = PRESETS[preset].least_length
    assert all(one.measures.length >= least for one in scenarios)


def test_a_small_scene_is_small_and_no_toy(made):
    small = [one for one in made if one.scenario.provenance["preset"] == "small"]
    assert small
    for one in small:
        assert len(one.scenario.scene.rooms) >= 3
        assert 12 <= len(one.scenario.scene.objects) <= 20


@pytest.mark.slow
def test_bands_asked_for_are_hit_and_balanced():
    settings = GenerationSettings(n=18, seed=2, bands=tuple(Band), categories=(Category.TOOL_USE,))
    found = Counter(band_of(one.measures) for one in generate(settings))
    assert found == dict.fromkeys(Band, 6)


@pytest.mark.slow
def test_knobs_reach_the_scenes():
    asked = {"rooms": 4, "objects": 30, "doors": 2, "locked_doors": 1, "lookalikes": 3}
    settings = GenerationSettings(n=7, seed=1, domains=("home",), team=3, **asked)
    found = list(generate(settings))
    assert len(found) == 7
    for one in found:
        scene = one.scenario.scene
        assert len(scene.rooms) == 4
        assert len(scene.objects) == 30
        assert len(scene.doors) == 2
        assert sum(door.states["is_locked"] for door in scene.doors) == 1
        assert scene.domain == "home"


@pytest.mark.slow
def test_a_team_of_three_is_three():
    settings = GenerationSettings(
        n=3, seed=1, team=3, preset="small", categories=(Category.IMPLICIT_COLLABORATION,)
    )
    sizes = Counter(len(one.scenario.agents) for one in generate(settings))
    assert sizes[3] >= 1


def test_an_endless_run_goes_on():
    found = generate(GenerationSettings(preset="small", tasks_per_scene=2))
    ids = [next(found).id for _ in range(10)]
    assert len(set(ids)) == 10


@pytest.mark.slow
def test_the_published_ruleset(made):
    settings = GenerationSettings(
        n=2, seed=1, ruleset="ear-bench", preset="small", categories=(Category.DIRECT_COMMAND,)
    )
    found = list(generate(settings))
    assert len(found) == 2
    for one in found:
        assert one.certificate.ruleset.startswith("ear-bench/")
        assert one.scenario.scene.doors == ()


def test_lines_are_scenarios(made):
    for one in made[:3]:
        data = json.loads(one.line)
        assert data["schema"] == "earsim.scenario/1"
        assert isinstance(one.scenario, Scenario)
        assert one.scenario.id == one.id
