"""What runs of apparatus cost: at their start, while they go on, and by what is known of them."""

import math
from typing import Any

import pytest

from earsim.apparatus.model import Expected
from earsim.apparatus.operation import Operation, OperationStatus, OperationType
from earsim.apparatus.wet_bench.pool import ACTION
from earsim.schema.apparatus import Apparatus
from earsim.world.lab import (
    Lab,
    LabRun,
    LedgerRow,
    cost_of,
    expected_price,
    expected_seconds,
    known_price,
    payable_units,
    price_of,
    start_price,
)
from earsim.world.rigs import rig

PRICE = {"eur_per_run": 2.0, "eur_per_h": 36.0, "eur_per_mflop": 5.0, "kwh_per_h": 7.2}
RIG = rig("rig", Apparatus.model_validate({"model": "maglev/1", "price": PRICE}))
FREE = rig("rig", Apparatus.model_validate({"model": "maglev/1"}))
RIGS = {"rig": RIG}
RATE = RIG.model.rate or 1.0


def run(number: int = 1, *, ended_ms: int | None = None, **more: Any) -> LabRun:
    """One that began at two seconds, and has spent a hundred thousand cost units."""
    operation = Operation(f"op_{number}", OperationType.RUN, 1.0, OperationStatus.IN_PROGRESS)
    made = LabRun(
        operation, "rig", ("ada",), {}, None, 2000, ended_ms, 1e5, None, Expected(None, None)
    )
    return made._replace(**more)


def lab(*runs: LabRun, **more: Any) -> Lab:
    return Lab(runs={each.operation.id: each for each in runs}, **more)


def test_time_and_cost_units_have_a_price():
    assert price_of(RIG, 100.0, 1e5) == {"eur": 1.5, "kwh": 0.2, "flop": 1e5}
    assert price_of(RIG, 100.0, 0.0) == {"eur": 1.0, "kwh": 0.2}
    assert price_of(FREE, 100.0, 0.0) == {}


def test_a_run_costs_its_start_and_what_it_has_taken():
    assert cost_of(RIG, run(), 102_000) == {"eur": 3.5, "kwh": 0.2, "flop": 1e5}
    assert cost_of(RIG, run(ended_ms=52_000), 102_000) == {"eur": 3.0, "kwh": 0.1, "flop": 1e5}
    assert cost_of(RIG, run(), 1000) == {"eur": 2.5, "flop": 1e5}
    assert cost_of(FREE, run(), 102_000) == {"flop": 1e5}


def test_an_operation_may_have_a_price_of_its_own():
    bench = {"model": "wet_bench/1", "pool": {"actions": [{"name": "spin"}, {"name": "cool"}]}}
    price = {"eur_per_run": 2.0, "eur_per": {"spin": 3.0}}
    made = rig("rig", Apparatus.model_validate(bench | {"price": price}))
    assert start_price(made, {ACTION: "spin"}) == 5.0
    assert start_price(made, {ACTION: "cool"}) == start_price(made, {}) == 2.0


def test_what_can_be_paid_is_what_is_left_after_the_start():
    assert payable_units(RIG, 1e9, 12.0) == 2e6
    assert payable_units(RIG, 1e5, 12.0) == 1e5
    assert payable_units(FREE, 1e9, 0.0) == 1e9


def test_what_is_known_of_a_run_has_a_price_beforehand():
    known = Expected(100.0 * RATE, 1e5)
    assert expected_seconds(RIG, known) == pytest.approx(100.0)
    assert expected_price(RIG, known) == {"eur": 1.5, "kwh": 0.2, "flop": 1e5}
    assert known_price(RIG, {}, known) == {"eur": 3.5, "kwh": 0.2, "flop": 1e5, "runs": 1.0}
    nothing = Expected(None, None)
    assert expected_seconds(RIG, nothing) == 0.0
    assert known_price(RIG, {}, nothing) == {"eur": 2.0, "runs": 1.0}


def test_what_was_booked_is_of_its_account():
    rows = [("eur", 2.0), ("kwh", 5.0), ("eur", 0.5)]
    made = Lab(ledger=tuple([LedgerRow(1, "ada", "rig", *row) for row in rows]))
    assert [made.booked(account) for account in ("eur", "kwh", "flop")] == [2.5, 5.0, 0.0]


def test_runs_that_go_on_owe_what_they_took_and_have_reserved_what_they_will():
    ended = run(2, ended_ms=50_000)
    made = lab(run(), ended, run(3, started_ms=200_000, spent=0.0))
    assert made.owed("eur", RIGS, 102_000) == 1.5
    assert made.owed("kwh", RIGS, 102_000) == 0.2
    assert made.reserved("eur", RIGS, 102_000) == 1.5
    known = Expected(200.0 * RATE, 1e5)
    going = lab(run(expected=known), ended)
    assert going.reserved("eur", RIGS, 102_000) == pytest.approx(2.5)
    assert going.reserved("flop", RIGS, 102_000) == 1e5
    assert going.reserved("eur", RIGS, 402_000) == pytest.approx(4.5), "longer than was known"


def test_what_is_left_of_a_limit():
    rows = (LedgerRow(1, "ada", "rig", "eur", 2.0),)
    made = lab(run(), ledger=rows, limits={"eur": 10.0, "clock_s": 500.0, "kwh": 0.1})
    assert made.left("eur", RIGS, 102_000) == 6.5
    assert made.left("flop", RIGS, 102_000) == math.inf
    assert made.left("clock_s", RIGS, 102_000) == 500.0
    assert made.accounts(RIGS, 102) == {
        "eur": (6.5, 10.0),
        "clock_s": (398.0, 500.0),
        "kwh": (0.0, 0.1),
    }


def test_the_run_that_goes_on_and_the_newest():
    ended, other = run(1, ended_ms=9000), run(3, apparatus="spare")
    made = lab(ended, run(2), other)
    assert made.running("rig") == run(2)
    assert made.last("spare") == other
    assert (made.running("desk"), made.last("desk")) == (None, None)
    done = made.with_run(run(2, ended_ms=9500))
    assert done.running("rig") is None
    assert done.last("rig") == run(2, ended_ms=9500)
    assert [*done.runs] == ["op_1", "op_2", "op_3"]
