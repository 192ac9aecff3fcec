"""What inspect_ai's transcript shows of an episode: a span per decision, with calls and commands.

A model call is a `model` event with the messages that were sent, a command a `tool` event with what
the world answered. Texts of prompts are attachments of the sample, each stored once however many
calls repeat it. The store knows how long calls took, not when: times are the start of the episode
and the calls before.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping
from typing import Any

from earsim.evaluation.formats.conversation import ASSISTANT, SYSTEM, USER, text_of
from earsim.evaluation.formats.recorded import PlayedEpisode, moment
from earsim.evaluation.store.rows import CallRow
from earsim.schema import OutcomeRecord

Event = dict[str, Any]

_STOP_REASONS = {"stop": "stop", "length": "max_tokens", "tool_calls": "tool_calls"}
_ROLES = (SYSTEM, USER, ASSISTANT)
_PARAMETERS = ("temperature", "top_p", "max_tokens", "seed", "presence_penalty")


class InspectTranscript:
    """The events of one episode.

    Attributes:
        attachments: texts of prompts by key, filled while `events` is read.
    """

    def __init__(self, played: PlayedEpisode, model: str) -> None:
        self._played = played
        self._model = model
        self._seconds = 0.0
        self.attachments: dict[str, str] = {}

    def events(self, sample: Mapping[str, Any]) -> Iterator[Event]:
        """All events in order, from the sample as it was given to its score or its error."""
        given = {key: sample[key] for key in ("id", "input", "target", "metadata")}
        yield self._event("sample_init", "", sample=given, state={})
        steps = {step.decision: step for step in self._played.steps}
        states = {state.decision: state for state in self._played.states}
        for decision in sorted({*steps, *(call.decision for call in self._played.calls)}):
            span = self._key("decision", str(decision))
            yield self._event("span_begin", span, id=span, name=f"decision {decision}")
            for call in self._played.calls:
                if call.decision == decision:
                    yield self._of_call(span, call)
            if decision in states:
                data = {"memory": states[decision].kind, "state": states[decision].state}
                yield self._event("info", span, source="earsim", data=data)
            for outcome in steps[decision].outcomes if decision in steps else ():
                yield self._of_command(span, outcome)
            if decision in steps and steps[decision].commands is None:
                yield self._event("info", span, source="earsim", data={"reply": "unreadable"})
            yield self._event("span_end", span, id=span)
        for name, score in sample.get("scores", {}).items():
            yield self._event("score", "", score=score, target=sample["target"], scorer=name)
        if "error" in sample:
            yield self._event("error", "", error=sample["error"])

    def _of_call(self, span: str, call: CallRow) -> Event:
        sent = [each for each in call.request.get("messages", ()) if isinstance(each, dict)]
        event = self._event(
            "model",
            span,
            model=self._model,
            role=call.role,
            input=[self._sent(each) for each in sent],
            tools=[],
            tool_choice="none",
            config=_parameters(call),
            output={**generated(call, self._model), "usage": _usage(call)},
            retries=max(0, call.attempts - 1),
            working_time=call.latency_ms / 1000,
            metadata={"agent": call.agent, "seq": call.seq, "server": call.server},
        )
        self._seconds += call.latency_ms / 1000
        event["completed"] = self._now()
        if call.error is not None:
            event["error"] = call.error
        if call.from_cache:
            event["cache"] = "read"
        return event

    def _of_command(self, span: str, outcome: OutcomeRecord) -> Event:
        event = self._event(
            "tool",
            span,
            id=self._key(span, outcome.agent),
            function=outcome.verb or "unknown",
            arguments={"agent": outcome.agent, "command": outcome.command},
            result=outcome.message,
            completed=self._now(),
        )
        if outcome.reason is not None:
            message = ": ".join(filter(None, (outcome.reason, outcome.message)))
            event["error"] = {"type": "unknown", "message": message}
        return event

    def _event(self, kind: str, span: str, **facts: Any) -> Event:
        event = {"event": kind, "timestamp": self._now(), "working_start": self._seconds, **facts}
        return {**event, "span_id": span} if span else event

    def _now(self) -> str:
        return moment(self._played.row.started_at + self._seconds).isoformat()

    def _key(self, *parts: str) -> str:
        return _digest("\n".join((self._played.row.episode, *parts)))[:22]

    def _sent(self, message: Mapping[str, Any]) -> dict[str, Any]:
        role, text = message.get("role"), text_of(message.get("content"))
        key = _digest(text)[:32]
        self.attachments[key] = text
        return {"role": role if role in _ROLES else USER, "content": f"attachment://{key}"}


def generated(call: CallRow, model: str) -> dict[str, Any]:
    """What a model answered, without its usage."""
    reply = call.reply or ""
    content: Any = reply
    if call.reasoning:
        content = [
            {"type": "reasoning", "reasoning": call.reasoning},
            {"type": "text", "text": reply},
        ]
    message = {"role": ASSISTANT, "content": content, "source": "generate", "model": model}
    reason = _STOP_REASONS.get(call.finish_reason or "", "unknown")
    return {
        "model": call.model_reported or model,
        "choices": [{"message": message, "stop_reason": reason}],
        "completion": reply,
    }


def _parameters(call: CallRow) -> dict[str, float]:
    """Those of a request that inspect_ai has names for; what is no number is left out."""
    found = {key: call.request.get(key) for key in _PARAMETERS}
    return {
        key: value
        for key, value in found.items()
        if isinstance(value, int | float) and math.isfinite(value)
    }


def _usage(call: CallRow) -> dict[str, int]:
    prompt, completion = call.prompt_tokens or 0, call.completion_tokens or 0
    cached = call.cached_tokens or 0
    return {
        "input_tokens": prompt - cached,  # there, without the cached
        "output_tokens": completion,
        "total_tokens": prompt + completion,
        "input_tokens_cache_read": cached,
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
