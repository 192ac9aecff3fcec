"""One session of the server: `OmniEAR-v0` behind OpenEnv's interface."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from gymnasium.utils import seeding

from earsim.envs import OmniEAREnv
from earsim.errors import NotReset, UsageError
from earsim.ids import well_formed
from earsim_training.openenv.models import EarSimAction, EarSimObservation, EarSimState
from earsim_training.openenv.worlds import Worlds

from openenv.core.env_server.interfaces import Environment  # isort: skip - `models` says if missing


class EarSimEnvironment(Environment[EarSimAction, EarSimObservation, EarSimState]):
    """A world of its own for every session; nothing in it is left to chance but which task it is.

    `reset(seed=)` draws a scenario, the same one for the same seed; `reset(scenario=)` pins it.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, worlds: Worlds) -> None:
        """Make a session; it has no world before it is reset."""
        super().__init__()
        self._worlds = worlds
        self._chance, _ = seeding.np_random()
        self._env: OmniEAREnv | None = None
        self._state = EarSimState()

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        scenario: str | None = None,
        **unknown: Any,
    ) -> EarSimObservation:
        """Begin an episode.

        Args:
            seed: of the draw, now and in the unseeded resets that follow.
            episode_id: what to call the episode; made up when None.
            scenario: id of the scenario; drawn when None.
            unknown: refused.

        Raises:
            UsageError: An argument is unknown or makes no sense.
            UnknownName: There is no such scenario for one agent.
        """
        _check(seed, episode_id, scenario, unknown)
        if seed is not None:
            self._chance, _ = seeding.np_random(seed)
        wanted = self._worlds.draw(self._chance) if scenario is None else scenario
        if self._env is None or wanted != self._state.scenario_id:
            self._env = self._worlds.env(wanted)
        text, info = self._env.reset()
        self._state = EarSimState(
            episode_id=episode_id or str(uuid4()),
            scenario_id=info["scenario_id"],
            scenario_hash=info["scenario_hash"],
            category=str(info["category"]),
            instruction=info["instruction"],
            ruleset=info["ruleset"],
            budget=info["budget"],
            score=info["score"],
            max_score=info["max_score"],
            success=info["won"],
        )
        return EarSimObservation(text=text, admissible_commands=_listed(info))

    def step(
        self, action: EarSimAction, timeout_s: float | None = None, **unknown: Any
    ) -> EarSimObservation:
        """Carry out one command; `timeout_s` is OpenEnv's, and no command takes that long.

        Raises:
            NotReset: There is no episode; over plain HTTP every request is a session of its own.
            UsageError: The episode is over.
        """
        if self._env is None:
            raise NotReset
        if self._state.done:
            raise UsageError("the episode is over; reset begins another")
        text, reward, terminated, truncated, info = self._env.step(well_formed(action.command))
        self._state = self._state.model_copy(
            update={
                "step_count": info["moves"],
                "score": info["score"],
                "success": info["won"],
                "done": terminated or truncated,
            }
        )
        outcome = info["last_outcome"]
        return EarSimObservation(
            text=text,
            reward=reward,
            done=terminated or truncated,
            truncated=truncated,
            admissible_commands=_listed(info),
            accepted=outcome.accepted,
            reason=None if outcome.reason is None else outcome.reason.value,
        )

    @property
    def state(self) -> EarSimState:
        """State of the episode."""
        return self._state


def _check(seed: object, episode_id: object, scenario: object, unknown: dict[str, Any]) -> None:
    """See that what came over the wire is what it should be."""
    if unknown:
        names = ", ".join(sorted(unknown))
        raise UsageError(f"reset takes seed, episode_id and scenario, not {names}")
    if seed is not None and (type(seed) is not int or seed < 0):
        raise UsageError(f"seed={seed!r}: expected a whole number from 0")
    for name, value in (("episode_id", episode_id), ("scenario", scenario)):
        if value is not None and not isinstance(value, str):
            raise UsageError(f"{name}={value!r}: expected a text")


def _listed(info: dict[str, Any]) -> list[str] | None:
    commands = info.get("admissible_commands")
    return None if commands is None else list(commands)
