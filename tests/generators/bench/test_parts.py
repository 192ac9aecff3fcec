"""Parts of one benchmark that have presets of their own: what they share, and what they do not."""

import json
import math
from collections import Counter

import pytest

from earsim.errors import FileError
from earsim.schema import Category
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.suites import open_suite
from earsim_generators.bench import BenchmarkRecipe
from earsim_generators.bench.builder import build
from earsim_generators.conditions import BUDGET_RATIO, expert_play
from earsim_generators.presets import PRESETS
from earsim_generators.suites import Split, settings_of
from earsim_generators.suites.folder import RECORD
from earsim_generators.suites.job import SceneJob, quotas_of, quotas_of_scene
from earsim_generators.suites.worker import work

RECIPE = {
    "schema": "earsim.recipe/1",
    "name": "mixed",
    "version": 1,
    "canary": "mixed canary",
    "seed": 5,
    "preset": "bench",
    "domains": ["clinic", "home"],
    "held_out": [],
    "parts": {
        "mixed": {"split": "test", "n": 39},
        "mixed-talk": {"split": "test_talk", "n": 3, "preset": "talk_errands"},
        "mixed-time": {"split": "test_time", "n": 2, "preset": "time_errands"},
    },
}


def recipe(**changed: object) -> BenchmarkRecipe:
    return validated(Document("recipe", {**RECIPE, **changed}), BenchmarkRecipe)


def test_a_part_has_its_preset_and_shares_seed_and_ruleset():
    settings = recipe().settings
    talk = settings.of_part(Split.TEST_TALK)
    assert (talk.preset, talk.seed, talk.ruleset) == ("talk_errands", 5, "physical")
    assert talk.sources_of(Split.TEST_TALK) == ("told",)
    assert settings.of_part(Split.TEST) is settings


def test_a_part_of_ordinary_scenes_shares_the_domains_too():
    parts = {**RECIPE["parts"], "mixed-small": {"split": "train", "n": 7, "preset": "small"}}
    small = recipe(parts=parts).settings.of_part(Split.TRAIN)
    assert small.domains_of(Split.TRAIN) == ("clinic", "home")
    assert small.scene_parameters == PRESETS["small"].parameters


def test_an_unknown_preset_is_refused():
    parts = {"mixed": {"split": "test", "n": 3, "preset": "bensh"}}
    with pytest.raises(Exception, match="bench"):
        assert recipe(parts=parts).settings


def test_families_conditions_and_categories_have_their_turns():
    quotas = quotas_of(recipe().settings, Split.TEST)
    sources = Counter(quota.source for quota in quotas)
    assert sources == {"family": 15, "condition": 20, "category": 4}
    assert sum(quota.label in ("impossible", "unclear") for quota in quotas) == 2
    in_scenes = Counter(q for turn in range(24) for q in quotas_of_scene(recipe().settings, turn))
    assert in_scenes == {q: 7 * n for q, n in Counter(q for q in quotas if not q.family).items()}


def test_ordinary_scenes_and_families_take_turns():
    jobs = [SceneJob(recipe().settings, Split.TEST, number) for number in range(38)]
    assert Counter(job.family for job in jobs)[""] == 8
    assert [job.turn for job in jobs if not job.family] == [*range(8)]
    assert [job.turn for job in jobs if job.family == "told"] == [0, 1]
    assert [job.domain for job in jobs if not job.family] == ["clinic", "home"] * 4


@pytest.mark.slow
def test_tasks_have_the_budget_that_the_expert_leaves(tmp_path):
    build(recipe(), tmp_path, jobs=2)
    labels = Counter()
    for name in RECIPE["parts"]:
        for scenario in open_suite(tmp_path / f"{name}.jsonl.gz"):
            labels[scenario.task.id.rsplit("_", 2)[0]] += 1
            played = expert_play(scenario)
            told = scenario.provenance.get("condition", scenario.provenance)
            assert (played.won, played.decisions) == (True, told["expert"]), scenario.id
            assert scenario.task.budget == math.ceil(BUDGET_RATIO * played.decisions)
    assert labels["told"] == 4  # one in `mixed`, three in its part
    assert {category.value for category in Category} & labels.keys() == {
        "direct_command",
        "attribute_reasoning",
        "tool_use",
        "compound_reasoning",
    }
    record = json.loads((tmp_path / RECORD).read_text(encoding="utf-8"))
    assert record["settings"]["presets"] == {
        "test_talk": "talk_errands",
        "test_time": "time_errands",
    }
    assert set(record["parts"]) == {"test", "test_talk", "test_time"}


def test_a_preset_of_families_has_no_words_held_out():
    parts = {"mixed": {"split": "test_vocabulary", "n": 3, "preset": "talk_errands"}}
    with pytest.raises(FileError, match="held out"):
        assert recipe(parts=parts).settings


@pytest.mark.slow
def test_the_expert_does_not_measure_two_vessels_by_each_other_without_end():
    families = ("heat", "phase", "flow", "charge", "discharge", "burns", "drying", "mix")
    settings = settings_of({"families": families, "seed": 2027, "splits": {"test_time": 1}})
    (mixing,) = work(SceneJob(settings, Split.TEST_TIME, 63)).made
    assert mixing.quota.label == "mix"
    assert expert_play(mixing.scenario).won
