"""The policies `embodied`, `codeact` and `direct`."""

from __future__ import annotations

from typing import Any, Literal

from earsim.envs.policy import PolicyContext
from earsim_agents.replies.record import UnreadableReply
from earsim_agents.science.commands import read_commands
from earsim_agents.science.embodied import prompts
from earsim_agents.science.embodied.play import TURNS, Embodied, Switches
from earsim_agents.science.embodied.state import EmbodiedState
from earsim_agents.science.laboratory import Laboratory
from earsim_agents.science.play import Observations, Play
from earsim_agents.science.play_policy import AskingPolicy
from earsim_agents.science.reading import answered

OnOff = Literal["on", "off"]


class EmbodiedPolicy(AskingPolicy):
    """EmbodiedAct: a planner, a generator, perception while a run goes on, and a reflector.

    Errands, such as fetching a key, are the expert's. Calls have the roles ``plan``, ``code``,
    ``perceive`` and ``reflect``.
    """

    def __init__(
        self, *, perception: OnOff = "on", reflection: OnOff = "on", **options: Any
    ) -> None:
        """Make a policy.

        Args:
            perception: whether runs are watched and stopped.
            reflection: whether outcomes are compared with what was wanted.
            options: those of `ModelSettings`, and the client.

        Raises:
            UsageError: An option makes no sense.
        """
        super().__init__(**options)
        self._switches = Switches(perception == "on", reflection == "on")

    def play(self, context: PolicyContext, observations: Observations) -> Play[None]:
        """The program of one episode."""
        state = self.state = EmbodiedState()
        yield from Embodied(Laboratory(observations), state, self._switches).play()


class CodeActPolicy(AskingPolicy):
    """One conversation: command, see what came of it after its end, command again.

    The same apparatus and the same five turns as `embodied`, without plan, stream and STOP.
    """

    turns = TURNS

    def play(self, context: PolicyContext, observations: Observations) -> Play[None]:
        """The program of one episode."""
        lab, state = Laboratory(observations), EmbodiedState()
        self.state = state
        body = Embodied(lab, state, Switches(perception=False, reflection=False))
        while state.turns < self.turns and not state.ended:
            state.turns += 1
            actions = yield from answered("act", prompts.ACT, body.told(), read=read_commands)
            if isinstance(actions, UnreadableReply) or not actions:
                state.ended = "nothing to do" if actions == () else "unreadable"
                continue
            for action in actions:
                yield from body.do(action)
        yield from lab.rest()


class DirectPolicy(CodeActPolicy):
    """One reply, carried out without a look back: what a model knows without a body."""

    turns = 1
