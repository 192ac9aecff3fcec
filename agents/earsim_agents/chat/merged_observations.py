"""What several agents are told, put together for one reader without saying anything twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from earsim.envs.policy import Observation


def merge_observations(
    observations: Iterable[Observation], part: Callable[[Observation], str]
) -> str:
    """One part of every agent's observation; what is the same for several is said once.

    A single agent's text stands alone. Otherwise a line ``[ada, ben]`` says whose text follows,
    unless it is everybody's.
    """
    told: dict[str, list[str]] = {}
    count = 0
    for observation in observations:
        told.setdefault(part(observation), []).append(observation.agent)
        count += 1
    if count == 1 or (len(told) == 1):
        return next(iter(told), "")
    return "\n\n".join(f"[{', '.join(agents)}]\n{text}" for text, agents in told.items() if text)


def results(observations: Iterable[Observation]) -> str:
    """What became of everybody's command, a line each; a joint action's line names all of them."""
    told: dict[str, list[str]] = {}
    for observation in observations:
        if observation.feedback:
            told.setdefault(observation.feedback, []).append(observation.agent)
    return "\n".join(f"{', '.join(agents)}: {text}" for text, agents in told.items())
