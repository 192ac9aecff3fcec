"""One episode of a run, from loading the scenario to the record of what happened."""

from __future__ import annotations

import errno
import sqlite3
import time
from typing import Any, NamedTuple

from pydantic import BaseModel

from earsim.apparatus.bodies.confinement import DEMAND
from earsim.envs.policy import AsyncPolicy, PolicyContext, observations_of
from earsim.episode import Episode
from earsim.errors import (
    ContextOverflow,
    ContextTooSmall,
    EarSimError,
    FileError,
    MissingExtra,
    NoRoomToBegin,
    RequestRefused,
    ServerFault,
)
from earsim.evaluation.interventions import verification_record
from earsim.evaluation.metrics.level import LEVELS
from earsim.evaluation.runs.code import sandbox_of
from earsim.evaluation.runs.external import external_record, machine_fault
from earsim.evaluation.runs.jobs import Job
from earsim.evaluation.runs.players import Players
from earsim.evaluation.runs.recorder import begin, is_over, result_of, take
from earsim.evaluation.runs.run_config import RunConfig
from earsim.evaluation.store.records import EpisodeRecord, Writing
from earsim.evaluation.store.rows import EpisodeRow
from earsim.evaluation.termination import Ending, EpisodeOutcome, outcome_of
from earsim.evaluation.workflow.outcome import require_scorers, workflow_outcome
from earsim.planner.laboratory.design_outcome import design_outcomes
from earsim.planner.laboratory.threshold_outcome import threshold_outcomes
from earsim.schema import Category, Scenario
from earsim.suites import Suite


class End(NamedTuple):
    """Why an episode ended, and what went wrong if something did."""

    ending: Ending
    error: str | None = None


async def rollout(job: Job, cell: RunConfig, suite: Suite, players: Players) -> EpisodeRecord:
    """Play one episode. Whatever goes wrong with it becomes part of the record.

    Raises:
        OSError: The machine gave out; nothing is known about the episode.
    """
    attempt = _Attempt(job, cell, suite)
    try:
        end = await attempt.play(players)
    # Servers raise a ServerFault: these would befall every episode.
    except (OSError, MissingExtra, ContextTooSmall):
        raise
    except RequestRefused as error:
        end = End(Ending.REQUEST_REFUSED, str(error))
    except ServerFault as error:
        end = End(Ending.SERVER_FAULT, str(error))
    except NoRoomToBegin as error:
        end = End(Ending.NO_ROOM_TO_BEGIN, str(error))
    except ContextOverflow as error:
        end = End(Ending.CONTEXT_OVERFLOW, str(error))
    except EarSimError as error:
        unread = isinstance(error, FileError) and attempt.scenario is None
        end = End(Ending.LOAD_FAILURE if unread else Ending.NOT_PLAYABLE, str(error))
    except sqlite3.Error as error:
        raise OSError(errno.EIO, str(error), "response cache") from error
    except Exception as error:  # noqa: BLE001 - one broken episode must not end the run
        end = End(Ending.CRASH, f"{type(error).__name__}: {error}")
    return attempt.finish(end)


def no_measurement(job: Job, cell: RunConfig, suite: Suite, reason: str) -> EpisodeRecord:
    """The record of an episode that ends whoever plays it."""
    attempt = _Attempt(job, cell, suite)
    try:
        attempt.begin()
    except EarSimError as error:
        reason = f"{reason}; {error}"
    return attempt.finish(End(Ending.CRASH, reason))


