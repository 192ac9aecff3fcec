"""Messages: each type goes to JSON and back, and nothing else is one."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earsim.apparatus.message import (
    PAYLOADS,
    Envelope,
    MessageDirection,
    MessageType,
    error_about,
    from_json,
)
from earsim.apparatus.operation import OperationStatus
from earsim.apparatus.payload import ErrorCode
from earsim.errors import UnreadableMessage
from tests.apparatus.examples import EXAMPLES, envelope

M = MessageType


def fields(type_=M.MODEL_STATE_UPDATE, **changed):
    return {**json.loads(envelope(type_).to_json()), **changed}


@pytest.mark.parametrize("type_", M)
def test_a_message_survives_json(type_):
    for payload in EXAMPLES[type_]:
        message = envelope(type_, payload=payload)
        text = message.to_json()
        assert "\n" not in text
        assert from_json(text) == message
        assert from_json(text.encode()) == message
        assert from_json(text).to_json() == text


def test_there_are_sixteen_types_with_a_payload_each():
    assert len(M) == 16
    assert list(PAYLOADS) == list(M)
    assert len(set(PAYLOADS.values())) == 16


def test_the_fields_of_a_message():
    assert fields() == {
        "id": "m_2",
        "type": "model_state_update",
        "payload": {"t": 0.1, "channels": {"y": 0.5, "u": None}},
        "timestamp": 12.0,
        "session_id": "s_1",
        "operation_id": "op_1",
        "status": "in_progress",
        "correlation_id": None,
    }


@pytest.mark.parametrize("name", list(fields()))
def test_no_field_may_be_missing(name):
    left = {key: value for key, value in fields().items() if key != name}
    with pytest.raises(UnreadableMessage):
        from_json(json.dumps(left))


@pytest.mark.parametrize(
    "changed",
    [
        {"more": 1},
        {"id": ""},
        {"id": 3},
        {"type": "model_update"},
        {"type": "MODEL_STATE_UPDATE"},
        {"timestamp": "12"},
        {"timestamp": -1.0},
        {"timestamp": None},
        {"timestamp": True},
        {"session_id": ""},
        {"session_id": None},
        {"operation_id": None},
        {"operation_id": ""},
        {"operation_id": None, "status": None},
        {"status": None},
        {"status": "IN_PROGRESS"},
        {"status": "paused"},
        {"payload": None},
        {"payload": {}},
        {"payload": {"t": 0.1}},
        {"payload": {"t": "0.1", "channels": {}}},
        {"payload": {"t": 0.1, "channels": {}, "more": 1}},
        {"payload": {"t": 0.1, "channels": {"y": "high"}}},
    ],
    ids=str,
)
def test_what_is_not_exactly_a_message_is_refused(changed):
    with pytest.raises(UnreadableMessage):
        from_json(json.dumps(fields(**changed)))


@pytest.mark.parametrize(
    "text",
    ["", "{", "null", "[]", "3", '"x"', b"\xff", "[" * 100_000, '{"id": "m_1"}'],
    ids=lambda text: repr(text[:10]),
)
def test_what_is_no_object_of_json_is_refused(text):
    with pytest.raises(UnreadableMessage):
        from_json(text)


def test_a_key_that_stands_twice_is_refused():
    text = envelope(M.HEARTBEAT).to_json().replace('"counter": 7', '"counter": 7, "counter": 8')
    with pytest.raises(UnreadableMessage, match="twice"):
        from_json(text)


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_are_finite(word):
    text = json.dumps(fields()).replace("0.5", word)
    with pytest.raises(UnreadableMessage):
        from_json(text)


@pytest.mark.parametrize(
    ("type_", "payload"),
    [
        (M.OPERATION_REQUEST, {"operation_type": "walk"}),
        (M.OPERATION_ACK, {"accepted": False}),
        (M.OPERATION_ACK, {"accepted": True, "reason": "busy"}),
        (M.OPERATION_ACK, {"accepted": 1}),
        (M.OPERATION_START, {"clock": -1.0}),
        (M.OPERATION_PROGRESS, {"fraction": 1.01, "cost": 0.0}),
        (M.OPERATION_PROGRESS, {"fraction": 0.5}),
        (M.OPERATION_COMPLETE, {"cost": 0.0}),
        (M.OPERATION_FAILED, {"reason": "bored", "message": ""}),
        (M.CODE_OUTPUT, {"stream": "stdlog", "line": ""}),
        (M.CODE_STATUS, {"state": "running", "line_number": 0}),
        (M.CODE_DEBUG, {"name": "", "value": 1}),
        (M.CODE_EVENT, {"event": "nan", "severity": "fatal"}),
        (M.STATE_VERIFICATION, {"expected": {}}),
        (M.STATE_CONFIRMED, {"name": "y", "value": 1, "holds": "yes"}),
        (M.SESSION_INIT, {"protocol": 2, "who": "ada"}),
        (M.HEARTBEAT, {"counter": -1}),
        (M.ERROR, {"code": "odd", "text": ""}),
    ],
    ids=str,
)
def test_payloads_are_strict(type_, payload):
    with pytest.raises(UnreadableMessage):
        from_json(json.dumps(fields(type_, payload=payload)))


@pytest.mark.parametrize("type_", [M.SESSION_INIT, M.HEARTBEAT])
def test_messages_of_the_session_name_no_operation(type_):
    with pytest.raises(UnreadableMessage):
        from_json(json.dumps(fields(type_, operation_id="op_1", status="started")))


@pytest.mark.parametrize("type_", [M.OPERATION_ACK, M.STATE_CONFIRMED])
def test_answers_name_what_they_answer(type_):
    with pytest.raises(UnreadableMessage):
        from_json(json.dumps(fields(type_, correlation_id=None)))


def test_a_message_cannot_be_made_wrong_either():
    with pytest.raises(UnreadableMessage):
        Envelope("m_1", EXAMPLES[M.CODE_OUTPUT][0], 0.0, "s_1")


def test_an_error_names_the_message_it_is_about():
    about = envelope(M.HEARTBEAT)
    stamp = {"id": "m_9", "timestamp": 3.0, "session": "s_1"}
    error = error_about(about, ErrorCode.UNEXPECTED, "why", **stamp)
    assert (error.type, error.correlation_id) == (M.ERROR, about.id)
    assert error_about(None, ErrorCode.UNREADABLE, "why", **stamp).correlation_id is None
    assert from_json(error.to_json()) == error


def test_directions():
    both = [type_ for type_ in M if len(type_.directions) == 2]
    to_body = [type_ for type_ in M if type_.directions == (MessageDirection.TO_BODY,)]
    assert both == [M.HEARTBEAT, M.ERROR]
    assert to_body == [M.OPERATION_REQUEST, M.STATE_VERIFICATION, M.SESSION_INIT]


@settings(max_examples=50)
@given(st.text() | st.binary())
def test_reading_any_text_gives_a_message_or_is_refused(text):
    with pytest.raises(UnreadableMessage):
        from_json(text)


def test_statuses_are_told_in_lower_case():
    assert [str(status) for status in OperationStatus] == [
        "pending", "acknowledged", "started", "in_progress", "completed", "failed",
    ]  # fmt: skip
