"""Commands that lead astray: what a student would do wrong, for a demonstrator to recover from."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence

from earsim.envs.policy import Observation
from earsim.joint import is_joint

_SLOT = re.compile(r"\{(\w+)\}")
_FEEDBACK_ONLY = frozenset(("DONE", "SAY", "WAIT", "LOOK", "EXPLORE"))
"""Verbs that end the episode, or that show nothing when they come at the wrong time."""

_MISTAKEN, _REFUSED = 0.5, 0.75
"""Ends of the shares of stray commands of each kind; what is left would be accepted."""

_STUBBORN = 0.4
"""How often a stray command that was refused is said once more."""

_TRIES = 20


class Perturbation:
    """Draws the stray decisions of one episode.

    Half of them are what a student says that nearly knows: the demonstrator's command with another
    thing in it, a room, a door or what the task speaks of; where it names none of these, a command
    that would be accepted. A quarter are such commands at random; a quarter are refused, the form
    of any command with any thing. Only things that the agent knows are named. What was refused may
    be said again, as students do.
    """

    def __init__(self, rate: float, seed: str) -> None:
        """Begin an episode.

        Args:
            rate: share of decisions that go astray, repetitions aside.
            seed: decides all draws.
        """
        self._rate = rate
        self._draw = random.Random(seed)
        self._last: tuple[str, str] | None = None

    def instead(
        self, observations: Mapping[str, Observation], right: Mapping[str, str]
    ) -> dict[str, str] | None:
        """The decision with one agent's command replaced; None for one that stays as it is.

        Args:
            observations: what the agents are told.
            right: the demonstrator's commands.
        """
        if not self._rate:
            return None
        stray = self._again(observations) or self._anew(observations, right)
        self._last = stray
        if stray is None:
            return None
        others = {each: text for each, text in right.items() if text != "DONE"}
        return {**others, stray[0]: stray[1]}

    def _again(self, observations: Mapping[str, Observation]) -> tuple[str, str] | None:
        """The last stray command, if it was refused and is said again."""
        if self._last is None or self._draw.random() >= _STUBBORN:
            return None
        told = observations.get(self._last[0])
        refused = told is not None and told.outcome is not None and not told.outcome.accepted
        return self._last if refused else None

    def _anew(
        self, observations: Mapping[str, Observation], right: Mapping[str, str]
    ) -> tuple[str, str] | None:
        if self._draw.random() >= self._rate:
            return None
        active = [agent for agent, told in observations.items() if not told.finished]
        agent = self._draw.choice(active)
        told = observations[agent]
        kind = self._draw.random()
        command = None
        if kind < _MISTAKEN:
            command = self._mistaken(told, right.get(agent, ""))
        elif kind < _REFUSED:
            command = self._refused(told, right.get(agent, ""))
        command = command or self._accepted(told.admissible, right.get(agent, ""))
        return None if command is None else (agent, command)

    def _mistaken(self, told: Observation, right: str) -> str | None:
        """The demonstrator's command with one thing mistaken for another."""
        likely = list(_likely(told))
        verb, *words = right.split(" ")
        places = [place for place, word in enumerate(words) if word in likely]
        if not places or is_joint(verb):
            return None
        place = self._draw.choice(places)
        others = [node for node in likely if node not in words]
        if not others:
            return None
        words[place] = self._draw.choice(others)
        return " ".join((verb, *words))

    def _accepted(self, admissible: Sequence[str], right: str) -> str | None:
        fit = [c for c in admissible if c.partition(" ")[0] not in ("DONE", "SAY")]
        fit = [c for c in fit if not is_joint(c) and c != right]
        return self._draw.choice(fit) if fit else None

    def _refused(self, told: Observation, right: str) -> str | None:
        forms = [form for form in told.forms if form.partition(" ")[0] not in _FEEDBACK_ONLY]
        forms = [form for form in forms if not is_joint(form)]
        known = list(_known(told))
        if not forms:
            return None
        admissible = frozenset(told.admissible)
        for _ in range(_TRIES):
            form = self._draw.choice(forms)
            command = _SLOT.sub(lambda slot: self._word(slot[1], known), form)
            if command not in admissible and command != right:
                return command
        return None

    def _word(self, slot: str, known: Sequence[str]) -> str:
        return self._draw.choice(("in", "on")) if slot == "relation" else self._draw.choice(known)


def _known(told: Observation) -> Iterator[str]:
    """Ids of the rooms, and of all things that an agent has seen."""
    world = told.episode.world
    yield from world.blueprint.rooms
    yield from (node for node in world.blueprint.rank if node in world.known[told.agent])


def _likely(told: Observation) -> Iterator[str]:
    """Those that somebody might take for the right one: rooms, doors, what the task names."""
    world, task = told.episode.world, told.episode.engine.instruction.lower()
    blueprint = world.blueprint
    words = {node: re.escape(blueprint.name(node).lower()) for node in _known(told)}
    named = {node for node, name in words.items() if re.search(rf"\b{name}", task)}
    named |= {told.whereabouts.holder(node) for node in named}
    for node in _known(told):
        if node in named or node in blueprint.rooms or node in blueprint.doors:
            yield node
