"""Who is measured: the episodes of one entrant in one way of playing, read from the runs' folders.

Cells of a run that differ by nothing but the part of EAR-Bench are one subject, so a model's rates
on both parts stand in one row. Nothing else is ever put together: another suite, other prompts,
other rules, another version and another run are other subjects.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from earsim.evaluation.metrics.counters import CountedEpisodes, counted
from earsim.evaluation.metrics.episode import CountedEpisode
from earsim.evaluation.metrics.not_played import not_played
from earsim.evaluation.metrics.suite_lookup import SuiteLookup
from earsim.evaluation.runs.run_config import RunConfig, title
from earsim.evaluation.store.database import Store
from earsim.evaluation.store.manifest import RunManifest, load_run_manifest
from earsim.evaluation.store.rows import EpisodeRow
from earsim.evaluation.summary import UNKNOWN
from earsim.evaluation.workflow.votes_file import RunVotes, load_votes

EAR_BENCH = ("eval-single", "eval-multi")
"""Suites that are two parts of one benchmark; any other suite stands for itself."""

LibraryOf = Callable[[str], SuiteLookup]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsGroup:
    """One row of a comparison.

    Attributes:
        label: what tables call it; unique in a report once `labelled`.
        run: folder of the run.
        cells: of that run, that it is made of.
        asked: what the cells play, as the run was told: names, paths or scenario ids.
        version: of earsim, which recorded it.
        style: of the prompts; empty for a policy without.
        identity: what decides the outcome, suite and cell names aside; as text.
        episodes: every episode that was planned.
    """

    label: str
    run: str
    cells: tuple[str, ...]
    asked: tuple[str, ...]
    version: str
    policy: str
    model: str
    style: str
    knowledge: str
    identity: str
    episodes: tuple[CountedEpisode, ...]

    @property
    def rulesets(self) -> tuple[str, ...]:
        """Rules in force, with their versions, in order of first appearance."""
        return tuple(dict.fromkeys(each.ruleset for each in self.episodes if each.ruleset))

    @property
    def suites(self) -> tuple[str, ...]:
        """Names of the suites, in order of first appearance."""
        return tuple(dict.fromkeys(each.suite for each in self.episodes))

    @property
    def played_on(self) -> tuple[str, ...]:
        """Its suites, or the one scenario that the run was asked to play."""
        ids = {each.scenario_id for each in self.episodes}
        if len(ids) == 1 and {_task(text) for text in self.asked} == {_task(id) for id in ids}:
            return tuple(ids)
        return self.suites


def read_groups(
    runs: Iterable[str | Path],
    *,
    certificates: Path | None = None,
    known: CountedEpisodes | None = None,
) -> tuple[ResultsGroup, ...]:
    """The subjects of some runs, labelled apart.

    Args:
        runs: folders of evaluations.
        certificates: folder of certificates, where they are not where `earsim certify` puts them.
        known: what was counted before, which is not counted again.

    Raises:
        FileError: A folder holds no evaluation.
    """
    before = known or CountedEpisodes()
    libraries: dict[str, SuiteLookup] = {}

    def library_of(source: str) -> SuiteLookup:
        return libraries.setdefault(source, SuiteLookup(source, certificates))

    found = [each for run in runs for each in _subjects_of(Path(run), library_of, before)]
    return tuple(labelled(found))


def labelled(subjects: Sequence[ResultsGroup]) -> Iterator[ResultsGroup]:
    """The subjects with labels that tell them apart: by suite, rules, run, and at last a number."""
    labels = [each.label for each in subjects]
    for tell in (_suites, _rules, _run):
        told = [tell(each) for each in subjects]
        pairs = list(zip(labels, told, strict=True))
        # only what tells two of one label apart is worth saying
        labels = [
            f"{label} {more}" if labels.count(label) > pairs.count((label, more)) else label
            for label, more in pairs
        ]
    for index, each in enumerate(subjects):
        again = labels[:index].count(labels[index])
        yield replace(each, label=f"{labels[index]} #{again + 1}" if again else labels[index])


def _task(text: str) -> str:
    """The last word of an id, or of a path with a task."""
    return text.rpartition("/")[2]


def _suites(subject: ResultsGroup) -> str:
    return f"on {'+'.join(subject.played_on)}"


def _rules(subject: ResultsGroup) -> str:
    return f"under {'+'.join(subject.rulesets) or 'no rules'}"


def _run(subject: ResultsGroup) -> str:
    return f"[{Path(subject.run).name}]"


def _subjects_of(
    run: Path, library_of: LibraryOf, before: CountedEpisodes
) -> Iterator[ResultsGroup]:
    manifest = load_run_manifest(run)
    together: dict[str, list[RunConfig]] = {}
    for cell in manifest.cells.values():
        together.setdefault(_identity(cell), []).append(cell)
    votes = load_votes(run)
    with Store.open(run, readonly=True) as store:
        for identity, cells in together.items():
            episodes = [
                each
                for cell in cells
                for each in _episodes_of(
                    cell, store, manifest, library_of(cell.suite), votes, before
                )
            ]
            for part in by_ruleset(episodes):
                yield _subject(run, manifest, cells, identity, part)


def _subject(
    run: Path,
    manifest: RunManifest,
    cells: Sequence[RunConfig],
    identity: str,
    episodes: Iterable[CountedEpisode],
) -> ResultsGroup:
    first = cells[0]
    name = [title(first.entrant), first.style, _unless(first.knowledge, "explore"), first.ruleset]
    return ResultsGroup(
        label=" ".join(part for part in name if part),
        run=str(run),
        cells=tuple(cell.name for cell in cells),
        asked=tuple(cell.suite for cell in cells),
        version=manifest.versions.get("earsim", UNKNOWN),
        policy=first.entrant.policy,
        model=first.entrant.model or "",
        style=first.style or "",
        knowledge=first.knowledge,
        identity=identity,
        episodes=tuple(episodes),
    )


def _unless(value: str, usual: str) -> str:
    return "" if value == usual else value


def by_ruleset(episodes: Sequence[CountedEpisode]) -> list[list[CountedEpisode]]:
    """The episodes apart by the rules in force: those of two versions are never averaged.

    One whose rules are not known, since it was never played, goes with its suite, or with all.
    """
    rules_of: dict[str, str] = {}
    for each in episodes:
        if each.ruleset:
            rules_of.setdefault(each.suite, each.ruleset)
    only = next(iter(rules_of.values())) if len(set(rules_of.values())) == 1 else ""
    found: dict[str, list[CountedEpisode]] = {}
    for each in episodes:
        found.setdefault(each.ruleset or rules_of.get(each.suite, only), []).append(each)
    return list(found.values())


def _identity(cell: RunConfig) -> str:
    """Equal for the cells of one subject."""
    data = {k: v for k, v in cell.identity.items() if k not in ("name", "suite")}
    parts = EAR_BENCH if cell.suite in EAR_BENCH else (cell.suite,)
    return json.dumps({**data, "suites": parts}, sort_keys=True)


def _episodes_of(
    cell: RunConfig,
    store: Store,
    manifest: RunManifest,
    library: SuiteLookup,
    votes: RunVotes,
    before: CountedEpisodes,
) -> list[CountedEpisode]:
    price = cell.entrant.price

    def count(row: EpisodeRow) -> CountedEpisode:
        return counted(
            row, list(store.steps(row.episode)), store.calls(row.episode),
            library=library, price=price, votes=votes.on(row), states=store.states(row.episode),
        )  # fmt: skip

    run = str(store.path)
    found = [
        before.of(run, repr(votes.on(row)), row, partial(count, row))
        for row in store.episodes(cell.name)
    ]
    missing = manifest.planned.get(cell.name, 0) - len(found)
    return found + (not_played(cell, found, missing, manifest) if missing > 0 else [])