class _Attempt:
    """An episode in progress, with as much as is known of it."""

    def __init__(self, job: Job, cell: RunConfig, suite: Suite) -> None:
        self.scenario: Scenario | None = None
        self._job = job
        self._cell = cell
        self._suite = suite
        self._episode: Episode | None = None
        self._memory: Any = None
        self._writing = Writing(job.episode)
        self._unreadable = 0
        self._started_at = time.time()
        self._begun = time.perf_counter()

    @property
    def _seed(self) -> int:
        return self._cell.seed + self._job.repeat

    def begin(self) -> Episode:
        """Load the scenario and begin to play."""
        self.scenario = self._suite.load(self._job.scenario_id)
        require_scorers(self.scenario)
        self._episode = begin(self.scenario, self._cell.episode)
        DEMAND.level = self._cell.sandbox_level
        return self._episode

    async def play(self, players: Players) -> End:
        """Play to the end, or until something raises."""
        episode = self.begin()
        policy = players.policy(self._cell)
        try:
            policy.reset(PolicyContext.of(episode, self._seed))
            return await self._decide(episode, policy)
        finally:
            self._memory = policy.memory
            await policy.close()

    async def _decide(self, episode: Episode, policy: AsyncPolicy) -> End:
        in_a_row = 0
        while not is_over(episode):
            commands = await self._ask(policy, episode)
            number, state = episode.decisions, getattr(policy, "state", None)
            record = take(episode, commands)
            self._writing.step(record, unreadable=commands is None)
            if isinstance(state, BaseModel):
                self._writing.state(number, state)
            told = machine_fault(record, episode.world)
            if told is not None:
                return End(*told)
            in_a_row = in_a_row + 1 if commands is None else 0
            self._unreadable += commands is None
            if in_a_row and in_a_row == self._cell.give_up_after and not is_over(episode):
                return End(Ending.PARSE_FAILURE, f"{in_a_row} unreadable replies in a row")
        return End(Ending(result_of(episode).termination))

    async def _ask(self, policy: AsyncPolicy, episode: Episode) -> dict[str, str] | None:
        try:
            commands = await policy.act(observations_of(episode))
        finally:
            for call in policy.take_calls():
                self._writing.call(call)
        return None if commands is None else dict(commands)

    def finish(self, end: End) -> EpisodeRecord:
        """The record of the episode as it stands."""
        return self._writing.finish(
            row_of(
                self._job,
                self._cell,
                self._suite,
                end,
                scenario=self.scenario,
                episode=self._episode,
                memory=self._memory,
                extra={
                    "unreadable": self._unreadable,
                },
                started_at=self._started_at,
                wall_ms=1000 * (time.perf_counter() - self._begun),
            )
        )


def row_of(
    job: Job,
    cell: RunConfig,
    suite: Suite,
    end: End,
    *,
    scenario: Scenario | None,
    episode: Episode | None,
    memory: Any,
    extra: dict[str, Any],
    started_at: float,
    wall_ms: float,
) -> EpisodeRow:
    """The row of an episode as it stands; what could not be begun has no scenario or no episode."""
    category = _category(suite, job.scenario_id, scenario)
    if episode is None:
        extra = {}
    else:
        extra = {
            "instruction": episode.engine.instruction,
            "budget": episode.budget,
            "end_on": episode.end_on,
            **sandbox_of(episode),
            **external_record(episode.world),
            **extra,
        }
        workflow = workflow_outcome(
            episode.engine.scenario, episode.world, measured=end.ending.is_measured
        )
        if workflow is not None:
            extra["workflow"] = workflow.record()
        verified = verification_record(episode.engine, episode.world)
        if verified is not None:
            extra["verification"] = verified.record()
        designs = design_outcomes(episode.engine, episode.world)
        if designs:
            extra["designs"] = [each._asdict() for each in designs]
        thresholds = threshold_outcomes(episode.engine, episode.world)
        if thresholds:
            extra["thresholds"] = [each._asdict() for each in thresholds]
    return EpisodeRow(
        episode=job.episode,
        cell=cell.name,
        suite=suite.name,
        scenario_id=job.scenario_id,
        scenario_hash="" if scenario is None else scenario.hash,
        category="" if category is None else category.value,
        level=None if category is None else LEVELS[category],
        ruleset="" if episode is None else episode.engine.ruleset.id,
        policy=cell.entrant.policy,
        model=cell.entrant.model,
        style=cell.style,
        knowledge=cell.knowledge,
        repeat=job.repeat,
        seed=cell.seed + job.repeat,
        agents=0 if scenario is None else len(scenario.agents),
        termination=end.ending.value,
        error=end.error,
        memory=memory,
        extra=extra,
        started_at=started_at,
        wall_ms=wall_ms,
        **_result(episode, end.ending),
    )


def _result(episode: Episode | None, ending: Ending) -> dict[str, Any]:
    """How it stands; nothing is claimed about an episode that was not measured."""
    if episode is None:
        return {**_NOTHING, "outcome": EpisodeOutcome.NO_MEASUREMENT.value}
    measured = ending.is_measured
    result = result_of(episode, termination=ending.value)
    return {
        "outcome": outcome_of(ending, success=episode.success).value,
        "success_latched": measured and result.success_latched,
        "success_final": measured and result.success_final,
        "claimed_done": result.claimed_done,
        "decisions": result.decisions,
        "first_true": episode.verdict.since if measured else None,
        "score": result.score,
    }


_NOTHING: dict[str, Any] = {
    "success_latched": False,
    "success_final": False,
    "claimed_done": False,
    "decisions": 0,
    "first_true": None,
    "score": 0.0,
}


def _category(suite: Suite, scenario_id: str, scenario: Scenario | None) -> Category | None:
    if scenario is not None:
        return scenario.task.category
    try:
        return suite.category(scenario_id)
    except EarSimError:
        return None
