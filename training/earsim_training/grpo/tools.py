"""The hook for models that call tools: what TRL calls an environment.

TRL makes a tool of every public method but `reset` and `get_reward`. So there are these two and
the tool, and whatever else an environment has stays out of the model's sight.
"""

from __future__ import annotations

from typing import Any

from earsim.envs.policy import observations_of
from earsim.errors import NotReset, UsageError
from earsim_training.grpo.recipe import RewardWeights
from earsim_training.grpo.tasks import TaskRow, Tasks
from earsim_training.rewarded_episode import RewardedEpisode

SYSTEM = (
    "You act in a text world. Call the tool `act` with one command at a time; it answers with what "
    "became of it and what changed. What is in a room is unknown until it is explored. Give the "
    "command DONE when the task is done."
)
"""The first message; the task follows with the first observation."""

OVER = "The episode is over; no further command is carried out."


class ToolEnvironment:
    """A task for one agent, played by calling `act`."""

    def __init__(self, tasks: Tasks, weights: RewardWeights) -> None:
        """Prepare to play; `reset` begins.

        Args:
            tasks: what is played.
            weights: of the parts of the reward.
        """
        self._tasks, self._weights = tasks, weights
        self._play: RewardedEpisode | None = None

    def reset(self, *, scenario: str, seed: int, **others: Any) -> str:
        """Begin the episode of a row; what the agent sees at first."""
        self._play = self._tasks.begin(TaskRow(scenario, seed))
        return self._told()

    def act(self, command: str) -> str:
        """Give one command to your agent and see what becomes of it.

        Args:
            command: One line, such as EXPLORE, GOTO kitchen, GRAB cup_1 or DONE.

        Returns:
            What became of the command, and what changed.
        """
        play = self._played
        if play.over:
            return OVER
        play.step({play.episode.agents[0]: str(command)})
        return self._told()

    def get_reward(self) -> float:
        """The weighted sum of what the environment paid."""
        return self._weights.total(self._played.earned)

    @property
    def _played(self) -> RewardedEpisode:
        if self._play is None:
            raise NotReset
        return self._play

    def _told(self) -> str:
        play = self._played
        told = observations_of(play.episode)[play.episode.agents[0]].delta
        return f"{told}\n\n{OVER}" if play.over else told


def play_of(environment: ToolEnvironment) -> RewardedEpisode:
    """The episode behind a tool."""
    return environment._played


def check_tools(tokenizer: Any) -> None:
    """See that TRL can train with this template.

    Raises:
        UsageError: It shows no tools, changes earlier turns, or nobody knows how calls are read.
    """
    from trl.chat_template_utils import (
        add_response_schema,
        get_training_chat_template,
        is_chat_template_prefix_preserving,
        supports_tool_calling,
    )

    if not supports_tool_calling(tokenizer):
        raise UsageError(
            "the chat template cannot tell of calls of tools and their results, which "
            "playing.hook: tools needs: take a model that calls tools, or playing.hook: rollout"
        )
    try:
        if not is_chat_template_prefix_preserving(tokenizer):
            get_training_chat_template(tokenizer)  # TRL puts it in place of the tokenizer's own
    except ValueError:
        raise UsageError(
            "the chat template changes earlier turns as a conversation goes on (it is not "
            "prefix-preserving), and TRL has none in its slot: give another with "
            "template: FILE.jinja"
        ) from None
    known = ("response_template", "response_schema")
    if all(getattr(tokenizer, name, None) is None for name in known):
        try:
            add_response_schema(tokenizer)
        except ValueError:
            raise UsageError(
                "the chat template is none of which TRL knows how calls of tools are read: give "
                "one that TRL ships with template: FILE.jinja"
            ) from None
