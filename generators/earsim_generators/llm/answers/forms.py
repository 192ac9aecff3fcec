"""The forms of answers that are not forms of files: a concept, and a task before it has a goal."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from earsim import ids
from earsim.schema import AgentSpec
from earsim.schema.model import FileModel, Id

MOST_ROOMS, MOST_OBJECTS, MOST_AGENTS = 20, 160, 4
"""Of any scene: what the planner is asked about must stay within reason, whoever wrote it."""

Line = Annotated[str, StringConstraints(pattern=ids.NAME_PATTERN, min_length=1, max_length=80)]
"""What a thing or a room is called."""

Paragraph = Annotated[
    str, StringConstraints(pattern=ids.TEXT_PATTERN, min_length=1, max_length=1_000)
]


class ConceptRoom(FileModel):
    """A room of a place that is still an idea."""

    name: Line
    purpose: Paragraph


class Concept(FileModel):
    """A place before it is built.

    Attributes:
        domain: Kind of place, in one word: ``clinic``, ``bakery``.
        lookalikes: Things of which several lie about, told apart by numbers alone.
        heavy: Things that one person cannot lift.
        skills: Of those that were offered, the ones that fit.
    """

    title: Line
    domain: Id
    description: Paragraph
    rooms: tuple[ConceptRoom, ...] = Field(min_length=1, max_length=MOST_ROOMS)
    things: tuple[Line, ...] = Field(min_length=1, max_length=60)
    lookalikes: tuple[Line, ...] = Field(default=(), max_length=10)
    heavy: tuple[Line, ...] = Field(default=(), max_length=10)
    skills: tuple[Id, ...] = Field(default=(), max_length=40)


class Draft(FileModel):
    """A task as somebody would tell it.

    Attributes:
        instruction: What agents are told, in plain words.
        agents: Who is to do it.
        idea: How it could be done, and why it takes what its category says.
    """

    instruction: Paragraph
    agents: tuple[AgentSpec, ...] = Field(min_length=1, max_length=MOST_AGENTS)
    idea: Paragraph
