"""Structure of a scenario: the task without ids, names, places and wording."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from earsim.schema import Scenario
from earsim_generators.difficulty import lookalikes
from earsim_generators.tasks import SceneIndex


def structure_of(scenario: Scenario, kinds: Mapping[str, str], index: SceneIndex) -> str:
    """A digest of the structure; `kinds` are those of the catalogue, by object."""
    task = scenario.task
    parts = _Parts(kinds, {f"${name}": node for name, node in task.answer.items()}, index)
    content = [
        task.category.value,
        parts.told(task.goal.model_dump(mode="json", by_alias=True, exclude_defaults=True)),
        [parts.chosen(selector) for selector in task.select.values()],
        [[agent.max_mass_kg, agent.max_size_m] for agent in scenario.agents],
    ]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:32]


class _Parts:
    """Trees without ids."""

    def __init__(
        self, kinds: Mapping[str, str], answer: Mapping[str, str], index: SceneIndex
    ) -> None:
        self._kinds = kinds
        self._answer = answer
        self._index = index

    def told(self, value: Any) -> Any:
        """A tree in which every id is replaced by what it stands for."""
        if isinstance(value, dict):
            return {key: self.told(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.told(item) for item in value]
        return self._node(value) if isinstance(value, str) else value

    def chosen(self, selector: Any) -> Any:
        """A selector, and everything that it picks from."""
        tree = selector.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        candidates = sorted(map(self._node, lookalikes(selector, self._index.world)))
        return [self.told(tree), candidates]

    def _node(self, word: str) -> str:
        """The kind and mass of an object id, or `room` or `door`; other words as they are."""
        node = self._answer.get(word, word)
        index = self._index
        if node in index.things:
            return f"{self._kinds.get(node, '')} {index.mass(node):g}"
        if node in index.blueprint.rooms or node in index.blueprint.doors:
            return "room" if node in index.blueprint.rooms else "door"
        return word
