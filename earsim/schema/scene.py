"""A scene: parts that fit together."""

from __future__ import annotations

from itertools import chain
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ModelWrapValidatorHandler, ValidationInfo, model_validator

from earsim.schema.live import live_problems
from earsim.schema.model import FileModel, Id, Name, Text, raise_problems
from earsim.schema.process import Substance
from earsim.schema.references import SceneParts, scene_problems
from earsim.schema.scene_parts import Connection, Door, PerceivedBy, Room, SceneObject

SCENE_SCHEMA = "earsim.scene/1"


class Scene(FileModel):
    """Rooms, doors and objects that fit together: every id is unique, every reference resolves.

    Attributes:
        connections: Widths and stairs of open ways between rooms.
        domain: Kind of place (``clinic``, ``workshop``), for grouping.
        abilities: Names of the attribute verbs that exist here; None means those that fit the
            states of the objects.
        perceived_by: How numbers of its objects come to be known, where they do not say.
        substances: Liquids beside those that are known anyway, or other values for these.
        uses_up: How many of its number ``uses_count`` a verb takes from the tool it is done with; a
            tool that is used up is out of the world.
    """

    schema_: Literal["earsim.scene/1"] = Field(
        default="earsim.scene/1", validation_alias="schema", serialization_alias="schema"
    )
    id: Id
    title: Name | None = None
    domain: Id | None = None
    description: Text = ""
    rooms: tuple[Room, ...] = Field(min_length=1)
    connections: tuple[Connection, ...] = ()
    doors: tuple[Door, ...] = ()
    objects: tuple[SceneObject, ...] = ()
    abilities: tuple[Id, ...] | None = None
    perceived_by: PerceivedBy = Field(default_factory=dict)
    substances: tuple[Substance, ...] = ()
    uses_up: dict[Id, Annotated[int, Field(strict=True, ge=1, le=1000)]] = Field(
        default_factory=dict
    )

    @model_validator(mode="wrap")
    @classmethod
    def _fits_together(
        cls, value: Any, validate: ModelWrapValidatorHandler[Self], info: ValidationInfo
    ) -> Self:
        if isinstance(value, cls):
            return value  # it was checked when it was made
        latest = info.context if isinstance(info.context, LatestScene) else None
        kept = None if latest is None else latest.get(value)
        if type(kept) is cls:
            return kept
        scene = validate(value)
        parts = scene.parts
        raise_problems("Scene", chain(scene_problems(parts), live_problems(parts)))
        if latest is not None:
            latest.keep(value, scene)
        return scene

    @property
    def parts(self) -> SceneParts:
        """All parts, by their index in the file."""
        return SceneParts(
            rooms=dict(enumerate(self.rooms)),
            doors=dict(enumerate(self.doors)),
            objects=dict(enumerate(self.objects)),
            connections=dict(enumerate(self.connections)),
            abilities=self.abilities or (),
            has_abilities=self.abilities is not None,
            substances=dict(enumerate(self.substances)),
            uses_up=self.uses_up,
        )

    def find(self, id: str) -> Room | Door | SceneObject | None:
        """The room, door or object of that id; None when there is none. Linear: not for loops."""
        things: Any = (*self.rooms, *self.doors, *self.objects)
        return next((thing for thing in things if thing.id == id), None)


class LatestScene:
    """The scene that was read last: the same value read again is the same scene.

    A validation context for one reader of one kind of file. Values are compared by their `repr`,
    since `1`, `1.0` and `True` are equal and do not mean the same in a file.
    """

    def __init__(self) -> None:
        self._read: tuple[str, Scene] | None = None

    def get(self, value: object) -> Scene | None:
        """The scene that a value was read as, if it was the last."""
        read = self._read
        try:
            return read[1] if read is not None and read[0] == repr(value) else None
        except RecursionError:  # nested so deeply that it is no scene
            return None

    def keep(self, value: object, scene: Scene) -> None:
        """Note what a value was read as."""
        self._read = repr(value), scene
