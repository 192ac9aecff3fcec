"""Playing while writing down: the one way from commands to the records of a trajectory.

The runner records what a policy does through it, and the verifier records a replay through it and
compares the two, so a record cannot mean one thing here and another there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from earsim.actions.outcome import Outcome
from earsim.engine import Engine
from earsim.episode import Episode
from earsim.evaluation.runs.external import external_record
from earsim.ids import well_formed
from earsim.installed import version
from earsim.render.feedback import feedback
from earsim.schema import OutcomeRecord, Result, Scenario, StepRecord, Trajectory
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim.world import digest


def begin(scenario: Scenario, settings: EpisodeSettings, engine: Engine | None = None) -> Episode:
    """A fresh episode under the given settings; with the engine of these, where there is one."""
    return Episode(
        engine or Engine(scenario, settings.ruleset),
        end_on=settings.end_on,
        budget=settings.budget,
        discovered=settings.observability == "full",
    )


def is_over(episode: Episode) -> bool:
    """Whether no further decision will be taken."""
    return episode.over or episode.truncated


def take(episode: Episode, commands: Mapping[str, str] | None) -> StepRecord:
    """Take one decision and record it.

    A decision without any command counts as one that could not be read.
    """
    spoken = {agent: well_formed(text) for agent, text in (commands or {}).items()}
    number = episode.decisions
    decision = episode.step(spoken or None)
    return StepRecord(
        decision=number,
        commands=spoken,
        outcomes=tuple(
            _recorded(agent, outcome, episode) for agent, outcome in decision.outcomes.items()
        ),
        digest=digest(episode.world),
        clock=episode.world.clock,
    )


def _recorded(agent: str, outcome: Outcome, episode: Episode) -> OutcomeRecord:
    return OutcomeRecord(
        agent=agent,
        command=outcome.command,
        verb=outcome.verb or None,
        status=outcome.status.value,
        reason=None if outcome.reason is None else outcome.reason.value,
        message=feedback(outcome, episode.engine.blueprint, episode.engine.verbs),
        facts=dict(outcome.facts),
    )


def trajectory_of(
    episode: Episode,
    steps: Iterable[StepRecord],
    settings: EpisodeSettings,
    *,
    policy: str,
    seed: int = 0,
    memory: Any = None,
    termination: str | None = None,
) -> Trajectory:
    """Everything about an episode as it stands, ready to be saved.

    Args:
        episode: what was played.
        steps: what `take` returned, from the first decision on.
        settings: those it began with.
        policy: what to call who played it.
        seed: of a policy that draws.
        memory: what the policy remembers, a JSON value.
        termination: why it ended, where the rules did not end it.
    """
    scenario = episode.engine.scenario
    return Trajectory(
        scenario_id=scenario.id,
        scenario_hash=scenario.hash,
        ruleset=episode.engine.ruleset.id,
        env_version=version("earsim"),
        policy=policy,
        seed=seed,
        steps=tuple(steps),
        result=result_of(episode, termination=termination),
        memory=memory,
        extra={
            "category": scenario.task.category.value,
            "budget": episode.budget,
            "end_on": settings.end_on,
            "observability": settings.observability,
            **external_record(episode.world),
        },
    )


def result_of(episode: Episode, *, termination: str | None = None) -> Result:
    """How the episode stands; `termination` says why where the rules did not end it."""
    return Result(
        success_latched=episode.verdict.ever,
        success_final=episode.verdict.now,
        claimed_done=episode.claimed_at is not None,
        termination=termination or _termination(episode),
        decisions=episode.decisions,
        score=episode.score / episode.max_score,
    )


def _termination(episode: Episode) -> str:
    if not episode.over:
        return "budget"
    if episode.world.claim:
        return "reported"
    return "done" if episode.last is not None and episode.last.over else "goal"
