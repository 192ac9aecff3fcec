"""The typed memory of an ordinary task, and what a model may write into it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from earsim_agents.memory.system_state import Moves, SystemState
from earsim_agents.replies.record import StrictReply

Step = Literal["orient", "search", "work", "repair", "verify", "finish"]

MOVES: Moves = {
    "orient": ("search", "work", "repair", "verify"),
    "search": ("work", "repair", "verify"),
    "work": ("search", "repair", "verify"),
    "repair": ("search", "work"),
    "verify": ("search", "work", "repair", "finish"),
    "finish": ("verify", "repair"),
}
"""What may follow each step of a task, beside itself.

Nothing is finished that was not verified, and what was repaired is done again before it is.
"""

MOST_CHARS = 2_000
"""Longest memory that is one string."""

Line = Annotated[str, Field(max_length=300)]
_Lines = Annotated[list[Line], Field(max_length=30)]


class TaskNote(StrictReply):
    """What a model writes beside its command; a field that it leaves out stays as it was.

    Attributes:
        step: what it is doing now.
        goal: what is asked, in its own words.
        done: what was brought about so far.
        learned: what it wants to remember of the world.
        next: what it means to do next.
    """

    step: Step = "orient"
    goal: Line = ""
    done: _Lines = Field(default_factory=list)
    learned: _Lines = Field(default_factory=list)
    next: Line = ""


class MemoryProblems(BaseModel):
    """How often a memory could not be taken, and why the last one could not.

    Attributes:
        unreadable: replies whose memory could not be read.
        problem: what was wrong with that of the last reply; empty where nothing was.
    """

    unreadable: int = 0
    problem: str = ""


class TaskState(MemoryProblems, SystemState):
    """What is known of a task.

    `error` is not the model's to write: it is what the last command was refused with.

    Attributes:
        done: what was brought about, as the model says.
        learned: what it remembers of the world.
        next: what it means to do next.
    """

    current_step: str = "orient"
    done: list[str] = Field(default_factory=list)
    learned: list[str] = Field(default_factory=list)
    next: str = ""


class StringState(MemoryProblems):
    """The same as one text.

    Attributes:
        text: as the model wrote it last.
    """

    text: str = ""


TaskMemoryState = TaskState | StringState


class TeamState(BaseModel):
    """Memories of several voices.

    Attributes:
        agents: by the agent that each speaks for.
    """

    agents: dict[str, TaskState | StringState]
