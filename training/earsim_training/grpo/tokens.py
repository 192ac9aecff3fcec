"""An episode as one token sequence with a loss mask.

The tokens that a model sampled need not be those that a tokenizer makes of the same text. So the
chat template is rendered with a placeholder for each reply, and only the text after the placeholder
is tokenized.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from earsim.errors import UsageError
from earsim_training.sft.data.masking import TokenSpan, token_spans

_PLACEHOLDER = "[[reply-7c1d]]"
_Messages = Sequence[Mapping[str, str]]


class ChatTokens:
    """Tokenizes a growing chat without tokenizing any reply again."""

    def __init__(self, tokenizer: Any, ends: Sequence[int]) -> None:
        """Check the chat template.

        Args:
            tokenizer: has one.
            ends: end-of-sequence tokens.

        Raises:
            UsageError: There is none, or what was said changes as a conversation goes on.
        """
        if not tokenizer.chat_template:
            raise UsageError("the tokenizer has no chat template; give one with template: FILE")
        self._tokenizer = tokenizer
        self._ends = frozenset(ends)
        self._check()

    def first(self, messages: _Messages) -> list[int]:
        """The first prompt."""
        return self._ids(self._text(messages))

    def more(self, messages: _Messages, last: int) -> list[int]:
        """What follows the last reply of a conversation, up to where the next one begins.

        Args:
            messages: all of them; the last is new, and before it stands the reply.
            last: token of that reply. Where it is the one that ends replies, it is there already;
                a reply that was cut off is ended here.
        """
        *before, _, new = messages
        text = self._text([*before, {"role": "assistant", "content": _PLACEHOLDER}, new])
        ids = self._ids(text.rpartition(_PLACEHOLDER)[2])
        return ids[1:] if ids[:1] == [last] else ids

    def _text(self, messages: _Messages) -> str:
        text: str = self._tokenizer.apply_chat_template(
            [dict(message) for message in messages], tokenize=False, add_generation_prompt=True
        )
        return text

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return ids

    def _check(self) -> None:
        """Render two turns, and see that each prompt is a prefix of the next."""
        messages: list[Mapping[str, str]] = [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "You are in the hall."},
        ]
        prompt = self._text(messages)
        for _ in range(2):
            messages += [
                {"role": "assistant", "content": _PLACEHOLDER},
                {"role": "user", "content": "You are in the kitchen."},
            ]
            longer = self._text(messages)
            if not longer.startswith(prompt + _PLACEHOLDER):
                raise UsageError(
                    "the chat template changes earlier turns as a conversation goes on (it is not "
                    "prefix-preserving), so an episode is no single sequence of tokens: give "
                    "another with template: FILE.jinja"
                )
            prompt = longer
        after = self._ids(prompt.rpartition(_PLACEHOLDER)[2])
        if after[0] not in self._ends:
            raise UsageError(
                "the chat template does not end a reply with the token that ends what the model "
                "writes: give another with template: FILE.jinja"
            )


class Transcript:
    """The token sequence of an episode, to which observations and replies are appended.

    Attributes:
        prompt: tokens of the first prompt.
        completion: all tokens after it.
        mask: the loss mask of the completion, 1 for tokens that the model sampled.
    """

    def __init__(self) -> None:
        self.prompt: list[int] = []
        self.completion: list[int] = []
        self.mask: list[int] = []

    def __len__(self) -> int:
        return len(self.prompt) + len(self.completion)

    @property
    def ids(self) -> list[int]:
        """The whole sequence."""
        return self.prompt + self.completion

    def append_observation(self, ids: Sequence[int]) -> None:
        """Append what the environment says."""
        if not self.completion:
            self.prompt += ids
            return
        self.completion += ids
        self.mask += [0] * len(ids)

    def append_reply(self, ids: Sequence[int]) -> None:
        """Append what the model replied."""
        self.completion += ids
        self.mask += [1] * len(ids)


def passages(transcript: Transcript) -> list[TokenSpan]:
    """A transcript, cut where the model begins and ceases to write."""
    return token_spans(transcript.ids, [0] * len(transcript.prompt) + transcript.mask)
