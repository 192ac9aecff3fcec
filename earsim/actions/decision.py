"""One decision: one command per agent, and what became of all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from earsim.actions.outcome import Outcome, Refusal, Status
from earsim.actions.verb import Call, Verb
from earsim.processes.clock import Watch
from earsim.world import World


class Executor(Protocol):
    """Reads commands and carries them out.

    Attributes:
        watch: what the goal wants to know while time passes.
    """

    @property
    def watch(self) -> Watch:
        """See the attribute."""

    def parse(self, text: str) -> Call | Refusal:
        """The call a text stands for, or why it stands for none."""

    def verbatim(self, text: str) -> Verb | None:
        """The verb of a command that brings a text along; nothing is said beside it."""

    def execute(
        self, world: World, agent: str, text: str, partners: tuple[str, ...] = ()
    ) -> Outcome:
        """Carry out one command: of an agent, or of all these partners, of whom it is the first."""


_NOTHING: Mapping[str, Outcome] = {}


class Decision(NamedTuple):
    """The result of one turn of a policy.

    Attributes:
        outcomes: per agent that gave a command, in file order; one joint command gives all of its
            actors the same outcome.
        executed: the agents whose commands reached the world, with those commands, in order.
        status: the decision as a whole.
        claimed: somebody claimed that the task is done.
        over: the agents ended the episode.
        stalled: the agents that all wait for each other, if a team does.
        messages: what became of the messages that rode beside commands, by speaker.
        elapsed_s: seconds of world time that it took.
    """

    outcomes: Mapping[str, Outcome]
    executed: tuple[tuple[str, str], ...]
    status: Status
    claimed: bool
    over: bool
    stalled: tuple[str, ...] = ()
    messages: Mapping[str, Outcome] = _NOTHING
    elapsed_s: int = 0

    @classmethod
    def alone(
        cls,
        outcome: Outcome,
        given: tuple[str, str],
        *,
        claimed: bool,
        over: bool,
        elapsed_s: int = 0,
    ) -> Decision:
        """Of one agent that gave one command; made as a tuple, as outcomes are."""
        outcomes, nothing = {given[0]: outcome}, _NOTHING
        return tuple.__new__(
            cls, (outcomes, (given,), outcome.status, claimed, over, (), nothing, elapsed_s)
        )


Decide = Callable[[Executor, World, Mapping[str, str] | None], Decision]
"""How a ruleset turns one command per agent into a decision; None: the reply was unreadable."""


def unreadable(*, claimed: bool = False) -> Decision:
    """A turn that gave no commands at all: nothing happens, and it costs a decision."""
    return Decision({}, (), Status.FAILURE, claimed, over=False)
