"""A small scene to evaluate in, a policy that waits like a model, and a server that is none.

Besides these, what tests ask of a report.
"""

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from earsim.envs.policy import Observation, PolicyContext
from earsim.evaluation.policies import MODEL_POLICIES
from earsim.evaluation.runs.sweep import Sweep
from earsim.schema.records.model_call import ModelCall
from earsim.tables.document import Report, Table
from earsim_agents.scripted_server import ScriptedServer, ServerScript
from tests.cli.conftest import SCENE

CELL = "stub-hut-chat-explore"
"""Where episodes of the stub are, unless a sweep has more than its defaults."""

Say = Callable[[PolicyContext, int], Mapping[str, str] | None]


class Stub:
    """Says what a test wants, after a moment; remembers how many of it were at work at once."""

    say: Say
    wait_s = 0.0
    at_work = 0
    most = 0

    def __init__(self, *, client: Any, style: str, knowledge: str, **options: Any) -> None:
        self.memory: Any = None
        self._decision = 0
        self._calls: list[ModelCall] = []

    def reset(self, context: PolicyContext) -> None:
        self._context = context
        self._decision = 0
        self.memory = {"seed": context.seed}

    async def act(self, observations: Mapping[str, Observation]) -> Mapping[str, str] | None:
        decision, self._decision = self._decision, self._decision + 1
        request = {"messages": [{"role": "user", "content": "word " * 100}], "n": decision}
        self._calls.append(
            ModelCall(
                agent="",
                role="stub",
                decision=decision,
                seq=0,
                request=request,
                request_hash=f"{decision}",
                reply="Action: \ud800",
                prompt_tokens=100,
                completion_tokens=10,
                cached_tokens=50,
                attempts=1,
                latency_ms=1.0,
                parsed=["x"],
            )
        )
        Stub.at_work += 1
        Stub.most = max(Stub.most, Stub.at_work)
        try:
            await asyncio.sleep(Stub.wait_s)
            return Stub.say(self._context, decision)
        finally:
            Stub.at_work -= 1

    def take_calls(self) -> list[ModelCall]:
        calls, self._calls = self._calls, []
        return calls

    async def close(self) -> None:
        pass


def follow(context: PolicyContext, decision: int) -> Mapping[str, str]:
    """The walkthrough."""
    plan = context.scenario.task.walkthrough
    if decision >= len(plan):
        return dict.fromkeys(context.agents, "DONE")
    entry = plan[decision]
    return {context.agents[0]: entry} if isinstance(entry, str) else entry


def raising(error: Exception, scenario_id: str = "") -> Any:
    """Follows the walkthrough, and raises in one scenario or in all."""

    def say(context: PolicyContext, decision: int) -> Mapping[str, str]:
        if scenario_id in ("", context.scenario.id):
            raise error
        return follow(context, decision)

    return staticmethod(say)


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> type[Stub]:
    """The policy `stub`, which follows the walkthrough until a test sets `say`."""
    monkeypatch.setitem(MODEL_POLICIES._entries, "stub", Stub)
    monkeypatch.setattr(Stub, "say", staticmethod(follow), raising=False)
    monkeypatch.setattr(Stub, "wait_s", 0.0)
    Stub.most = Stub.at_work = 0
    return Stub


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def hut(here: Path) -> Path:
    """A scene file with a task for one and a task for two."""
    path = here / "hut.yaml"
    path.write_text(SCENE, encoding="utf-8")
    return path


@pytest.fixture
def sweep(hut: Path) -> Callable[..., Sweep]:
    """A sweep over the hut, played by the stub."""

    def make(**changes: Any) -> Sweep:
        data = {
            "models": [{"policy": "stub", "name": "stub", "options": {"model": "m"}}],
            "suites": [str(hut)],
            **changes,
        }
        return Sweep.model_validate(data)

    return make


def local(hut: Path, policy: str = "random", **changes: Any) -> Sweep:
    """A sweep over the hut, played by a policy that asks nobody."""
    return Sweep.model_validate({"models": [{"policy": policy}], "suites": [str(hut)], **changes})


@contextmanager
def serving(script: ServerScript) -> Iterator[ScriptedServer]:
    """A scripted server in a thread of its own; stopped at the end."""
    loop = asyncio.new_event_loop()
    server = ScriptedServer(script)
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    asyncio.run_coroutine_threadsafe(server.start(), loop).result(30)

    def leave() -> None:
        """Stop before the end; doing it twice is harmless."""
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result(30)

    server.leave = leave  # type: ignore[attr-defined]
    try:
        yield server
    finally:
        leave()
        loop.call_soon_threadsafe(loop.stop)
        thread.join(30)
        loop.close()


def section(document: Report, title: str) -> tuple[Table, ...]:
    """The tables of one section of a report."""
    (found,) = [each for each in document.sections if each.title == title]
    return found.tables


def cells(table: Table, *labels: str) -> tuple[str, ...]:
    """The numbers of the row with these labels."""
    (found,) = [row for row in table.rows if row.cells[: len(labels)] == labels]
    return found.cells[len(labels) :]
