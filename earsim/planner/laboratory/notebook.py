"""A notebook: what a team has seen of the runs of one apparatus, by outcomes of commands alone."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from earsim.actions.outcome import Outcome, Reason
from earsim.apparatus.design import Results
from earsim.apparatus.operation import Failure, OperationStatus
from earsim.apparatus.parameter import Settings

_NO_MORE = frozenset(
    {
        Reason.LIMIT_REACHED,
        *(Reason.MISSING_INPUT, Reason.UNKNOWN_ACTION, Reason.INCOMPLETE),
        *(Reason.BAD_VALUE, Reason.OUT_OF_BOUNDS),
    }
)
"""Refusals after which trying the same again is in vain."""


class NotebookStage(StrEnum):
    """What is to be done about the run that goes on; ``idle`` where none does."""

    IDLE = "idle"
    WAIT = "wait"
    READ = "read"
    STOP = "stop"


class Notebook:
    """Runs of one apparatus.

    Attributes:
        start: the settings as they were at first.
        settings: as they are.
        trials: settings and results of the runs that have ended, oldest first; None for the results
            of one that broke off or was stopped.
        stopped: how many were stopped.
        spent: cost units of the runs that were read or stopped.
        paid: what those have cost by account, as STOP and READ tell it.
        stage: of the run that goes on.
        refused: no more runs can be paid for, or the next one is not taken.
    """

    def __init__(self, settings: Settings) -> None:
        """Before the first run.

        Args:
            settings: as the apparatus shows them at first.
        """
        self.start = settings
        self.settings = dict(settings)
        self.trials: list[tuple[Settings, Results | None]] = []
        self.stopped = 0
        self.spent = 0.0
        self.paid: dict[str, float] = {}
        self.stage = NotebookStage.IDLE
        self.refused = False

    @property
    def completed(self) -> list[tuple[Settings, Results]]:
        """The runs that came to their end."""
        return [(settings, results) for settings, results in self.trials if results is not None]

    def note(self, outcome: Outcome) -> None:
        """Take note of what came of a command about this apparatus, whoever gave it."""
        facts = outcome.facts
        if outcome.verb == "RUN":
            self._begun(outcome)
        elif outcome.verb == "WAIT" and self.stage is NotebookStage.WAIT:
            self._waited(outcome)
        elif outcome.reason is Reason.NOT_RUNNING and self.stage is NotebookStage.STOP:
            self.stage = NotebookStage.READ  # it has ended meanwhile
        elif not outcome.accepted:
            return
        elif outcome.verb == "CONFIGURE":
            self.settings.update(facts["settings"])
        elif outcome.verb == "STOP":
            self.stopped += 1
            self._pay(facts)
            self._ended(None)
        elif outcome.verb == "READ" and self.stage is NotebookStage.READ:
            self._read(facts)

    def _begun(self, outcome: Outcome) -> None:
        if outcome.accepted:
            self.stage = NotebookStage.WAIT
        elif outcome.reason in _NO_MORE:
            self.refused = True

    def _waited(self, outcome: Outcome) -> None:
        """What has warned and still runs is not read first: that would take time."""
        notices = [notice["event"] for notice in outcome.facts.get("notices", ())]
        if notices and not {OperationStatus.COMPLETED, OperationStatus.FAILED} & {*notices}:
            self.stage = NotebookStage.STOP
        elif outcome.accepted or outcome.reason is Reason.ALREADY_SO:
            self.stage = NotebookStage.READ

    def _read(self, facts: Mapping[str, Any]) -> None:
        """Results; while it still runs, it has warned."""
        status = facts["status"]
        if status in (OperationStatus.COMPLETED, OperationStatus.FAILED):
            self._pay(facts)
        if status == OperationStatus.COMPLETED:
            self._ended(facts["results"])
        elif status == OperationStatus.FAILED:
            self.refused |= facts["failure"] == Failure.BUDGET
            self._ended(None)
        else:
            self.stage = NotebookStage.STOP

    def _pay(self, facts: Mapping[str, Any]) -> None:
        self.spent += facts["spent"]
        for account, amount in facts["cost"].items():
            self.paid[account] = self.paid.get(account, 0.0) + amount

    def _ended(self, results: Results | None) -> None:
        self.trials.append((dict(self.settings), results))
        self.stage = NotebookStage.IDLE
