"""Commands that lead astray: what a student would do wrong, for a demonstrator to recover from."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from earsim.envs.policy import Observation

_SLOT = re.compile(r"\{(\w+)\}")
_FEEDBACK_ONLY = frozenset(("DONE", "SAY", "WAIT", "LOOK", "EXPLORE"))
"""Verbs that end the episode, or that show nothing when they come at the wrong time."""

_TRIES = 20


class Straying:
    """Draws the stray decisions of one episode.

    Half of them are commands that would be accepted, at random; half are refused: the right form
    with the wrong thing, or at the wrong time. Only things that the agent knows are named.
    """

    def __init__(self, rate: float, seed: str) -> None:
        """Begin an episode.

        Args:
            rate: share of decisions that go astray.
            seed: decides all draws.
        """
        self._rate = rate
        self._draw = random.Random(seed)

    def instead(
        self, observations: Mapping[str, Observation], right: Mapping[str, str]
    ) -> dict[str, str] | None:
        """The decision with one agent's command replaced; None for one that stays as it is.

        Args:
            observations: what the agents are told.
            right: the demonstrator's commands.
        """
        if not self._rate or self._draw.random() >= self._rate:
            return None
        active = [agent for agent, told in observations.items() if not told.finished]
        agent = self._draw.choice(active)
        command = self._command(observations[agent])
        others = {each: text for each, text in right.items() if text != "DONE"}
        return None if command is None else {**others, agent: command}

    def _command(self, told: Observation) -> str | None:
        refused = self._draw.random() < 0.5
        found = self._refused(told) if refused else None
        return found or self._accepted(told.admissible)

    def _accepted(self, admissible: Sequence[str]) -> str | None:
        fit = [c for c in admissible if c.partition(" ")[0] not in ("DONE", "SAY")]
        fit = [c for c in fit if not c.startswith("CORP_")]
        return self._draw.choice(fit) if fit else None

    def _refused(self, told: Observation) -> str | None:
        world = told.episode.world
        forms = [form for form in told.forms if form.partition(" ")[0] not in _FEEDBACK_ONLY]
        forms = [form for form in forms if not form.startswith("CORP_")]
        known = [*world.blueprint.rooms]
        known += [node for node in world.blueprint.rank if node in world.known[told.agent]]
        if not forms:
            return None
        admissible = frozenset(told.admissible)
        for _ in range(_TRIES):
            form = self._draw.choice(forms)
            command = _SLOT.sub(lambda slot: self._word(slot[1], known), form)
            if command not in admissible:
                return command
        return None

    def _word(self, slot: str, known: Sequence[str]) -> str:
        return self._draw.choice(("in", "on")) if slot == "relation" else self._draw.choice(known)
