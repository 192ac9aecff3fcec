"""Apparatus in a world: settings, runs of their simulations, what these cost, and answers.

Everything here is an immutable value that is replaced on change, the states of simulations too: a
world with a run in it is copied by sharing that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from earsim.apparatus.bodies.transcript import Entry, Saved, entry_of
from earsim.apparatus.model import Expected, Model, ModelEvent, Sample
from earsim.apparatus.operation import Operation
from earsim.apparatus.parameter import Parameter, Settings, Value
from earsim.apparatus.publish import publish
from earsim.apparatus.wet_bench.pool import ACTION
from earsim.pickled import Frozen
from earsim.schema.apparatus import ApparatusNeeds, ApparatusPrice

_MS = 1000
_SECONDS_AN_HOUR = 3600.0
_MEGA = 1e6


@dataclass(frozen=True, slots=True)
class Rig(Frozen):
    """An apparatus of a scene, compiled.

    Attributes:
        model: the simulation.
        parameters: what can be configured here, within the bounds of here.
        settings: where it starts, complete.
        levels: values that are listed, by setting.
        needs: what a run takes.
        price: what a run costs.
        show: the channels on its display.
    """

    model: Model
    parameters: tuple[Parameter, ...]
    settings: Settings
    levels: Mapping[str, tuple[Any, ...]]
    needs: ApparatusNeeds
    price: ApparatusPrice
    show: tuple[str, ...]


class LabRun(NamedTuple):
    """One run of an apparatus.

    Attributes:
        operation: its id and status.
        apparatus: whose it is.
        agents: who began it.
        settings: what it runs with.
        state: of the simulation.
        started_ms: the moment it began.
        ended_ms: the moment it ended; None while it goes on.
        spent: cost units so far.
        fraction: of it that is done; None where that is not known.
        expected: what it will take.
        samples: every reading so far.
        events: every event so far.
        results: of a run that has ended, by name.
        message: why it failed.
    """

    operation: Operation
    apparatus: str
    agents: tuple[str, ...]
    settings: Settings
    state: Any
    started_ms: int
    ended_ms: int | None
    spent: float
    fraction: float | None
    expected: Expected
    samples: tuple[Sample, ...] = ()
    events: tuple[ModelEvent, ...] = ()
    results: Mapping[str, Value | None] = {}
    message: str = ""


class LedgerRow(NamedTuple):
    """What a run cost.

    Attributes:
        clock: when it was booked.
        agent: who began the run.
        apparatus: of which.
        account: such as ``eur``.
        amount: how much.
    """

    clock: int
    agent: str
    apparatus: str
    account: str
    amount: float


class SavedFile(NamedTuple):
    """A text in the folder of a workstation.

    Attributes:
        after: how many pieces of code were begun there before it was saved.
        file: its name and text.
    """

    after: int
    file: Saved


class Lab(NamedTuple):
    """All apparatus of a world, as they are now.

    Attributes:
        settings: by apparatus, those that were changed.
        runs: by the id of the operation, oldest first.
        ledger: what was booked.
        answers: the last answer to each question.
        tries: how often each question was answered.
        limits: what may be spent, by account.
        questions: what can be answered.
        files: by workstation, in the order in which they were saved.
    """

    settings: Mapping[str, Settings] = {}
    runs: Mapping[str, LabRun] = {}
    ledger: tuple[LedgerRow, ...] = ()
    answers: Mapping[str, Value] = {}
    tries: Mapping[str, int] = {}
    limits: Mapping[str, float] = {}
    questions: tuple[str, ...] = ()
    files: Mapping[str, tuple[SavedFile, ...]] = {}

    def running(self, apparatus: str) -> LabRun | None:
        """The run that goes on there."""
        for run in self.runs.values():
            if run.apparatus == apparatus and run.ended_ms is None:
                return run
        return None

    def last(self, apparatus: str) -> LabRun | None:
        """The newest run there."""
        found = [run for run in self.runs.values() if run.apparatus == apparatus]
        return found[-1] if found else None

    def work(self, workstation: str) -> tuple[Entry, ...]:
        """What its workspace has come from: all that was executed and saved there.

        Where the interpreter died, only the files are left of what was before.
        """
        pieces = [run.state for run in self.runs.values() if run.apparatus == workstation]
        files = self.files.get(workstation, ())
        found: list[Entry] = []
        for number in range(len(pieces) + 1):
            found += [file for after, file in files if after == number]
            if number == len(pieces):
                break
            entry, end = entry_of(pieces[number]), pieces[number].end
            if pieces[number].apart:
                continue
            if end is not None and not end.keeps:
                found = [entry for entry in found if isinstance(entry, Saved)]
            elif entry is not None:
                found.append(entry)
        return tuple(found)

    def booked(self, account: str) -> float:
        """What was spent of an account: by runs that have ended, and at the start of any."""
        return sum([row.amount for row in self.ledger if row.account == account], 0.0)

    def owed(self, account: str, rigs: Mapping[str, Rig], now_ms: int) -> float:
        """What runs that go on have cost so far, and is booked when they end."""
        return sum(
            [
                price_of(rigs[run.apparatus], max(now_ms - run.started_ms, 0) / _MS, run.spent).get(
                    account, 0.0
                )
                for run in self.runs.values()
                if run.ended_ms is None
            ],
            0.0,
        )

    def reserved(self, account: str, rigs: Mapping[str, Rig], now_ms: int) -> float:
        """What runs that go on are known to cost by their end, and what they cost so far else."""
        found = self.owed(account, rigs, now_ms)
        for run in self.runs.values():
            if run.ended_ms is None:
                rig, gone_s = rigs[run.apparatus], max(now_ms - run.started_ms, 0) / _MS
                so_far = price_of(rig, gone_s, run.spent).get(account, 0.0)
                found += max(0.0, expected_price(rig, run.expected).get(account, 0.0) - so_far)
        return found

    def left(self, account: str, rigs: Mapping[str, Rig], now_ms: int) -> float:
        """What a new run may cost: beside what was booked, and what runs that go on will cost.

        Without a limit there is no end of it; of the clock, what it shows at most is left.
        """
        limit = self.limits.get(account, math.inf)
        if account == "clock_s":
            return limit
        return limit - self.booked(account) - self.reserved(account, rigs, now_ms)

    def accounts(self, rigs: Mapping[str, Rig], clock: int) -> dict[str, tuple[float, float]]:
        """What is left of every account that has a limit, and the limit; of the clock, seconds."""
        found = {}
        for account, limit in self.limits.items():
            left = limit - clock
            if account != "clock_s":
                left = self.left(account, rigs, clock * _MS)
            found[account] = (max(0.0, left), limit)
        return found

    def with_run(self, run: LabRun) -> Lab:
        """With a new or changed run."""
        return self._replace(runs={**self.runs, run.operation.id: run})


def cost_of(rig: Rig, run: LabRun, now_ms: int) -> dict[str, float]:
    """What a run has cost so far, by account: its start, its time and its cost units."""
    end_ms = now_ms if run.ended_ms is None else run.ended_ms
    found = price_of(rig, max(end_ms - run.started_ms, 0) / _MS, run.spent)
    eur = publish(found.pop("eur", 0.0) + start_price(rig, run.settings))
    return {"eur": eur, **found} if eur else found


def price_of(rig: Rig, seconds: float, units: float) -> dict[str, float]:
    """What a run of that length costs, by account, without what is paid at its start."""
    price = rig.price
    hours = seconds / _SECONDS_AN_HOUR
    costs = {
        "eur": price.eur_per_h * hours + price.eur_per_mflop * units / _MEGA,
        "kwh": price.kwh_per_h * hours,
        "flop": units,
    }
    return {account: publish(amount) for account, amount in costs.items() if amount}


def start_price(rig: Rig, settings: Settings) -> float:
    """What is paid in euros when a run begins, for the run and for the operation it is."""
    return rig.price.eur_per_run + rig.price.eur_per.get(str(settings.get(ACTION, "")), 0.0)


def payable_units(rig: Rig, flop: float, eur: float) -> float:
    """The cost units that a run can be paid for.

    Args:
        rig: the apparatus.
        flop: cost units that are left.
        eur: money that is left, before the run begins.
    """
    if not rig.price.eur_per_mflop:
        return flop
    return min(flop, (eur - rig.price.eur_per_run) / rig.price.eur_per_mflop * _MEGA)


def expected_seconds(rig: Rig, expected: Expected) -> float:
    """How long a run is known to take; 0 where that is not known."""
    return (expected.allowance or 0.0) / (rig.model.rate or 1.0)


def expected_price(rig: Rig, expected: Expected) -> dict[str, float]:
    """What a run is known to cost, by account, without what is paid at its start."""
    return price_of(rig, expected_seconds(rig, expected), expected.cost or 0.0)


def known_price(rig: Rig, settings: Settings, expected: Expected) -> dict[str, float]:
    """What a run is known to cost in all, by account, with what is paid at its start."""
    costs = expected_price(rig, expected)
    return {**costs, "runs": 1.0, "eur": costs.get("eur", 0.0) + start_price(rig, settings)}
