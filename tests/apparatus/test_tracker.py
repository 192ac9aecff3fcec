"""A tracker of one session: many operations, answers, wrong messages, time."""

import pickle

import pytest

from earsim.apparatus.message import MessageDirection, MessageType
from earsim.apparatus.operation import Failure, OperationStatus, OperationType
from earsim.apparatus.payload import ErrorCode, ErrorReport, OperationAck, OperationRequest
from earsim.apparatus.tracker import Rejection, Tracker
from tests.apparatus.examples import envelope

S, M = OperationStatus, MessageType
BODY, AGENT = MessageDirection.TO_BODY, MessageDirection.TO_AGENT


def request(kind, **fields):
    fields = {"status": S.PENDING, "id": "m_1", **fields}
    return envelope(M.OPERATION_REQUEST, payload=OperationRequest(operation_type=kind), **fields)


def played(*messages, tracker=None):
    """A tracker after messages, each of which it takes."""
    tracker = tracker or Tracker("s_1")
    for message, direction in messages:
        after = tracker.take(message, direction)
        assert isinstance(after, Tracker), after
        tracker = after
    return tracker


def refused(tracker, message, direction):
    before = repr(tracker)
    after = tracker.take(message, direction)
    assert isinstance(after, Rejection)
    assert repr(tracker) == before
    return after.code


RUN = (request(OperationType.RUN), BODY)
ACK = (envelope(M.OPERATION_ACK, status=S.ACKNOWLEDGED), AGENT)
START = (envelope(M.OPERATION_START, status=S.STARTED), AGENT)
UPDATE = (envelope(M.MODEL_STATE_UPDATE), AGENT)
STOP = (request(OperationType.STOP, id="m_30", status=S.IN_PROGRESS), BODY)
STOPPING = (envelope(M.OPERATION_ACK, answers="m_30"), AGENT)
HALTED = (envelope(M.OPERATION_FAILED, status=S.FAILED), AGENT)


def test_a_run_that_diverges_is_stopped_and_a_repaired_one_completes():
    tracker = played(
        RUN, ACK, START, UPDATE, (envelope(M.CODE_EVENT), AGENT), STOP, STOPPING, HALTED
    )
    assert tracker.operations["op_1"].failure is Failure.HALTED
    again = {"operation": "op_2", "answers": "m_33"}
    tracker = played(
        (request(OperationType.RUN, operation="op_2", id="m_33"), BODY),
        (envelope(M.OPERATION_ACK, status=S.ACKNOWLEDGED, **again), AGENT),
        (envelope(M.OPERATION_START, status=S.STARTED, operation="op_2"), AGENT),
        (envelope(M.OPERATION_COMPLETE, status=S.COMPLETED, operation="op_2"), AGENT),
        tracker=tracker,
    )
    statuses = {id: operation.status for id, operation in tracker.operations.items()}
    assert statuses == {"op_1": S.FAILED, "op_2": S.COMPLETED}


def test_nothing_comes_before_the_ack():
    for message, direction in (START, UPDATE, (envelope(M.OPERATION_COMPLETE), AGENT)):
        assert refused(played(RUN), message, direction) is ErrorCode.UNEXPECTED


def test_operations_of_one_session_do_not_mix():
    other = (request(OperationType.RUN, operation="op_2", id="m_5"), BODY)
    tracker = played(RUN, other, ACK, START)
    assert tracker.operations["op_2"].status is S.PENDING


def test_an_operation_begins_once():
    assert refused(played(RUN), *RUN) is ErrorCode.KNOWN_OPERATION


def test_a_new_operation_is_pending():
    message = request(OperationType.RUN, status=S.STARTED)
    assert refused(Tracker("s_1"), message, BODY) is ErrorCode.WRONG_STATUS


def test_an_operation_that_nobody_began_is_unknown():
    assert refused(Tracker("s_1"), *START) is ErrorCode.UNKNOWN_OPERATION
    assert refused(Tracker("s_1"), *STOP) is ErrorCode.UNKNOWN_OPERATION


def test_messages_of_another_session_are_refused():
    message = envelope(M.HEARTBEAT, session="s_2")
    assert refused(Tracker("s_1"), message, BODY) is ErrorCode.UNKNOWN_SESSION


def test_a_body_that_tells_another_status_has_lost_a_message():
    message = envelope(M.MODEL_STATE_UPDATE, status=S.STARTED)
    assert refused(played(RUN, ACK, START), message, AGENT) is ErrorCode.WRONG_STATUS


@pytest.mark.parametrize("answers", ["m_1", "m_77"])
def test_an_ack_answers_a_request_that_is_open(answers):
    tracker = played(RUN, ACK, START, UPDATE)
    message = envelope(M.OPERATION_ACK, answers=answers)
    assert refused(tracker, message, AGENT) is ErrorCode.UNKNOWN_REQUEST


def test_a_stop_is_acknowledged_once():
    tracker = played(RUN, ACK, START, UPDATE, STOP, STOPPING)
    assert tracker.operations["op_1"].status is S.IN_PROGRESS
    assert refused(tracker, *STOPPING) is ErrorCode.UNKNOWN_REQUEST


def test_a_refused_stop_leaves_the_operation_running():
    refusal = OperationAck(accepted=False, reason="not_running")
    tracker = played(RUN, ACK, START, UPDATE, STOP)
    answer = envelope(M.OPERATION_ACK, payload=refusal, answers="m_30")
    assert played((answer, AGENT), tracker=tracker).operations["op_1"].status is S.IN_PROGRESS


def test_a_verification_may_be_answered_name_by_name():
    tracker = played(RUN, ACK, START, UPDATE, (envelope(M.STATE_VERIFICATION, id="m_9"), BODY))
    answer = (envelope(M.STATE_CONFIRMED, answers="m_9"), AGENT)
    assert played(answer, answer, tracker=tracker) == tracker
    unasked = envelope(M.STATE_CONFIRMED, answers="m_10")
    assert refused(tracker, unasked, AGENT) is ErrorCode.UNKNOWN_REQUEST


def test_an_error_is_never_refused_where_it_can_be_sent():
    report = ErrorReport(code=ErrorCode.UNEXPECTED, text="why")
    message = envelope(M.ERROR, payload=report, operation="op_99", status=None)
    assert Tracker("s_1").take(message, AGENT) == Tracker("s_1")


def test_an_operation_that_does_not_end_fails_by_timeout_and_is_forgotten_a_minute_later():
    tracker = played(RUN, ACK, START)  # asked for at 12 s
    assert tracker.at(611.9) == tracker
    late = tracker.at(612.0).operations["op_1"]
    assert (late.status, late.failure) == (S.FAILED, Failure.TIMEOUT)
    assert "op_1" in tracker.at(671.9).operations
    assert "op_1" not in tracker.at(672.0).operations


def test_an_operation_that_has_ended_does_not_time_out():
    tracker = played(RUN, ACK, START, UPDATE, STOP, STOPPING, HALTED)
    assert tracker.at(650.0).operations["op_1"].failure is Failure.HALTED


def test_a_tracker_is_a_value():
    tracker = played(RUN, ACK, START, UPDATE, STOP)
    assert pickle.loads(pickle.dumps(tracker)) == tracker
