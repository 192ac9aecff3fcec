"""The policy `regex`: reads the instruction with regular expressions and plays what it has read.

It has no model and is told no goal: what it knows is the sentence, the verbs, and what the team has
perceived. It explores until every phrase means something, and then plays as `expert` does, for the
goal that it has read. What it wins needs no understanding of language; what it wins while it
chooses among lookalikes by a trick, or while its partners do nothing, needs even less.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from earsim import Engine, Episode
from earsim.envs.policy import Observation, PolicyContext
from earsim.errors import EarSimError, UsageError
from earsim.planner.acting.expert import Expert
from earsim.planner.acting.known_world import perceived
from earsim.schema import Task
from earsim_agents.baselines.choices import CHOICES, candidates
from earsim_agents.baselines.lexicon import Lexicon
from earsim_agents.baselines.noun_phrases import Unreadable
from earsim_agents.baselines.sentences import ReadInstruction

_EXPLORED_BY = 0.5
"""Part of the budget after which a choice among what has been seen is made anyhow."""


class RegexPolicy:
    """Explores, reads, and acts upon what it has read."""

    def __init__(self, choose: str = "", alone: bool = False) -> None:
        """Choose how much of the instruction counts.

        Args:
            choose: how one of several lookalikes is chosen, a name of `CHOICES`; as the phrase
                says, if empty.
            alone: all but the first agent say DONE at once.

        Raises:
            UsageError: There is no such way to choose.
        """
        if choose and choose not in CHOICES:
            raise UsageError(f"choose={choose!r} is none of {', '.join(CHOICES)}")
        self._choose, self._alone = choose, alone
        self._begin(None)

    def _begin(self, context: PolicyContext | None) -> None:
        self._rng = Random(None if context is None else f"{context.seed} {context.scenario.id}")
        self._explorer: Expert | None = None
        self._actor: Expert | None = None
        self._unread = ""
        self._goal: Any = None

    @property
    def memory(self) -> dict[str, Any]:
        """The goal that it has read, and the phrase that it could not read."""
        return {"goal": self._goal, "unread": self._unread}

    def reset(self, context: PolicyContext) -> None:
        """Begin an episode."""
        self._begin(context)

    def act(self, observations: Mapping[str, Observation]) -> Mapping[str, str]:
        """The next commands of the agents that are shown."""
        if not observations:
            return {}
        episode = next(iter(observations.values())).episode
        if self._explorer is None:
            self._explorer = Expert(episode.engine)
        if episode.last is not None:
            (self._actor or self._explorer).note(episode.last, episode.world)
        decision = self._decide(episode)
        if self._alone:
            decision = {**dict.fromkeys(episode.agents[1:], "DONE"), **decision}
            if not episode.decisions:
                decision |= dict.fromkeys(episode.agents[1:], "DONE")
        return {agent: text for agent, text in decision.items() if agent in observations}

    def _decide(self, episode: Episode) -> Mapping[str, str]:
        assert self._explorer is not None
        left = episode.budget - episode.decisions
        if self._actor is None:
            explored = self._explorer.explore(episode.world)
            if explored is None or not self._choose or left < _EXPLORED_BY * episode.budget:
                self._read(episode)
            if self._actor is None:
                return explored or dict.fromkeys(episode.agents, "DONE")
        return self._actor.decide(episode.world, left=left)

    def _read(self, episode: Episode) -> None:
        world = episode.world
        lexicon = Lexicon(world, perceived(world))
        try:
            read = ReadInstruction(episode.engine.instruction, lexicon)
            goal, select = read.goal, read.select
            if self._choose:
                choose, text = CHOICES[self._choose], episode.engine.instruction
                goal, select = (
                    read.decided(
                        {
                            name: choose(candidates(noun, lexicon), world, text, self._rng)
                            for name, noun in read.nouns.items()
                        }
                    ),
                    {},
                )
            engine = _aiming_at(episode.engine, goal, select)
        except (Unreadable, EarSimError) as error:
            self._unread = str(error)
            return
        self._unread, self._goal = "", goal
        assert self._explorer is not None
        self._actor = Expert(engine, self._explorer.exploration_memory)


def _aiming_at(engine: Engine, goal: Any, select: Mapping[str, Any]) -> Engine:
    """The rules of the scenario with the goal that was read."""
    old = engine.scenario.task
    task = Task(id=old.id, category=old.category, instruction="-", goal=goal, select=dict(select))
    return Engine(engine.scenario.model_copy(update={"task": task}), engine.ruleset)
