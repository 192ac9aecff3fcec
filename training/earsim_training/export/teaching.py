"""A teacher's word on what somebody else did: the labels of imitation with a teacher (DAgger).

Ross, Gordon and Bagnell (2011): a student that has only seen a demonstrator's states is lost in its
own. So the student plays, the teacher says at every decision what it would have done, and that is
what is taught, in the student's state.
"""

from __future__ import annotations

from collections.abc import Mapping

from earsim.envs.policy import Observation, PolicyContext, observations_of
from earsim.evaluation.policies import make_policy
from earsim.evaluation.recording import begin, is_over
from earsim_training.export.demonstration import Demonstration
from earsim_training.export.rollout import spoken


def taught(demonstration: Demonstration, teacher: str) -> Demonstration:
    """The same episode with a teacher's lesson in every turn.

    The teacher is told what the players were told and sees what they do; it is never obeyed.

    Args:
        demonstration: what was played.
        teacher: a policy that plays from any state: `expert`, or `oracle`, which knows the scene.

    Raises:
        UnknownName: There is no such policy.
        EarSimError: The teacher cannot play this scenario.
    """
    episode = begin(demonstration.scenario, demonstration.settings)
    policy = make_policy(teacher)
    policy.reset(
        PolicyContext(
            episode.engine.instruction,
            episode.agents,
            episode.budget,
            demonstration.seed,
            demonstration.scenario,
        )
    )
    turns = []
    for turn in demonstration.turns:
        if is_over(episode):
            break
        observations = observations_of(episode)
        lesson = _lesson(policy.act(observations), observations)
        turns.append(turn._replace(lesson=lesson))
        episode.step(turn.commands)
    return demonstration._replace(turns=tuple(turns), teacher=teacher)


def _lesson(
    said: Mapping[str, str] | None, observations: Mapping[str, Observation]
) -> dict[str, str]:
    return spoken(said, observations) if said else {}
