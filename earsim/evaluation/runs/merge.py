"""Putting runs together: shards of one sweep, or sweeps that belong side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from earsim.errors import UsageError
from earsim.evaluation.annotations import merge_annotations
from earsim.evaluation.store.database import Store
from earsim.evaluation.store.manifest import (
    MANIFEST,
    RunManifest,
    alone_in,
    joined,
    load_run_manifest,
    save_manifest,
    scenarios_of,
)
from earsim.evaluation.termination import EpisodeOutcome
from earsim.evaluation.workflow.votes_file import merge_votes


class Merged(NamedTuple):
    """What a merge came to.

    Attributes:
        episodes: in the merged run.
        planned: that its sweep asks for, all shards together.
        repeated: found in more than one run, and counted once.
    """

    episodes: int
    planned: int
    repeated: int


def merge(runs: Sequence[Path], out: Path) -> Merged:
    """Copy episodes, votes and annotations of runs into a folder; doing it again changes nothing.

    An episode that stands in several counts once: a measurement before no measurement, and of
    equals the first.

    Raises:
        FileError: One of them is no run, or its votes or annotations cannot be read.
        UsageError: They cannot be in one folder, or one is `out` itself.
    """
    if any(run.resolve() == out.resolve() for run in runs):
        raise UsageError(f"{out} cannot be merged into itself")
    manifest = _manifest_of([*([out] if (out / MANIFEST).exists() else []), *runs])
    repeated: set[str] = set()
    with alone_in(out), Store.open(out) as store:
        save_manifest(manifest, out)
        for run in runs:
            repeated |= _copy(run, store)
        merge_votes(runs, out)
        merge_annotations(runs, out)
        scenarios = scenarios_of(store.episodes())
        episodes = len(store.outcomes())
        save_manifest(manifest.model_copy(update={"scenarios": scenarios}), out)
    return Merged(episodes, sum(manifest.planned.values()), len(repeated))


def _manifest_of(runs: Sequence[Path]) -> RunManifest:
    found = [load_run_manifest(run) for run in runs]
    whole = found[0]
    for run, manifest in zip(runs[1:], found[1:], strict=True):
        whole = joined(manifest, whole, run)
    return whole.model_copy(update={"shard": None})


def _copy(run: Path, into: Store) -> set[str]:
    """Copy what is better than what is there; returns what was there already."""
    there = into.outcomes()
    with Store.open(run, readonly=True) as source:
        found = source.outcomes()
        path = source.path
    wanted = [
        episode
        for episode, outcome in found.items()
        if episode not in there
        or (there[episode] == EpisodeOutcome.NO_MEASUREMENT and outcome != there[episode])
    ]
    into.absorb(path, wanted)
    return found.keys() & there.keys()
