"""Who stands on a leaderboard: the subjects of some runs, people together as one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from earsim.evaluation.metrics.results_group import ResultsGroup, labelled, read_groups
from earsim.evaluation.runs.run_config import RunConfig
from earsim.evaluation.store.database import Store
from earsim.evaluation.store.manifest import RunManifest, load_run_manifest
from earsim.evaluation.store.rows import EpisodeRow

HUMAN = "human"
"""Policy of episodes that people played."""


@dataclass(frozen=True, slots=True)
class EntrantRun:
    """A run, and the cells of it that belong to one entrant."""

    run: Path
    manifest: RunManifest
    cells: tuple[RunConfig, ...]

    def rows(self) -> Iterator[EpisodeRow]:
        """The episodes of these cells."""
        with Store.open(self.run, readonly=True) as store:
            for cell in self.cells:
                yield from store.episodes(cell.name)


@dataclass(frozen=True, slots=True)
class Entrant:
    """The episodes of one entrant, and where they lie.

    Attributes:
        group: what is counted of them.
    """

    group: ResultsGroup
    sources: tuple[EntrantRun, ...]

    @property
    def cells(self) -> tuple[RunConfig, ...]:
        """The cells of all sources."""
        return tuple(cell for source in self.sources for cell in source.cells)

    def rows(self) -> Iterator[EpisodeRow]:
        """The episodes of all sources."""
        for source in self.sources:
            yield from source.rows()


def entrants_of(
    runs: Sequence[str | Path], *, suite: str | None = None, certificates: Path | None = None
) -> tuple[Entrant, ...]:
    """The entrants of some runs, labelled apart.

    Args:
        runs: folders of evaluations.
        suite: only those who play it, by the name or path that the runs were told.
        certificates: folder of certificates, where they are not where `earsim certify` puts them.

    Raises:
        FileError: A folder holds no run.
    """
    manifests = {str(Path(run)): load_run_manifest(run) for run in runs}
    found = [
        _entrant(group, manifests[group.run])
        for group in read_groups(manifests, certificates=certificates)
        if suite is None or suite in group.asked
    ]
    found = _with_people_together(found)
    labels = labelled([each.group for each in found])
    return tuple(replace(each, group=group) for each, group in zip(found, labels, strict=True))


def _entrant(group: ResultsGroup, manifest: RunManifest) -> Entrant:
    cells = tuple(manifest.cells[name] for name in group.cells)
    return Entrant(group, (EntrantRun(Path(group.run), manifest, cells),))


def _with_people_together(found: Sequence[Entrant]) -> list[Entrant]:
    """All who played by hand in one way are one entrant, wherever the first of them stands."""
    together: dict[object, list[Entrant]] = {}
    for index, each in enumerate(found):
        is_human = each.group.policy == HUMAN
        together.setdefault(_way_of_playing(each) if is_human else index, []).append(each)
    return [group[0] if len(group) == 1 else _pooled(group) for group in together.values()]


def _way_of_playing(entrant: Entrant) -> tuple[object, ...]:
    first = entrant.cells[0]
    asked = tuple(sorted({cell.suite for cell in entrant.cells}))
    return asked, entrant.group.rulesets, first.knowledge, first.budget, first.end_on


def _pooled(people: Sequence[Entrant]) -> Entrant:
    first = people[0].group
    group = replace(
        first,
        label=HUMAN,
        cells=tuple(dict.fromkeys(name for each in people for name in each.group.cells)),
        episodes=tuple(episode for each in people for episode in each.group.episodes),
    )
    return Entrant(group, tuple(source for each in people for source in each.sources))
