"""Seeing that a prompt is too long before it is sent, without the model's tokenizer."""

from __future__ import annotations

from earsim.errors import ContextOverflow

_TOKENS_PER_BYTE = 0.25
"""For English before the first answer; from then on the server's own count of tokens is used."""


class ContextMeter:
    """Estimates the tokens of prompts from their size.

    The first estimate is a rule of thumb. Every answer tells how many tokens the server counted for
    how many bytes, and the next estimate goes by that. One meter per conversation: what one episode
    learns must not change another.
    """

    def __init__(self, limit: int | None, reply: int) -> None:
        """Make a meter.

        Args:
            limit: tokens of prompt and reply together; None when it is not known.
            reply: tokens that are kept free for the reply.
        """
        self._limit = limit
        self._reply = reply
        self._rate = _TOKENS_PER_BYTE

    def check(self, size: int) -> None:
        """Let a prompt of so many bytes pass.

        Raises:
            ContextOverflow: With its reply it would not fit.
        """
        tokens = self.estimate(size)
        if self._limit is not None and tokens + self._reply > self._limit:
            raise ContextOverflow(
                f"a prompt of about {tokens:,} tokens and a reply of up to {self._reply:,} "
                f"do not fit a context of {self._limit:,}"
            )

    def estimate(self, size: int) -> int:
        """About how many tokens so many bytes are."""
        return round(size * self._rate)

    def learn(self, size: int, tokens: int | None) -> None:
        """Take note of what a server counted."""
        if tokens and size:
            self._rate = tokens / size
