"""The scripted author: answers from fixtures, good, repairable, hopeless or hostile."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from earsim.engine import Engine
from earsim.errors import UsageError
from earsim.schema import Scenario, to_data
from earsim.suites import open_suite
from earsim_agents.client.request import draw
from earsim_agents.scripted_server import ServerScript
from earsim_agents.scripted_server.prompt_parser import PromptFacts
from earsim_generators.llm.answers.schemas import GOAL_KEYS, SCENE_KEYS
from earsim_generators.llm.scripted_author.bad_answers import HOSTILE, flawed
from earsim_generators.llm.settings import Stage

Answer = dict[str, Any]

_CATEGORY = re.compile(r"^- (\w+): ", re.MULTILINE)
_ASKED = re.compile(r"^Kind of task(?: \d+ of \d+)?: (\w+)$", re.MULTILINE)


class AnswerFixtures:
    """Scenarios by the title of their scene, which the prompts of later stages quote."""

    def __init__(self, scenarios: Iterable[Scenario]) -> None:
        self._by_title: dict[str, list[Scenario]] = {}
        for scenario in scenarios:
            title = scenario.scene.title or scenario.scene.id
            self._by_title.setdefault(title, []).append(scenario)

    @classmethod
    def of_suite(cls, name: str) -> AnswerFixtures:
        """The scenarios of a suite.

        Raises:
            EarSimError: There is no such suite, or a scenario of it cannot be loaded.
        """
        return cls(open_suite(name))

    def answer(self, stage: Stage, prompt: str) -> Answer:
        """The right answer to the first request of a stage, if there is one."""
        if stage is Stage.CONCEPT:
            return self._concept(prompt)
        scenarios = self._quoted(prompt)
        if stage is Stage.SCENE:
            return _chosen(to_data(scenarios[0].scene), SCENE_KEYS)
        if stage is Stage.TASKS:
            return _draft(_of_category(scenarios, prompt))
        return _goals(_drafted(scenarios, prompt))

    def _concept(self, prompt: str) -> Answer:
        """The scene with most of the wanted categories; of several, one by draw."""
        wanted = _CATEGORY.findall(prompt)

        def rank(title: str) -> tuple[int, int]:
            there = {scenario.task.category.value for scenario in self._by_title[title]}
            return len(there & set(wanted)), draw(title, prompt)

        title = max(self._by_title, key=rank)
        scene = self._by_title[title][0].scene
        return {
            "title": title,
            "domain": scene.domain or "place",
            "description": " ".join(scene.description.split()) or title,
            "rooms": [{"name": room.name, "purpose": "as ever"} for room in scene.rooms],
            "things": [thing.name for thing in scene.objects][:20],
        }

    def _quoted(self, prompt: str) -> list[Scenario]:
        titles = [title for title in self._by_title if title in prompt]
        return self._by_title[max(titles or self._by_title, key=len)]


def _of_category(scenarios: list[Scenario], prompt: str) -> Scenario:
    """The task of the wanted category, or else one for as many agents."""
    asked = _ASKED.search(prompt)
    category = asked[1] if asked else ""
    team = category.endswith("_collaboration")
    fitting = [each for each in scenarios if each.task.category.value == category]
    similar = [each for each in scenarios if each.task.category.is_collaboration is team]
    return (fitting or similar or scenarios)[0]


def _drafted(scenarios: list[Scenario], prompt: str) -> Scenario:
    for scenario in scenarios:
        if json.dumps(_told(scenario), ensure_ascii=False) in prompt:
            return scenario
    return scenarios[0]


def _draft(scenario: Scenario) -> Answer:
    agents = to_data(scenario)["agents"]
    return {"instruction": _told(scenario), "agents": agents, "idea": "As the book has it."}


def _goals(scenario: Scenario) -> Answer:
    whole = {"select": {}, **to_data(scenario)["task"], "agents": to_data(scenario)["agents"]}
    return _chosen(whole, GOAL_KEYS)


def _told(scenario: Scenario) -> str:
    return " ".join(Engine(scenario).instruction.split())


def _chosen(data: Mapping[str, Any], keys: Iterable[str]) -> Answer:
    return {key: data[key] for key in keys if key in data}


Mood = Literal["good", "repairable", "hopeless", "hostile"]

_STAGE = re.compile(r"^# Stage: (\w+)$", re.MULTILINE)
_OUTCOMES = 2**31


@dataclass(frozen=True, kw_only=True)
class Author(ServerScript):
    """A script that writes scenes.

    A mood is drawn for each stage of each scene and task, and holds for requests to repair, too.

    Attributes:
        fixtures: Source of good answers.
        repairable: Share of moods in which only the first answer is flawed.
        hopeless: Share of moods in which every answer is flawed.
        hostile: Share of moods in which answers try to do harm.
        moody: Stages to which the shares apply.
    """

    fixtures: AnswerFixtures = field(default_factory=lambda: AnswerFixtures(()))
    repairable: float = 0.0
    hopeless: float = 0.0
    hostile: float = 0.0
    moody_stages: tuple[Stage, ...] = tuple(Stage)

    def __post_init__(self) -> None:
        super().__post_init__()
        shares = (self.repairable, self.hopeless, self.hostile)
        if min(shares) < 0 or sum(shares) > 1:
            raise UsageError("shares lie between 0 and 1, all moods together included")

    def reply(self, request: str, body: Mapping[str, Any], asked: PromptFacts) -> str:
        """The reply to a request."""
        messages = [str(message.get("content")) for message in body["messages"]]
        found = _STAGE.search(messages[0])
        if found is None or len(messages) < 2 or found[1] not in list(Stage):
            return super().reply(request, body, asked)
        stage = Stage(found[1])
        answer = self.fixtures.answer(stage, messages[1])
        mood = self._mood(stage, messages[1])
        if mood == "hostile":
            return HOSTILE[draw(self.seed, "which", request) % len(HOSTILE)](answer)
        if mood == "hopeless" or (mood == "repairable" and len(messages) == 2):
            return flawed(stage, answer, draw(self.seed, "flaw", messages[1]))
        return json.dumps(answer, ensure_ascii=False)

    def _mood(self, stage: Stage, prompt: str) -> Mood:
        if stage not in self.moody_stages:
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
