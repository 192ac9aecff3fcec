"""Plans that the server follows: the commands of every decision, by the task they solve."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from earsim import Engine, open_suite
from earsim.errors import FileError, Finding
from earsim.schema.files.text import read_text
from earsim_agents.scripted_server.prompt_parser import PromptFacts

Entry = str | Mapping[str, str]


class Plans:
    """The commands of tasks, known by their instructions; DONE when a plan is at its end."""

    def __init__(self, plans: Mapping[str, Sequence[Entry]]) -> None:
        self._plans = dict(plans)

    @classmethod
    def of_suite(cls, name: str) -> Plans:
        """The walkthroughs of a suite; of tasks with the same instruction, the first counts.

        Raises:
            EarSimError: There is no such suite, or a scenario of it cannot be loaded.
        """
        suite = open_suite(name)
        plans: dict[str, Sequence[Entry]] = {}
        for scenario_id in suite.ids:
            scenario = suite.load(scenario_id)
            plans.setdefault(Engine(scenario).instruction.strip(), scenario.task.walkthrough)
        return cls(plans)

    @classmethod
    def of_file(cls, path: str | Path) -> Plans:
        """The plans of a JSON file: ``{instruction: [command or {agent: command}, ...]}``.

        Raises:
            FileError: It is none.
        """
        try:
            value = json.loads(read_text(path))
        except ValueError as error:
            raise FileError(str(path), [Finding(str(path), "", f"not JSON: {error}")]) from None
        if not isinstance(value, dict) or not all(isinstance(p, list) for p in value.values()):
            expected = "an object of lists"
            raise FileError(str(path), [Finding(str(path), "", "no plans", expected)])
        return cls(value)

    def commands(self, asked: PromptFacts) -> dict[str, str]:
        """What the plan says for a decision, by agent; without names where there is one agent."""
        plan = self._plans.get(asked.task, ())
        if asked.turn >= len(plan):
            return dict.fromkeys(asked.agents or (asked.me,), "DONE")
        entry = plan[asked.turn]
        return {asked.me: entry} if isinstance(entry, str) else dict(entry)

    def step(self, asked: PromptFacts) -> str:
        """What a plan is doing in a decision: it works, verifies last, and finishes."""
        left = len(self._plans.get(asked.task, ())) - asked.turn
        return "work" if left > 1 else "verify" if left == 1 else "finish"
