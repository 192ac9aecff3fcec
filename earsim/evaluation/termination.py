"""How an episode can end: three outcomes, and the reasons why."""

from __future__ import annotations

from enum import StrEnum


class EpisodeOutcome(StrEnum):
    """What an episode counts as."""

    SUCCESS = "success"  # the verdict that the ruleset publishes: ever true, or true at the end
    FAILURE = "failure"
    NO_MEASUREMENT = "no_measurement"  # says nothing about the policy


class Ending(StrEnum):
    """Why an episode ended."""

    DONE = "done"  # the agents said so
    REPORTED = "reported"  # they said that the task is impossible, or unclear
    GOAL = "goal"  # it was reached, and the episode ends on that
    BUDGET = "budget"
    PARSE_FAILURE = "parse_failure"  # too many unreadable replies in a row
    OUT_OF_TIME = "out_of_time"  # its player had no minutes left, see `earsim participate`
    CONTEXT_OVERFLOW = "context_overflow"  # the prompt no longer fits the model
    NO_ROOM_TO_BEGIN = "no_room_to_begin"  # the first prompt does not fit the model
    QUIT = "quit"  # its player left, and may go on
    SERVER_FAULT = "server_fault"  # the server or the network gave out
    REQUEST_REFUSED = "request_refused"  # the server answers, and would refuse it again
    LOAD_FAILURE = "load_failure"  # the scenario cannot be loaded
    NOT_PLAYABLE = "not_playable"  # the policy refuses this scenario: no plan, no recording
    NO_SANDBOX = "no_sandbox"  # code was to be executed, and this machine isolates it too little
    CODE_TIMEOUT = "code_timeout"  # this machine took too long for the code
    MODEL_FAULT = "model_fault"  # a simulator elsewhere did not answer, or not with sense
    CRASH = "crash"  # a defect, of ours or of a policy

    @property
    def is_measured(self) -> bool:
        """Whether it says anything about the policy."""
        return self not in _NOT_MEASURED


_NOT_MEASURED = frozenset(
    (
        Ending.NO_ROOM_TO_BEGIN,
        Ending.QUIT,
        Ending.SERVER_FAULT,
        Ending.REQUEST_REFUSED,
        Ending.LOAD_FAILURE,
        Ending.NOT_PLAYABLE,
        Ending.NO_SANDBOX,
        Ending.CODE_TIMEOUT,
        Ending.MODEL_FAULT,
        Ending.CRASH,
    )
)


def outcome_of(ending: Ending, *, success: bool) -> EpisodeOutcome:
    """What an episode counts as that ended so."""
    if not ending.is_measured:
        return EpisodeOutcome.NO_MEASUREMENT
    return EpisodeOutcome.SUCCESS if success else EpisodeOutcome.FAILURE
