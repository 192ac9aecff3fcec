"""A task: what to do, said twice, as an instruction for agents and as a goal for the judge."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Discriminator, Field, Tag, model_validator
from pydantic_core import PydanticCustomError

from earsim.schema.agent import AgentSpec
from earsim.schema.apparatus import Account
from earsim.schema.goal import Goal
from earsim.schema.model import FileModel, Id, Text
from earsim.schema.selector import Selector
from earsim.schema.workflow import Workflow


class Category(StrEnum):
    """What a task demands (OmniEAR, section 3)."""

    DIRECT_COMMAND = "direct_command"
    ATTRIBUTE_REASONING = "attribute_reasoning"
    TOOL_USE = "tool_use"
    COMPOUND_REASONING = "compound_reasoning"
    EXPLICIT_COLLABORATION = "explicit_collaboration"
    IMPLICIT_COLLABORATION = "implicit_collaboration"
    COMPOUND_COLLABORATION = "compound_collaboration"

    @property
    def is_collaboration(self) -> bool:
        """Whether it takes several agents."""
        return self.value.endswith("_collaboration")


def _shape(entry: object) -> str:
    return "commands" if isinstance(entry, dict) else "command"


RightClaim = Literal["done", "impossible", "unclear"]
"""What an agent is right to say in the end."""

Entry = Annotated[
    Annotated[Text, Tag("command")] | Annotated[dict[Id, Text], Tag("commands")],
    Discriminator(_shape),
]
"""One decision of a walkthrough."""


class Task(FileModel):
    """An instruction and the goal it means.

    Attributes:
        instruction: What agents are told. ``{target}`` stands for what the selector ``target``
            picked, ``{ward}`` for the room, door or object of that id.
        select: Selectors by the name under which goal and instruction use them (``$target``).
        answer: What each selector picked, by id; filled in when the scenario is made.
        budget: How many decisions are allowed; None leaves it to the ruleset.
        limits: What the runs of apparatus may cost altogether, by account.
        right_claim: Where agents may ``REPORT`` that a task is impossible or unclear: which claim
            is right, of this task; ``done`` if it can be done. None where there is no such verb.
        other_readings: Of an unclear task: what else its text may ask for, beside `goal`.
        walkthrough: A plan, one entry per decision: a command, or one command per agent id. Of an
            unclear task it wins, or reaches `goal`, the first of its readings.
        workflow: Family and domain of a scientific workflow task; None for any other.
    """

    id: Id
    category: Category
    instruction: Text = Field(min_length=1)
    goal: Goal
    select: dict[Id, Selector] = Field(default_factory=dict)
    answer: dict[Id, Id] = Field(default_factory=dict)
    budget: int | None = Field(default=None, strict=True, ge=1, le=1_000_000)
    limits: dict[Account, Annotated[float, Field(strict=True, ge=0, le=1e15)]] = Field(
        default_factory=dict
    )
    right_claim: RightClaim | None = None
    other_readings: tuple[Goal, ...] = Field(default=(), max_length=8)
    walkthrough: tuple[Entry, ...] = ()
    workflow: Workflow | None = None

    @model_validator(mode="after")
    def _is_unclear_by_two_readings(self) -> Self:
        if (self.right_claim == "unclear") is not bool(self.other_readings):
            reason = "'right_claim: unclear' and 'other_readings' go together"
            expected = "both, or neither"
            context = {"reason": reason, "expected": expected}
            raise PydanticCustomError("problem", "{reason}", context)
        return self


class SceneTask(Task):
    """A task as a scene file lists it, with the agents that it is for.

    Attributes:
        channel: Who hears what an agent says: those in its room, or all.
        knowledge: Whether what one agent perceives all know, or each keeps its own picture.
    """

    agents: tuple[AgentSpec, ...] = Field(min_length=1)
    channel: Literal["room", "all"] = "room"
    knowledge: Literal["shared", "own"] = "shared"

    @property
    def task(self) -> Task:
        """The task without its agents."""
        return Task.model_construct(**{name: getattr(self, name) for name in Task.model_fields})
