"""A benchmark is built from its recipe: the same bytes, marked, proved, and with splits apart."""

import gzip
import hashlib
import json
from itertools import groupby, islice
from pathlib import Path

import pytest

from earsim.certificates.file import CertificateFile
from earsim.certificates.validation import check_suite
from earsim.errors import UsageError
from earsim.schema import Category, Scenario
from earsim.suites import Suite, open_suite
from earsim_generators.bench import BenchmarkRecipe, load_recipe
from earsim_generators.bench.__main__ import main
from earsim_generators.bench.builder import build, in_words, lines, marked
from earsim_generators.suites.folder import RECORD
from tests.generators.bench.conftest import TINY


def suite(built: Path, name: str) -> Suite:
    return open_suite(built / f"{name}.jsonl.gz")


def names(built: Path, name: str) -> set[str]:
    return {thing.name for scenario in suite(built, name) for thing in scenario.scene.objects}


@pytest.mark.slow
def test_as_many_of_each_category(built: Path, recipe: BenchmarkRecipe):
    for name in recipe.names:
        found = suite(built, name)
        assert found.name == name
        counts = {category: len(found.select(category=category)) for category in Category}
        assert set(counts.values()) == {len(found) // len(Category)}


@pytest.mark.slow
def test_every_scenario_is_proved_and_loads(built: Path, recipe: BenchmarkRecipe):
    for name in recipe.names:
        file = CertificateFile(built / f"{name}.certificates.jsonl")
        checked = list(check_suite(suite(built, name), [file]))
        assert [each.findings for each in checked if each.findings] == []
        assert all(each.certified and not each.stale for each in checked)


@pytest.mark.slow
def test_what_is_to_be_declined_comes_after_all_else_and_changes_none_of_it(tmp_path: Path):
    counts = {"": "n: 7", "more": "n: 7, declined: 2"}
    built = {}
    for name, count in counts.items():
        path = tmp_path / f"{name}.yaml"
        path.write_text(TINY.replace("n: 14", count), encoding="utf-8")
        build(load_recipe(path), tmp_path / f"built{name}", jobs=1)
        built[name] = [*suite(tmp_path / f"built{name}", "tiny")]
    assert built["more"][:7] == built[""]
    claims = [scenario.task.right_claim for scenario in built["more"][7:]]
    assert sorted(map(str, claims)) == ["impossible", "unclear"]


def test_splits_share_no_scene_and_mini_is_a_part(built: Path, recipe: BenchmarkRecipe):
    scenes = {n: {s.scene.id for s in suite(built, n)} for n in recipe.parts}
    assert len(set().union(*scenes.values())) == sum(map(len, scenes.values()))
    whole = suite(built, "tiny")
    mini = list(suite(built, "tiny-mini"))
    assert len(mini) == 7
    assert [whole.load(scenario.id) for scenario in mini] == mini


def test_held_out_words_and_places(built: Path):
    others = names(built, "tiny") | names(built, "tiny-places")
    assert names(built, "tiny-words").isdisjoint(others)
    domains = {n: {s.scene.domain for s in suite(built, n)} for n in ("tiny", "tiny-places")}
    assert domains["tiny-places"] == {"museum"}
    assert domains["tiny"] == {"clinic", "home"}


def test_every_scenario_bears_the_canary(built: Path, recipe: BenchmarkRecipe):
    for name in recipe.names:
        for scenario in suite(built, name):
            assert scenario.provenance["canary"] == "tiny canary"
            assert scenario.provenance["benchmark"] == "tiny/3"


def test_the_mark_changes_neither_hash_nor_anything_else(built: Path, recipe: BenchmarkRecipe):
    line = gzip.decompress((built / "tiny.jsonl.gz").read_bytes()).splitlines()[0].decode()
    data = json.loads(line)
    del data["provenance"]["canary"], data["provenance"]["benchmark"]
    bare = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    assert marked(bare, recipe) == line


def test_the_record_tells_how_it_was_made(built: Path, recipe: BenchmarkRecipe):
    record = json.loads((built / RECORD).read_text(encoding="utf-8"))
    assert record["benchmark"] == "tiny/3"
    assert record["canary"] == recipe.canary
    assert record["settings"]["seed"] == 5
    for name in recipe.names:
        unpacked = gzip.decompress((built / f"{name}.jsonl.gz").read_bytes())
        assert record["suites"][name]["sha256"] == hashlib.sha256(unpacked).hexdigest()
        assert record["suites"][name]["scenarios"] == len(unpacked.splitlines())


def test_some_can_be_made_without_the_rest(built: Path, recipe: BenchmarkRecipe):
    written = gzip.decompress((built / "tiny.jsonl.gz").read_bytes()).decode().splitlines()
    assert [line.scenario for line in islice(lines(recipe, jobs=1), 5)] == written[:5]


def test_an_opaque_id_is_the_digest_of_a_scenario_and_all_that_changes(
    built: Path, recipe: BenchmarkRecipe
):
    opaque = recipe.model_copy(update={"opaque_ids": True})
    written = list(suite(built, "tiny"))[:3]
    for line, named in zip(lines(opaque, jobs=1), written, strict=False):
        scenario = Scenario.model_validate_json(line.scenario)
        assert scenario.id == line.candidate.id == f"tiny/{named.hash[:12]}"
        assert scenario.model_copy(update={"id": named.id}) == named
        assert json.loads(line.certificate)["scenario_id"] == scenario.id
        assert json.loads(line.certificate)["scenario_hash"] == named.hash


def test_the_order_of_opaque_ids_is_that_of_their_digests_scene_by_scene(recipe: BenchmarkRecipe):
    opaque = recipe.model_copy(update={"opaque_ids": True})
    made = [*lines(opaque, jobs=1)]
    parts = {name: [line for line in made if line.suite == name] for name in recipe.parts}
    told = in_words(opaque, parts, {})
    for found in told.values():
        scenes = [json.loads(line.scenario)["scene"]["id"] for line in found]
        blocks = [scene for scene, _ in groupby(scenes)]
        assert len(blocks) == len({*blocks})
    for name, lines_made in parts.items():
        assert sorted(told[name]) == sorted(lines_made)
        first: dict[str, str] = {}
        for line in lines_made:
            first.setdefault(json.loads(line.scenario)["scene"]["id"], line.candidate.id)
        asked = [json.loads(line.scenario)["scene"]["id"] for line in told[name]]
        assert [first[scene] for scene, _ in groupby(asked)] == sorted(first.values())
    places = {line.candidate.id: place for place, line in enumerate(told["tiny"])}
    assert (
        sorted(told["tiny-mini"], key=lambda line: places[line.candidate.id]) == told["tiny-mini"]
    )


def test_nothing_is_written_over(built: Path, recipe: BenchmarkRecipe):
    with pytest.raises(UsageError, match=r"tiny\.jsonl\.gz"):
        build(recipe, built, jobs=1)


@pytest.mark.slow
def test_the_same_bytes_from_the_command_and_two_processes(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "recipe.yaml").write_text(TINY, encoding="utf-8")
    again = tmp_path / "again"
    assert main([str(tmp_path / "recipe.yaml"), str(again), "--jobs", "2"]) == 0
    assert "tiny-mini: 7 scenarios" in capsys.readouterr().out
    assert {path.name for path in again.iterdir()} == {path.name for path in built.iterdir()}
    for path in again.iterdir():
        assert path.read_bytes() == (built / path.name).read_bytes()
    assert main([str(tmp_path / "recipe.yaml"), str(again)]) == 2
    assert "already" in capsys.readouterr().err
