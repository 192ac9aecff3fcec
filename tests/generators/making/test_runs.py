"""Runs: the same bytes however they are made, nothing dropped silently, splits kept apart."""

import hashlib
import os
import subprocess
import sys
from itertools import islice

import pytest

from earsim.errors import FileError, UnknownName, UsageError
from earsim.schema import Category
from earsim_generators import GenerationSettings, Split, generate
from earsim_generators.bench.recipe import SuitePart
from earsim_generators.catalogue import domain_names
from earsim_generators.difficulty import Band
from earsim_generators.suites import settings_of
from earsim_generators.suites.job import (
    RejectionReason,
    SceneBatch,
    TaskQuota,
    quotas_of,
    quotas_of_scene,
)
from earsim_generators.suites.run import GenerationRun
from earsim_generators.suites.splits import DOMAINS_HELD_OUT, shared_out

SMALL = GenerationSettings(n=14, seed=3, preset="small", domains=("home", "clinic"))

DIGEST = """
import hashlib
from earsim_generators import GenerationSettings, generate
digest = hashlib.sha256()
for one in generate(GenerationSettings(n=14, seed=3, preset="small", domains=("home", "clinic"))):
    digest.update(one.line.encode() + one.certificate_line.encode())
print(digest.hexdigest())
"""


def digest(settings, jobs=1):
    found = hashlib.sha256()
    for one in generate(settings, jobs=jobs):
        found.update(one.line.encode() + one.certificate_line.encode())
    return found.hexdigest()


@pytest.mark.slow
def test_the_same_bytes_in_another_process_with_another_hash_seed():
    environment = {**os.environ, "PYTHONHASHSEED": "77"}
    command = [sys.executable, "-c", DIGEST]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == digest(SMALL)


@pytest.mark.slow
def test_the_same_bytes_with_any_number_of_processes():
    assert digest(SMALL, jobs=2) == digest(SMALL, jobs=3) == digest(SMALL)


@pytest.mark.slow
def test_another_seed_makes_other_scenarios():
    other = SMALL.model_copy(update={"seed": 4})
    assert digest(other) != digest(SMALL)


@pytest.mark.slow
def test_everything_proposed_is_counted():
    run = GenerationRun(SMALL)
    made = list(run.made(None, 14))
    counts = run.counts[None]
    assert counts.accepted.total() == len(made) == 14
    assert 0 <= counts.rejection_share <= 0.5
    assert all(reason in RejectionReason for _, reason in counts.rejected)


@pytest.mark.slow
def test_no_structure_is_made_twice():
    run = GenerationRun(SMALL)
    made = list(run.made(None, 14))
    assert len({one.structure for one in made}) == 14
    again = list(islice(run.made(None), 1))
    assert again[0].structure not in {one.structure for one in made}
    assert run.counts[None].rejected.total() >= 14
    assert RejectionReason.DUPLICATE in {reason for _, reason in run.counts[None].rejected}


def test_over_many_scenes_every_kind_of_task_is_tried_as_often():
    settings = GenerationSettings(bands=("easy", "medium", "hard"), tasks_per_scene=5)
    tried = [quota for number in range(210) for quota in quotas_of_scene(settings, number)]
    assert {tried.count(quota) for quota in quotas_of(settings)} == {50}


@pytest.mark.slow
def test_splits_have_no_scene_and_held_out_ones_no_word_in_common():
    settings = GenerationSettings(
        seed=1,
        preset="small",
        domains=("home", "clinic", "museum"),
        splits=dict.fromkeys(Split, 7),
    )
    scenes, words, domains = {}, {}, {}
    for one in generate(settings):
        scenes.setdefault(one.split, set()).add(one.scenario.scene.model_dump_json(exclude={"id"}))
        words.setdefault(one.split, set()).update(o.name for o in one.scenario.scene.objects)
        domains.setdefault(one.split, set()).add(one.scenario.scene.domain)
    assert set(scenes) == set(Split)
    for split in Split:
        others = [other for other in Split if other is not split]
        assert all(scenes[split].isdisjoint(scenes[other]) for other in others)
    known = words[Split.TRAIN] | words[Split.VALIDATION] | words[Split.TEST]
    for split in (Split.TEST_VOCABULARY, Split.TEST_VOCABULARY_DECLINED):
        assert words[split].isdisjoint(known)
    assert {split for split in Split if "museum" in domains[split]} == {*DOMAINS_HELD_OUT}
    assert domains[Split.TEST_DOMAIN] == {"museum"}


