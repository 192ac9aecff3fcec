"""A teacher's word on what somebody else did: the labels of imitation with a teacher (DAgger).

Ross, Gordon and Bagnell (2011): a student that has only seen a demonstrator's states is lost in its
own. So the student plays, the teacher says at every decision what it would have done, and that is
what is taught, in the student's state.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping

from earsim import Episode
from earsim.envs.policy import Observation, Policy, PolicyContext, observations_of
from earsim.evaluation.policies import make_policy
from earsim.evaluation.runs.recorder import begin, is_over
from earsim_training.export.demonstrations.demonstration import Demonstration, spoken


def teacher_labelled(
    demonstration: Demonstration, teacher: str, *, intents: bool = False
) -> Demonstration:
    """The same episode with a teacher's lesson in every turn.

    The teacher is told what the players were told and sees what they do; it is never obeyed.

    Args:
        demonstration: what was played.
        teacher: a policy that plays from any state: `expert`, or `oracle`, which knows the scene.
        intents: note what each lesson is for, too: a twin of the teacher plays on from there.

    Raises:
        UnknownName: There is no such policy.
        EarSimError: The teacher cannot play this scenario.
    """
    episode = begin(demonstration.scenario, demonstration.settings)
    policy = make_policy(teacher)
    policy.reset(PolicyContext.of(episode, demonstration.seed))
    turns = []
    for turn in demonstration.turns:
        if is_over(episode):
            break
        observations = observations_of(episode)
        lesson = _lesson(policy.act(observations), observations)
        intent = tuple(_played_on(episode, policy, lesson)) if intents else ()
        turns.append(turn._replace(lesson=lesson, intent=intent))
        episode.step(turn.commands)
    return demonstration._replace(turns=tuple(turns), teacher=teacher)


def _lesson(
    said: Mapping[str, str] | None, observations: Mapping[str, Observation]
) -> dict[str, str]:
    return spoken(said, observations) if said else {}


def _played_on(
    episode: Episode, policy: Policy, lesson: Mapping[str, str]
) -> Iterator[Mapping[str, str]]:
    """What a teacher does once its lesson is obeyed; both are left as they are."""
    twin = copy.deepcopy(policy, {id(episode.engine): episode.engine})  # which is never changed
    played = episode.fork()
    played.budget += episode.budget  # what it is for does not depend on how late it is
    while lesson and not is_over(played):
        played.step(lesson)
        observations = observations_of(played)
        lesson = _lesson(twin.act(observations), observations) if not is_over(played) else {}
        if lesson:
            yield lesson
