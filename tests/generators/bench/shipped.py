"""What every version of the benchmark that comes along promises alike."""

import gzip
import hashlib
import json
import zlib
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from earsim import open_suite
from earsim.certificates.file import CertificateFile
from earsim.certificates.validation import check_suite
from earsim_generators.bench import BenchmarkRecipe
from earsim_generators.bench.builder import in_other_words, line_of, measured_lines
from earsim_generators.paraphrase import ParaphraseFile
from earsim_generators.suites import Split
from earsim_generators.suites.folder import RECORD
from earsim_generators.suites.run import GenerationRun

SCENES = Path(__file__).parents[3] / "scenes"


def unpacked(folder: Path, name: str) -> str:
    """The lines of a suite."""
    return gzip.decompress((folder / f"{name}.jsonl.gz").read_bytes()).decode()


def certificates(folder: Path, name: str) -> list[str]:
    """The lines of its certificates."""
    return (folder / f"{name}.certificates.jsonl").read_text(encoding="utf-8").splitlines()


def assert_sound(folder: Path, name: str) -> None:
    """Every scenario of a suite is sound, and its certificate replays."""
    file = CertificateFile(folder / f"{name}.certificates.jsonl")
    checked = list(check_suite(open_suite(name), [file]))
    assert [each.findings for each in checked if each.findings] == []
    assert all(each.certified and not each.stale for each in checked)


def assert_made_again(
    folder: Path,
    recipe: BenchmarkRecipe,
    split: Split,
    n: int,
    paraphrases: Mapping[str, ParaphraseFile] | None = None,
) -> None:
    """The recipe makes scenarios of a split and their certificates again, byte for byte."""
    name = recipe.part_of(split)
    run = GenerationRun(recipe.settings, jobs=1)
    made = [
        line_of(recipe, one) for one in islice(run.made(split, recipe.settings.splits[split]), n)
    ]
    if name in (paraphrases or {}):
        made = [in_other_words(line, paraphrases[name]) for line in made]
    if recipe.measured:
        made = measured_lines(made, jobs=1)
    scenarios, proofs = (
        {json.loads(line)[key]: line for line in found}
        for key, found in (
            ("id", unpacked(folder, name).splitlines()),
            ("scenario_id", certificates(folder, name)),
        )
    )
    assert [line.scenario for line in made] == [scenarios[line.candidate.id] for line in made]
    assert [line.certificate for line in made] == [proofs[line.candidate.id] for line in made]


def assert_recorded(folder: Path, recipe: BenchmarkRecipe, sizes: Mapping[str, int]) -> None:
    """The record tells canary and digests, and every scenario bears the canary."""
    told = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    assert told["canary"] == recipe.canary
    for name, size in sizes.items():
        text = unpacked(folder, name)
        assert hashlib.sha256(text.encode()).hexdigest() == told["suites"][name]["sha256"]
        assert text.count(recipe.canary) == told["suites"][name]["scenarios"] == size


def size_of(folder: Path) -> int:
    """Bytes of all files of a benchmark in a wheel, which deflates each."""
    return sum(len(zlib.compress(path.read_bytes())) for path in folder.iterdir())
