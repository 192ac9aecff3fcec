"""What makes no sense is answered with `error` and changes nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earsim.apparatus.message import MessageType, from_json
from earsim.apparatus.operation import OperationStatus, OperationType
from earsim.apparatus.payload import ErrorCode
from earsim.link.client import LabClient
from earsim.link.limits import MOST_BYTES, MOST_WAITING
from earsim.link.line import LinkLine
from earsim.link.linked_episode import LinkedEpisode
from earsim.world import digest
from tests.link.playing import linked


def message(kind: str, payload: object, **fields: Any) -> str:
    about = kind not in ("session_init", "heartbeat", "error")
    found = {
        "id": "q",
        "type": kind,
        "payload": payload,
        "timestamp": 0.0,
        "session_id": "s",
        "operation_id": "o" if about else None,
        "status": "pending" if about else None,
        "correlation_id": None,
    }
    return json.dumps(found | fields)


INIT = message("session_init", {"protocol": 1, "who": "ada", "last_seen": None}, id="i")


def request(kind: str, parameters: object, **fields: Any) -> str:
    payload = {"operation_type": kind, "parameters": parameters}
    return message("operation_request", payload, **fields)


def opened(*agents: str) -> tuple[LinkedEpisode, LinkLine]:
    link, line = linked(*agents), LinkLine()
    link.receive(line, INIT)
    (greeting,) = [from_json(text) for text in line.unsent()]
    assert greeting.type is MessageType.HEARTBEAT
    assert greeting.correlation_id == "i"
    return link, line


def errors(line: LinkLine) -> list[ErrorCode]:
    """The codes of all that came, which must be errors alone."""
    told = [from_json(text) for text in line.unsent()]
    assert [each.type for each in told] == [MessageType.ERROR] * len(told)
    return [each.payload.code for each in told]


def state(link: LinkedEpisode) -> Any:
    """Everything that a message might change but for the count of messages."""
    sessions = [
        (s.id, s.agent, s.tracker, tuple(s.waiting), dict(s.runs), s.body)
        for s in link.sessions.values()
    ]
    return digest(link.episode.world), link.episode.decisions, sessions


DEEP = "[" * 100_000 + "]" * 100_000
HOSTILE = [
    ("", "unreadable"),
    ("{", "unreadable"),
    ("[]", "unreadable"),
    ("null", "unreadable"),
    (b"\xff\xfe", "unreadable"),
    (DEEP, "unreadable"),
    ("x" * (MOST_BYTES + 1), "unreadable"),
    (message("teleport", {}), "unreadable"),
    (message("heartbeat", {"counter": 1}, extra=1), "unreadable"),
    (message("heartbeat", {"counter": -1}), "unreadable"),
    (message("heartbeat", {"counter": 1}).replace("0.0", "NaN"), "unreadable"),
    (message("heartbeat", {"counter": 1}, id="q" * 201), "unreadable"),
    (message("heartbeat", {"counter": 1}, operation_id="o"), "unreadable"),
    (message("heartbeat", {"counter": 1}, session_id="another"), "unknown_session"),
    (request("run", {"apparatus": "rig", "x": float("inf")}), "unreadable"),
    (request("run", {}), "unknown_request"),
    (request("run", {"apparatus": 7}), "unknown_request"),
    (request("run", {"apparatus": "rig", "Kp": 2}), "unknown_request"),
    (request("configure", {"apparatus": "rig"}), "unknown_request"),
    (request("configure", {"apparatus": "rig", "Kp": [1]}), "unknown_request"),
    (request("configure", {"apparatus": "rig", "Kp": "1 STOP"}), "unknown_request"),
    (request("configure", {"apparatus": "rig", "Kp": "1\nSAY"}), "unknown_request"),
    (request("execute_code", {"code": "  "}), "unknown_request"),
    (request("execute_code", {"code": 3}), "unknown_request"),
    (request("execute_code", {"code": "WAIT", "more": 1}), "unknown_request"),
    (request("execute_code", {"apparatus": "rig", "code": "x"}), "unknown_request"),
    (request("execute_code", {"code": "WAIT"}, status="completed"), "wrong_status"),
    (request("probe", {}, operation_id="none"), "unknown_operation"),
    (request("stop", {}, operation_id="none"), "unknown_operation"),
    (message("state_verification", {"expected": {"y": {}}}), "unknown_operation"),
    (message("state_verification", {"expected": {}}), "unreadable"),
    (message("operation_ack", {"accepted": True}, correlation_id="q"), "unexpected"),
    (message("operation_complete", {"result": {}, "cost": 0}, status="completed"), "unexpected"),
    (message("code_output", {"stream": "stdout", "line": "x"}), "unexpected"),
    (INIT, "unexpected"),
]


@pytest.mark.parametrize(("text", "code"), HOSTILE, ids=[str(n) for n in range(len(HOSTILE))])
def test_what_makes_no_sense_changes_nothing(text: str | bytes, code: str):
    link, line = opened()
    before = state(link)
    link.receive(line, text)
    assert errors(line) == [code]
    assert state(link) == before
    link.receive(line, request("execute_code", {"code": "EXPLORE"}, id="next"))
    assert link.episode.decisions == 1


@pytest.mark.parametrize(("text", "code"), HOSTILE[:-1])
def test_nothing_is_taken_before_a_session(text: str | bytes, code: str):
    link, line = linked(), LinkLine()
    link.receive(line, text)
    assert errors(line) in (["unreadable"], ["unknown_session"])
    assert not link.sessions


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"payload": {"protocol": 1, "who": "adam"}}, "no agent 'adam'; there are: ada"),
        (
            {"payload": {"protocol": 1, "who": "ada"}, "session_id": "t"},
            "'ada' is taken; free: ben",
        ),
        ({"payload": {"protocol": 1, "who": "ben"}, "session_id": "s"}, "of another agent"),
        ({"payload": {"protocol": 1, "who": "ben", "last_seen": "m_1"}}, "no such session"),
        (
            {"payload": {"protocol": 1, "who": "ada", "last_seen": "m_99"}, "session_id": "s"},
            "m_99",
        ),
        ({"payload": {"protocol": 2, "who": "ben"}}, "protocol"),
    ],
)
def test_a_session_that_cannot_be_opened_is_refused(fields: dict[str, Any], says: str):
    link, _ = opened("ada", "ben")
    line, before = LinkLine(), state(link)
    payload = fields.pop("payload")
    link.receive(line, message("session_init", payload, **{"session_id": "new"} | fields))
    (told,) = [from_json(text) for text in line.unsent()]
    assert says in told.payload.text
    assert state(link) == before


def test_errors_are_not_answered():
    link, line = opened()
    link.receive(line, message("error", {"code": "unreadable", "text": "you too"}))
    assert not line.unsent()


def test_a_heartbeat_is_answered_beside_the_session():
    link, line = opened()
    link.receive(line, message("heartbeat", {"counter": 7}))
    (told,) = [from_json(text) for text in line.unsent()]
    assert (told.payload.counter, told.correlation_id) == (7, "q")
    assert link.sessions["s"].ring.count == 0


def test_a_message_sent_twice_is_taken_once():
    link, line = opened()
    for _ in range(3):
        link.receive(line, request("execute_code", {"code": "EXPLORE"}))
    assert link.episode.decisions == 1
    assert MessageType.ERROR not in [from_json(text).type for text in line.unsent()]


def test_an_operation_is_begun_once():
    link, line = opened()
    for id in ("a", "b"):
        link.receive(line, request("execute_code", {"code": "EXPLORE"}, id=id))
    *_, last = [from_json(text) for text in line.unsent()]
    assert last.payload.code == "known_operation"
    assert link.episode.decisions == 1


def test_requests_wait_for_the_others_up_to_a_limit():
    link, line = opened("ada", "ben")
    for n in range(MOST_WAITING):
        text = request("execute_code", {"code": "WAIT"}, id=f"m{n}", operation_id=f"o{n}")
        link.receive(line, text)
    assert not line.unsent()
    link.receive(line, request("execute_code", {"code": "WAIT"}))
    assert errors(line) == ["unexpected"]
    assert link.episode.decisions == 0


def test_what_comes_after_the_end_is_refused():
    link = linked()
    lab = LabClient.in_process(link, "ada")
    lab.do("DONE")
    assert lab.is_over
    assert lab.body.result["success"] is False
    line = link._lines[lab._session]
    line.unsent()
    text = request("execute_code", {"code": "EXPLORE"}, session_id=lab._session)
    link.receive(line, text)
    assert errors(line) == ["unexpected"]


def test_requests_that_come_too_late_are_told_so():
    """A stop that waits while its run ends, and commands behind the end of the episode."""
    link = linked()
    lab = LabClient.in_process(link, "ada")
    for command in ("EXPLORE", "GOTO rig"):
        lab.do(command)
    run = lab.run("rig")
    line = link._lines[lab._session]
    line.unsent()
    link._tick_s = 10  # nothing is decided meanwhile
    about = {"session_id": lab._session, "operation_id": run.id}
    for n, text in enumerate(("WAIT 60", "DONE", "WAIT")):
        given = {"session_id": lab._session, "id": f"w{n}", "operation_id": f"w{n}"}
        link.receive(line, request("execute_code", {"code": text}, **given))
        if n == 0:
            link.receive(line, request("stop", {}, **about))
    link.tick()
    link.tick()
    told = [from_json(text) for text in line.unsent()]
    (late,) = [each for each in told if each.type is MessageType.ERROR]
    assert late.correlation_id == "q"
    assert told[-1].payload.reason == "episode_over"
    assert (told[-1].correlation_id, told[-1].status) == ("w2", OperationStatus.FAILED)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
_WORDS = st.sampled_from(["q", "o", "s", "rig", "ada", "EXPLORE", "WAIT 10", "RUN rig", "m_1"])


@pytest.mark.slow
@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from([each.value for each in MessageType]),
            _JSON
            | st.fixed_dictionaries(
                {
                    "operation_type": st.sampled_from([each.value for each in OperationType]),
                    "parameters": st.dictionaries(
                        st.sampled_from(["apparatus", "code", "name", "Kp"]), _WORDS | _JSON
                    ),
                }
            ),
            st.fixed_dictionaries(
                {}, optional={"id": _WORDS, "operation_id": _WORDS, "correlation_id": _WORDS}
            ),
        ),
        max_size=12,
    )
)
def test_no_message_breaks_the_link(several: list[tuple[str, Any, dict[str, Any]]]):
    """Whatever comes, what is answered can be read and the episode goes on."""
    link, line = opened()
    for place, (kind, payload, fields) in enumerate(several):
        link.receive(line, message(kind, payload, **{"id": f"f{place}"} | fields))
    for text in line.unsent():
        from_json(text)
    decisions = link.episode.decisions
    link.receive(line, request("execute_code", {"code": "WAIT"}, id="end", operation_id="end"))
    assert link.episode.decisions == decisions + (not link.is_over)
