"""What keeps a run off a leaderboard: whatever would make its numbers mean something else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache

from earsim.errors import EarSimError, Finding, ReplayMismatch
from earsim.evaluation.formats.trajectories import trajectories_of
from earsim.evaluation.leaderboard.entrants import HUMAN, Entrant, EntrantRun
from earsim.evaluation.replay import verify
from earsim.evaluation.runs.run_config import RunConfig
from earsim.evaluation.termination import EpisodeOutcome
from earsim.suites.finding import find_suite
from earsim.suites.opening import open_suite
from earsim.suites.signature import hashes_of

_SHOWN = 3


class SuitesAtHand:
    """The suites that runs have played, each read once."""

    def __init__(self) -> None:
        self.hashes = cache(_whole)
        self.name = cache(_name)


def _whole(source: str) -> Mapping[str, str] | str:
    """Every scenario of a suite with its hash; or why it cannot be read."""
    try:
        return hashes_of(open_suite(find_suite(source).source))
    except EarSimError as error:
        return str(error)


def _name(source: str) -> str:
    return open_suite(find_suite(source).source).name


def refusals(entrant: Entrant, suites: SuitesAtHand) -> Iterator[Finding]:
    """Everything that keeps an entrant off a leaderboard."""
    for source in entrant.sources:
        yield from _unfinished(source)
    rules = entrant.group.rulesets
    if len(rules) != 1:
        reason = f"played under {' and '.join(rules) or 'no rules'}"
        yield _finding(entrant.sources[0], "", reason, "one ruleset, see --ruleset of earsim eval")
    differing = [
        finding
        for asked in dict.fromkeys(cell.suite for cell in entrant.cells)
        for finding in _suite_differs(entrant, asked, suites)
    ]
    yield from differing or _otherwise_played(entrant)


def _unfinished(source: EntrantRun) -> Iterator[Finding]:
    """Episodes that are missing, or were not measured."""
    if source.manifest.shard is not None:
        reason = f"holds shard {source.manifest.shard} alone"
        yield _finding(source, "shard", reason, "put the shards together with `earsim merge`")
    rows = list(source.rows())
    for cell in source.cells:
        planned = source.manifest.planned.get(cell.name, 0)
        there = sum(row.cell == cell.name for row in rows)
        if there < planned and source.manifest.shard is None:
            reason = f"{there:,} of {planned:,} episodes were played"
            yield _finding(source, f"cells.{cell.name}", reason, _go_on(cell))
        lost = [
            row
            for row in rows
            if row.cell == cell.name and row.outcome == EpisodeOutcome.NO_MEASUREMENT
        ]
        if lost:
            counts = Counter(row.termination for row in lost).most_common()
            told = ", ".join(f"{count:,} {ending}" for ending, count in counts)
            reason = f"{len(lost):,} episodes were not measured: {told}"
            yield _finding(source, f"cells.{cell.name}", reason, _retry(cell))


def _suite_differs(entrant: Entrant, asked: str, suites: SuitesAtHand) -> Iterator[Finding]:
    """Where what was played is not the whole suite as it is now."""
    source = next(s for s in entrant.sources if asked in (cell.suite for cell in s.cells))
    whole = suites.hashes(asked)
    if isinstance(whole, str):
        expected = "the suite must be at hand, to see that all of it was played"
        yield _finding(source, f"suites.{asked}", f"cannot be read: {whole}", expected)
        return
    played: dict[str, set[str]] = {}
    names = {cell.name for cell in entrant.cells if cell.suite == asked}
    for row in entrant.rows():
        if row.cell in names:
            played.setdefault(row.scenario_id, set()).add(row.scenario_hash)
    missing = [id for id in whole if id not in played]
    if missing:
        reason = (
            f"{len(whole) - len(missing):,} of its {len(whole):,} scenarios were played, "
            f"not {_some(missing)}"
        )
        expected = "the whole suite: no --limit, no --category, no single scenario"
        yield _finding(source, f"suites.{asked}", reason, expected)
    changed = [id for id, hashes in played.items() if hashes != {whole.get(id)}]
    if changed:
        reason = f"{len(changed):,} scenarios are others than were played: {_some(changed)}"
        yield _finding(
            source, f"suites.{asked}", reason, "play them again, or take the suite as it was"
        )


def _otherwise_played(entrant: Entrant) -> Iterator[Finding]:
    """Episodes whose commands do not lead to what the run says of them."""
    names = {cell.name for cell in entrant.cells}
    suites = {cell.suite: find_suite(cell.suite).suite for cell in entrant.cells}
    for run in dict.fromkeys(source.run for source in entrant.sources):
        mismatches = []
        for cell, row, trajectory in trajectories_of(run):
            if cell.name in names:
                scenario = suites[cell.suite].load(row.scenario_id)
                try:
                    verify(trajectory, scenario, source=row.episode)
                except ReplayMismatch as mismatch:
                    mismatches.append(str(mismatch))
        if mismatches:
            reason = f"{len(mismatches):,} episodes are others when replayed: {mismatches[0]}"
            yield Finding(str(run), "", reason, f"what `earsim replay {run}` finds equal")


def _some(ids: list[str]) -> str:
    more = f" and {len(ids) - _SHOWN:,} more" if len(ids) > _SHOWN else ""
    return ", ".join(ids[:_SHOWN]) + more


def _go_on(cell: RunConfig) -> str:
    if cell.entrant.policy == HUMAN:
        return "go on with the same `earsim play`"
    return "go on with the same `earsim eval`"


def _retry(cell: RunConfig) -> str:
    if cell.entrant.policy == HUMAN:
        return "finish what was left, with the same `earsim play`"
    return "play them again, with --retry-errors"


def _finding(source: EntrantRun, place: str, reason: str, expected: str) -> Finding:
    return Finding(str(source.run), place, reason, expected)
