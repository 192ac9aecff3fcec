"""Requests to the model of a stage, repeated with findings until an answer passes its check.

A request depends on the settings, the number of the scene and earlier answers only. So a run is
resumed by asking again: what was answered before is in the file of answers, and only the rest is
sent.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from earsim.errors import ContextOverflow
from earsim.ids import printable
from earsim.schema import Category
from earsim.schema.files.document import Document
from earsim_agents.client import Client
from earsim_agents.client.client import Exchange
from earsim_agents.client.request import ChatRequest, draw
from earsim_agents.replies.thinking import split_thinking
from earsim_agents.settings import ModelSettings
from earsim_generators.llm.answers.parsing import read_answer
from earsim_generators.llm.answers.schemas import constraint
from earsim_generators.llm.checks.answer_error import ErrorKind, UnusableAnswer, finding, unusable
from earsim_generators.llm.prompts import prompt_of, repair_prompt
from earsim_generators.llm.settings import Stage, WritingSettings
from earsim_generators.llm.usage import UsageLedger

T = TypeVar("T")

Check = Callable[[Document], Awaitable[T]]
"""Makes something of an answer, or raises `UnusableAnswer`."""

Message = dict[str, str]

_SHOWN_FINDINGS = 20
_QUOTED_CHARS = 60_000
"""Of a bad answer that its model is shown again."""

_EXCERPT_CHARS = 2_000
_MOST_FINDINGS = 50

SCHEMA = "earsim.rejected/1"


class AnswerRecord(NamedTuple):
    """How an answer was obtained, independent of interruptions.

    Attributes:
        attempts: Number of answers; the last one counts.
        flaws: Kinds of errors of those before it.
        reported: Name of the model according to the server.
    """

    stage: Stage
    model: str
    reported: str | None
    prompt: str
    attempts: int
    flaws: tuple[ErrorKind, ...]

    def as_data(self) -> dict[str, Any]:
        """For the provenance of a scenario."""
        data = {
            "model": self.model,
            "reported": None if self.reported is None else printable(self.reported)[:200],
            "prompt": self.prompt,
            "attempts": self.attempts,
        }
        return {**data, "repair": repair_prompt().name} if self.flaws else data


class StageAnswer(NamedTuple, Generic[T]):
    """The value of an answer, and how it was obtained."""

    value: T
    record: AnswerRecord


class RejectedAnswer(NamedTuple):
    """A scene or a task without a usable answer.

    Attributes:
        unit: Id of the scene, or that the scenario would have had.
        category: Of the task; None for a scene.
        text: Name of the text seed.
        flaw: Kind of error of the last answer, with `findings` in detail.
        flaws: Of all answers, in order.
        excerpt: The beginning of the last answer.
    """

    unit: str
    category: Category | None
    text: str
    stage: Stage
    model: str
    flaw: ErrorKind
    findings: tuple[str, ...]
    flaws: tuple[ErrorKind, ...]
    excerpt: str = ""

    def as_json(self) -> str:
        """One line of ASCII: no reader and no terminal chokes on it."""
        data: dict[str, Any] = {"schema": SCHEMA, **self._asdict()}
        data["answer"] = data.pop("excerpt")
        return json.dumps(data, ensure_ascii=True, separators=(",", ":"))


class NoUsableAnswer(Exception):
    """No answer passed; `rejected` lacks category and text."""

    def __init__(
        self, unit: str, record: AnswerRecord, error: UnusableAnswer, excerpt: str
    ) -> None:
        self.rejected = RejectedAnswer(
            unit=unit,
            category=None,
            text="",
            stage=record.stage,
            model=record.model,
            flaw=error.flaw,
            findings=error.findings[:_MOST_FINDINGS],
            flaws=(*record.flaws, error.flaw),
            excerpt=excerpt,
        )
        super().__init__(self.rejected)


class RepairLoop:
    """Obtains usable answers from models."""

    def __init__(
        self,
        settings: WritingSettings,
        models: Mapping[Stage, ModelSettings],
        client: Client,
        ledger: UsageLedger,
    ) -> None:
        self._settings = settings
        self._models = models
        self._client = client
        self._ledger = ledger

    async def obtain(
        self, stage: Stage, unit: str, inputs: Mapping[str, Any], check: Check[T]
    ) -> StageAnswer[T]:
        """An answer that passes its check.

        Args:
            stage: Selects model and prompt.
            unit: Id of the scene or scenario; distinguishes requests.
            inputs: Variables of the prompt.
            check: Makes a value of an answer.

        Raises:
            NoUsableAnswer: None passed, after as many repairs as the settings allow.
            ServerFault: The server gave no answer at all.
        """
        opening = opening_of(self._settings, stage, inputs)
        messages, excerpt = opening, ""
        flaws: list[ErrorKind] = []
        reported: str | None = None
        while True:
            record = self._record(stage, reported, flaws)
            try:
                exchange = await self._ask(stage, unit, record.attempts, messages)
            except ContextOverflow as error:
                problem = unusable(ErrorKind.OVERFLOW, finding("", str(error)))
                raise NoUsableAnswer(unit, record, problem, excerpt) from None
            reply, reported = self._reply(stage, exchange), exchange.answer.model
            record = record._replace(reported=reported)
            try:
                cut = exchange.answer.finish_reason == "length"
                return StageAnswer(await judged_by(check, read_answer(reply, cut=cut)), record)
            except UnusableAnswer as error:
                flaws.append(error.flaw)
                excerpt = printable((reply or "")[:_EXCERPT_CHARS])
                if len(flaws) > self._settings.repairs:
                    raise NoUsableAnswer(unit, record, error, excerpt) from None
                messages = [*opening, *_repair(reply, error.findings)]

    def _record(
        self, stage: Stage, reported: str | None, flaws: Sequence[ErrorKind]
    ) -> AnswerRecord:
        model = self._models[stage].model
        prompt = prompt_of(stage).name
        return AnswerRecord(stage, model, reported, prompt, len(flaws) + 1, tuple(flaws))

    async def _ask(
        self, stage: Stage, unit: str, attempt: int, messages: list[Message]
    ) -> Exchange:
        model = self._models[stage]
        request, seed = request_of(self._settings, model, stage, unit, attempt, messages)
        exchange = await self._client.ask(request, model, episode=unit, seed=seed)
        self._ledger.add(stage, model.model, exchange, repair=attempt > 1)
        return exchange

    def _reply(self, stage: Stage, exchange: Exchange) -> str | None:
        answer = exchange.answer
        if self._models[stage].strip_thinking:
            return split_thinking(answer.content, answer.reasoning).reply
        return answer.content


async def judged_by(check: Check[T], answer: Document) -> T:
    """The value of an answer; errors of a check count as findings."""
    try:
        return await check(answer)
    except (UnusableAnswer, OSError):
        raise
    except Exception as error:  # noqa: BLE001 - one odd answer must not end the run
        reason = f"it cannot be judged: {type(error).__name__}: {error}"
        raise unusable(ErrorKind.SENSE, finding("", reason)) from None


def opening_of(settings: WritingSettings, stage: Stage, inputs: Mapping[str, Any]) -> list[Message]:
    """The messages with which a model is first asked."""
    prompt = prompt_of(stage)
    inputs = {**inputs, "thoughts": settings.thoughts}
    return [
        {"role": "system", "content": prompt.render("system", inputs)},
        {"role": "user", "content": prompt.render("user", inputs)},
    ]


def request_of(
    settings: WritingSettings,
    model: ModelSettings,
    stage: Stage,
    unit: str,
    attempt: int,
    messages: list[Message],
) -> tuple[ChatRequest, int]:
    """A request as it is sent, and its seed."""
    seed = draw(settings.seed, unit, stage.value, attempt)
    body = {**model.parameters(), "messages": messages, **constraint(stage, settings)}
    if model.send_seed:
        body["seed"] = seed
    return ChatRequest.of(body), seed


def _repair(reply: str | None, findings: Sequence[str]) -> list[Message]:
    """The bad answer and what is wrong with it; earlier ones are not shown again."""
    shown = findings[:_SHOWN_FINDINGS]
    told = {"findings": shown, "left_out": len(findings) - len(shown)}
    return [
        {"role": "assistant", "content": (reply or "")[:_QUOTED_CHARS] or "(nothing)"},
        {"role": "user", "content": repair_prompt().render("user", told)},
    ]
