"""The policy `regex`: reads the instruction with regular expressions and plays what it has read.

It has no model and is told no goal: what it knows is the sentence, the verbs, and what the team has
perceived. It explores until every phrase means something, and then plays as `expert` does, for the
goal that it has read, which it reads again as it sees more. Where words for one thing fit several,
it reports that; it looks for such others once it has done the rest. What it wins needs no
understanding of language; what it wins while it chooses among lookalikes by a trick, or while its
partners do nothing, needs even less.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from earsim import Engine, Episode
from earsim.envs.policy import Observation, PolicyContext
from earsim.errors import EarSimError, UsageError
from earsim.goals.over_time import Monitor
from earsim.planner.acting.execution import report_for_all
from earsim.planner.acting.expert import Expert
from earsim.planner.acting.known_world import perceived
from earsim.schema import Task
from earsim.world import World
from earsim_agents.baselines.choices import CHOICES, candidates
from earsim_agents.baselines.claims import fits_several
from earsim_agents.baselines.lexicon import Lexicon
from earsim_agents.baselines.noun_phrases import Unreadable
from earsim_agents.baselines.references import References
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
        self._acting: Expert | None = None
        self._first: World | None = None
        self._seen: frozenset[str] | None = None
        self._unread = ""
        self._aim: tuple[Any, Any] = (None, None)
        self._monitors: tuple[Monitor, ...] = ()
        self._noted: dict[int, Any] = {}
        self._urgent: Any = None
        self._is_met = self._is_looking = self._is_complete = False
        self._speaks_of_one = self._fits_several = False

    @property
    def memory(self) -> dict[str, Any]:
        """The goal that it has read, and the phrase that it could not read."""
        return {"goal": self._aim[0], "unread": self._unread}

    def reset(self, context: PolicyContext) -> None:
        """Begin an episode."""
        self._begin(context)

    def act(self, observations: Mapping[str, Observation]) -> Mapping[str, str]:
        """The next commands of the agents that are shown."""
        if not observations:
            return {}
        episode = next(iter(observations.values())).episode
        if self._explorer is None:
            self._explorer = self._acting = Expert(episode.engine)
            self._first = episode.engine.start()
        if episode.last is not None and self._acting is not None:
            self._acting.note(episode.last, episode.world)
        decision = self._decide(episode)
        if self._alone:
            decision = {**dict.fromkeys(episode.agents[1:], "DONE"), **decision}
            if not episode.decisions:
                decision |= dict.fromkeys(episode.agents[1:], "DONE")
        return {agent: text for agent, text in decision.items() if agent in observations}

    def _decide(self, episode: Episode) -> Mapping[str, str]:
        assert self._explorer is not None
        world, left = episode.world, episode.budget - episode.decisions
        if self._choose:
            return self._choosing(episode, left)
        seen = perceived(world)
        if seen != self._seen:
            self._seen = seen
            self._read(episode)
        can_report = "REPORT" in episode.engine.verbs
        if self._fits_several and can_report:
            return report_for_all(world, "unclear")
        if self._actor is None:
            explored = self._explored(world)
            if explored is not None or self._is_complete:
                return explored or dict.fromkeys(episode.agents, "DONE")
            self._is_complete = True
            self._read(episode)
            return self._decide(episode)
        self._acting = self._actor
        decision = self._actor.decide(self._remembering(world), left=left)
        is_over = set(decision.values()) == {"DONE"}
        if is_over and self._urgent is not None and not self._is_met:
            self._is_met, self._actor, self._aim = True, None, (None, None)
            self._read(episode)
            return self._decide(episode)
        if is_over and can_report and self._speaks_of_one and left > 1:
            put_down = {} if self._is_looking else _let_go(world)
            self._is_looking = not put_down
            return put_down or self._explored(world) or decision
        return decision

    def _choosing(self, episode: Episode, left: int) -> Mapping[str, str]:
        """Explore, choose by the trick, and act."""
        if self._actor is None:
            explored = self._explored(episode.world)
            if explored is None or left < _EXPLORED_BY * episode.budget:
                self._read(episode)
            if self._actor is None:
                return explored or dict.fromkeys(episode.agents, "DONE")
        self._acting = self._actor
        return self._actor.decide(self._remembering(episode.world), left=left)

    def _explored(self, world: World) -> Mapping[str, str] | None:
        self._acting = self._explorer
        return None if self._explorer is None else self._explorer.explore(world)

    def _remembering(self, world: World) -> World:
        """The world, with a memory of the conditions over time that were read, and of no others."""
        if world.timeline is None:
            return world
        own = world.copy()
        assert own.timeline is not None
        own.timeline.monitors = self._noted
        for monitor in self._monitors:
            monitor.look(own)
        self._noted = dict(own.timeline.monitors)
        return own

    def _read(self, episode: Episode) -> None:
        """Read what can be read by now, and aim at it."""
        assert self._explorer is not None
        assert self._first is not None
        seen = perceived(episode.world)
        references = References(Lexicon(self._first, seen), is_complete=self._is_complete)
        try:
            try:
                read = ReadInstruction(episode.engine.instruction, references)
                aim = self._chosen(read, episode) if self._choose else (read.goal, read.select)
            except Unreadable as error:
                if self._is_met or self._choose or references.urgent is None:
                    raise
                self._unread, aim = str(error), ({}, references.select)
            # Who chooses by a trick does not read as it goes, so what is urgent has no turn.
            self._urgent = None if self._choose else references.urgent
            if self._urgent is not None:
                aim = _one_by_one(aim[0], self._urgent, is_met=self._is_met), aim[1]
            self._fits_several = fits_several(references.select.values(), self._first, seen)
            self._speaks_of_one = bool(references.select) or bool(references.named)
            if aim != self._aim:
                self._pursue(episode, *aim)
        except (Unreadable, EarSimError) as error:
            self._unread = str(error)

    def _chosen(self, read: ReadInstruction, episode: Episode) -> tuple[Any, Any]:
        """The goal for what the trick chooses."""
        choose, text = CHOICES[self._choose], episode.engine.instruction
        chosen = {
            name: choose(candidates(noun, read.lexicon), episode.world, text, self._rng)
            for name, noun in read.nouns.items()
        }
        return read.decided(chosen), {}

    def _pursue(self, episode: Episode, goal: Any, select: Any) -> None:
        assert self._explorer is not None
        engine = _aiming_at(episode.engine, goal, select)
        monitors = () if self._fits_several else engine.task.goal.monitors
        if monitors and episode.world.timeline is None:
            raise Unreadable("a condition over time, where there is none")
        self._unread, self._aim, self._monitors, self._noted = "", (goal, select), monitors, {}
        self._actor = Expert(engine, self._explorer.exploration_memory)


def _one_by_one(goal: Any, urgent: Any, *, is_met: bool) -> Any:
    """What is urgent, and everything once that is met."""
    return {"all": [part for part in goal["all"] if "by" not in part]} if is_met else urgent


def _let_go(world: World) -> Mapping[str, str]:
    """What is in hand is put down, where it is to be."""
    hands = {agent: state.inventory for agent, state in world.agents.items()}
    return {agent: f"RELEASE {held[0]}" for agent, held in hands.items() if held}


def _aiming_at(engine: Engine, goal: Any, select: Mapping[str, Any]) -> Engine:
    """The rules of the scenario with the goal that was read."""
    old = engine.scenario.task
    task = Task(
        id=old.id,
        category=old.category,
        instruction="-",
        goal=goal,
        select=dict(select),
        right_claim="done" if "REPORT" in engine.verbs else None,
    )
    return Engine(engine.scenario.model_copy(update={"task": task}), engine.ruleset)
