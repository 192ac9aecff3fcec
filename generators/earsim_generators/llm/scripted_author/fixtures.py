"""Fixtures of the scripted author: scenes and tasks of a suite, as answers to the stages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from earsim.engine import Engine
from earsim.schema import Scenario, to_data
from earsim.suites import open_suite
from earsim_agents.client.request import draw
from earsim_generators.llm.answers.schemas import GOAL_KEYS, SCENE_KEYS
from earsim_generators.llm.stage import Stage

Answer = dict[str, Any]

_CATEGORY = re.compile(r"^- (\w+): ", re.MULTILINE)
_ASKED = re.compile(r"^Kind of task(?: \d+ of \d+)?: (\w+)$", re.MULTILINE)


class AnswerFixtures:
    """Scenarios by the title of their scene; the prompts of later stages quote it."""

    def __init__(self, scenarios: Iterable[Scenario]) -> None:
        self._chapters: dict[str, list[Scenario]] = {}
        for scenario in scenarios:
            title = scenario.scene.title or scenario.scene.id
            self._chapters.setdefault(title, []).append(scenario)

    @classmethod
    def of_suite(cls, name: str) -> AnswerFixtures:
        """The scenarios of a suite.

        Raises:
            EarSimError: There is no such suite, or a scenario of it cannot be loaded.
        """
        return cls(open_suite(name))

    def answer(self, stage: Stage, prompt: str) -> Answer:
        """The right answer to the first request of a stage, as far as the book has one."""
        if stage is Stage.CONCEPT:
            return self._concept(prompt)
        chapter = self._quoted(prompt)
        if stage is Stage.SCENE:
            return _chosen(to_data(chapter[0].scene), SCENE_KEYS)
        if stage is Stage.TASKS:
            return _draft(_of_category(chapter, prompt))
        return _goals(_drafted(chapter, prompt))

    def _concept(self, prompt: str) -> Answer:
        """The scene that has most of the categories asked for; of several, one by draw."""
        wanted = _CATEGORY.findall(prompt)

        def rank(title: str) -> tuple[int, int]:
            there = {scenario.task.category.value for scenario in self._chapters[title]}
            return len(there & set(wanted)), draw(title, prompt)

        title = max(self._chapters, key=rank)
        scene = self._chapters[title][0].scene
        return {
            "title": title,
            "domain": scene.domain or "place",
            "description": " ".join(scene.description.split()) or title,
            "rooms": [{"name": room.name, "purpose": "as ever"} for room in scene.rooms],
            "things": [thing.name for thing in scene.objects][:20],
        }

    def _quoted(self, prompt: str) -> list[Scenario]:
        titles = [title for title in self._chapters if title in prompt]
        return self._chapters[max(titles or self._chapters, key=len)]


def _of_category(chapter: list[Scenario], prompt: str) -> Scenario:
    """The task of the category asked for, or else one for as many agents."""
    asked = _ASKED.search(prompt)
    category = asked[1] if asked else ""
    team = category.endswith("_collaboration")
    fitting = [each for each in chapter if each.task.category.value == category]
    similar = [each for each in chapter if each.task.category.is_collaboration is team]
    return (fitting or similar or chapter)[0]


def _drafted(chapter: list[Scenario], prompt: str) -> Scenario:
    for scenario in chapter:
        if json.dumps(_told(scenario), ensure_ascii=False) in prompt:
            return scenario
    return chapter[0]


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
