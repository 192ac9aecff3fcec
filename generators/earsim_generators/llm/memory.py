"""What a run has made: places that later scenes are told of, and structures that none repeats.

A scene is told of the places of earlier blocks of scenes, not of those that are written beside it,
so that its requests do not depend on the order in which answers come.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from math import floor, log10
from typing import Any

from earsim.schema import Scenario, Scene, SceneObject
from earsim_generators.llm.answers.schemas import Concept

BLOCK = 16
"""Scenes that do not know of each other."""

_MOST_TOLD = 40
"""Scenes before, of which a scene is told the places."""

_ALIKE = 0.8
"""The share of common things (Jaccard) from which on two scenes are the same place again."""


class PlaceMemory:
    """The concepts of a run by number of scene, each known as soon as it is decided."""

    def __init__(self) -> None:
        self._places: dict[int, asyncio.Future[str | None]] = {}

    def decide(self, item: int, concept: Concept | None) -> None:
        """Note the place of a scene; None for a scene that has none."""
        told = None if concept is None else f"{concept.title} ({concept.domain})"
        self._place(item).set_result(told)

    def leave_open(self, item: int) -> None:
        """Note that a scene has not been decided, unless it has."""
        if not self._place(item).done():
            self._place(item).cancel()

    async def before(self, item: int) -> tuple[str, ...] | None:
        """The latest places of the blocks before the one of a scene; None if one was left open."""
        first = item // BLOCK * BLOCK
        waited = [self._place(each) for each in range(max(0, first - _MOST_TOLD), first)]
        if waited:
            await asyncio.wait(waited)
        if any(place.cancelled() for place in waited):
            return None
        told = dict.fromkeys(place.result() for place in waited)
        return tuple(place for place in told if place is not None)

    def _place(self, item: int) -> asyncio.Future[str | None]:
        if item not in self._places:
            self._places[item] = asyncio.get_running_loop().create_future()
        return self._places[item]


class StructureMemory:
    """The tasks and scenes of a suite, without names, ids and wording; numbers to two digits."""

    def __init__(self) -> None:
        self._tasks: dict[str, str] = {}
        self._scenes: dict[str, Counter[str]] = {}

    def repeated_by(self, scenario: Scenario) -> str | None:
        """The id of a scenario or scene that this scenario repeats; None notes it as made."""
        scene, things = scenario.scene, things_of(scenario.scene)
        if scene.id not in self._scenes:
            for id, known in self._scenes.items():
                if likeness(things, known) >= _ALIKE:
                    return id
            self._scenes[scene.id] = things
        first = self._tasks.setdefault(task_structure(scenario), scenario.id)
        return None if first == scenario.id else first


def things_of(scene: Scene) -> Counter[str]:
    """The things of a scene by what they are like."""
    return Counter(map(_described, scene.objects))


def likeness(one: Counter[str], other: Counter[str]) -> float:
    """Jaccard index of two multisets."""
    return (one & other).total() / max(1, (one | other).total())


def task_structure(scenario: Scenario) -> str:
    """A digest of goal, selectors, what they choose from, and agents."""
    scene, task = scenario.scene, scenario.task
    words: dict[str, str] = {thing.id: _described(thing) for thing in scene.objects}
    words |= dict.fromkeys((room.id for room in scene.rooms), "room")
    words |= dict.fromkeys((door.id for door in scene.doors), "door")
    words |= {agent.id: f"agent {place}" for place, agent in enumerate(scenario.agents)}
    words |= {f"${name}": words[node] for name, node in task.answer.items() if node in words}
    content = [
        task.category.value,
        _anonymous(task.goal.model_dump(mode="json", by_alias=True), words),
        sorted(
            json.dumps(_anonymous(each.model_dump(mode="json", by_alias=True), words))
            for each in task.select.values()
        ),
        [[agent.max_mass_kg, agent.hands] for agent in scenario.agents],
    ]
    text = json.dumps(content, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _anonymous(value: Any, words: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {
            key: "" if key == "name" else _anonymous(item, words) for key, item in value.items()
        }
    if isinstance(value, list):
        return [_anonymous(item, words) for item in value]
    return words.get(value, value) if isinstance(value, str) else value


def _described(thing: SceneObject) -> str:
    """Kind, mass to two digits, states, abilities, and whether there is room in it."""
    parts: Iterator[str] = chain(
        (thing.kind, f"{_two_digits(thing.mass_kg):g}"),
        sorted(f"{state}={value}" for state, value in thing.states.items()),
        sorted(thing.provides),
        () if thing.container is None else ("container",),
    )
    return " ".join(parts)


def _two_digits(number: float) -> float:
    return round(number, 1 - floor(log10(abs(number)))) if number else 0.0
