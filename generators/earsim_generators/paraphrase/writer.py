"""Asking models for paraphrases of instructions, and other models what they mean.

The writer of a paraphrase is told the instruction and the place, and not the goal. Each reader is
told the paraphrase, the place, and a contrast set of the goal in an order of its own. A paraphrase
is kept when every reader chooses the goal and nothing else; of an unclear task, all its readings.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from string import ascii_uppercase
from typing import Any

from pydantic import Field

from earsim.engine import Engine
from earsim.errors import ServerFault
from earsim.schema import Scenario
from earsim.schema.model import FileModel, JsonDict
from earsim_agents.client import Client
from earsim_agents.client.request import ChatRequest, draw
from earsim_agents.prompts import PromptFile
from earsim_agents.replies.thinking import split_thinking
from earsim_agents.settings import ModelSettings
from earsim_generators.llm.answers.parsing import read_answer
from earsim_generators.llm.checks.answer_error import UnusableAnswer, well_formed
from earsim_generators.paraphrase.contrast_set import GoalChoice, choices
from earsim_generators.paraphrase.place import numbers_of, people_of, place_of
from earsim_generators.paraphrase.record import Paraphrase

STYLES = (
    "a colleague calls it across the room",
    "a note left on the table",
    "a friendly request, with a turn of phrase of your own",
    "what the result has to look like, not what is to be done",
    "somebody who thinks aloud and corrects nothing",
    "a short message typed in a hurry, in whole words",
    "a polite letter",
    "a foreman at the start of a shift",
    "a question",
    "a list told in one breath, the last thing first",
)
"""How people speak; one of them is drawn for each request."""

_MOST_CHARS = 1800
_CONTRASTS = 5
_SHARED_WORDS = 5
"""Words in a row that a paraphrase may not have in common with its instruction, names aside."""

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_WORD = re.compile(r"[a-z0-9']+")


class WrittenAnswer(FileModel):
    """What the writer answers."""

    instruction: str = Field(min_length=1, max_length=_MOST_CHARS)


class ReadAnswer(FileModel):
    """What a reader answers: letters of the goals that fit."""

    fits: tuple[str, ...] = Field(max_length=26)


class ParaphraseSettings(FileModel):
    """What decides the requests.

    Attributes:
        writer: Model.
        readers: Models; each reads for itself, in a conversation of its own.
        attempts: Of the writer for each instruction.
        options: Further fields of `ModelSettings`.
    """

    writer: str
    readers: tuple[str, ...] = Field(min_length=2)
    seed: int = Field(default=0, ge=0)
    attempts: int = Field(default=2, ge=1, le=20)
    options: JsonDict = Field(default_factory=dict)


class Paraphraser:
    """Asks for paraphrases.

    Attributes:
        refused: Why attempts were not kept, counted.
    """

    def __init__(self, settings: ParaphraseSettings, client: Client) -> None:
        """Use a client, which its owner closes."""
        self.settings = settings
        self.refused: Counter[str] = Counter()
        self._client = client

    async def all_of(
        self, scenarios: Sequence[Scenario], *, at_once: int, seen: Callable[[], None]
    ) -> list[Paraphrase]:
        """Paraphrases of scenarios, in their order, of those that were kept.

        Raises:
            ServerFault: A server gives no answer.
        """
        gate = asyncio.Semaphore(at_once)

        async def one(scenario: Scenario) -> Paraphrase | None:
            async with gate:
                found = await self.of(scenario)
                seen()
                return found

        tasks = [asyncio.ensure_future(one(scenario)) for scenario in scenarios]
        try:
            found = await asyncio.gather(*tasks)
        except ServerFault:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            raise
        return [each for each in found if each is not None]

    async def of(self, scenario: Scenario) -> Paraphrase | None:
        """A paraphrase on which all readers agree; None if no attempt gives one."""
        engine = Engine(scenario)
        world = engine.start()
        place = {"place": place_of(world), "people": people_of(scenario)}
        for attempt in range(1, self.settings.attempts + 1):
            unit = (self.settings.seed, scenario.hash, attempt)
            style = STYLES[draw(*unit, "style") % len(STYLES)]
            written = await self._written(engine, unit, {**place, "style": style})
            if written is None:
                continue
            told = {**place, "instruction": written}
            if await self._is_understood(engine, unit, told):
                return Paraphrase(
                    scenario_id=scenario.id,
                    scenario_hash=scenario.hash,
                    instruction=written,
                    style=style,
                    writer=self.settings.writer,
                    readers=self.settings.readers,
                    attempts=attempt,
                )
        return None

    async def _written(
        self, engine: Engine, unit: Sequence[object], inputs: Mapping[str, Any]
    ) -> str | None:
        kept = ", ".join(_kept(engine))
        inputs = {**inputs, "instruction": engine.instruction, "kept": kept}
        answer = await self._ask(self.settings.writer, "write", unit, inputs, WrittenAnswer)
        if answer is None:
            self.refused["no answer of the asked form"] += 1
            return None
        written = " ".join(answer.instruction.split())
        flaw = flaw_of(written, engine)
        if flaw is not None:
            self.refused[flaw] += 1
            return None
        return written

    async def _is_understood(
        self, engine: Engine, unit: Sequence[object], inputs: Mapping[str, Any]
    ) -> bool:
        """Whether all readers choose what is meant; they are asked at once."""
        asked = [
            self._is_read(engine, model, (*unit, number), inputs)
            for number, model in enumerate(self.settings.readers)
        ]
        verdicts = await asyncio.gather(*asked)
        if not all(verdicts):
            self.refused["not read as it was meant"] += 1
        return all(verdicts)

    async def _is_read(
        self, engine: Engine, model: str, unit: Sequence[object], inputs: Mapping[str, Any]
    ) -> bool:
        scenario = engine.scenario
        found = choices(scenario, Random(draw(*unit, "choices")), contrasts=_CONTRASTS)
        numbers = numbers_of(engine.start(), engine, [each.text for each in found])
        lettered = dict(zip(ascii_uppercase, found, strict=False))
        shown = {
            **inputs,
            "numbers": numbers,
            "choices": [(letter, each.text) for letter, each in lettered.items()],
        }
        answer = await self._ask(model, "read", unit, shown, ReadAnswer)
        return answer is not None and {*answer.fits} == _meant(lettered)

    async def _ask(
        self,
        model: str,
        prompt: str,
        unit: Sequence[object],
        inputs: Mapping[str, Any],
        form: type[Any],
    ) -> Any:
        """The answer of a model, or None if it has not the form."""
        settings = ModelSettings.of(**{**self.settings.options, "model": model})
        file = _prompt(prompt)
        messages = [
            {"role": "system", "content": file.render("system", inputs)},
            {"role": "user", "content": file.render("user", inputs)},
        ]
        seed = draw(*unit, prompt)
        body = {**settings.parameters(), "messages": messages}
        if settings.send_seed:
            body["seed"] = seed
        episode = "/".join(map(str, unit))
        exchange = await self._client.ask(
            ChatRequest.of(body), settings, episode=episode, seed=seed
        )
        reply = split_thinking(exchange.answer.content, exchange.answer.reasoning).reply
        try:
            return well_formed(read_answer(reply, longest_text=_MOST_CHARS), form)
        except UnusableAnswer:
            return None


def flaw_of(written: str, engine: Engine) -> str | None:
    """What is wrong with a paraphrase as a text; None if nothing is."""
    told = engine.instruction
    ids = [node for node in engine.blueprint.ids() if "_" in node and node in written]
    if ids:
        return "names an id"
    if "{" in written or "}" in written:
        return "holds braces"
    missing = [kept for kept in _kept(engine) if kept not in written]
    if missing:
        return "leaves out a name or a number"
    if shares_words(written, told, engine):
        return "repeats the instruction"
    return None


def shares_words(written: str, told: str, engine: Engine) -> bool:
    """Whether both have so many words in a row, names of things and rooms aside."""
    names = {
        word for node in engine.blueprint.ids() for word in _words(engine.blueprint.name(node))
    }

    def runs(text: str) -> set[tuple[str, ...]]:
        words = _words(text)
        found = (
            tuple(words[start : start + _SHARED_WORDS])
            for start in range(len(words) - _SHARED_WORDS + 1)
        )
        return {run for run in found if not names.intersection(run)}

    return not runs(written).isdisjoint(runs(told))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _kept(engine: Engine) -> list[str]:
    """Names of people and numbers that no contrast tests: they stay as they are."""
    told = engine.instruction
    goal = json.loads(engine.scenario.task.goal.model_dump_json())
    tested = {float(each) for each in _NUMBER.findall(json.dumps(goal))}
    scales = (1.0, 60.0, 3600.0, 0.001, 0.01)
    numbers = [
        text
        for text in dict.fromkeys(_NUMBER.findall(told))
        if not any(abs(float(text) * scale - one) < 1e-9 for scale in scales for one in tested)
        and not _is_named(text, engine)
    ]
    people = [agent.name for agent in engine.scenario.agents if agent.name in told]
    return [*people, *numbers]


def _is_named(text: str, engine: Engine) -> bool:
    """Whether a number is part of a name."""
    return any(text in engine.blueprint.name(node) for node in engine.blueprint.ids())


def _meant(lettered: Mapping[str, GoalChoice]) -> set[str]:
    return {letter for letter, choice in lettered.items() if choice.is_meant}


@cache
def _prompt(name: str) -> PromptFile:
    common = frozenset({"place", "people", "instruction"})
    of_name = {"write": {"style", "kept"}, "read": {"numbers", "choices"}}
    offered = {"system": frozenset[str](), "user": common | of_name[name]}
    return PromptFile.load(Path(__file__).parent / "prompts" / f"{name}.md", offered)
