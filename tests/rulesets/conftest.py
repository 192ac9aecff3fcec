"""Episodes of `ear-bench` in the kitchen of the golden transcripts."""

from collections.abc import Callable
from typing import Any

import pytest

from earsim.engine import MAX_COMMAND_CHARS, Engine
from earsim.episode import Episode
from earsim.schema import AgentSpec, Scenario, Task
from earsim.schema.files.load import load_scene
from tests.golden.transcript import SCENES

Play = Callable[..., Episode]

TEAM = ("agent_1", "agent_2")


def scenario(goal: dict[str, Any], agents: tuple[str, ...], **task: Any) -> Scenario:
    fields = {"id": "task", "category": "direct_command", "instruction": "-", "goal": goal, **task}
    return Scenario(
        id="kitchen/task",
        ruleset="ear-bench",
        scene=load_scene(SCENES / "kitchen.yaml"),
        agents=tuple(AgentSpec(id=agent, max_mass_kg=10) for agent in agents),
        task=Task.model_validate(fields),
    )


@pytest.fixture
def alone() -> Play:
    """A fresh episode of one agent; `goal` and fields of the task may be given."""

    def make(goal: dict[str, Any] | None = None, **task: Any) -> Episode:
        return Episode(Engine(scenario(goal or {"any": []}, TEAM[:1], **task)))

    return make


@pytest.fixture
def team() -> Play:
    """A fresh episode of two agents."""

    def make(goal: dict[str, Any] | None = None, **task: Any) -> Episode:
        return Episode(Engine(scenario(goal or {"any": []}, TEAM, **task)))

    return make


@pytest.fixture
def too_long() -> str:
    """One character more than is read."""
    return "GOTO " + "x" * (MAX_COMMAND_CHARS - 4)
