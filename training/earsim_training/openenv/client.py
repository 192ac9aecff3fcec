"""The client: a session on a server, with typed actions and observations.

with EarSimClient(base_url="http://127.0.0.1:8123").sync() as env:
result = env.reset(seed=0)
result = env.step(EarSimAction(command="EXPLORE"))
"""

from __future__ import annotations

from typing import Any

from earsim_training.openenv.models import EarSimAction, EarSimObservation, EarSimState

# `models` says in one sentence what to install where this is missing.
from openenv.core.client_types import StepResult  # isort: skip
from openenv.core.env_client import EnvClient  # isort: skip

__all__ = ["EarSimAction", "EarSimClient", "EarSimObservation", "EarSimState"]


class EarSimClient(EnvClient[EarSimAction, EarSimObservation, EarSimState]):
    """Plays on a server of `python -m earsim_training.openenv`; each client has its own world."""

    def _step_payload(self, action: EarSimAction) -> dict[str, Any]:
        payload: dict[str, Any] = action.model_dump()
        return payload

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[EarSimObservation]:
        reward, done = payload.get("reward"), bool(payload.get("done", False))
        told = {**payload.get("observation", {}), "reward": reward, "done": done}
        observation = EarSimObservation.model_validate(told)
        return StepResult(observation=observation, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> EarSimState:
        state: EarSimState = EarSimState.model_validate(payload)
        return state
