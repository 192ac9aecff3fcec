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
    task, rooms, doors = scenario.task, index.blueprint.rooms, index.blueprint.doors
    answers = {f"${name}": node for name, node in task.answer.items()}

    def anonymous(word: str) -> str:
        """The kind and mass of an object, `room` or `door`; other words as they are."""
        node = answers.get(word, word)
        if node in index.things:
            return f"{kinds.get(node, '')} {index.mass(node):g}"
        return "room" if node in rooms else "door" if node in doors else word

    def tree(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: tree(item) for key, item in value.items()}
        if isinstance(value, list):
            return [tree(item) for item in value]
        return anonymous(value) if isinstance(value, str) else value

    def data(model: Any) -> Any:
        return tree(model.model_dump(mode="json", by_alias=True, exclude_defaults=True))

    selectors = task.select.values()
    candidates = [sorted(map(anonymous, lookalikes(each, index.world))) for each in selectors]
    content = [
        task.category.value,
        data(task.goal),
        list(zip(map(data, selectors), candidates, strict=True)),
        [[agent.max_mass_kg, agent.max_size_m] for agent in scenario.agents],
    ]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:32]
