"""Over a socket and in process an episode is the same, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from earsim.evaluation.runs import recorder
from earsim.link.carrier import Carrier, InProcess, Socket
from earsim.link.client import LabClient
from earsim.link.linked_episode import LinkedEpisode
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim.schema.records.trajectory_file import trajectory_lines
from tests.link.playing import TOKEN, counted, laboratory, served

pytest.importorskip("websockets")


class Tapped:
    """A carrier that writes down what comes; heartbeats are no part of a session."""

    def __init__(self, inner: Carrier, came: list[str]) -> None:
        self._inner, self._came = inner, came
        self.send, self.close = inner.send, inner.close

    def receive(self, timeout_s: float | None = None) -> str:
        text = self._inner.receive(timeout_s)
        if '"type": "heartbeat"' not in text:
            self._came.append(text)
        return text


class Recorded:
    """An episode whose decisions are recorded."""

    def __init__(self) -> None:
        self.settings = EpisodeSettings()
        self.episode = recorder.begin(laboratory(), self.settings)
        self.steps: list[Any] = []
        self.link = LinkedEpisode(self.episode, take=self._take)

    def _take(self, episode: Any, commands: Any) -> None:
        self.steps.append(recorder.take(episode, commands))

    @property
    def text(self) -> str:
        made = recorder.trajectory_of(self.episode, self.steps, self.settings, policy="client")
        return "\n".join(trajectory_lines(made))


def play(lab: LabClient) -> None:
    """Ordinary commands, refusals, a run that is stopped and one that ends."""
    for command in ("EXPLORE", "FLY", "GOTO rig"):
        lab.do(command)
    assert lab.configure("rig", Kp=99).reason == "out_of_bounds"
    lab.configure("rig", Kp=12, Ki=8, Kd=0)
    first = lab.run("rig")
    lab.do("WAIT UNTIL rig done")
    assert [event.event for event in first.events] == ["diverging"]
    lab.probe(first, "y")
    assert lab.stop(first)
    lab.configure("rig", Kp=2.818, Ki=0.8, Kd=1.886)
    second = lab.run("rig")
    lab.do("WAIT 60")
    assert second.result["settling_s"] == 2.351
    assert lab.verify(second, settling_s=(None, 3.0), score=(101, None)) == {
        "settling_s": True,
        "score": False,
    }
    lab.do("DONE")
    assert lab.is_over


def over(open_carrier: Any) -> tuple[str, list[str]]:
    """The trajectory of an episode, and every message to its client."""
    played, came = Recorded(), []
    with open_carrier(played.link) as opened:
        ids = counted("c_")
        with LabClient(
            lambda: Tapped(opened(), came), "ada", session_id="s", ids=ids, now=lambda: 0.0
        ) as lab:
            play(lab)
    return played.text, came


@contextmanager
def in_process(link: LinkedEpisode) -> Iterator[Any]:
    yield lambda: InProcess(link)


@contextmanager
def over_socket(link: LinkedEpisode) -> Iterator[Any]:
    with served(link) as url:
        yield lambda: Socket(url, TOKEN)


def test_the_socket_changes_no_byte():
    there, said_there = over(over_socket)
    here, said_here = over(in_process)
    assert there == here
    assert said_there == said_here
    assert len(said_here) > 400


def test_the_link_changes_no_byte():
    """The commands of the messages, given to a bare episode, leave the same trajectory."""
    linked, _ = over(in_process)
    bare = Recorded()
    for command in (
        "EXPLORE",
        "FLY",
        "GOTO rig",
        "CONFIGURE rig Kp=99",
        "CONFIGURE rig Kp=12 Ki=8 Kd=0",
        "RUN rig",
        "WAIT UNTIL rig done",
        "MEASURE rig y",
        "STOP rig",
        "CONFIGURE rig Kp=2.818 Ki=0.8 Kd=1.886",
        "RUN rig",
        "WAIT 60",
        "DONE",
    ):
        bare._take(bare.episode, {"ada": command})
    assert bare.text == linked
