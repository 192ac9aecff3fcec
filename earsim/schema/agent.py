"""An agent as a scenario declares it: a body with limits, and where it starts."""

from __future__ import annotations

from pydantic import Field

from earsim.schema.model import Count, Decimals, FileModel, Id, Mass, Name, Size, name_from_id


class AgentSpec(FileModel):
    """A body in the scene.

    Attributes:
        in_: Id of the room it starts in; None means the first room of the scene.
        max_mass_kg: Heaviest load it can carry.
        hands: How many things it can hold at once.
        max_size_m: Largest thing it can hold, edges in metres; None means any size.
        senses: Numbers that it senses by itself, with the decimals; see `SceneObject`.
    """

    id: Id
    name: Name = Field(default_factory=name_from_id)
    in_: Id | None = Field(default=None, validation_alias="in", serialization_alias="in")
    max_mass_kg: Mass
    hands: Count = 2
    max_size_m: Size | None = None
    senses: dict[Id, Decimals] = Field(default_factory=dict)
