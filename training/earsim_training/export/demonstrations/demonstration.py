"""A demonstration: the commands of one episode, and which of them are worth learning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from earsim.envs.policy import Observation, PolicyContext, observations_of
from earsim.evaluation.policies import make_policy
from earsim.evaluation.runs.external import ExternalRecord
from earsim.evaluation.runs.recorder import begin, is_over
from earsim.schema import Scenario
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim_training.export.demonstrations.perturbation import Perturbation
from earsim_training.export.role_calls import RoleRecord
from earsim_training.export.settings import DemonstrationSettings, PromptSettings


class DemonstrationTurn(NamedTuple):
    """One decision.

    Attributes:
        commands: by agent; None for a reply that could not be read.
        stray: somebody put it in to lead the demonstrator astray: it is played, never taught.
        lesson: what a teacher says in its place, by agent: taught, never played. None without a
            teacher, empty where the teacher is at a loss.
        intent: what the teacher would have done after that, if it had been obeyed.
    """

    commands: Mapping[str, str] | None
    stray: bool = False
    lesson: Mapping[str, str] | None = None
    intent: tuple[Mapping[str, str], ...] = ()


class Demonstration(NamedTuple):
    """An episode as somebody played it; playing the commands again gives all the rest.

    Attributes:
        id: unique in its source.
        scenario: what was played.
        settings: how.
        turns: every decision.
        policy: who played; a policy, or a model.
        seed: of the episode.
        plan: decisions of the certified plan; None where none is known.
        teacher: the policy whose lessons are taught; empty where it is what was played.
        record: of a policy that asks in roles; its calls are then the data. None for any other.
        external: what was received of code and of models elsewhere; played, and not asked for.
    """

    id: str
    scenario: Scenario
    settings: EpisodeSettings
    turns: tuple[DemonstrationTurn, ...]
    policy: str
    seed: int = 0
    plan: int | None = None
    teacher: str = ""
    record: RoleRecord | None = None
    external: ExternalRecord | None = None


def demonstrate(
    scenario: Scenario,
    how: DemonstrationSettings,
    telling: PromptSettings,
    *,
    repeat: int = 0,
    plan: int | None = None,
) -> Demonstration:
    """Let a policy play a scenario, led astray as often as is asked for.

    Args:
        scenario: what is played.
        how: who plays, and what is drawn.
        telling: what is known from the start.
        repeat: number of the repeat, from 0.
        plan: decisions of the certified plan.

    Raises:
        EarSimError: The policy cannot play this scenario.
    """
    settings = how.episode(telling)
    episode = begin(scenario, settings)
    policy = make_policy(how.policy)
    seed = how.seed + repeat
    policy.reset(PolicyContext.of(episode, seed))
    straying = Perturbation(how.perturb, f"straying/{seed}/{scenario.id}")
    turns = []
    while not is_over(episode):
        observations = observations_of(episode)
        # Asked even when it will not be obeyed: an expert takes note of every decision.
        right = spoken(policy.act(observations) or {}, observations)
        stray = straying.instead(observations, right)
        turn = (
            DemonstrationTurn(right)
            if stray is None
            else DemonstrationTurn(spoken(stray, observations), stray=True)
        )
        turns.append(turn)
        episode.step(turn.commands)
    id = f"{how.policy}/{scenario.id}/{repeat}"
    return Demonstration(id, scenario, settings, tuple(turns), how.policy, seed, plan)


def spoken(commands: Mapping[str, str], observations: Mapping[str, Observation]) -> dict[str, str]:
    """A command for every agent that has not said DONE: a model is asked for all of them.

    An agent that a plan leaves out stands and waits, which is a command as well.
    """
    return {
        agent: commands.get(agent) or _idly(told)
        for agent, told in observations.items()
        if agent in commands or not told.finished
    }


def _idly(told: Observation) -> str:
    verbs = [form.partition(" ")[0] for form in told.forms]
    return "WAIT" if "WAIT" in verbs else "LOOK"
