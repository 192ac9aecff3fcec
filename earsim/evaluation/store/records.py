"""An episode on its way into the database: plain values, as they lie in its columns."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from pydantic import BaseModel

from earsim.evaluation.store.blobs import BlobStore
from earsim.evaluation.store.rows import CallRow, EpisodeRow
from earsim.ids import well_formed
from earsim.schema import StepRecord
from earsim.schema.records.model_call import ModelCall

Values = tuple[Any, ...]

_TOKENS = tuple(
    CallRow._fields.index(name) for name in ("prompt_tokens", "completion_tokens", "cached_tokens")
)
_FROM_CACHE = CallRow._fields.index("from_cache")


class TokenUsage(NamedTuple):
    """Tokens of model calls.

    Attributes:
        cached: of the prompt, those that a prefix cache had; None where no server told.
        fresh: of prompt and completion, those that a server worked for now, not the response cache.
    """

    prompt: int = 0
    completion: int = 0
    cached: int | None = None
    fresh: int = 0

    def plus(self, other: TokenUsage) -> TokenUsage:
        """Both together."""
        told = [each.cached for each in (self, other) if each.cached is not None]
        return TokenUsage(
            self.prompt + other.prompt,
            self.completion + other.completion,
            sum(told) if told else None,
            self.fresh + other.fresh,
        )


class EpisodeRecord(NamedTuple):
    """Everything about a finished episode; it travels between processes.

    Attributes:
        row: the episode itself.
        steps: values of its rows in `steps`.
        calls: values of its rows in `calls`.
        texts: what their requests refer to, compressed, by key.
        states: values of its rows in `states`.
    """

    row: EpisodeRow
    steps: tuple[Values, ...] = ()
    calls: tuple[Values, ...] = ()
    texts: dict[str, bytes] = {}  # noqa: RUF012 - of a tuple, and never changed
    states: tuple[Values, ...] = ()

    @property
    def usage(self) -> TokenUsage:
        """Tokens of all its calls."""
        total = TokenUsage()
        for call in self.calls:
            prompt, completion, cached = (call[at] or 0 for at in _TOKENS)
            fresh = 0 if call[_FROM_CACHE] else prompt + completion
            told = None if call[_TOKENS[2]] is None else cached
            total = total.plus(TokenUsage(prompt, completion, told, fresh))
        return total


class Writing:
    """The steps and calls of an episode in progress, encoded as they come to save memory."""

    def __init__(self, episode: str) -> None:
        self._episode = episode
        self._steps: list[Values] = []
        self._calls: list[Values] = []
        self._states: list[Values] = []
        self._passages = BlobStore()

    def step(self, step: StepRecord, *, unreadable: bool) -> None:
        """Note a decision."""
        outcomes = [outcome.model_dump(mode="json") for outcome in step.outcomes]
        commands = None if unreadable else as_json(step.commands)
        self._steps.append(
            (self._episode, step.decision, commands, as_json(outcomes), step.digest, step.clock)
        )

    def call(self, call: ModelCall) -> None:
        """Note a call of a model."""
        self._calls.append(
            (
                self._episode,
                call.decision,
                call.seq,
                call.agent,
                call.role,
                as_json(self._passages.pack(call.request)),
                call.request_hash,
                _text(call.reply),
                _text(call.reasoning),
                call.finish_reason,
                call.prompt_tokens,
                call.completion_tokens,
                call.cached_tokens,
                call.attempts,
                call.server,
                _text(call.model_reported),
                call.latency_ms,
                call.from_cache,
                _text(call.error),
                None if call.parsed is None else as_json(call.parsed),
            )
        )

    def state(self, decision: int, state: BaseModel) -> None:
        """Note the typed memory of a policy; one that is as it was is not kept again."""
        kind, text = type(state).__name__, as_json(state.model_dump(mode="json"))
        if not self._states or self._states[-1][2:] != (kind, text):
            self._states.append((self._episode, decision, kind, text))

    def finish(self, row: EpisodeRow) -> EpisodeRecord:
        """The episode with all that was noted."""
        steps, calls, states = map(tuple, (self._steps, self._calls, self._states))
        return EpisodeRecord(row, steps, calls, self._passages.bodies, states)


_ENCODE = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


def as_json(value: Any) -> str:
    """A value on one line, in ASCII: no reader and no database chokes on it."""
    return _ENCODE(value)


def _text(value: str | None) -> str | None:
    return None if value is None else well_formed(value)
