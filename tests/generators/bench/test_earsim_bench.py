"""The benchmark that comes along: what it promises to hold, and that it can be made again."""

import json
from collections import Counter
from functools import cache
from typing import NamedTuple

import pytest

from earsim import open_suite
from earsim.schema import Category
from earsim.suites import Suite
from earsim_generators.bench import BenchmarkRecipe, load_recipe
from earsim_generators.suites import Split
from tests.generators.bench.shipped import (
    SCENES,
    assert_made_again,
    assert_recorded,
    assert_sound,
    certificates,
    size_of,
    unpacked,
)

FOLDER = SCENES / "earsim-bench"
SIZES = {
    "earsim-bench": 1400,
    "earsim-bench-vocabulary": 700,
    "earsim-bench-domain": 700,
    "earsim-bench-mini": 140,
}
MOST_BYTES = 6_000_000


@pytest.fixture(scope="module")
def recipe() -> BenchmarkRecipe:
    return load_recipe(FOLDER / "recipe.yaml")


@pytest.fixture(scope="module")
def suites() -> dict[str, Suite]:
    return {name: open_suite(name) for name in SIZES}


class Contents(NamedTuple):
    """What is in a suite, read once."""

    categories: Counter[str]
    bands: Counter[str]
    domains: set[str]
    names: set[str]


@cache
def contents(name: str) -> Contents:
    found = Contents(Counter(), Counter(), set(), set())
    for line in map(json.loads, unpacked(FOLDER, name).splitlines()):
        found.categories[line["task"]["category"]] += 1
        found.bands[line["provenance"]["difficulty"]["band"]] += 1
        found.domains.add(line["scene"]["domain"])
        found.names.update(thing["name"] for thing in line["scene"]["objects"])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", SIZES)
def test_as_many_of_each_category_and_about_as_many_of_each_band(name: str):
    found = contents(name)
    assert found.categories.total() == SIZES[name]
    assert found.categories == {category.value: SIZES[name] // 7 for category in Category}
    bands = found.bands
    assert len(bands) == 3
    assert max(bands.values()) - min(bands.values()) <= 7  # one of each category


@pytest.mark.slow
def test_domains_and_their_split(recipe: BenchmarkRecipe):
    domains = {name: contents(name).domains for name in recipe.parts}
    assert len(domains["earsim-bench"]) == 10
    assert domains["earsim-bench-domain"] == set(recipe.held_out)
    assert domains["earsim-bench"].isdisjoint(recipe.held_out)


def test_names_of_the_vocabulary_split_are_in_no_other():
    names = {name: contents(name).names for name in SIZES}
    others = names["earsim-bench"] | names["earsim-bench-domain"]
    assert names["earsim-bench-vocabulary"].isdisjoint(others)


def test_mini_is_a_part():
    assert set(unpacked(FOLDER, "earsim-bench-mini").splitlines()) < set(
        unpacked(FOLDER, "earsim-bench").splitlines()
    )


@pytest.mark.parametrize("name", SIZES)
def test_each_has_a_certificate(name: str, suites: dict[str, Suite]):
    proofs = [json.loads(line) for line in certificates(FOLDER, name)]
    assert [proof["scenario_id"] for proof in proofs] == list(suites[name].ids)
    assert {proof["solution"]["found"] for proof in proofs} == {"plan"}
    assert {proof["ruleset"] for proof in proofs} == {"physical/2"}
    # Nothing but the task itself is promised by a direct command.
    unproved = {proof["category"] for proof in proofs if proof["label"] == "nothing_promised"}
    assert unproved == {"direct_command"}
    assert {proof["label"] for proof in proofs} == {"proved", "nothing_promised"}


@pytest.mark.slow
def test_certificates_replay():
    assert_sound(FOLDER, "earsim-bench-mini")


@pytest.mark.slow
@pytest.mark.parametrize("split", [Split.TEST, Split.TEST_VOCABULARY, Split.TEST_DOMAIN])
def test_a_sample_is_made_again_byte_for_byte(split: Split, recipe: BenchmarkRecipe):
    assert_made_again(FOLDER, recipe, split, 21)


def test_the_record_tells_the_digests_and_every_scenario_bears_the_canary(recipe: BenchmarkRecipe):
    assert_recorded(FOLDER, recipe, SIZES)


def test_it_is_small_enough_to_be_carried_along():
    assert size_of(FOLDER) <= MOST_BYTES
