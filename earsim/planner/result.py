"""Results of planning: a plan, a proof that there is none, or unknown within the limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from earsim.apparatus.parameter import Value
from earsim.pickled import Frozen

DEFAULT_NODE_LIMIT = 20_000
"""States a search may reach before it gives up."""


class Knowledge(StrEnum):
    """What a plan may use.

    ORACLE knows the scene, but sends every EXPLORE that the rules ask for; certificates and step
    ratios refer to it. GLOBAL has everything discovered at the start.
    """

    ORACLE = "oracle"
    GLOBAL = "global"


class CommandClass(StrEnum):
    """Which of the commands that the rules accept a plan may use.

    PLAIN is what the benchmark's prompts advertise, ANY is everything; they differ in `ear-bench`.
    """

    PLAIN = "plain"
    ANY = "any"


class Why(StrEnum):
    """Why there is no plan."""

    NEVER_TRUE = "never_true"
    CONTRADICTION = "contradiction"
    NO_SUCH_THING = "no_such_thing"
    NO_ACTION_SETS_STATE = "no_action_sets_state"
    NO_SUCH_STATE = "no_such_state"
    NO_PROVIDER = "no_provider"
    NO_PROVIDER_TO_HOLD = "no_provider_to_hold"
    TOO_FEW_TOOLS = "too_few_tools"
    NO_KEY_TO_HOLD = "no_key_to_hold"
    NO_HANDS = "no_hands"
    TOO_HEAVY = "too_heavy"
    TOO_LARGE = "too_large"
    NOT_GRABBABLE = "not_grabbable"
    NO_CONTAINER = "no_container"
    NO_SPACE = "no_space"
    SHUT_IN = "shut_in"
    UNREACHABLE_ROOM = "unreachable_room"
    NOT_TOGETHER = "not_together"
    NUMBER_IS_FIXED = "number_is_fixed"
    OUT_OF_RANGE = "out_of_range"
    CANNOT_KNOW = "cannot_know"
    EXHAUSTED = "exhausted"


class NumericClaim(NamedTuple):
    """What was computed for one apparatus.

    Attributes:
        apparatus: its id.
        model: the simulation behind it.
        method: how the settings, or the answer, were found.
        grid: among which candidates; empty where there was no search.
        evaluated: how many runs that took.
        design: the settings that differ from those at the start.
        best: the results that the goal speaks of, or the answer by its question.
        cost: cost units of the run; 0 for a rig.
        margin: least distance of a number from its bound, as a share of the bound; None where only
            words and whole numbers decide.
    """

    apparatus: str
    model: str
    method: str
    grid: str
    evaluated: int
    design: Mapping[str, Value]
    best: Mapping[str, Value]
    cost: float
    margin: float | None


@dataclass(frozen=True, slots=True)
class Plan(Frozen):
    """Commands that reach the goal.

    Attributes:
        decisions: one mapping per decision, of agent id to command, in file order; an agent that is
            left out has nothing to do. DONE is not part of it.
        least: no plan takes fewer decisions, proved.
        bound: no plan takes fewer decisions than this, proved; equal to the length where `least`.
        commands: commands that are carried out; a joint one counts once.
        nodes: states that were reached in the search.
        seconds: that pass meanwhile; None where no number changes by itself.
        margin_ms: how far the nearest crossing of a number is from a moment at which commands take
            effect, up to an hour; None where no number changes by itself.
        numeric: what was computed to find it, where the goal speaks of results of apparatus.
    """

    decisions: tuple[Mapping[str, str], ...]
    least: bool
    bound: int
    commands: int
    nodes: int
    seconds: int | None = None
    margin_ms: int | None = None
    numeric: tuple[NumericClaim, ...] = ()

    def __len__(self) -> int:
        return len(self.decisions)


@dataclass(frozen=True, slots=True)
class Impossible(Frozen):
    """There is no plan.

    Attributes:
        why: the reason.
        facts: the ids, states and numbers that a sentence about it needs.
        nodes: states that were reached in the search; 0 where the rules alone settle it.
    """

    why: Why
    facts: Mapping[str, Any] = field(default_factory=dict)
    nodes: int = 0


@dataclass(frozen=True, slots=True)
class Unknown(Frozen):
    """Neither a plan nor a proof was found within the limit.

    Attributes:
        limit: states that the search was allowed.
        nodes: states it reached; below the limit, it came to the end of what it tries.
        bound: no plan takes fewer decisions than this, proved.
        workstation: that the goal wants code to run on, and the planner writes none; else empty.
    """

    limit: int
    nodes: int
    bound: int
    workstation: str = ""


Result = Plan | Impossible | Unknown
