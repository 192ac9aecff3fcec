"""The `rollout_func` of TRL for models that reply with text: episodes sampled in batches.

It gets prompts, each repeated for every episode of its group, and gives back one episode for each,
as tokens and a loss mask.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from earsim.errors import UsageError
from earsim_training.export.settings import PromptSettings
from earsim_training.external_model import Dialogue
from earsim_training.grpo.recipe import RolloutSettings
from earsim_training.grpo.tasks import TaskRow, Tasks
from earsim_training.grpo.tokens import ChatTokens, Transcript
from earsim_training.rewarded_episode import REWARD_TERMS, RewardedEpisode

if TYPE_CHECKING:
    from earsim_training.sampling import Sampler, SamplingRequest

EPISODE_METRICS = ("decisions", "unread", "refused", "left")
"""Metrics of an episode beside its reward, as `episode_metrics` gives them."""


class RolloutSlot:
    """An episode in progress, with its tokens.

    Attributes:
        left: it did not end; there was no room for a further turn.
    """

    def __init__(self, dialogue: Dialogue) -> None:
        self.dialogue = dialogue
        self.transcript = Transcript()
        self.left = False

    @property
    def over(self) -> bool:
        """Whether there is no further turn."""
        return self.left or self.dialogue.play.over

    def prompt(self, chat_tokens: ChatTokens) -> list[int]:
        """What is new for the model to read."""
        messages = self.dialogue.messages
        if not self.transcript.completion:
            return chat_tokens.first(messages)
        return chat_tokens.more(messages, self.transcript.completion[-1])

    def leave(self) -> None:
        """End here, though the episode goes on."""
        self.dialogue.leave()
        self.left = True


class Rollouts:
    """Plays episodes with the model that is trained."""

    def __init__(
        self,
        tasks: Tasks,
        telling: PromptSettings,
        playing: RolloutSettings,
        tokenizer: Any,
        *,
        ends: Sequence[int],
        context: int,
        prompt: str | None = None,
    ) -> None:
        """Prepare to play.

        Args:
            tasks: scenarios.
            telling: settings of the prompts.
            playing: settings of the rollouts.
            tokenizer: has a chat template.
            ends: end-of-sequence tokens.
            context: tokens of an episode at most.
            prompt: file with the prompt; the one of the style when None.

        Raises:
            UsageError: The chat template will not do.
        """
        self._tasks, self._telling, self._playing = tasks, telling, playing
        self._tokenizer, self._prompt = tokenizer, prompt
        self._ends, self._context = tuple(ends), context
        self.chat_tokens = ChatTokens(tokenizer, ends)

    def __call__(self, prompts: Sequence[str], trainer: Any) -> dict[str, Any]:
        """One episode for each prompt, in their order, as TRL wants it."""
        model = trainer.accelerator.unwrap_model(trainer.model)
        slots = self.play([TaskRow.read(prompt) for prompt in prompts], model)
        transcripts = [slot.transcript for slot in slots]
        columns: dict[str, Any] = {
            "prompt_ids": [each.prompt for each in transcripts],
            "completion_ids": [each.completion for each in transcripts],
            "logprobs": None,  # TRL computes them, as it does for its own calls of `generate`
            "env_mask": [each.mask for each in transcripts],
        }
        for part in REWARD_TERMS:
            columns[part] = [getattr(slot.dialogue.play.earned, part) for slot in slots]
        for name in EPISODE_METRICS:
            columns[name] = [
                episode_metrics(slot.dialogue.play, left=slot.left)[name] for slot in slots
            ]
        return columns

    def play(self, rows: Sequence[TaskRow], model: Any) -> list[RolloutSlot]:
        """Play an episode from each row."""
        from earsim_training.sampling import Sampler

        slots = [RolloutSlot(self._begin(row)) for row in rows]
        sampler = Sampler(model, self._tokenizer)
        with _evaluating(model):
            for start in range(0, len(slots), self._playing.at_once):
                self._play_batch(slots[start : start + self._playing.at_once], sampler)
        return slots

    def _begin(self, row: TaskRow) -> Dialogue:
        options = self._telling.model_dump(include={"style", "knowledge", "grammar"})
        if self._prompt is not None:
            options["prompt"] = self._prompt
        return Dialogue(self._tasks.begin(row), seed=row.seed, **options)

    def _play_batch(self, slots: Sequence[RolloutSlot], sampler: Sampler) -> None:
        active = list(slots)
        while active := list(self._prompted([slot for slot in active if not slot.over])):
            replies = sampler.sample_batch([self._request(slot) for slot in active])
            for slot, reply in zip(active, replies, strict=True):
                slot.transcript.append_reply(reply.ids)
                slot.dialogue.answer(sampler.decode(reply.ids), cut=not reply.ended)

    def _request(self, slot: RolloutSlot) -> SamplingRequest:
        """Seeds come from the global generator of torch, which a trainer seeds."""
        import torch

        from earsim_training.sampling import SamplingRequest

        return SamplingRequest(
            slot.transcript.ids,
            self._playing.reply_tokens,
            self._playing.temperature,
            int(torch.randint(2**62, ())),
        )

    def _prompted(self, active: Sequence[RolloutSlot]) -> Iterator[RolloutSlot]:
        """Append the next prompt where it still fits the context; other episodes are left."""
        for slot in active:
            new = slot.prompt(self.chat_tokens)
            needed = len(slot.transcript) + len(new) + self._playing.reply_tokens
            if needed <= self._context:
                slot.transcript.append_observation(new)
                yield slot
            elif slot.transcript.completion:
                slot.leave()
            else:
                raise UsageError(
                    f"{slot.dialogue.play.episode.engine.scenario.id}: the first prompt has "
                    f"{len(new):,} tokens, and with a reply of {self._playing.reply_tokens:,} it "
                    f"does not fit a context of {self._context:,}: see playing.context"
                )


@contextmanager
def _evaluating(model: Any) -> Iterator[None]:
    """A model in evaluation mode for as long as the block lasts."""
    was = model.training
    model.eval()
    try:
        yield
    finally:
        model.train(was)


def episode_metrics(play: RewardedEpisode, *, left: bool) -> dict[str, float]:
    """Metrics of an episode beside its reward.

    Args:
        play: the episode.
        left: there was no further turn, though it had not ended.
    """
    decisions = play.episode.decisions
    return {
        "decisions": float(decisions),
        "unread": play.unreadable / max(1, decisions),
        "refused": play.refused / max(1, decisions),
        "left": float(left),
    }
