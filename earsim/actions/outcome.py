"""What became of a command: a value, never an exception."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple


class Status(StrEnum):
    """How a command ended. INVALID: refused before it began; FAILURE: refused in the attempt.

    The two kinds of refusal change nothing. PARTIAL: it took effect as far as it went. WAITING is
    kept for actions that run over several decisions.
    """

    SUCCESS = "SUCCESS"
    FAILURE = "FAILURE"
    INVALID = "INVALID"
    PARTIAL = "PARTIAL"
    WAITING = "WAITING"


class Reason(StrEnum):
    """Why a command was refused. The names are those of the recorded reference where they fit."""

    UNKNOWN_VERB = "unknown_verb"
    BAD_FORMAT = "bad_format"
    BLANK_COMMAND = "blank_command"
    TOO_LONG = "too_long"
    COOP_LOCK = "coop_lock"
    IDLE = "idle"
    NO_SUCH_AGENT = "no_such_agent"
    NO_SUCH_TARGET = "no_such_target"
    NO_SUCH_OBJECT = "no_such_object"
    NO_SUCH_LOCATION = "no_such_location"
    UNDISCOVERED = "undiscovered"
    WRONG_ROOM = "wrong_room"
    NOT_IN_SIGHT = "not_in_sight"
    NOWHERE = "nowhere"
    EXPLORE_OTHER_ROOM = "explore_other_room"
    PLACE_TARGET_OTHER_ROOM = "place_target_other_room"
    NOT_NEAR_GRAB = "not_near_grab"
    NOT_NEAR_PLACE = "not_near_place"
    NOT_NEAR = "not_near"
    CLOSED_CONTAINER = "closed_container"
    NOT_GRABBABLE = "not_grabbable"
    OVERWEIGHT = "overweight"
    OVERWEIGHT_WITH_CONTENTS = "overweight_with_contents"
    TOO_LARGE = "too_large"
    HANDS_FULL = "hands_full"
    HELD_BY_OTHER = "held_by_other"
    ALREADY_HOLDING = "already_holding"
    NOT_HOLDING = "not_holding"
    PLACE_INCOMPLETE = "place_incomplete"
    NOT_CONTAINER = "not_container"
    ON_ROOM = "on_room"
    INSIDE_ITSELF = "inside_itself"
    NO_SPACE = "no_space"
    OVERLOADED = "overloaded"
    ON_WHEELS = "on_wheels"
    ATTR_MISSING = "attr_missing"
    ATTR_PRECONDITION = "attr_precondition"
    NO_ABILITY = "no_ability"
    NO_KEY = "no_key"
    NO_INSTRUMENT = "no_instrument"
    NOTHING_TO_MEASURE = "nothing_to_measure"
    LOCKED = "locked"
    STILL_OPEN = "still_open"
    LID_BLOCKED = "lid_blocked"
    PLUGGED_IN = "plugged_in"
    CONNECTED = "connected"
    NOT_CONNECTABLE = "not_connectable"
    NOT_CONNECTED = "not_connected"
    NO_VESSEL = "no_vessel"
    NO_SOURCE = "no_source"
    NOTHING_TO_POUR = "nothing_to_pour"
    VESSEL_FULL = "vessel_full"
    NO_SUCH_MARK = "no_such_mark"
    ALREADY_SO = "already_so"
    NOT_PERCEIVED = "not_perceived"
    TOO_LONG_A_WAIT = "too_long_a_wait"
    DERIVED = "derived"
    NOT_APPARATUS = "not_apparatus"
    NO_POWER = "no_power"
    BUSY = "busy"
    UNKNOWN_SETTING = "unknown_setting"
    BAD_VALUE = "bad_value"
    OUT_OF_BOUNDS = "out_of_bounds"
    NOT_LOADED = "not_loaded"
    LIMIT_REACHED = "limit_reached"
    NOT_RUNNING = "not_running"
    NO_OUTPUT = "no_output"
    UNKNOWN_QUESTION = "unknown_question"
    NOT_WORKSTATION = "not_workstation"
    NEEDS_CODE = "needs_code"
    NO_SANDBOX = "no_sandbox"
    NO_INTERPRETER = "no_interpreter"
    BAD_NAME = "bad_name"
    FOLDER_FULL = "folder_full"
    UNKNOWN_ACTION = "unknown_action"
    INCOMPLETE = "incomplete"
    MISSING_INPUT = "missing_input"
    NO_PATH = "no_path"
    TOO_NARROW = "too_narrow"
    STAIRS = "stairs"
    INITIATOR_NOT_LISTED = "initiator_not_listed"
    PARTNER_MISSING = "partner_missing"
    COOP_NOT_NEEDED = "coop_not_needed"
    COOP_AGENT_ELSEWHERE = "coop_agent_elsewhere"
    COOP_NOT_CARRYING = "coop_not_carrying"
    COOP_MOVE_FAILED = "coop_move_failed"
    COOP_DISAGREE = "coop_disagree"


_NO_FACTS: Mapping[str, Any] = {}


class Refusal:
    """A check's objection. Nothing changes it; two a step are made, so it is no named tuple.

    Attributes:
        reason: why.
        facts: the ids and numbers that a sentence or a program needs.
    """

    __slots__ = ("facts", "reason")

    def __init__(self, reason: Reason, facts: Mapping[str, Any] = _NO_FACTS) -> None:
        """Fill the slots."""
        self.reason = reason
        self.facts = facts

    def __eq__(self, other: object) -> bool:
        """Whether the other objects with the same reason and facts."""
        if not isinstance(other, Refusal):
            return NotImplemented
        return self.reason is other.reason and self.facts == other.facts

    def __hash__(self) -> int:
        """Of the reason."""
        return hash(self.reason)

    def __repr__(self) -> str:
        """Reason and facts, for messages of tests."""
        return f"Refusal({self.reason!r}, {self.facts!r})"


class Outcome(NamedTuple):
    """The typed result of one command of one agent.

    Attributes:
        agent: who gave it.
        command: the text as given.
        verb: canonical verb name, or "" when none was recognised.
        status: how it ended.
        reason: why it was refused; None on success.
        facts: ids involved and numbers compared (kg, m, l, s), as JSON values.
        actors: every agent the command moved.
        seconds: world time it takes; 0 when refused.
    """

    agent: str
    command: str
    verb: str
    status: Status
    reason: Reason | None
    facts: Mapping[str, Any]
    actors: tuple[str, ...]
    seconds: int = 0

    @classmethod
    def success(
        cls,
        agent: str,
        command: str,
        verb: str,
        facts: Mapping[str, Any] | None = None,
        actors: tuple[str, ...] = (),
        seconds: int = 0,
        status: Status = Status.SUCCESS,
    ) -> Outcome:
        """Of a command that took effect; the one who gave it acted, where nobody is named."""
        actors = actors or (agent,)  # made as a tuple: half the time of a call of the class
        return tuple.__new__(
            cls, (agent, command, verb, status, None, facts or {}, actors, seconds)
        )

    @classmethod
    def refused(
        cls,
        agent: str,
        command: str,
        verb: str,
        refusal: Refusal,
        status: Status,
        actors: tuple[str, ...] = (),
    ) -> Outcome:
        """Of a command that was refused; its facts are the caller's own."""
        facts = dict(refusal.facts)
        actors = actors or (agent,)
        return tuple.__new__(cls, (agent, command, verb, status, refusal.reason, facts, actors, 0))

    @property
    def accepted(self) -> bool:
        """Whether the command took effect."""
        return self.reason is None

    def to_json(self) -> dict[str, Any]:
        """A fresh dictionary of JSON values."""
        return {
            "agent": self.agent,
            "command": self.command,
            "verb": self.verb,
            "status": self.status.value,
            "reason": None if self.reason is None else self.reason.value,
            "facts": dict(self.facts),
        }
