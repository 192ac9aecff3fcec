"""Building a benchmark from its recipe: packed suites, certificates, and how they were made."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from earsim.schema import Category
from earsim_generators.bench.recipe import BenchmarkRecipe, Mini
from earsim_generators.difficulty import band_of
from earsim_generators.suites import Generated
from earsim_generators.suites.folder import SuiteFolder
from earsim_generators.suites.journal import GenerationJournal
from earsim_generators.suites.manifest import asked, record
from earsim_generators.suites.run import GenerationRun


class SubsetCandidate(NamedTuple):
    """The strata of a scenario that may be chosen for a small suite.

    Attributes:
        kind: The family, the kind of condition, or the category.
    """

    id: str
    kind: str
    band: str
    domain: str


class BenchmarkLine(NamedTuple):
    """One scenario of a benchmark, as its files hold it."""

    suite: str
    category: Category
    candidate: SubsetCandidate
    scenario: str
    certificate: str


def lines(recipe: BenchmarkRecipe, *, jobs: int | None = None) -> Iterator[BenchmarkLine]:
    """Lines of all parts of a benchmark, the same for any number of processes."""
    return (_line(recipe, one) for one in GenerationRun(recipe.settings, jobs=jobs))


def build(recipe: BenchmarkRecipe, folder: Path, *, jobs: int | None = None) -> dict[str, Any]:
    """Write a benchmark into a folder; returns its manifest. A killed run goes on where it was.

    Raises:
        UsageError: One of the files is there already.
    """
    suites: dict[str, list[BenchmarkLine]] = {name: [] for name in recipe.parts}
    files = SuiteFolder(folder, recipe.names)
    with GenerationJournal(folder, asked(recipe.settings)) as journal, files:
        run = GenerationRun(recipe.settings, jobs=jobs, journal=journal)
        for one in run:
            line = _line(recipe, one)
            suites[line.suite].append(line)
        for name, mini in recipe.mini.items():
            suites[name] = _mini(suites[mini.of], mini)
        for name, found in suites.items():
            for line in found:
                files.add(name, line.scenario, line.certificate)
        told = {
            "benchmark": f"{recipe.name}/{recipe.version}",
            "canary": recipe.canary,
            **record(recipe.settings, run.counts),
            "suites": {name: _described(found) for name, found in suites.items()},
        }
        files.finish(told)
    return told


def _line(recipe: BenchmarkRecipe, one: Generated) -> BenchmarkLine:
    assert one.split is not None, "a recipe has a split for every part"
    scenario = one.scenario
    candidate = SubsetCandidate(
        scenario.id,
        one.quota.label,
        band_of(one.measures).value,
        scenario.scene.domain or "",
    )
    text = marked(one.line, recipe)
    suite, category = recipe.part_of(one.split), scenario.task.category
    return BenchmarkLine(suite, category, candidate, text, one.certificate_line)


def _mini(large: list[BenchmarkLine], mini: Mini) -> list[BenchmarkLine]:
    """The chosen lines, in the order of the suite that they come from."""
    ids = chosen([line.candidate for line in large], mini.n)
    return [line for line in large if line.candidate.id in ids]


def _described(found: list[BenchmarkLine]) -> dict[str, Any]:
    """Counts and digests of a suite; digests of unpacked lines, for packing differs by system."""
    return {
        "scenarios": len(found),
        "by_category": {
            category.value: sum(line.category is category for line in found)
            for category in Category
        },
        "sha256": _digest(line.scenario for line in found),
        "certificates_sha256": _digest(line.certificate for line in found),
    }


def _digest(found: Iterable[str]) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in found).encode()).hexdigest()


def chosen(candidates: Sequence[SubsetCandidate], n: int) -> frozenset[str]:
    """Ids of a stratified subset; the first lines win.

    It has each kind in the proportion of the whole, and within a kind bands and domains in turn.
    """
    left = list(candidates)
    of_kind = Counter(each.kind for each in candidates)
    bands = list(dict.fromkeys(each.band for each in candidates))
    taken, domains = Counter[str](), Counter[str]()
    found: list[str] = []
    for turn in range(1, n + 1):
        # The one that is furthest behind; of several the first.
        kind = max(of_kind, key=lambda k: of_kind[k] * turn - taken[k] * len(candidates))
        band = bands[taken[kind] % len(bands)]
        # Where a band has run out the kind goes on with the others.
        suited = min(left, key=lambda c: (c.kind != kind, c.band != band, domains[c.domain]))
        left.remove(suited)
        taken[suited.kind] += 1
        domains[suited.domain] += 1
        found.append(suited.id)
    return frozenset(found)


def marked(line: str, recipe: BenchmarkRecipe) -> str:
    """The line of a scenario with benchmark and canary in its provenance, outside of its hash."""
    data = json.loads(line)
    provenance = data.setdefault("provenance", {})
    provenance["benchmark"] = f"{recipe.name}/{recipe.version}"
    provenance["canary"] = recipe.canary
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
