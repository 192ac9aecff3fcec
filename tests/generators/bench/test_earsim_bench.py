"""The benchmark that comes along: what it promises to hold, and that it can be made again."""

import gzip
import hashlib
import json
from collections import Counter
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pytest

from earsim import open_suite
from earsim.certificates.file import CertificateFile
from earsim.certificates.validation import check_suite
from earsim.schema import Category
from earsim.suites import Suite
from earsim_generators.bench import BenchmarkRecipe, load_recipe
from earsim_generators.bench.builder import marked
from earsim_generators.suites import Split
from earsim_generators.suites.folder import RECORD
from earsim_generators.suites.run import GenerationRun

FOLDER = Path(__file__).parents[3] / "scenes" / "earsim-bench"
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


def shipped(name: str) -> list[str]:
    return gzip.decompress((FOLDER / f"{name}.jsonl.gz").read_bytes()).decode().splitlines()


class Contents(NamedTuple):
    """What is in a suite, read once."""

    categories: Counter[str]
    bands: Counter[str]
    domains: set[str]
    names: set[str]


@cache
def contents(name: str) -> Contents:
    found = Contents(Counter(), Counter(), set(), set())
    for line in map(json.loads, shipped(name)):
        found.categories[line["task"]["category"]] += 1
        found.bands[line["provenance"]["difficulty"]["band"]] += 1
        found.domains.add(line["scene"]["domain"])
        found.names.update(thing["name"] for thing in line["scene"]["objects"])
    return found


@pytest.mark.parametrize("name", SIZES)
def test_as_many_of_each_category_and_about_as_many_of_each_band(name: str):
    found = contents(name)
    assert found.categories.total() == SIZES[name]
    assert found.categories == {category.value: SIZES[name] // 7 for category in Category}
    bands = found.bands
    assert len(bands) == 3
    assert max(bands.values()) - min(bands.values()) <= 7  # one of each category


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
    assert set(shipped("earsim-bench-mini")) < set(shipped("earsim-bench"))


@pytest.mark.parametrize("name", SIZES)
def test_each_has_a_certificate(name: str, suites: dict[str, Suite]):
    lines = (FOLDER / f"{name}.certificates.jsonl").read_text(encoding="utf-8").splitlines()
    proofs = [json.loads(line) for line in lines]
    assert [proof["scenario_id"] for proof in proofs] == list(suites[name].ids)
    assert {proof["solution"]["found"] for proof in proofs} == {"plan"}
    assert {proof["ruleset"] for proof in proofs} == {"physical/2"}
    # Nothing but the task itself is promised by a direct command.
    unproved = {proof["category"] for proof in proofs if proof["label"] == "nothing_promised"}
    assert unproved == {"direct_command"}
    assert {proof["label"] for proof in proofs} == {"proved", "nothing_promised"}


def test_certificates_replay():
    suite = open_suite("earsim-bench-mini")
    file = CertificateFile(FOLDER / "earsim-bench-mini.certificates.jsonl")
    checked = list(check_suite(suite, [file]))
    assert [each.findings for each in checked if each.findings] == []
    assert all(each.certified and not each.stale for each in checked)


@pytest.mark.parametrize("split", [Split.TEST, Split.TEST_VOCABULARY, Split.TEST_DOMAIN])
def test_a_sample_is_made_again_byte_for_byte(split: Split, recipe: BenchmarkRecipe):
    name = recipe.part_of(split)
    run = GenerationRun(recipe.settings, jobs=1)
    made = list(islice(run.made(split, recipe.parts[name].n), 21))
    assert [marked(one.line, recipe) for one in made] == shipped(name)[:21]
    proofs = (FOLDER / f"{name}.certificates.jsonl").read_text(encoding="utf-8").splitlines()
    assert [one.certificate_line for one in made] == proofs[:21]


def test_the_record_tells_the_digests_and_every_scenario_bears_the_canary(recipe: BenchmarkRecipe):
    told = json.loads((FOLDER / RECORD).read_text(encoding="utf-8"))
    assert told["canary"] == recipe.canary
    for name in SIZES:
        text = gzip.decompress((FOLDER / f"{name}.jsonl.gz").read_bytes())
        assert hashlib.sha256(text).hexdigest() == told["suites"][name]["sha256"]
        assert text.decode().count(recipe.canary) == SIZES[name]


def test_it_is_small_enough_to_be_carried_along():
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) <= MOST_BYTES
