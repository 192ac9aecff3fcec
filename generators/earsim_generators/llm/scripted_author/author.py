"""Behaviour of the scripted author: good answers, repairable, hopeless or hostile ones."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from earsim.errors import UsageError
from earsim_agents.client.request import draw
from earsim_agents.scripted_server import ServerScript
from earsim_agents.scripted_server.prompt_parser import PromptFacts
from earsim_generators.llm.scripted_author.bad_answers import HOSTILE, flawed
from earsim_generators.llm.scripted_author.fixtures import AnswerFixtures
from earsim_generators.llm.stage import Stage

Mood = Literal["good", "repairable", "hopeless", "hostile"]

_STAGE = re.compile(r"^# Stage: (\w+)$", re.MULTILINE)
_OUTCOMES = 2**31


@dataclass(frozen=True, kw_only=True)
class Author(ServerScript):
    """A script that writes scenes.

    A mood is drawn for each stage of each scene and task, so requests to repair an answer meet the
    mood in which it was given.

    Attributes:
        book: where its answers come from.
        repairable: share of moods in which the first answer is flawed and the next one good.
        hopeless: share of moods in which every answer is flawed.
        hostile: share of moods in which answers are meant to do harm.
        moody: stages at which it is anything but good.
    """

    book: AnswerFixtures = field(default_factory=lambda: AnswerFixtures(()))
    repairable: float = 0.0
    hopeless: float = 0.0
    hostile: float = 0.0
    moody: tuple[Stage, ...] = tuple(Stage)

    def __post_init__(self) -> None:
        super().__post_init__()
        shares = (self.repairable, self.hopeless, self.hostile)
        if min(shares) < 0 or sum(shares) > 1:
            raise UsageError("shares lie between 0 and 1, all moods together included")

    def reply(self, request: str, body: Mapping[str, Any], asked: PromptFacts) -> str:
        """What a request is answered."""
        messages = [str(message.get("content")) for message in body["messages"]]
        found = _STAGE.search(messages[0])
        if found is None or len(messages) < 2 or found[1] not in list(Stage):
            return super().reply(request, body, asked)
        stage = Stage(found[1])
        answer = self.book.answer(stage, messages[1])
        mood = self._mood(stage, messages[1])
        if mood == "hostile":
            return HOSTILE[draw(self.seed, "which", request) % len(HOSTILE)](answer)
        if mood == "hopeless" or (mood == "repairable" and len(messages) == 2):
            return flawed(stage, answer, draw(self.seed, "flaw", messages[1]))
        return json.dumps(answer, ensure_ascii=False)

    def _mood(self, stage: Stage, prompt: str) -> Mood:
        if stage not in self.moody:
            return "good"
        drawn = draw(self.seed, "mood", stage, prompt) / _OUTCOMES
        shares: tuple[tuple[Mood, float], ...] = (
            ("repairable", self.repairable),
            ("hopeless", self.hopeless),
            ("hostile", self.hostile),
        )
        for mood, share in shares:
            if drawn < share:
                return mood
            drawn -= share
        return "good"
