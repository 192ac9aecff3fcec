"""What an environment returns besides the outcome itself: observations, rewards, infos."""

from __future__ import annotations

from typing import Any

from earsim.envs.options import EpisodeOptions
from earsim.episode import Episode
from earsim.pickled import reduced
from earsim.render.graph import observed_graph
from earsim.render.pictures import pictures_read


def observe(episode: Episode, agent: str, options: EpisodeOptions) -> Any:
    """The observation of one agent in the form asked for."""
    return _FORMS[options.observation](episode, agent)


def full_text(episode: Episode, agent: str) -> str:
    """Feedback, task, everything known, and what one can do."""
    told = last_words(episode, agent)
    if told:
        told += "\n\n"
    task, picture, usable = episode.engine.instruction, episode.full(agent), episode.help(agent)
    return f"{told}Task: {task}\n\n{picture}\n\n{usable}"


def last_words(episode: Episode, agent: str) -> str:
    """What became of the agent's last command, and what it noticed of the others'."""
    told, noticed = episode.feedback(agent), episode.noticed(agent)
    return f"{told}\n{noticed}" if told and noticed else told or noticed


def delta_text(episode: Episode, agent: str) -> str:
    """Feedback and changed lines; task and action help come with the first observation.

    The help comes again whenever it changed.
    """
    parts = [last_words(episode, agent)]
    if episode.last is None:
        parts.append(f"Task: {episode.engine.instruction}")
    parts += [episode.changes(agent), episode.changed_help(agent)]
    return "\n\n".join(part for part in parts if part)


def graph(episode: Episode, agent: str) -> dict[str, Any]:
    """What the agent knows, as nodes and edges."""
    return observed_graph(episode.world, agent)


_FORMS = {"full": full_text, "delta": delta_text, "graph": graph}


class Rewards:
    """Pays for an episode: at its end (`sparse`), or for every part of the goal as it comes.

    Either way the reward of a decision is what a worth between 0 and 1 gained by it, so the sum
    over an episode is the worth at its end less that at its start.
    """

    __slots__ = ("_paid", "_progress")

    def __init__(self, *, progress: bool = False) -> None:
        self._progress = progress
        self._paid = 0.0

    @classmethod
    def of(cls, episode: Episode, options: EpisodeOptions) -> Rewards:
        """Those of an episode that begins, or goes on from here."""
        rewards = cls(progress=options.reward == "progress")
        rewards.of_step(episode)
        return rewards

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its attributes."""
        return reduced(self)

    def of_step(self, episode: Episode) -> float:
        """The reward of the decision just taken."""
        worth = self._worth(episode)
        paid, self._paid = worth - self._paid, worth
        return paid

    def _worth(self, episode: Episode) -> float:
        """The share of goal parts that hold; with `sparse`, 1 once the episode ended in success."""
        if self._progress:
            return episode.score / episode.max_score
        return 1.0 if (episode.over or episode.truncated) and episode.success else 0.0


def team_info(episode: Episode) -> dict[str, Any]:
    """Facts about a step that all agents share, fresh values every time."""
    return {
        "won": episode.success,
        "score": episode.score,
        "moves": episode.decisions,
        "elapsed_s": episode.elapsed_s,
    }


def own_info(episode: Episode, agent: str, options: EpisodeOptions) -> dict[str, Any]:
    """Facts about a step that are an agent's own."""
    info: dict[str, Any] = {"last_outcome": episode.outcome(agent)}
    if options.admissible_commands:
        info["admissible_commands"] = episode.admissible(agent)
    return info


def step_info(episode: Episode, agent: str, options: EpisodeOptions) -> dict[str, Any]:
    """All facts about an agent's step; `pictures`, as PNG, where it has read a figure."""
    info = {**team_info(episode), **own_info(episode, agent, options)}
    found = pictures_read(episode.engine.blueprint, episode.outcome(agent))
    return {**info, "pictures": [each.png for each in found]} if found else info


def fixed_info(episode: Episode) -> dict[str, Any]:
    """Facts that stay the same throughout an episode; told at its start."""
    scenario = episode.engine.scenario
    return {
        "max_score": episode.max_score,
        "scenario_id": scenario.id,
        "scenario_hash": scenario.hash,
        "ruleset": episode.engine.ruleset.id,
        "category": scenario.task.category,
        "instruction": episode.engine.instruction,
        "budget": episode.budget,
    }


def reset_info(episode: Episode, agent: str, options: EpisodeOptions) -> dict[str, Any]:
    """Facts about a fresh episode: what a step tells, and what stays the same throughout."""
    return {**step_info(episode, agent, options), **fixed_info(episode)}
