"""Running a policy: over one scenario, and over a suite with a folder that remembers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from earsim.envs.policy import Policy, PolicyContext, observations_of
from earsim.errors import EarSimError
from earsim.evaluation.policies import make_policy
from earsim.evaluation.run_folder import RunFolder
from earsim.evaluation.runs.recorder import begin, is_over, take, trajectory_of
from earsim.rulesets import RULESETS
from earsim.schema import Scenario, Trajectory
from earsim.schema.records.manifest import EpisodeSettings, RunSettings
from earsim.suites import Suite

AS_THE_SCENARIO_SAYS = EpisodeSettings()
"""The scenario's own ruleset and budget, ended by DONE."""


def play(
    scenario: Scenario,
    policy: Policy,
    *,
    name: str,
    seed: int = 0,
    settings: EpisodeSettings = AS_THE_SCENARIO_SAYS,
) -> Trajectory:
    """Let a policy play one episode.

    Args:
        scenario: what is played.
        policy: who plays; it is reset first.
        name: what to call the policy in the record.
        seed: for a policy that draws.
        settings: how the episode is played.
    """
    episode = begin(scenario, settings)
    policy.reset(
        PolicyContext(
            instruction=episode.engine.instruction,
            agents=episode.agents,
            budget=episode.budget,
            seed=seed,
            scenario=scenario,
        )
    )
    steps = []
    while not is_over(episode):
        steps.append(take(episode, policy.act(observations_of(episode))))
    return trajectory_of(episode, steps, settings, policy=name, seed=seed, memory=policy.memory)


class Played(NamedTuple):
    """What became of one scenario of a run.

    Attributes:
        category: None where it could not be told.
        trajectory: the record; None when nothing was measured.
        problem: why nothing was measured; empty otherwise.
        resumed: it was found finished in the folder.
    """

    id: str
    category: str | None
    trajectory: Trajectory | None
    problem: str = ""
    resumed: bool = False


def run_suite(suite: Suite, settings: RunSettings, folder: RunFolder) -> Iterator[Played]:
    """Play every scenario of a suite, or of a part of one, that the folder does not hold yet.

    Each finished episode is on disk before it is yielded, so the same call goes on where an
    interrupted one stopped. What cannot be loaded or played is yielded too, with the reason.

    Raises:
        UsageError: The folder holds a run with other settings.
        UnknownName: There is no such policy or ruleset.
    """
    policy = make_policy(settings.policy, **settings.options)
    if settings.episode.ruleset is not None:
        RULESETS[settings.episode.ruleset]
    folder.open(settings)
    for scenario_id in suite.ids:
        played = _play_one(suite, scenario_id, policy, settings, folder)
        if played.trajectory is not None and not played.resumed:
            folder.save(played.trajectory)
        folder.note(played.id, played.trajectory, played.problem)
        yield played
    folder.close()


def _play_one(
    suite: Suite, scenario_id: str, policy: Policy, settings: RunSettings, folder: RunFolder
) -> Played:
    try:
        scenario = suite.load(scenario_id)
        category = scenario.task.category.value
        finished = folder.finished(scenario, settings.episode.ruleset)
        if finished is not None:
            return Played(scenario_id, category, finished, resumed=True)
        trajectory = play(
            scenario, policy, name=settings.policy, seed=settings.seed, settings=settings.episode
        )
    except EarSimError as error:
        return Played(scenario_id, _category(suite, scenario_id), None, str(error))
    except Exception as error:  # noqa: BLE001 - one broken episode must not end the run
        problem = f"{type(error).__name__}: {error}"
        return Played(scenario_id, _category(suite, scenario_id), None, problem)
    return Played(scenario_id, category, trajectory)


def _category(suite: Suite, scenario_id: str) -> str | None:
    try:
        return suite.category(scenario_id).value
    except EarSimError:
        return None
