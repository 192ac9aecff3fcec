"""Check of a leaderboard file: whatever can be computed again is, and compared."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from earsim.errors import FileError, Finding
from earsim.evaluation.leaderboard.building import leaderboard
from earsim.evaluation.store.fingerprint import fingerprint
from earsim.evaluation.store.manifest import MANIFEST, load_run_manifest
from earsim.evaluation.summary import wilson
from earsim.schema.files.load import load_json
from earsim.schema.leaderboard import Leaderboard, LeaderboardEntry, LeaderboardScore
from earsim.suites.opening import open_suite, suite_names
from earsim.suites.signature import hashes_of, signature_of
from earsim.tables.document import ALL

_TOLERANCE = 1e-9


class CheckedLeaderboard(NamedTuple):
    """What a check came to.

    Attributes:
        recomputed: Labels of entries that were computed again from their runs.
        suites: Names of suites whose hash was computed again.
    """

    board: Leaderboard
    findings: tuple[Finding, ...]
    recomputed: tuple[str, ...]
    suites: tuple[str, ...]


def check_leaderboard(
    path: str | Path, runs: Sequence[str | Path] = (), *, certificates: Path | None = None
) -> CheckedLeaderboard:
    """Check a file by itself, against shipped suites, and against the runs that are there.

    Args:
        path: the file.
        runs: folders of its runs; those that lie beside the file are found by their names.
        certificates: folder of certificates, where they are not where `earsim certify` puts them.

    Raises:
        FileError: It cannot be read as a leaderboard; with everything that is wrong in it.
    """
    file = Path(path)
    board = load_json(file, Leaderboard)
    source = str(path)
    findings = [*_sums(board, source)]
    suites = [each.name for each in board.suites if each.name in suite_names()]
    findings += _other_suites(board, source)
    known = {Path(run).resolve().name: Path(run) for run in runs}
    recomputed = []
    for index, entry in enumerate(board.entries):
        places = _places(entry, known, file.parent)
        if len(places) == len(entry.runs):
            findings += _differences(entry, f"entries[{index}]", source, places, certificates)
            recomputed.append(entry.label)
    return CheckedLeaderboard(board, tuple(findings), tuple(recomputed), tuple(suites))


def _places(entry: LeaderboardEntry, known: Mapping[str, Path], beside: Path) -> list[Path]:
    """Where the runs of an entry are, as far as they are anywhere."""
    found = [known.get(run.name) or beside / run.name for run in entry.runs]
    return [place for place in found if (place / MANIFEST).is_file()]


# -- by itself -------------------------------------------------------------------------------------


def _sums(board: Leaderboard, source: str) -> Iterator[Finding]:
    """Numbers that cannot be, whatever was played."""
    scenarios = sum(suite.scenarios for suite in board.suites)
    for index, entry in enumerate(board.entries):
        place = f"entries[{index}]"
        if entry.episodes < scenarios * entry.repeats:
            reason = f"{entry.episodes:,} episodes of {scenarios:,} scenarios x {entry.repeats}"
            yield Finding(source, f"{place}.episodes", reason, f"{scenarios * entry.repeats:,}")
        rates = [s for s in entry.scores if s.metric == "success"]
        for at, score in enumerate(entry.scores):
            for problem in _impossible(score, entry, scenarios):
                yield Finding(source, f"{place}.scores[{at}]", *problem)
        yield from _parts(rates, entry, place, source)


def _impossible(
    score: LeaderboardScore, entry: LeaderboardEntry, scenarios: int
) -> Iterator[tuple[str, str]]:
    """Why a success rate is none, and what would be one."""
    if score.metric != "success":
        return
    if score.value is None or score.low is None or score.high is None:
        yield "success has no value or no interval", "expected both"
        return
    won = score.value * score.n
    if abs(won - round(won)) > 1e-6 or not 0 <= round(won) <= score.n:
        yield f"success {score.value} of {score.n}", "a whole number of episodes"
        return
    if entry.repeats == 1 and entry.episodes == scenarios:
        low, high = wilson(round(won), score.n)
        if not (_same(low, score.low) and _same(high, score.high)):
            told = f"Wilson's is {low} to {high}"
            yield f"the interval {score.low} to {score.high} is not that of the rate", told


def _parts(
    rates: Sequence[LeaderboardScore], entry: LeaderboardEntry, place: str, source: str
) -> Iterator[Finding]:
    """Where the categories do not add up to the whole."""
    whole = [each for each in rates if each.group == ALL]
    parts = [each for each in rates if each.group == "category"]
    if not whole:
        yield Finding(source, f"{place}.scores", "no success over all", "the metric success")
        return
    if whole[0].n != entry.episodes:
        reason = f"success counts {whole[0].n:,} of {entry.episodes:,} episodes"
        yield Finding(source, f"{place}.scores", reason, "every episode counts")
    for name, total, found in (
        ("episodes", whole[0].n, sum(each.n for each in parts)),
        ("successes", _won(whole[0]), sum(map(_won, parts))),
    ):
        if parts and total != found:
            reason = f"{found:,} {name} in the categories"
            yield Finding(source, f"{place}.scores", reason, f"{total:,}, as over all")


def _won(score: LeaderboardScore) -> int:
    return round((score.value or 0.0) * score.n)


def _other_suites(board: Leaderboard, source: str) -> Iterator[Finding]:
    """Shipped suites that are others here than those that were played."""
    for index, told in enumerate(board.suites):
        if told.name not in suite_names():
            continue
        place = f"suites[{index}]"
        try:
            here = signature_of(told.name, hashes_of(open_suite(told.name)))
        except FileError as error:
            yield Finding(source, place, f"{told.name} cannot be read here: {error}")
            continue
        if here != told:
            reason = f"{told.name} of {told.scenarios:,} scenarios, {told.sha256}"
            expected = f"here it has {here.scenarios:,}, {here.sha256}: take the version it names"
            yield Finding(source, place, reason, expected)


# -- against the runs ------------------------------------------------------------------------------


def _differences(
    entry: LeaderboardEntry,
    place: str,
    source: str,
    runs: Sequence[Path],
    certificates: Path | None,
) -> Iterator[Finding]:
    """Where an entry says something else than its runs do."""
    others = False
    for index, (told, run) in enumerate(zip(entry.runs, runs, strict=True)):
        found = fingerprint(run)
        if found != told.sha256:
            others = True
            reason = f"{run} is another run: {found}"
            at = f"{place}.runs[{index}].sha256"
            yield Finding(source, at, reason, "submit that run, or give the folder of this one")
    if others:
        return
    try:
        again = _again(entry, runs, certificates)
    except FileError as error:
        yield from error.findings
        return
    if again is None:
        yield Finding(source, f"{place}.cells", "the run has no such cells", "the cells of a run")
        return
    skipped = {"label"}  # it depends on what stands beside it
    said, computed = (each.model_dump(mode="json", exclude=skipped) for each in (entry, again))
    for difference in _unequal(said, computed, place):
        reason, expected = repr(difference.said), f"the run gives {difference.computed!r}"
        yield Finding(source, difference.place, reason, expected)


def _again(
    entry: LeaderboardEntry, runs: Sequence[Path], certificates: Path | None
) -> LeaderboardEntry | None:
    """The entry as it follows from its runs; the suite is that of its cells."""
    cells = {n: c for run in runs for n, c in load_run_manifest(run).cells.items()}
    asked = [cells[name].suite for name in entry.cells if name in cells]
    if not asked:
        return None
    board = leaderboard(runs, suite=asked[0], certificates=certificates)
    found = (each for each in board.entries if each.cells == entry.cells)
    return next((each for each in found if each.ruleset == entry.ruleset), None)


class _Difference(NamedTuple):
    place: str
    said: Any
    computed: Any


def _unequal(told: Any, found: Any, place: str) -> Iterator[_Difference]:
    """The places where two JSON values differ."""
    if isinstance(told, dict) and isinstance(found, dict):
        for key in {**told, **found}:
            yield from _unequal(told.get(key), found.get(key), f"{place}.{key}")
    elif isinstance(told, list) and isinstance(found, list) and len(told) == len(found):
        for index, (one, other) in enumerate(zip(told, found, strict=True)):
            yield from _unequal(one, other, f"{place}[{index}]")
    elif not _same(told, found):
        yield _Difference(place, told, found)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
    return bool(one == other)
