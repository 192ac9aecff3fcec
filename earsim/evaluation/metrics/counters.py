"""From the rows of an episode to what the metrics count of it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence

from earsim.evaluation.interventions import VerificationRecord
from earsim.evaluation.metrics.episode import CountedEpisode, RoleUsage, level_of
from earsim.evaluation.metrics.evidence import replayed
from earsim.evaluation.metrics.failure import Failed, Signs, signs_of
from earsim.evaluation.metrics.moves import illegal_moves
from earsim.evaluation.metrics.suite_lookup import SuiteLookup
from earsim.evaluation.runs.sweep import Price
from earsim.evaluation.scorers.votes import Vote
from earsim.evaluation.store.rows import CallRow, EpisodeRow, StateRow, StepRow
from earsim.evaluation.summary import UNKNOWN
from earsim.evaluation.termination import EpisodeOutcome
from earsim.evaluation.workflow.outcome import WorkflowOutcome
from earsim.planner.laboratory.design_outcome import DesignOutcome
from earsim.planner.laboratory.threshold_outcome import ThresholdOutcome
from earsim.rulesets import RULESETS


def counted(
    row: EpisodeRow,
    steps: Sequence[StepRow],
    calls: Iterable[CallRow],
    *,
    library: SuiteLookup,
    price: Price | None = None,
    votes: Mapping[str, tuple[Vote, ...]] | None = None,
    states: Iterable[StateRow] = (),
) -> CountedEpisode:
    """What one episode contributes.

    Args:
        row: the episode.
        steps: its decisions.
        calls: its model calls; looked at once, one after the other.
        library: of its suite.
        price: of its model's tokens.
        votes: of judges on its idea, by dimension.
        states: the typed memory of its policy, oldest first.
    """
    last = deque(states, maxlen=1)
    measured = row.outcome != EpisodeOutcome.NO_MEASUREMENT
    succeeded = measured and has_succeeded(row)
    noted = row.extra.get("verification")
    verified = VerificationRecord.of_record(noted or {})
    outcomes = [outcome for step in steps for outcome in step.outcomes]
    return CountedEpisode(
        id=row.episode,
        suite=row.suite,
        scenario_id=row.scenario_id,
        scenario_hash=row.scenario_hash,
        category=row.category or UNKNOWN,
        level=level_of(row.category, row.level),
        ruleset=row.ruleset,
        measured=measured,
        succeeded=succeeded,
        termination=row.termination,
        repeat=row.repeat,
        latched=row.success_latched,
        final=row.success_final,
        claimed=row.claimed_done,
        decisions=row.decisions,
        first_true=row.first_true,
        plan=library.plan(row),
        loads_in_reference=library.loads_in_reference(row),
        commands=len(outcomes),
        rejections=Counter(each.reason for each in outcomes if each.reason is not None),
        unread=sum(step.commands is None for step in steps),
        usage=_usage(calls, price),
        signs=_signs(row, steps, library) if measured and not succeeded else None,
        designs=_designs(row) if measured else (),
        workflow=WorkflowOutcome.of_record(row.extra.get("workflow", {})),
        votes=votes or {},
        score=row.score,
        stopped=None if noted is None else verified.stopped,
        hot_fixes=_hot_fixes(row),
        answers=verified.answers,
        thresholds=_thresholds(row) if measured else (),
        illegal_moves=illegal_moves(last[0].state) if last else None,
    )


class CountedEpisodes:
    """Episodes that have been counted, so that a run in progress is not counted from its start.

    A finished episode is written once; one that is played again has another time in its row.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[str, str, EpisodeKey], CountedEpisode] = {}

    def of(
        self, run: str, votes: str, row: EpisodeRow, count: Callable[[], CountedEpisode]
    ) -> CountedEpisode:
        """What is known of an episode of a run with these votes, or what `count` finds."""
        key = (run, votes, (row.episode, row.started_at, row.wall_ms))
        if key not in self._found:
            self._found[key] = count()
        return self._found[key]


EpisodeKey = tuple[str, float, float]


def has_succeeded(row: EpisodeRow) -> bool:
    """Success as the ruleset publishes it: latched, or as things stand at the end."""
    name = row.ruleset.partition("/")[0]
    if name not in RULESETS:
        return row.outcome == EpisodeOutcome.SUCCESS
    return row.success_latched if RULESETS[name].latched else row.success_final


def _usage(calls: Iterable[CallRow], price: Price | None) -> Mapping[str, RoleUsage]:
    found: dict[str, RoleUsage] = {}
    for call in calls:
        found[call.role] = _sum(found.get(call.role), _of_call(call, price))
    return found


def _of_call(call: CallRow, price: Price | None) -> RoleUsage:
    prompt, completion = call.prompt_tokens or 0, call.completion_tokens or 0
    cached = call.cached_tokens or 0
    untold = call.prompt_tokens is None or call.completion_tokens is None
    return RoleUsage(
        calls=1,
        prompt=prompt,
        completion=completion,
        cached=cached,
        untold=int(untold),
        retries=max(0, call.attempts - 1),
        cost=None if price is None or untold else price.cost(prompt, completion, cached),
    )


def _sum(before: RoleUsage | None, more: RoleUsage) -> RoleUsage:
    if before is None:
        return more
    unknown = before.cost is None or more.cost is None
    return RoleUsage(
        calls=before.calls + more.calls,
        prompt=before.prompt + more.prompt,
        completion=before.completion + more.completion,
        cached=before.cached + more.cached,
        untold=before.untold + more.untold,
        retries=before.retries + more.retries,
        cost=None if unknown else (before.cost or 0.0) + (more.cost or 0.0),
    )


def _designs(row: EpisodeRow) -> tuple[DesignOutcome, ...]:
    """What the runner noted; nothing of an episode that another version wrote."""
    noted = row.extra.get("designs", [])
    names = set(DesignOutcome._fields)
    return tuple(DesignOutcome(**each) for each in noted if each.keys() == names)


def _hot_fixes(row: EpisodeRow) -> int | None:
    """What a typed memory counts."""
    found = row.memory.get("hot_fixes") if isinstance(row.memory, dict) else None
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def _thresholds(row: EpisodeRow) -> tuple[ThresholdOutcome, ...]:
    noted = row.extra.get("thresholds", [])
    names = set(ThresholdOutcome._fields)
    return tuple(ThresholdOutcome(**each) for each in noted if each.keys() == names)


def _signs(
    row: EpisodeRow, steps: Sequence[StepRow], library: SuiteLookup
) -> Mapping[str, Signs] | None:
    scenario = library.scenario(row)
    evidence = None if scenario is None else replayed(row, steps, scenario)
    return None if evidence is None else signs_of(Failed(row, steps, evidence))
