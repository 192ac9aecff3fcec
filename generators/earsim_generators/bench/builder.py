"""Building a benchmark from its recipe: packed suites, certificates, and how they were made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from earsim.schema import Category, Scenario
from earsim.schema.certificate import Certificate
from earsim.schema.files.dump import to_json
from earsim.schema.files.json_text import parse_json
from earsim.schema.files.load import validated
from earsim_generators.bench.measured import measured
from earsim_generators.bench.recipe import BenchmarkRecipe, Mini
from earsim_generators.bench.subset import SubsetCandidate, candidate_of, chosen
from earsim_generators.paraphrase.record import ParaphraseFile, paraphrased
from earsim_generators.suites import Generated
from earsim_generators.suites.folder import SuiteFolder
from earsim_generators.suites.journal import GenerationJournal
from earsim_generators.suites.manifest import asked, record
from earsim_generators.suites.run import GenerationRun

ID_DIGITS = 12
"""Of the digest in an opaque id."""


class BenchmarkLine(NamedTuple):
    """One scenario of a benchmark, as its files hold it.

    Attributes:
        is_paraphrased: Whether its instruction is not the grammar's.
    """

    suite: str
    category: Category
    candidate: SubsetCandidate
    scenario: str
    certificate: str
    is_paraphrased: bool = False


def lines(recipe: BenchmarkRecipe, *, jobs: int | None = None) -> Iterator[BenchmarkLine]:
    """Lines of all parts of a benchmark, the same for any number of processes."""
    return (line_of(recipe, one) for one in GenerationRun(recipe.settings, jobs=jobs))


def build(
    recipe: BenchmarkRecipe,
    folder: Path,
    *,
    jobs: int | None = None,
    paraphrases: Mapping[str, ParaphraseFile] | None = None,
) -> dict[str, Any]:
    """Write a benchmark into a folder; returns its manifest. A killed run goes on where it was.

    Args:
        recipe: What is made.
        folder: Where it is written.
        jobs: Processes; all cores when None.
        paraphrases: Of every suite that the recipe says is paraphrased.

    Raises:
        UsageError: One of the files is there already.
        FileError: A paraphrase is of another version of its task.
    """
    suites: dict[str, list[BenchmarkLine]] = {name: [] for name in recipe.parts}
    files = SuiteFolder(folder, recipe.names)
    with GenerationJournal(folder, asked(recipe.settings)) as journal, files:
        run = GenerationRun(recipe.settings, jobs=jobs, journal=journal)
        for one in run:
            line = line_of(recipe, one)
            suites[line.suite].append(line)
        suites = in_words(recipe, suites, paraphrases or {}, jobs=jobs)
        for name, found in suites.items():
            for line in found:
                files.add(name, line.scenario, line.certificate)
        told = {
            "benchmark": f"{recipe.name}/{recipe.version}",
            "canary": recipe.canary,
            **record(recipe.settings, run.counts),
            "suites": {name: described(found) for name, found in suites.items()},
        }
        files.finish(told)
    return told


def in_words(
    recipe: BenchmarkRecipe,
    parts: Mapping[str, list[BenchmarkLine]],
    paraphrases: Mapping[str, ParaphraseFile],
    *,
    jobs: int | None = None,
) -> dict[str, list[BenchmarkLine]]:
    """All suites, minis included, with paraphrases of instructions where there are some.

    Baselines play them in these words where the recipe says so.
    """
    found: dict[str, list[BenchmarkLine]] = {}
    for name, lines in parts.items():
        by = paraphrases.get(name)
        told = lines if by is None else [in_other_words(line, by) for line in lines]
        found[name] = measured_lines(told, jobs=jobs) if recipe.measured else told
    found |= {name: _mini(found[mini.of], mini) for name, mini in recipe.mini.items()}
    if not recipe.opaque_ids:
        return found
    ordered = [line.candidate.id for lines in parts.values() for line in by_digest(lines)]
    place_of = {id: place for place, id in enumerate(ordered)}
    return {
        name: sorted(lines, key=lambda line: place_of[line.candidate.id])
        for name, lines in found.items()
    }


def by_digest(lines: Sequence[BenchmarkLine]) -> list[BenchmarkLine]:
    """Lines in the order of digests: scenes by that of what is asked first in each.

    So no part of a file has more of one kind than another. Tasks of one scene stay together, which
    makes packed files half as large as they would be otherwise.
    """
    first: dict[str, str] = {}
    scenes = [json.loads(line.scenario)["scene"]["id"] for line in lines]
    for scene, line in zip(scenes, lines, strict=True):
        first.setdefault(scene, line.candidate.id)
    order = sorted(range(len(lines)), key=lambda place: first[scenes[place]])
    return [lines[place] for place in order]


def measured_lines(
    lines: Sequence[BenchmarkLine], *, jobs: int | None = None
) -> list[BenchmarkLine]:
    """Lines with the difficulty that was measured, and in the band of that."""
    scenarios = measured((line.scenario for line in lines), jobs=jobs)
    return [
        line._replace(candidate=candidate_of(scenario), scenario=to_json(scenario))
        for line, scenario in zip(lines, scenarios, strict=True)
    ]


def in_other_words(line: BenchmarkLine, by: ParaphraseFile) -> BenchmarkLine:
    """A line with its paraphrase, and a certificate that names the scenario by its new hash."""
    id = line.candidate.id
    scenario = validated(parse_json(line.scenario, id), Scenario)
    found = by.of(scenario)
    if found is None:
        return line
    told = paraphrased(scenario, found)
    certificate = validated(parse_json(line.certificate, id), Certificate)
    proved = certificate.model_copy(update={"scenario_hash": told.hash})
    return line._replace(scenario=to_json(told), certificate=to_json(proved), is_paraphrased=True)


def line_of(recipe: BenchmarkRecipe, one: Generated) -> BenchmarkLine:
    """The line of a generated scenario, as the grammar tells it."""
    assert one.split is not None, "a recipe has a split for every part"
    scenario = one.scenario
    text = marked(one.line, recipe)
    suite, category = recipe.part_of(one.split), scenario.task.category
    line = BenchmarkLine(suite, category, candidate_of(scenario), text, one.certificate_line)
    return with_id(line, opaque_id(suite, scenario)) if recipe.opaque_ids else line


def opaque_id(suite: str, scenario: Scenario) -> str:
    """An id that tells nothing: who has no scenario cannot tell what it is the digest of."""
    return f"{suite}/{scenario.hash[:ID_DIGITS]}"


def with_id(line: BenchmarkLine, id: str) -> BenchmarkLine:
    """A line under another id, which is part of no hash."""
    return line._replace(
        candidate=line.candidate._replace(id=id),
        scenario=_updated(line.scenario, {"id": id}),
        certificate=_updated(line.certificate, {"scenario_id": id}),
    )


def _mini(large: list[BenchmarkLine], mini: Mini) -> list[BenchmarkLine]:
    """The chosen lines, in the order of the suite that they come from."""
    ids = chosen([line.candidate for line in large], mini.n)
    return [line for line in large if line.candidate.id in ids]


def described(found: list[BenchmarkLine]) -> dict[str, Any]:
    """Counts and digests of a suite; digests of unpacked lines, for packing differs by system."""
    paraphrased_lines = sum(line.is_paraphrased for line in found)
    return {
        "scenarios": len(found),
        **({"paraphrased": paraphrased_lines} if paraphrased_lines else {}),
        "by_category": {
            category.value: sum(line.category is category for line in found)
            for category in Category
        },
        "sha256": _digest(line.scenario for line in found),
        "certificates_sha256": _digest(line.certificate for line in found),
    }


def _digest(found: Iterable[str]) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in found).encode()).hexdigest()


def marked(line: str, recipe: BenchmarkRecipe) -> str:
    """The line of a scenario with benchmark and canary in its provenance, outside of its hash."""
    provenance = json.loads(line).get("provenance", {})
    provenance["benchmark"] = f"{recipe.name}/{recipe.version}"
    provenance["canary"] = recipe.canary
    return _updated(line, {"provenance": provenance})


def _updated(line: str, update: Mapping[str, Any]) -> str:
    data = {**json.loads(line), **update}
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
