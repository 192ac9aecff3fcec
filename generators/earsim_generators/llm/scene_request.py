"""Request for one scene before any model is asked: text, skills, categories."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from earsim.schema import AttributeVerb, Category, verb_table
from earsim_generators.llm.settings import WritingSettings
from earsim_generators.llm.texts import TextSeed, text_of


class SceneRequest(NamedTuple):
    """What one scene is to be; it depends on the settings' seed and its number alone.

    Attributes:
        item: number of the scene, from 0.
        scene_id: its id, which no model has a say in.
        skills: attribute verbs that the place may offer.
        categories: of its tasks, in order.
    """

    item: int
    scene_id: str
    text: TextSeed
    rooms: int
    objects: int
    skills: tuple[AttributeVerb, ...]
    categories: tuple[Category, ...]

    def task_id(self, slot: int) -> str:
        """The id of a task by its place among those of the scene."""
        return f"{self.categories[slot].value}_{slot + 1}"


def scene_request_of(
    settings: WritingSettings, texts: Sequence[TextSeed], item: int
) -> SceneRequest:
    """The brief of a scene."""
    rng = Random(f"earsim llm brief/{settings.seed}/{item}")
    verbs = tuple(verb_table().values())
    skills = rng.sample(verbs, min(settings.skills, len(verbs)))
    return SceneRequest(
        item=item,
        scene_id=f"llm{settings.seed}_{item:05d}",
        text=text_of(texts, settings.seed, item),
        rooms=settings.rooms,
        objects=settings.objects,
        skills=tuple(sorted(skills, key=lambda verb: verb.name)),
        categories=_categories(settings, item),
    )


def _categories(settings: WritingSettings, item: int) -> tuple[Category, ...]:
    """The next ones in turn; over all scenes each comes up equally often."""
    order = list(settings.categories)
    Random(f"earsim llm categories/{settings.seed}").shuffle(order)
    first = item * settings.tasks
    return tuple(order[(first + slot) % len(order)] for slot in range(settings.tasks))
