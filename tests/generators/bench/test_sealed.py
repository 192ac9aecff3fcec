"""Sealed suites: bound to a secret beforehand, and silent about it as long as they are sealed."""

import gzip
import json
import stat
from pathlib import Path

import pytest

from earsim.errors import FileError, UnknownName, UsageError
from earsim.suites import open_suite
from earsim_generators.bench import BenchmarkRecipe, load_recipe
from earsim_generators.bench.sealed import (
    commitment,
    make_sealed,
    new_secret,
    opened,
    read_secret,
)
from tests.cli.conftest import Earsim, earsim, here  # noqa: F401 - fixtures
from tests.generators.bench.conftest import TINY

SECRET = "5a" * 32
HASH = "0" * 64


def recipe_with(folder: Path, **part: object) -> BenchmarkRecipe:
    return load_recipe(recipe_file(folder, **part))


def recipe_file(folder: Path, **part: object) -> Path:
    path = folder / "recipe.yaml"
    path.write_text(TINY, encoding="utf-8")
    promised = commitment(load_recipe(path), "tiny-sealed", SECRET)
    told = {"split": "test", "n": 7, "commitment": promised, **part}
    path.write_text(f"{TINY}sealed: {{tiny-sealed: {json.dumps(told)}}}\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a sealed suite."""
    folder = tmp_path_factory.mktemp("sealed")
    make_sealed(recipe_with(folder), "tiny-sealed", SECRET, folder / "made", jobs=1)
    return folder / "made"


def texts(folder: Path) -> dict[str, str]:
    return {
        path.name: (gzip.decompress if path.suffix == ".gz" else bytes)(path.read_bytes()).decode()
        for path in folder.iterdir()
    }


def test_what_is_to_be_declined_is_sealed_as_well(tmp_path: Path):
    part = opened(recipe_with(tmp_path, declined=2), "tiny-sealed", SECRET).parts["tiny-sealed"]
    assert (part.n, part.declined, part.size) == (7, 2, 9)
    with pytest.raises(FileError, match="beside validation"):
        recipe_with(tmp_path, split="validation", declined=2)


def test_nothing_written_tells_the_secret(made: Path, tmp_path: Path):
    seed = opened(recipe_with(tmp_path), "tiny-sealed", SECRET).seed
    for name, text in texts(made).items():
        assert SECRET not in text, name
        assert str(seed) not in text, name
        assert f"{seed:x}" not in text, name
    promised = recipe_with(tmp_path).sealed["tiny-sealed"].commitment
    assert json.loads(texts(made)["generation.json"])["settings"]["seal"] == promised
    for scenario in open_suite(made / "tiny-sealed.jsonl.gz"):
        assert scenario.provenance["seed"] == f"sealed{promised[:12]}"


def test_the_same_secret_makes_the_same_bytes_and_another_one_others(made: Path, tmp_path: Path):
    make_sealed(recipe_with(tmp_path), "tiny-sealed", SECRET, tmp_path / "again", jobs=1)
    assert texts(tmp_path / "again") == texts(made)
    seeds = {opened(recipe_with(tmp_path), "tiny-sealed", SECRET).seed}
    other = "5b" + "5a" * 31
    promised = commitment(recipe_with(tmp_path), "tiny-sealed", other)
    seeds.add(opened(recipe_with(tmp_path, commitment=promised), "tiny-sealed", other).seed)
    assert len(seeds) == 2


def test_only_the_promised_secret_opens_it(tmp_path: Path):
    with pytest.raises(UsageError, match="not the secret"):
        opened(recipe_with(tmp_path), "tiny-sealed", "5b" * 32)
    with pytest.raises(UnknownName, match="did you mean 'tiny-sealed'"):
        opened(recipe_with(tmp_path), "tiny-seald", SECRET)


def test_a_commitment_is_to_one_suite_of_one_version(tmp_path: Path, recipe: BenchmarkRecipe):
    later = recipe.model_copy(update={"version": 4})
    promised = {
        commitment(recipe, "tiny-sealed", SECRET),
        commitment(recipe, "tiny-other", SECRET),
        commitment(later, "tiny-sealed", SECRET),
    }
    assert len(promised) == 3


def test_other_scenarios_than_were_signed_are_refused(made: Path, tmp_path: Path):
    signed = make_sealed(recipe_with(tmp_path), "tiny-sealed", SECRET, made)
    whole = recipe_with(tmp_path, signature=signed.sha256)
    assert make_sealed(whole, "tiny-sealed", SECRET, made) == signed
    with pytest.raises(UsageError, match="signed for other scenarios"):
        make_sealed(recipe_with(tmp_path, signature=HASH), "tiny-sealed", SECRET, made)


def test_a_public_build_makes_none_of_it(tmp_path: Path):
    assert "tiny-sealed" not in recipe_with(tmp_path).names


def test_a_benchmark_with_paraphrases_may_have_one_as_well(tmp_path: Path):
    path = recipe_file(tmp_path)
    path.write_text(path.read_text("utf-8") + "paraphrased: [tiny]\n", encoding="utf-8")
    recipe = load_recipe(path)
    assert recipe.paraphrased == ("tiny",)
    assert opened(recipe, "tiny-sealed", SECRET).names == ("tiny-sealed",)


def test_a_name_is_public_or_sealed(tmp_path: Path):
    path = tmp_path / "recipe.yaml"
    told = json.dumps({"split": "test", "n": 7, "commitment": HASH})
    path.write_text(f"{TINY}sealed: {{tiny: {told}}}\n", encoding="utf-8")
    with pytest.raises(FileError, match="tiny is public as well"):
        load_recipe(path)


def test_a_secret_is_private_new_and_never_written_over(tmp_path: Path):
    path = tmp_path / "secret.txt"
    secret = new_secret(path)
    assert read_secret(path) == secret
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert new_secret(tmp_path / "other.txt") != secret
    with pytest.raises(UsageError, match="never written over"):
        new_secret(path)


def test_what_is_no_secret_is_told_and_not_shown(tmp_path: Path):
    path = tmp_path / "secret.txt"
    path.write_text("hunter2\n")
    with pytest.raises(FileError, match="64 hexadecimal digits") as told:
        read_secret(path)
    assert "hunter2" not in str(told.value)


@pytest.mark.slow
def test_from_a_new_secret_to_a_run_on_a_leaderboard(here: Path, earsim: Earsim):  # noqa: F811 - fixtures
    path = recipe_file(here)
    done = earsim("seal", "new", path, "tiny-sealed", "--secret", "secret.txt")
    assert done.exit_code == 0
    recipe_file(here, commitment=done.stdout.strip())
    asked = (path, "tiny-sealed", "--secret", "secret.txt", "--jobs", 1, "--out", "sealed")
    done = earsim("seal", "make", *asked)
    assert done.exit_code == 0, done.stderr
    signature = done.stdout.split()[-1]
    done = earsim("seal", "run", *asked, "--policy", "oracle")
    assert done.exit_code == 0, done.stderr
    assert "7 of 7 won, 0 not measured" in done.stdout
    done = earsim("submit", "sealed/run")
    (suite,) = json.loads(done.stdout)["suites"]
    assert suite == {"name": "tiny-sealed", "scenarios": 7, "sha256": signature}


def test_a_run_needs_a_player(here: Path, earsim: Earsim):  # noqa: F811 - fixtures
    path = recipe_file(here)
    (here / "secret.txt").write_text(SECRET)
    done = earsim("seal", "run", path, "tiny-sealed", "--secret", "secret.txt", "--out", "sealed")
    assert done.exit_code == 2
    assert "say who plays" in done.stderr
    assert not (here / "sealed").exists()
