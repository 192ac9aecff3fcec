"""Playing one episode with a policy that answers at once, in memory."""

from __future__ import annotations

from earsim.envs.policy import Policy, PolicyContext, observations_of
from earsim.evaluation.runs.recorder import begin, is_over, take, trajectory_of
from earsim.schema import Scenario, Trajectory
from earsim.schema.records.episode_settings import EpisodeSettings

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
    policy.reset(PolicyContext.of(episode, seed))
    steps = []
    while not is_over(episode):
        steps.append(take(episode, policy.act(observations_of(episode))))
    return trajectory_of(episode, steps, settings, policy=name, seed=seed, memory=policy.memory)
