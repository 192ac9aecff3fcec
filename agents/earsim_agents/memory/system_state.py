"""The typed state that every policy with a memory has in common (Millison et al.).

A policy keeps one in its attribute `state`; runs store it with every decision that changed it, and
the viewer shows it. What a domain knows beside it is added in a model of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, Field

Moves = Mapping[str, tuple[str, ...]]
"""What may follow each step; a step may always follow itself unless a policy says otherwise."""


class Transition(BaseModel):
    """One move of the trace.

    Attributes:
        step: where it was made.
        signal: what led to it: a query, a result or an error.
        next: where it led; with `allowed` false, where it would have led.
        allowed: whether the table has it.
    """

    step: str
    signal: str
    next: str
    allowed: bool = True


class SystemState(BaseModel):
    """What is known in every domain.

    Attributes:
        goal: what is asked, in the words of the model.
        current_step: where it is.
        error: what went wrong last; empty where nothing did.
        trace: every move.
    """

    goal: str = ""
    current_step: str = ""
    error: str = ""
    trace: list[Transition] = Field(default_factory=list)

    def record(self, signal: str, following: str, *, allowed: bool = True) -> None:
        """Append a move from the current step to the trace."""
        self.trace.append(
            Transition(
                step=self.current_step,
                signal=signal[:200],
                next=following[:64],
                allowed=allowed,
            )
        )


def refusal(step: str, following: str, moves: Moves) -> str:
    """The sentence that refuses a move; empty where the table has it."""
    if following in moves[step]:
        return ""
    return f"{step} cannot be followed by {following}: choose {', '.join(moves[step])}"
