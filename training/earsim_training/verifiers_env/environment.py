"""The environment of `verifiers`: rows are scenarios, and replies are carried out in their worlds.

It is one of the multi-turn environments that `verifiers` has up to 0.3.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from earsim import Scenario
from earsim.errors import MissingExtra
from earsim.suites import Suite
from earsim_training.external_model import Dialogue
from earsim_training.verifiers_env.scores import DIALOGUE, SCORES
from earsim_training.verifiers_env.settings import DialogueSettings

try:
    import verifiers as vf

    if not hasattr(vf, "MultiTurnEnv"):
        raise MissingExtra("a verifiers with MultiTurnEnv, which is one before 0.4,", "verifiers")
    from datasets import Dataset
    from verifiers.types import AssistantMessage, SystemMessage, UserMessage
except ModuleNotFoundError as error:
    raise MissingExtra(error.name or "verifiers", "verifiers") from error

_KINDS = {"system": SystemMessage, "user": UserMessage, "assistant": AssistantMessage}


class EarSimMultiTurnEnv(vf.MultiTurnEnv):
    """Plays the scenarios of a suite, one decision per turn.

    Nothing in a world is left to chance: rollouts of one row play the same task from the same
    start, whatever the seed.
    """

    def __init__(
        self,
        suite: Suite,
        telling: DialogueSettings,
        *,
        weights: list[float],
        held_out: Suite | None = None,
        **options: Any,
    ) -> None:
        """Make the environment; rows are made when they are first asked for.

        Args:
            suite: what is trained on.
            telling: how it is played and told.
            weights: of `SCORES`, in their order.
            held_out: what is evaluated on; the same suite when None.
            options: those of `MultiTurnEnv`.
        """
        self._suites = [suite] if held_out is None else [suite, held_out]
        self._telling = telling
        super().__init__(
            dataset=_rows(suite, telling),
            eval_dataset=None if held_out is None else _rows(held_out, telling),
            rubric=vf.Rubric(funcs=list(SCORES), weights=weights),
            **options,
        )

    async def setup_state(self, state: Any) -> Any:
        """Begin the episode of the row."""
        state[DIALOGUE] = self._telling.begin(self._scenario(state["info"]))
        return state

    async def get_prompt_messages(self, state: Any) -> Any:
        """What `earsim eval` would send, which only ever appends."""
        if state["trajectory"]:
            await self.env_response(state["trajectory"][-1]["completion"], state)
        return [_KINDS[each["role"]](content=each["content"]) for each in state[DIALOGUE].messages]

    async def env_response(self, messages: Any, state: Any, **more: Any) -> Any:
        """Carry out the last reply; the message that tells what came of it, none at the end."""
        dialogue: Dialogue = state[DIALOGUE]
        step = state["trajectory"][-1]
        dialogue.answer(_text(messages[-1].content), cut=_was_cut(step))
        if dialogue.play.over:
            state["final_env_response"] = []
        return dialogue.messages[-1:]

    def _scenario(self, info: dict[str, Any]) -> Scenario:
        """The scenario of a row, by its hash where two suites have one of that name."""
        for suite in self._suites:
            if info["scenario"] in suite.ids:
                scenario = suite.load(info["scenario"])
                if scenario.hash == info["scenario_hash"]:
                    return scenario
        raise vf.Error(f"no suite here has the scenario {info['scenario']} of this row")


def _rows(suite: Suite, telling: DialogueSettings) -> Callable[[], Dataset]:
    return lambda: Dataset.from_list([_row(each, telling) for each in _scenarios(suite)])


def _scenarios(suite: Suite) -> Iterable[Scenario]:
    return (suite.load(id) for id in suite.ids)


def _row(scenario: Scenario, telling: DialogueSettings) -> dict[str, Any]:
    info = {
        "scenario": scenario.id,
        "scenario_hash": scenario.hash,
        "category": scenario.task.category.value,
    }
    prompt = telling.begin(scenario).messages
    return {"prompt": prompt, "answer": "", "info": json.dumps(info)}


def _was_cut(step: Any) -> bool:
    """Whether the last reply ends where its tokens did."""
    return bool(step["response"].message.finish_reason == "length" or step["is_truncated"])


def _text(content: Any) -> str | None:
    """The text of a message, which may come in parts."""
    if content is None or isinstance(content, str):
        return content
    return "".join(getattr(part, "text", "") for part in content)
