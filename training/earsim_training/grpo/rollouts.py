"""The hook for models that reply with text: whole episodes, written for together.

It is what TRL calls a `rollout_func`: it gets prompts, each repeated for every episode of its
group, and gives back one episode for each, as tokens and a mask.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from earsim.errors import UsageError
from earsim_agents.chat.conversation import Message
from earsim_training.export.settings import PromptSettings
from earsim_training.grpo.chat_env import ChatEnv
from earsim_training.grpo.chat_tokens import ChatTokens
from earsim_training.grpo.recipe import RolloutSettings
from earsim_training.grpo.rewarded_episode import PARTS, RewardedEpisode
from earsim_training.grpo.sampling import Sampler, writing
from earsim_training.grpo.tasks import TaskRow, Tasks
from earsim_training.grpo.transcript import Transcript

COUNTS = ("decisions", "unread", "refused", "left")
"""What is noted of an episode beside its reward, as `counts` gives it."""


class RolloutSlot:
    """An episode being played: the seat in it, and its tokens.

    Attributes:
        left: it did not end; there was no room for a further turn.
    """

    def __init__(self, seat: ChatEnv) -> None:
        self.seat = seat
        self.transcript = Transcript()
        self.left = False
        self._messages: list[Message] = []

    @property
    def over(self) -> bool:
        """Whether there is no further turn."""
        return self.left or self.seat.play.over

    def ask(self, wording: ChatTokens) -> list[int]:
        """What is new for the model to read."""
        self._messages = self.seat.ask()
        if not self.transcript.completion:
            return wording.first(self._messages)
        return wording.more(self._messages, self.transcript.completion[-1])

    def leave(self) -> None:
        """End here, though the episode goes on."""
        self.seat.leave()
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
            tasks: what is played.
            telling: how it is told.
            playing: how it is played.
            tokenizer: has a chat template.
            ends: tokens that end a reply.
            context: tokens of an episode at most.
            prompt: file with the prompt; the one of the style when None.

        Raises:
            UsageError: The chat template will not do.
        """
        self._tasks, self._telling, self._playing = tasks, telling, playing
        self._tokenizer, self._prompt = tokenizer, prompt
        self._ends, self._context = tuple(ends), context
        self.wording = ChatTokens(tokenizer, ends)

    def __call__(self, prompts: Sequence[str], trainer: Any) -> dict[str, list[Any]]:
        """One episode for each prompt, in their order, as TRL wants it."""
        model = trainer.accelerator.unwrap_model(trainer.model)
        places = self.play([TaskRow.read(prompt) for prompt in prompts], model)
        transcripts = [place.transcript for place in places]
        told: dict[str, list[Any]] = {
            "prompt_ids": [each.prompt for each in transcripts],
            "completion_ids": [each.completion for each in transcripts],
            "logprobs": [each.logprobs for each in transcripts],
            "env_mask": [each.mask for each in transcripts],
        }
        for part in PARTS:
            told[part] = [getattr(place.seat.play.earned, part) for place in places]
        for name in COUNTS:
            told[name] = [counts(place.seat.play, left=place.left)[name] for place in places]
        return told

    def play(self, rows: Sequence[TaskRow], model: Any) -> list[RolloutSlot]:
        """Play an episode from each row."""
        places = [RolloutSlot(self._sit(row)) for row in rows]
        with writing(model):
            for start in range(0, len(places), self._playing.at_once):
                self._together(places[start : start + self._playing.at_once], model)
        return places

    def _sit(self, row: TaskRow) -> ChatEnv:
        play = self._tasks.begin(row)
        return ChatEnv(play, self._telling, seed=row.seed, prompt=self._prompt)

    def _together(self, places: Sequence[RolloutSlot], model: Any) -> None:
        sampler = Sampler(
            model,
            ends=self._ends,
            pad=self._tokenizer.pad_token_id or 0,
            temperature=self._playing.temperature,
            rows=len(places),
        )
        live = list(places)
        while live:
            new = [place.ask(self.wording) for place in live]
            going = list(self._with_room(live, new))
            sampler.keep(going)
            live = [live[at] for at in going]
            if not live:
                break
            for at, place in zip(going, live, strict=True):
                place.transcript.read(new[at])
            replies = sampler.write([new[at] for at in going], self._playing.reply_tokens)
            for place, reply in zip(live, replies, strict=True):
                place.transcript.wrote(reply)
                text = self._tokenizer.decode(reply.ids, skip_special_tokens=True)
                place.seat.answer(text, ended=reply.ended)
            live = self._going_on(live, sampler)

    def _with_room(
        self, live: Sequence[RolloutSlot], new: Sequence[Sequence[int]]
    ) -> Iterator[int]:
        """Places whose next turn still fits the context; the others are left."""
        for at, (place, ids) in enumerate(zip(live, new, strict=True)):
            needed = len(place.transcript) + len(ids) + self._playing.reply_tokens
            if needed <= self._context:
                yield at
            elif place.transcript.completion:
                place.leave()
            else:
                raise UsageError(
                    f"{place.seat.play.episode.engine.scenario.id}: the first prompt has "
                    f"{len(ids):,} tokens, and with a reply of {self._playing.reply_tokens:,} it "
                    f"does not fit a context of {self._context:,}: see playing.context"
                )

    @staticmethod
    def _going_on(live: Sequence[RolloutSlot], sampler: Sampler) -> list[RolloutSlot]:
        going = [at for at, place in enumerate(live) if not place.over]
        sampler.keep(going)
        return [live[at] for at in going]


def counts(play: RewardedEpisode, *, left: bool) -> dict[str, float]:
    """What is noted of an episode beside its reward.

    Args:
        play: the episode.
        left: there was no further turn, though it had not ended.
    """
    decisions = play.episode.decisions
    return {
        "decisions": float(decisions),
        "unread": play.unread / max(1, decisions),
        "refused": play.refused / max(1, decisions),
        "left": float(left),
    }
