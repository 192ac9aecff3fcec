"""Runtime perception on streams by script: which rule speaks, and when the model is asked."""

import pytest
from pydantic import ValidationError

from earsim.apparatus.maglev import MAGLEV
from earsim.apparatus.message import Envelope
from earsim.apparatus.model import Bounds, Severity
from earsim.apparatus.operation import OperationStatus
from earsim.apparatus.parameter import defaults
from earsim.apparatus.payload import CodeEvent, CodeOutput, ModelStateUpdate, OperationStart
from earsim_agents.science.embodied.perception import (
    OngoingRun,
    Perceived,
    by_rule,
    heard,
    look_s,
    newest,
    newest_values,
)
from earsim_agents.science.embodied.plan import Constraint, ExpectedReading

PI = {**defaults(MAGLEV.parameters), "topology": "pi", "Kp": 1.0, "Ki": 0.5}


def message(payload, n=0):
    return Envelope(f"m_{n}", payload, 0.0, "s", "op_1", OperationStatus.IN_PROGRESS)


def reading(t, **channels):
    return message(ModelStateUpdate(t=float(t), channels=channels))


def event(name, severity):
    return message(CodeEvent(event=name, severity=severity))


def started(expected_s):
    return message(OperationStart(clock=0.0, expected_s=expected_s))


def constraint(result, op, value, **more):
    return Constraint(name="c", result=result, op=op, value=value, **more)


def watched(*stream, constraints=(), expected=()):
    return OngoingRun(MAGLEV, PI, stream, constraints, expected)


def test_no_rule_speaks_of_a_run_as_it_should_be():
    quiet = (reading(1, y=0.4), event("done", Severity.INFO))
    wanted = [constraint("settling_s", "<=", 3.0), constraint("y", "<=", 1.2)]
    expected = [ExpectedReading(channel="y", low=0.0, high=1.2)]
    assert by_rule(watched(*quiet, constraints=wanted, expected=expected)) is None


def test_events_speak_by_their_severity_and_errors_first():
    warning, error = event("diverging", Severity.WARNING), event("nan", Severity.ERROR)
    assert by_rule(watched(warning)) == Perceived(state="WARNING", why="diverging")
    assert by_rule(watched(warning, error)) == Perceived(state="ERROR", why="nan")


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        (constraint("overshoot_percent", "<=", 10.0), "overshoot_percent <= 10 can no longer"),
        (constraint("overshoot_percent", "<", 29.9), "30 at least"),
        (constraint("settling_s", "<=", 1.5), "settling_s <= 1.5 can no longer be met (it will be"),
        (constraint("settling_s", "==", 1.0), "2 at least"),
        (constraint("y", "<", 1.2), "y is 1.3 at t 2"),
        (constraint("y", ">=", 0.5), "y is 0.4 at t 1"),
        (constraint("y", ">=", 1.31, after=1.5), "y is 1.3 at t 2"),
    ],
)
def test_a_constraint_that_can_no_longer_be_met_is_a_warning(wanted, told):
    found = by_rule(watched(reading(1, y=0.4), reading(2, y=1.3), constraints=[wanted]))
    assert found is not None
    assert found.state == "WARNING"
    assert told in found.why
    assert "can no longer be met" in found.why


@pytest.mark.parametrize(
    "wanted",
    [
        constraint("overshoot_percent", "<=", 30.1),
        constraint("overshoot_percent", ">=", 10.0),
        constraint("overshoot_percent", "!=", 0.0),
        constraint("settling_s", "<=", 2.5),
        constraint("settling_s", "==", 2.5),
        constraint("y", ">=", 0.5, after=1.5),
        constraint("y", "<=", 1.2, after=5.0),
        constraint("steady_error", "<=", 0.0),
        constraint("stable", "==", True),
        constraint("runs", "<=", 0.0),
        constraint("nothing_known", "<=", 0.0),
    ],
)
def test_a_constraint_that_can_still_be_met_or_is_of_no_run_is_none(wanted):
    stream = (reading(1, y=0.4), reading(2, y=1.3))
    assert by_rule(watched(*stream, constraints=[wanted])) is None


@pytest.mark.parametrize("value", [1.3, -0.1, None])
def test_a_reading_outside_the_expected_range_is_a_warning(value):
    expected = [ExpectedReading(channel="y", low=0.0, high=1.2)]
    found = by_rule(watched(reading(2, y=value), expected=expected))
    assert found is not None
    assert found.state == "WARNING"
    assert f"y is {value} at t 2" in found.why


def test_expectations_may_begin_later_and_of_one_side():
    late = [ExpectedReading(channel="y", high=1.2, after=3.0)]
    assert by_rule(watched(reading(2, y=1.3), expected=late)) is None
    assert by_rule(watched(reading(3, y=1.3), expected=late)) is not None
    below = [ExpectedReading(channel="y", low=0.0)]
    assert by_rule(watched(reading(2, y=99.0), reading(3, u=-1.0), expected=below)) is None


@pytest.mark.parametrize("bounds", [{}, {"low": 2.0, "high": 1.0}, {"low": float("nan")}])
def test_an_expectation_without_sense_is_refused(bounds):
    with pytest.raises(ValidationError):
        ExpectedReading(channel="y", **bounds)


@pytest.mark.parametrize(
    ("op", "value", "excluded"),
    [("<=", 0.9, True), ("<=", 1.0, False), (">=", 2.1, True), (">", 2.0, True), ("<", 1.0, True),
     ("==", 1.5, False), ("==", 3.0, True), ("!=", 1.5, False), ("==", True, False)],
)  # fmt: skip
def test_bounds_exclude_what_lies_outside_of_them(op, value, excluded):
    assert constraint("r", op, value).excludes(Bounds(1.0, 2.0)) is excluded


def test_looks_are_as_many_for_long_runs_as_for_short_ones():
    assert [look_s([started(whole)], 7.0) for whole in (6.0, 30.0, 600.0)] == [5, 5, 100]
    assert [look_s([started(None)], age) for age in (0.0, 3.0, 5.0, 10.0, 40.0)] == [
        5,
        5,
        5,
        10,
        40,
    ]


def test_of_code_its_lines_are_shown_and_its_numbers_kept():
    stream = (
        message(CodeOutput(stream="stdout", line="INTERMEDIATE: a=1.5")),
        message(ModelStateUpdate(t=1.0, channels={"a": 1.5})),
        message(CodeOutput(stream="stderr", line="x" * 900)),
    )
    assert newest(stream) == "stdout: INTERMEDIATE: a=1.5\nstderr: " + "x" * 200
    assert newest_values(stream) == {"a": 1.5}
    assert heard(stream) == 3
