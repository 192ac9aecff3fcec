"""Every status, type and direction: what a message does, and that an illegal one does nothing."""

import itertools

import pytest

from earsim.apparatus.machine import path
from earsim.apparatus.message import MessageDirection, MessageType
from earsim.apparatus.operation import Failure, OperationStatus, OperationType
from earsim.apparatus.payload import ErrorCode, OperationAck, OperationFailed, OperationRequest
from earsim.apparatus.tracker import Rejection, Tracker
from tests.apparatus.examples import envelope

S, M = OperationStatus, MessageType
PENDING, ACKNOWLEDGED, STARTED, IN_PROGRESS, COMPLETED, FAILED = S
BODY, AGENT = MessageDirection.TO_BODY, MessageDirection.TO_AGENT

# Columns: PENDING, ACKNOWLEDGED, STARTED, IN_PROGRESS, COMPLETED, FAILED. A letter is the status
# afterwards, "." that the message is illegal.
TABLE = {
    (M.OPERATION_REQUEST, BODY): "PASI..",
    (M.OPERATION_ACK, AGENT): "AASI..",
    (M.OPERATION_START, AGENT): ".S....",
    (M.OPERATION_PROGRESS, AGENT): "..II..",
    (M.OPERATION_COMPLETE, AGENT): "..CC..",
    (M.OPERATION_FAILED, AGENT): "FFFF..",
    (M.CODE_OUTPUT, AGENT): "..II..",
    (M.CODE_STATUS, AGENT): "..II..",
    (M.CODE_DEBUG, AGENT): "..II..",
    (M.CODE_EVENT, AGENT): "..II..",
    (M.MODEL_STATE_UPDATE, AGENT): "..II..",
    (M.STATE_VERIFICATION, BODY): "..SICF",
    (M.STATE_CONFIRMED, AGENT): "..SICF",
    (M.SESSION_INIT, BODY): "PASICF",
    (M.HEARTBEAT, BODY): "PASICF",
    (M.HEARTBEAT, AGENT): "PASICF",
    (M.ERROR, BODY): "PASICF",
    (M.ERROR, AGENT): "PASICF",
}
LETTERS = dict(zip("PASICF", S, strict=True))
EVERY = list(itertools.product(S, M, MessageDirection))


def expected(status, type_, direction):
    """The status afterwards; None where the message is illegal."""
    row = TABLE.get((type_, direction), "......")
    return LETTERS.get(row[list(S).index(status)])


def opened():
    """A tracker with one operation that was asked for."""
    run = OperationRequest(operation_type=OperationType.RUN)
    request = envelope(M.OPERATION_REQUEST, payload=run, id="m_1", status=PENDING)
    return given(Tracker("s_1"), request, BODY)


def given(tracker, message, direction):
    after = tracker.take(message, direction)
    assert isinstance(after, Tracker), after
    return after


WAYS = {
    PENDING: (),
    ACKNOWLEDGED: ((M.OPERATION_ACK, ACKNOWLEDGED),),
    STARTED: ((M.OPERATION_ACK, ACKNOWLEDGED), (M.OPERATION_START, STARTED)),
}
WAYS[IN_PROGRESS] = (*WAYS[STARTED], (M.OPERATION_PROGRESS, IN_PROGRESS))
WAYS[COMPLETED] = (*WAYS[IN_PROGRESS], (M.OPERATION_COMPLETE, COMPLETED))
WAYS[FAILED] = (*WAYS[IN_PROGRESS], (M.OPERATION_FAILED, FAILED))


def at(status):
    """A tracker whose operation came to a status by messages.

    While it could be, it was asked to stop (m_8) and its state was verified (m_9), so that there is
    something to answer.
    """
    tracker = opened()
    for type_, after in WAYS[status]:
        if type_ in (M.OPERATION_COMPLETE, M.OPERATION_FAILED):
            tracker = asked(tracker)
        tracker = given(tracker, envelope(type_, status=after), AGENT)
    return asked(tracker)


def asked(tracker):
    for type_, id in ((M.OPERATION_REQUEST, "m_8"), (M.STATE_VERIFICATION, "m_9")):
        after = tracker.take(envelope(type_, id=id), BODY)
        tracker = after if isinstance(after, Tracker) else tracker
    return tracker


def test_all_combinations_are_covered():
    assert len(EVERY) == 6 * 16 * 2
    assert all(len(row) == 6 for row in TABLE.values())


@pytest.mark.parametrize(("status", "type_", "direction"), EVERY, ids=str)
def test_the_machine(status, type_, direction):
    end = expected(status, type_, direction)
    found = path(status, type_, direction)
    if end is None:
        assert found is None
    else:
        assert found is not None
        assert (status, *found)[-1] is end


@pytest.mark.parametrize(("status", "type_", "direction"), EVERY, ids=str)
def test_the_tracker_does_what_the_machine_says(status, type_, direction):
    tracker = at(status)
    before = repr(tracker)
    assert tracker.operations["op_1"].status is status
    end = expected(status, type_, direction)
    answers = {M.OPERATION_ACK: "m_8", M.STATE_CONFIRMED: "m_9"}.get(type_)
    if (status, type_) == (PENDING, M.OPERATION_ACK):
        answers = "m_1"
    message = envelope(type_, id="m_10", status=end or status, answers=answers)
    after = tracker.take(message, direction)
    if end is None:
        assert isinstance(after, Rejection)
        assert after.code is ErrorCode.UNEXPECTED
    else:
        assert isinstance(after, Tracker)
        assert after.operations["op_1"].status is end
    assert repr(tracker) == before


def test_a_short_run_passes_in_progress():
    assert path(STARTED, M.OPERATION_COMPLETE, AGENT) == (IN_PROGRESS, COMPLETED)


def test_a_refused_request_has_failed():
    refusal = OperationAck(accepted=False, reason="busy")
    message = envelope(M.OPERATION_ACK, payload=refusal, status=FAILED)
    operation = given(opened(), message, AGENT).operations["op_1"]
    assert (operation.status, operation.failure) == (FAILED, Failure.ERROR)


@pytest.mark.parametrize("reason", Failure)
def test_a_failure_keeps_its_reason(reason):
    told = OperationFailed(reason=reason, message="why")
    message = envelope(M.OPERATION_FAILED, payload=told, status=FAILED)
    assert given(at(STARTED), message, AGENT).operations["op_1"].failure is reason
