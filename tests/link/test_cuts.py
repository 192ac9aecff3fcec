"""Clients that are cut at random moments lose nothing, and nothing comes twice."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from random import Random

import pytest

from earsim.link.carrier import Carrier, CarrierCut, InProcess, Socket
from earsim.link.client import LabClient, RequestError
from earsim.link.linked_episode import LinkedEpisode
from earsim.world import digest
from tests.link.playing import TOKEN, counted, linked, served

COMMANDS = (
    "EXPLORE", "GOTO rig", "CONFIGURE rig Kp=12 Ki=8 Kd=0", "RUN rig", "WAIT UNTIL rig done",
    "STOP rig", "FLY", "RUN rig", "WAIT 60", "READ rig", "DONE",
)  # fmt: skip


class Fragile:
    """A carrier that is cut now and then: before a message, after it, or while one is under way."""

    def __init__(self, inner: Carrier, rng: Random, came: list[str], share: float = 0.05) -> None:
        self._inner, self._rng, self._came, self._share = inner, rng, came, share

    def _cut(self) -> None:
        if self._rng.random() < self._share:
            if isinstance(self._inner, Socket):
                self._inner._socket.socket.shutdown(socket.SHUT_RDWR)  # as a cable that is pulled
            else:
                self._inner.close()
            raise CarrierCut("cut")

    def send(self, text: str) -> None:
        self._cut()
        self._inner.send(text)
        self._cut()

    def receive(self, timeout_s: float | None = None) -> str:
        self._cut()
        text = self._inner.receive(timeout_s)
        self._cut()  # it was received, and the client never saw it
        if '"type": "heartbeat"' not in text:
            self._came.append(text)
        return text

    def close(self) -> None:
        self._inner.close()


def play(open_carrier: Callable[[], Carrier], who: str, rng: Random, share: float) -> list[str]:
    """What came to a client that gives all commands."""
    came: list[str] = []

    def opened() -> Carrier:
        carrier = open_carrier()
        return Fragile(carrier, rng, came, share)

    ids = counted(f"{who}_")
    settings = {"session_id": f"session of {who}", "ids": ids, "now": lambda: 0.0}
    while True:
        try:
            lab = LabClient(opened, who, **settings)
            break
        except CarrierCut:  # before the first answer nothing is lost: a client just tries again
            came.clear()
            settings["ids"] = counted(f"{who}_")
    for command in COMMANDS:
        lab.do(command)
    lab.close()
    return came


def without_ids(came: list[str]) -> list[dict[str, object]]:
    """What was said: a client that was cut needs more ids for its greetings."""
    told = [json.loads(text) for text in came]
    return [{k: m[k] for k in ("id", "type", "payload", "timestamp", "status")} for m in told]


@pytest.mark.slow
def test_clients_in_process_lose_nothing_when_cut():
    whole = linked()
    expected = without_ids(play(lambda: InProcess(whole), "ada", Random(0), 0.0))
    for seed in range(8):
        link = linked()
        came = play(lambda link=link: InProcess(link), "ada", Random(seed), 0.02)
        assert without_ids(came) == expected
        assert digest(link.episode.world) == digest(whole.episode.world)


@pytest.mark.slow
def test_a_hundred_clients_of_one_world_lose_nothing_when_cut():
    pytest.importorskip("websockets")
    agents = [f"agent_{number}" for number in range(100)]
    whole, cut = linked(*agents), linked(*agents)
    expected = uncut(whole, agents)
    with served(cut, connections=400) as url:
        came = beside_each_other(url, agents)
    assert digest(cut.episode.world) == digest(whole.episode.world)
    for agent in agents:
        assert without_ids(came[agent]) == without_ids(expected[agent])
        numbers = [json.loads(text)["id"] for text in came[agent]]
        assert numbers == [f"m_{n + 1}" for n in range(len(numbers))]


def uncut(link: LinkedEpisode, agents: list[str]) -> dict[str, list[str]]:
    """What comes to each of several clients in process."""
    came: dict[str, list[str]] = {agent: [] for agent in agents}
    labs = [
        LabClient(lambda a=agent: Fragile(InProcess(link), Random(0), came[a], 0.0), agent)
        for agent in agents
    ]
    for command in COMMANDS:
        for lab, given in [(lab, lab.begin("execute_code", {"code": command})) for lab in labs]:
            lab.settled(given)
    return came


def beside_each_other(url: str, agents: list[str]) -> dict[str, list[str]]:
    """What comes to each of several clients on sockets that are cut."""
    found: dict[str, list[str]] = {}

    def one(place: int, agent: str) -> None:
        found[agent] = play(lambda: Socket(url, TOKEN), agent, Random(place), 0.004)

    threads = [threading.Thread(target=one, args=each) for each in enumerate(agents)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    assert sorted(found) == sorted(agents)
    return found


def test_a_server_that_goes_on_after_a_cut_is_found_again():
    pytest.importorskip("websockets")
    with served(linked()) as url:
        lab = LabClient.connect(url, token=TOKEN, who="ada")
        lab.do("EXPLORE")
        lab._carrier._socket.socket.shutdown(socket.SHUT_RDWR)  # as a cable that is pulled
        assert lab.do("GOTO rig").accepted
        lab.close()


def test_a_session_that_stays_away_is_over_and_its_agent_free():
    link = linked("ada", "ben")
    ada = LabClient.in_process(link, "ada", away_s=0.0)
    ben = LabClient.in_process(link, "ben")
    waiting = ben.begin("execute_code", {"code": "EXPLORE"})
    ada.close()
    link.expire(659.0)
    assert waiting.accepted is None
    link.expire(661.0)  # the others go on without it
    assert ben.settled(waiting).accepted
    with pytest.raises(RequestError, match="no such session"):
        ada.do("EXPLORE")
    assert "\n\nTask: Run it." in LabClient.in_process(link, "ada").told


def test_who_comes_back_takes_the_session_from_the_old_line():
    link = linked()
    first = LabClient.in_process(link, "ada", session_id="s")
    second = LabClient.in_process(link, "ada", session_id="s", ids=counted("x"))
    assert first._carrier._line.is_replaced
    assert not second._carrier._line.is_replaced
