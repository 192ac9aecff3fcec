"""What an environment returns besides the outcome itself: observations, rewards, infos."""

from __future__ import annotations

from typing import Any

from earsim.envs.options import EpisodeOptions
from earsim.episode import Episode
from earsim.render.graph import observed_graph


def observe(episode: Episode, agent: str, options: EpisodeOptions) -> Any:
    """The observation of one agent in the form asked for."""
    if options.observation == "full":
        return full_text(episode, agent)
    if options.observation == "delta":
        return delta_text(episode, agent)
    return observed_graph(episode.world, agent)


def full_text(episode: Episode, agent: str) -> str:
    """Feedback, task, everything known, and what one can do."""
    task = episode.engine.instruction
    feedback = episode.feedback(agent)
    head = f"{feedback}\n\nTask: {task}" if feedback else f"Task: {task}"
    return f"{head}\n\n{episode.full(agent)}\n\n{episode.help(agent)}"


def delta_text(episode: Episode, agent: str) -> str:
    """Feedback and changed lines; task and action help come with the first observation.

    The help comes again whenever it changed.
    """
    parts = [episode.feedback(agent)]
    if episode.last is None:
        parts.append(f"Task: {episode.engine.instruction}")
    parts += [episode.changes(agent), episode.changed_help(agent)]
    return "\n\n".join(part for part in parts if part)


class Rewards:
    """Pays for an episode: at its end (`sparse`), or for every part of the goal as it comes."""

    __slots__ = ("_paid", "_progress")

    def __init__(self, episode: Episode, options: EpisodeOptions) -> None:
        self._progress = options.reward == "progress"
        self._paid = episode.score / episode.max_score if self._progress else 0.0

    def of_step(self, episode: Episode) -> float:
        """The reward of the decision just taken.

        `sparse`: 1 when the episode ends in success, else 0. `progress`: the change of the share of
        goal parts that hold, so that the sum over an episode is what was gained.
        """
        if self._progress:
            share = episode.score / episode.max_score
            paid, self._paid = share - self._paid, share
            return paid
        return 1.0 if (episode.over or episode.truncated) and episode.success else 0.0


def step_info(episode: Episode, agent: str, options: EpisodeOptions) -> dict[str, Any]:
    """Facts about an agent's step, fresh values every time."""
    info: dict[str, Any] = {
        "won": episode.success,
        "score": episode.score,
        "moves": episode.decisions,
        "last_outcome": episode.outcome(agent),
    }
    if options.admissible_commands:
        info["admissible_commands"] = episode.admissible(agent)
    return info


def reset_info(episode: Episode, agent: str, options: EpisodeOptions) -> dict[str, Any]:
    """Facts about a fresh episode: what a step tells, and what stays the same throughout."""
    scenario = episode.engine.scenario
    return {
        **step_info(episode, agent, options),
        "max_score": episode.max_score,
        "scenario_id": scenario.id,
        "scenario_hash": scenario.hash,
        "ruleset": episode.engine.ruleset.id,
        "category": scenario.task.category,
        "instruction": episode.engine.instruction,
        "budget": episode.budget,
    }
