"""A conversation as tokens that are only added to: no reply is ever read and cut into tokens anew.

What a model wrote need not be how a tokenizer would cut the same text. So the text of a template is
made with a mark in place of each reply, and what stands after the mark is what follows the tokens
of the reply.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from earsim.errors import UsageError
from earsim_training.sft.data.masking import TokenSpan, token_spans

_MARK = "[[reply-7c1d]]"
_Messages = Sequence[Mapping[str, str]]


class ChatTokens:
    """Makes tokens of what the environment says."""

    def __init__(self, tokenizer: Any, ends: Sequence[int]) -> None:
        """Look at the chat template.

        Args:
            tokenizer: has one.
            ends: tokens that end a reply.

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
        text = self._text([*before, {"role": "assistant", "content": _MARK}, new])
        ids = self._ids(text.rpartition(_MARK)[2])
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
        """Play two turns of nothing in particular."""
        said: list[Mapping[str, str]] = [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "You are in the hall."},
        ]
        prompt = self._text(said)
        for _ in range(2):
            said += [
                {"role": "assistant", "content": _MARK},
                {"role": "user", "content": "You are in the kitchen."},
            ]
            longer = self._text(said)
            if not longer.startswith(prompt + _MARK):
                raise UsageError(
                    "the chat template changes earlier turns as a conversation goes on (it is not "
                    "prefix-preserving), so an episode is no single sequence of tokens: give "
                    "another with template: FILE.jinja"
                )
            prompt = longer
        after = self._ids(prompt.rpartition(_MARK)[2])
        if after[0] not in self._ends:
            raise UsageError(
                "the chat template does not end a reply with the token that ends what the model "
                "writes: give another with template: FILE.jinja"
            )


class Transcript:
    """Grows by what the environment says and what the model replies; nothing in it ever changes.

    Attributes:
        prompt: tokens of the first prompt.
        completion: all tokens after it.
        mask: for each of them, 1 where the model wrote it.
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

    def read(self, ids: Sequence[int]) -> None:
        """Go on with what the environment says."""
        if not self.completion:
            self.prompt += ids
            return
        self.completion += ids
        self.mask += [0] * len(ids)

    def wrote(self, ids: Sequence[int]) -> None:
        """Go on with a reply."""
        self.completion += ids
        self.mask += [1] * len(ids)


def passages(transcript: Transcript) -> list[TokenSpan]:
    """A transcript, cut where the model begins and ceases to write."""
    return token_spans(transcript.ids, [0] * len(transcript.prompt) + transcript.mask)
