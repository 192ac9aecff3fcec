"""From finished runs to a leaderboard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from earsim.errors import FileError, Finding
from earsim.evaluation.leaderboard.admission import SuitesAtHand, refusals
from earsim.evaluation.leaderboard.entrants import HUMAN, Entrant, EntrantRun, entrants_of
from earsim.evaluation.metrics.episode import RoleUsage
from earsim.evaluation.metrics.measurement import groups
from earsim.evaluation.metrics.metric import MetricEstimate
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.store.database import Store
from earsim.evaluation.store.fingerprint import fingerprint
from earsim.schema.leaderboard import (
    EntryCost,
    Leaderboard,
    LeaderboardEntry,
    LeaderboardScore,
    RunFingerprint,
    SettingsSignature,
    SuiteSignature,
)
from earsim.suites.signature import signature_of

SCORES = ("success", "spl", "step_ratio.median", "steps.success", "claims.wrong_claims")
"""Metrics of an entry, over all episodes and by category."""

_GROUPS = ("all", "category")

_ASSISTANCE = ("goal_shown", "hints", "least_asked", "undone")
"""Notes of `earsim play` on what policies cannot have."""


def leaderboard(
    runs: Sequence[str | Path], *, suite: str | None = None, certificates: Path | None = None
) -> Leaderboard:
    """The entries of some runs.

    Args:
        runs: folders of evaluations.
        suite: only what was played of it, as the runs were told.
        certificates: folder of certificates, where they are not where `earsim certify` puts them.

    Raises:
        FileError: A folder holds no run, or one that may not stand on a leaderboard; with every
            reason.
    """
    entrants = entrants_of(runs, suite=suite, certificates=certificates)
    suites = SuitesAtHand()
    source = str(runs[0])
    if not entrants:
        reason = "no episodes" if suite is None else f"nothing of {suite} was played"
        raise FileError(source, [Finding(source, "", reason, "expected a finished run")])
    findings = [*_mixed(entrants, source)]
    findings += chain.from_iterable(refusals(each, suites) for each in entrants)
    if findings:
        raise FileError(source, list(dict.fromkeys(findings)))
    asked = dict.fromkeys(cell.suite for cell in entrants[0].cells)
    return Leaderboard(
        suites=tuple(_signature(each, suites) for each in asked),
        entries=tuple(_entry(each) for each in entrants),
    )


def _mixed(entrants: Sequence[Entrant], source: str) -> Iterator[Finding]:
    """What keeps entrants from standing beside each other."""
    played = dict.fromkeys(tuple(sorted({c.suite for c in each.cells})) for each in entrants)
    if len(played) > 1:
        told = "; ".join("+".join(each) for each in played)
        reason = f"several suites were played: {told}"
        yield Finding(source, "suites", reason, "a file for each: say which with --suite")


def _signature(asked: str, suites: SuitesAtHand) -> SuiteSignature:
    hashes = suites.hashes(asked)
    assert not isinstance(hashes, str)
    return signature_of(suites.name(asked), hashes)


def _entry(entrant: Entrant) -> LeaderboardEntry:
    group, first = entrant.group, entrant.sources[0]
    rows = list(entrant.rows())
    repeats = Counter((row.suite, row.scenario_id) for row in rows)
    folders = dict.fromkeys(source.run for source in entrant.sources)
    return LeaderboardEntry(
        label=group.label,
        runs=tuple(_fingerprint(run) for run in folders),
        cells=group.cells,
        versions=first.manifest.versions,
        git=first.manifest.git,
        ruleset=group.rulesets[0],
        policy=SettingsSignature.of(_policy_settings(first)),
        model=_model(entrant),
        repeats=min(repeats.values()),
        episodes=len(rows),
        assisted=sum(map(_was_assisted, (row.memory for row in rows if row.policy == HUMAN))),
        cost=_cost(entrant, sum(row.wall_ms for row in rows) / 1000),
        scores=tuple(_scores(entrant)),
    )


def _fingerprint(run: Path) -> RunFingerprint:
    return RunFingerprint(name=run.resolve().name, sha256=fingerprint(run))


def _was_assisted(memory: Any) -> bool:
    return isinstance(memory, dict) and any(memory.get(note) for note in _ASSISTANCE)


# -- signatures ------------------------------------------------------------------------------------


def _policy_settings(source: EntrantRun) -> dict[str, Any]:
    """What decides what a policy does, its model aside."""
    cell = source.cells[0]
    settings: dict[str, Any] = {**cell.identity}
    asked = source.manifest.asked.get(cell.name, {})
    options = settings["entrant"]["options"]
    of_model = {"model", *asked.get("parameters", {})}
    del settings["name"], settings["suite"], settings["entrant"]
    if cell.entrant.policy == HUMAN:
        del settings["seed"]  # the number of an attempt
    return {
        "policy": cell.entrant.policy,
        "options": {key: value for key, value in options.items() if key not in of_model},
        **{key: value for key, value in asked.items() if key != "parameters"},
        **settings,
    }


def _model(entrant: Entrant) -> SettingsSignature | None:
    """Which model was asked, and how; None where none was."""
    source = entrant.sources[0]
    cell = source.cells[0]
    if cell.entrant.model is None:
        return None
    parameters = source.manifest.asked.get(cell.name, {}).get("parameters", {})
    return SettingsSignature.of(
        {
            "model": cell.entrant.model,
            "parameters": dict(parameters),
            "reported": sorted(_reported(source)),
        }
    )


def _reported(source: EntrantRun) -> set[str]:
    """What servers said that they had asked."""
    with Store.open(source.run, readonly=True) as store:
        return {
            call.model_reported
            for cell in source.cells
            for row in store.episodes(cell.name)
            for call in store.calls(row.episode)
            if call.model_reported
        }


# -- numbers ---------------------------------------------------------------------------------------


def _cost(entrant: Entrant, seconds: float) -> EntryCost:
    episodes = entrant.group.episodes
    used = [usage for each in episodes for usage in each.usage.values()]
    decisions = sum(each.decisions for each in episodes)
    if not used:
        return EntryCost(decisions=decisions, seconds=round(seconds, 3))
    return EntryCost(
        decisions=decisions,
        seconds=round(seconds, 3),
        calls=sum(each.calls for each in used),
        calls_without_counts=sum(each.untold for each in used),
        prompt_tokens=sum(each.prompt for each in used),
        completion_tokens=sum(each.completion for each in used),
        cached_tokens=sum(each.cached for each in used),
        money=_money(used),
    )


def _money(used: Sequence[RoleUsage]) -> float | None:
    costs = [each.cost for each in used if each.cost is not None]
    return round(sum(costs), 6) if len(costs) == len(used) else None


def _scores(entrant: Entrant) -> Iterator[LeaderboardScore]:
    for (group, name), episodes in groups(entrant.group.episodes).items():
        if group in _GROUPS:
            for metric in SCORES:
                yield _score(metric, group, name, METRICS[metric].one(episodes))


def _score(metric: str, group: Any, name: str, estimate: MetricEstimate) -> LeaderboardScore:
    return LeaderboardScore(
        metric=metric,
        group=group,
        value_of=name,
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        n=estimate.n,
    )
