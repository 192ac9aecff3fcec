"""Checks of concepts against their request, and of scenes: size, reachability, states, numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from earsim.errors import Finding, did_you_mean, near_misses
from earsim.schema import Scene, SceneObject, verb_table
from earsim.schema.files.document import Document, show_path
from earsim.schema.scene import SCENE_SCHEMA
from earsim.world import Blueprint, room_graph
from earsim.world.plausibility import implausible_in
from earsim_generators.catalogue import implausible_things
from earsim_generators.llm.answers.schemas import MOST_OBJECTS, MOST_ROOMS, SCENE_KEYS, Concept
from earsim_generators.llm.checks.answer_error import (
    ANSWER,
    ErrorKind,
    finding,
    refuse,
    require_known_keys,
    well_formed,
)
from earsim_generators.llm.scene_request import SceneRequest

_GROUP = 3
"""Objects of one name that make a group."""

_LOCKS = frozenset({"is_open", "is_locked"})
"""States that containers have whether or not a verb of the table is about them."""


def concept_of(answer: Document, request: SceneRequest) -> Concept:
    """The concept in an answer.

    Raises:
        UnusableAnswer: It is none, or names skills that were not offered.
    """
    concept = well_formed(answer, Concept)
    offered = {verb.name for verb in request.skills}
    problems = (
        finding(f"skills[{index}]", f"{name!r} was not offered", _known(name, offered))
        for index, name in enumerate(concept.skills)
        if name not in offered
    )
    refuse(ErrorKind.SENSE, problems)
    return concept


def scene_of(answer: Document, request: SceneRequest, concept: Concept) -> Scene:
    """The scene in an answer; id, title, domain and description are not the answer's to say.

    Raises:
        UnusableAnswer: It is no scene, far from the size asked for, or has rooms cut off.
    """
    require_known_keys(answer, SCENE_KEYS)
    whole = {
        "schema": SCENE_SCHEMA,
        "id": request.scene_id,
        "title": concept.title,
        "domain": concept.domain,
        "description": concept.description,
        **answer.value,
    }
    scene = well_formed(Document(ANSWER, whole), Scene)
    found = (
        _sizes(scene, request),
        _cut_off(scene),
        _states(scene),
        _numbers(scene),
        _distractors(scene, request.distractors),
    )
    refuse(ErrorKind.SENSE, chain.from_iterable(found))
    return scene


def _sizes(scene: Scene, request: SceneRequest) -> Iterator[Finding]:
    bounds: tuple[tuple[str, int, int, int], ...] = (
        ("rooms", len(scene.rooms), request.rooms, MOST_ROOMS),
        ("objects", len(scene.objects), request.objects, MOST_OBJECTS),
    )
    for place, count, asked, most in bounds:
        least = max(2, asked // 2)
        if not least <= count <= most:
            yield finding(place, f"there are {count}", f"about {asked}, from {least} to {most}")


def _cut_off(scene: Scene) -> Iterator[Finding]:
    """Rooms that cannot be reached from the first one if every door were open."""
    import networkx as nx

    rooms = room_graph(Blueprint.compile(scene, ()))
    joined = nx.node_connected_component(rooms, scene.rooms[0].id)
    for index, room in enumerate(scene.rooms):
        if room.id not in joined:
            expected = f"a passage or a door that leads there from {scene.rooms[0].id!r}"
            yield finding(f"rooms[{index}]", f"{room.id!r} cannot be reached", expected)


def _states(scene: Scene) -> Iterator[Finding]:
    """States that no verb changes: descriptive facts, which have a place of their own."""
    known = _LOCKS | {verb.attribute for verb in verb_table().values()}
    for index, thing in enumerate(scene.objects):
        for state, value in thing.states.items():
            place = f"objects[{index}].states.{state}"
            if state not in known:
                yield finding(place, "no verb changes it", _known(state, known))
            elif not isinstance(value, bool):
                yield finding(place, f"is {value!r}", "true or false")


def _numbers(scene: Scene) -> Iterator[Finding]:
    """Numbers that nothing has, as they are looked for in scenes of our own."""
    for problem in (*implausible_in(scene), *implausible_things(scene)):
        yield finding(show_path(problem.loc), problem.reason, problem.expected)


def _distractors(scene: Scene, least: int) -> Iterator[Finding]:
    """Groups of objects that only a number tells apart, where there are fewer than asked for."""
    groups: dict[str, list[SceneObject]] = defaultdict(list)
    for thing in scene.objects:
        groups[thing.name.casefold()].append(thing)
    count = sum(map(_is_told_apart, groups.values()))
    if count < least:
        reason = f"{count} groups of three or more objects have one name and differ in a number"
        yield finding("objects", reason, f"at least {least}")


def _is_told_apart(group: Sequence[SceneObject]) -> bool:
    fields = {"mass_kg", *group[0].quantities}
    values = ([thing.quantity(field) for thing in group] for field in fields)
    return len(group) >= _GROUP and any(
        None not in found and len(set(found)) == len(group) for found in values
    )


def _known(name: str, known: Any) -> str:
    near = did_you_mean(near_misses(name, known))
    return near or "what is a fact and never changes goes into attributes"
