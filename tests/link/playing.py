"""Small laboratories, and servers of them that end with their test."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from earsim import Engine, Episode
from earsim.link.client import LabClient
from earsim.link.linked_episode import LinkedEpisode
from earsim.link.server import LinkAddress, LinkServer
from earsim.schema.scenario import SceneFile

TOKEN = "token-for-tests-only"
LOCAL = "127.0.0.1"


def laboratory(*agents: str, apparatus: Mapping[str, Any] | None = None, budget: int = 200) -> Any:
    """A room with a rig, and agents in it."""
    rig = {"id": "rig", "kind": "furniture", "in": "lab", "mass_kg": 40.0}
    rig |= {"apparatus": apparatus or {"model": "maglev/1", "settings": {"topology": "pid"}}}
    task = {"id": "run", "category": "direct_command", "instruction": "Run it.", "budget": budget}
    task |= {"goal": {"operation": {"apparatus": "rig"}}}
    task |= {"agents": [{"id": agent, "max_mass_kg": 20.0} for agent in agents or ("ada",)]}
    scene = {"id": "lab", "rooms": [{"id": "lab"}], "objects": [rig], "tasks": [task]}
    (scenario,) = SceneFile.model_validate(scene).scenarios()
    return scenario


def linked(*agents: str, tick_s: int | None = None, **scene: Any) -> LinkedEpisode:
    """A fresh episode of it, linked."""
    return LinkedEpisode(Episode(Engine(laboratory(*agents, **scene))), tick_s=tick_s)


def counted(prefix: str) -> Callable[[], str]:
    """Ids in order, so that what is sent twice is the same twice."""
    numbers = itertools.count(1)
    return lambda: f"{prefix}{next(numbers)}"


@contextmanager
def served(
    link: LinkedEpisode, *, tick_s: float | None = None, connections: int = 64
) -> Iterator[str]:
    """The address of a server of it, on a port of its own."""
    server = LinkServer(link, LinkAddress(LOCAL, 0, TOKEN, connections), tick_s=tick_s)
    ready, ports = threading.Event(), []

    def tell(port: int) -> None:
        ports.append(port)
        ready.set()

    thread = threading.Thread(target=server.run, args=(tell,), daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield f"ws://{LOCAL}:{ports[0]}"
    finally:
        server.stop()
        thread.join(10)
        assert not thread.is_alive()


def client(url: str, who: str = "ada", **settings: Any) -> LabClient:
    return LabClient.connect(url, token=TOKEN, who=who, **settings)
