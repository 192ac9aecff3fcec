"""One live episode: a world, its verdict, its clock of decisions, and what its agents are told.

All faces of the environment (Gymnasium, team, PettingZoo, the runner, a person at a terminal) drive
this one class, so they agree step for step.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from earsim.actions.decision import Decision
from earsim.actions.outcome import Outcome
from earsim.admissible import Admissible
from earsim.engine import Engine
from earsim.errors import UsageError
from earsim.render.changes import Changes, ShownLines
from earsim.render.events import happened, noticed
from earsim.render.feedback import feedback
from earsim.render.scene_text import SceneText
from earsim.schema import Scenario
from earsim.schema.choices import EndOn
from earsim.verdict import Verdict
from earsim.world import World


class Told(NamedTuple):
    """What agents were told last, on which the `delta` observation builds.

    Attributes:
        lines: the lines shown to each agent.
        help: the action help of each agent.
    """

    lines: Mapping[str, ShownLines] = {}
    help: Mapping[str, str] = {}


class Snapshot(NamedTuple):
    """Everything needed to come back to a moment of an episode; it can be pickled."""

    scenario: Scenario
    world: World
    verdict: Verdict
    decisions: int
    claimed_at: int | None
    over: bool
    last: Decision | None
    told: Told = Told()


class Episode:
    """One attempt at one scenario; it can be pickled and goes on where it stood.

    Attributes:
        engine: the rules of the scenario.
        world: the live state; read it, but change it only through `step`.
        verdict: the goal's state, now and ever.
        decisions: turns taken.
        claimed_at: number of the turn, from 0, that first claimed the goal; None if none did.
        over: the episode has ended, by DONE or by the goal.
        last: what became of the last decision.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        end_on: EndOn = "done",
        budget: int | None = None,
        discovered: bool = False,
    ) -> None:
        """Start an episode.

        Args:
            engine: from the scenario to play.
            end_on: "done" ends when the agents say so, "goal" as soon as the goal holds as well.
            budget: decisions allowed; the scenario's own when None.
            discovered: every object is known from the start.
        """
        self.engine = engine
        self.end_on = end_on
        self.budget = engine.budget if budget is None else budget
        self._discovered = discovered
        self._decide = engine.ruleset.decide
        perceiving = engine.ruleset.physics.own_knowledge
        self._sees_others = perceiving and len(engine.blueprint.bodies) > 1
        self._admissible: dict[str, Admissible] = {}
        self._texts = _texts(engine)
        self._changes = {a: Changes(text) for a, text in self._texts.items()}
        self.restart()

    def restart(self) -> None:
        """Begin again from the scenario's first state."""
        self.world = self.engine.start(discovered=self._discovered)
        self.verdict = Verdict(self.engine.task.judged)
        self.verdict.look_first(self.world)
        self.decisions = 0
        self.claimed_at: int | None = None
        self.over = False
        self.last: Decision | None = None
        self._forget()

    @property
    def agents(self) -> tuple[str, ...]:
        """Agent ids in file order."""
        return tuple(self.world.agents)

    @property
    def truncated(self) -> bool:
        """Whether the budget ran out before anybody ended the episode."""
        return not self.over and self.decisions >= self.budget

    @property
    def success(self) -> bool:
        """The verdict that the ruleset publishes: goal ever true, or true now."""
        return self.verdict.ever if self.engine.ruleset.latched else self.verdict.now

    @property
    def score(self) -> int:
        """How many parts of the goal are true now."""
        return self.verdict.score

    @property
    def max_score(self) -> int:
        """How many parts the goal has."""
        return len(self.engine.task.judged.parts)

    @property
    def elapsed_s(self) -> int:
        """Seconds of world time that the last decision took; 0 before the first."""
        return 0 if self.last is None else self.last.elapsed_s

    def step(self, commands: Mapping[str, str] | None) -> Decision:
        """Take one decision: a command per agent.

        Under `ear-bench` commands are carried out in the order of the mapping; under `physical` in
        file order of the agents, whatever the order of the mapping.

        None stands for a policy's reply that could not be read; it costs the decision.
        """
        decision = self._decide(self.engine, self.world, commands)  # as `Engine.step` does
        holds = self.verdict.look(self.world, self.decisions)
        if decision.claimed and self.claimed_at is None:
            self.claimed_at = self.decisions
        self.decisions += 1
        self.last = decision
        if decision.over or (holds and self.end_on == "goal"):
            self.over = True
        return decision

    # -- what agents are told ------------------------------------------------------------------

    def admissible(self, agent: str) -> tuple[str, ...]:
        """Commands of an agent that would be accepted now, sorted."""
        listed = self._admissible.get(agent)
        if listed is None:
            listed = self._admissible[agent] = Admissible(self.engine.offers, agent)
        return listed.list(self.world)

    def full(self, agent: str) -> str:
        """Everything the agent may know, as text."""
        return self._texts[agent].full(self.world)

    def changes(self, agent: str) -> str:
        """What changed or was perceived since this was last asked for the agent."""
        return self._changes[agent].text(self.world)

    def help(self, agent: str) -> str:
        """What the agent can do now, verb by verb."""
        kept = self._help.get(agent)
        if kept is None or kept[0] != self.world.changed:
            text = self.engine.help.text(self.world, agent)
            kept = self._help[agent] = (self.world.changed, text)
        return kept[1]

    def changed_help(self, agent: str) -> str:
        """The action help if it is not the one given last; empty otherwise."""
        text = self.help(agent)
        if self._helped.get(agent) == text:
            return ""
        self._helped[agent] = text
        return text

    def feedback(self, agent: str) -> str:
        """What became of the agent's last command, and of its message; empty before the first."""
        if self.last is None:
            return ""
        outcome, message = self.last.outcomes.get(agent), self.last.messages.get(agent)
        blueprint, verbs = self.engine.blueprint, self.engine.verbs
        told = "" if outcome is None else feedback(outcome, blueprint, verbs)
        if message is None:
            return told
        said = feedback(message, blueprint, verbs)
        return f"{told} {said}" if outcome is not None else said

    def noticed(self, agent: str) -> str:
        """What the agent saw and heard of the others' last commands, where that is all it can.

        And what changed by itself in its sight.
        """
        if self.last is None or not (self._sees_others or self.world.timeline is not None):
            return ""
        told = list(noticed(self.last, self.world, agent)) if self._sees_others else []
        if self.world.timeline is not None and self.world.timeline.events:
            told += happened(self.last, self.world, agent)
        return "\n".join(told)

    def outcome(self, agent: str) -> Outcome | None:
        """The outcome of the agent's last command, if it gave one in the last decision."""
        return None if self.last is None else self.last.outcomes.get(agent)

    # -- going back ----------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """This moment, to come back to as often as wanted."""
        return Snapshot(
            self.engine.scenario,
            self.world.copy(),
            self.verdict.copy(),
            self.decisions,
            self.claimed_at,
            self.over,
            self.last,
            Told({a: changes.shown for a, changes in self._changes.items()}, dict(self._helped)),
        )

    def restore(self, moment: Snapshot) -> None:
        """Go back to a snapshot of this scenario.

        Raises:
            UsageError: The snapshot is of another scenario.
        """
        played = self.engine.scenario
        if moment.scenario is not played and moment.scenario.hash != played.hash:
            raise UsageError(f"a snapshot of {moment.scenario.id} in an episode of {played.id}")
        self.world = moment.world.copy()
        self.verdict = moment.verdict.copy()
        self.decisions = moment.decisions
        self.claimed_at = moment.claimed_at
        self.over = moment.over
        self.last = moment.last
        self._forget(moment.told)

    def fork(self) -> Episode:
        """An independent episode that stands where this one stands."""
        twin = Episode(
            self.engine, end_on=self.end_on, budget=self.budget, discovered=self._discovered
        )
        twin.restore(self.snapshot())
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its rules, its settings and this moment; caches are filled again."""
        settings = (self.end_on, self.budget, self._discovered)
        return _gone_on, (self.engine, *settings, self.snapshot())

    def _forget(self, told: Told = Told()) -> None:  # noqa: B008 - a frozen value
        self._helped = dict(told.help)
        self._help: dict[str, tuple[int, str]] = {}
        for admissible in self._admissible.values():
            admissible.forget()
        for text in self._texts.values():
            text.forget()
        for agent, changes in self._changes.items():
            changes.shown = told.lines.get(agent, ShownLines())


def _gone_on(
    engine: Engine, end_on: EndOn, budget: int, discovered: bool, moment: Snapshot
) -> Episode:
    """An episode that goes on from a moment."""
    episode = Episode(engine, end_on=end_on, budget=budget, discovered=discovered)
    for world in (moment.world, *moment.world.beliefs.values()):
        world.blueprint = engine.blueprint  # the same one, compiled anew
    episode.restore(moment)
    return episode


def _texts(engine: Engine) -> dict[str, SceneText]:
    """One picture per agent; a team that shares its knowledge shares one."""
    agents = list(engine.blueprint.bodies)
    if not engine.ruleset.physics.own_knowledge:
        return dict.fromkeys(agents, SceneText(engine.blueprint, agents[0], engine.lines))
    return {agent: SceneText(engine.blueprint, agent, engine.lines) for agent in agents}