@pytest.mark.slow
def test_one_split_alone_is_the_same_as_among_others():
    both = GenerationSettings(seed=1, preset="small", splits={Split.TEST: 7, Split.TRAIN: 7})
    alone = GenerationSettings(seed=1, preset="small", splits={Split.TEST: 7})
    among = [one.line for one in generate(both) if one.split is Split.TEST]
    assert [one.line for one in generate(alone)] == among


def test_scenarios_are_dealt_out():
    assert shared_out(1000) == {
        Split.TRAIN: 700,
        Split.VALIDATION: 100,
        Split.TEST: 100,
        Split.TEST_VOCABULARY: 50,
        Split.TEST_DOMAIN: 50,
    }
    assert shared_out(3) == dict.fromkeys(shared_out(1000), 1)
    assert GenerationSettings(n=5).parts == {None: 5}


def test_data_centres_and_museums_occur_in_no_other_split():
    settings = GenerationSettings(splits=dict.fromkeys(Split, 1))
    assert settings.domains_of(Split.TEST_DOMAIN) == ("data_centre", "museum")
    others = set(domain_names()) - {"data_centre", "museum"}
    for split in (Split.TRAIN, Split.VALIDATION, Split.TEST, Split.TEST_VOCABULARY):
        assert set(settings.domains_of(split)) == others


@pytest.mark.parametrize("split", [Split.TEST, Split.TEST_VOCABULARY, Split.TEST_DOMAIN])
def test_what_is_declined_beside_a_split_has_the_same_domains_and_words(split):
    settings = GenerationSettings(splits=dict.fromkeys(Split, 1))
    _, beside = SuitePart(split=split, n=1, declined=1).splits
    assert settings.domains_of(beside) == settings.domains_of(split)
    assert settings.parameters_of(beside) == settings.parameters_of(split)
    is_held_out = settings.parameters_of(beside).vocabulary == "held_out"
    assert is_held_out is (split is Split.TEST_VOCABULARY)


def test_without_the_usual_held_out_domains_the_last_is_kept():
    settings = GenerationSettings(
        domains=("home", "office"), splits={Split.TEST_DOMAIN: 1, Split.TRAIN: 1}
    )
    assert settings.domains_of(Split.TEST_DOMAIN) == ("office",)
    assert settings.domains_of(Split.TRAIN) == ("home",)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"n": 0}, "n:"),
        ({"bands": ["tricky"]}, "bands"),
        ({"rooms": 6, "objects": 3}, "objects are too few"),
        ({"domains": ["home"], "splits": {"train": 1, "test_domain": 1}}, "no domain is left"),
        ({"teams": 3}, "teams"),
    ],
)
def test_settings_that_cannot_be_met_are_told(data, words):
    with pytest.raises(FileError, match=words):
        settings_of(data)


@pytest.mark.parametrize(
    "data", [{"preset": "smal"}, {"domains": ["hoem"]}, {"ruleset": "physics"}]
)
def test_unknown_names_are_told_with_near_misses(data):
    with pytest.raises(UnknownName, match="did you mean"):
        settings_of(data)


def test_what_cannot_be_had_is_told_instead_of_tried_for_ever():
    settings = GenerationSettings(n=1, domains=("home",), rooms=40, objects=120)
    with pytest.raises(UsageError, match="home"):
        list(generate(settings))


def test_a_task_that_never_comes_about_ends_the_run(monkeypatch):
    quota = TaskQuota(Category.TOOL_USE, Band.HARD)
    nothing = SceneBatch("home", (), ((quota, RejectionReason.OUT_OF_BAND),))
    monkeypatch.setattr("earsim_generators.suites.run.work", lambda job: nothing)
    said = (
        "60 scenes in a row gave no task of tool_use, hard; the last were rejected as out_of_band"
    )
    with pytest.raises(UsageError, match=said):
        list(GenerationRun(GenerationSettings()).made(None, 1))


def test_a_kind_of_task_is_a_cell():
    assert TaskQuota(Category.TOOL_USE, None) in quotas_of(GenerationSettings())
