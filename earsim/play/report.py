"""What is told of an episode as it goes: its task, every decision, and its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from earsim.actions.decision import Decision
from earsim.actions.outcome import Outcome
from earsim.play.said import Said, TextKind, hint, panel, story
from earsim.play.session import Session, commands_of
from earsim.play.typed import one_line
from earsim.prose import listing, number
from earsim.render.events import happened
from earsim.render.feedback import feedback
from earsim.render.words.goals import goal_lines
from earsim.schema import StepRecord

_WARN_AT = (10, 3, 1)


class EpisodeReport:
    """Tells one session, and remembers which parts of the goal held when it last told."""

    def __init__(self, session: Session, *, show_goal: bool) -> None:
        self._session = session
        self._episode = session.episode
        self._show_goal = show_goal
        self._hinted = False
        self.catch_up()

    def catch_up(self) -> None:
        """Take the goal as it is now for known."""
        self._parts = self._held_parts()

    def opening(self) -> Iterator[Said]:
        """The task, who is there, and how to ask for more."""
        engine = self._episode.engine
        bodies = engine.blueprint.bodies.values()
        lines = [engine.instruction, ""]
        for body in bodies:
            size = "" if body.max_size_m is None else f", {_size(body.max_size_m)} in size"
            limits = f"{number(body.max_mass_kg)} kg{size}, {body.hands} hands"
            lines.append(f"{body.name} ({body.id}): lifts up to {limits}")
        lines.append(f"Say DONE when it is done. You have {self._episode.budget} decisions.")
        yield panel(f"{engine.scenario.id}, {engine.scenario.task.category}", "\n".join(lines))
        if self._session.steps:
            yield hint(f"You go on after decision {self._episode.decisions}; see: history")
        yield hint(
            "Type help for what you can do here, look to look around, quit to save and leave."
        )
        if len(bodies) > 1:
            ids = [body.id for body in bodies]
            yield hint(
                "Each decision asks for everybody in turn; an empty line lets one do nothing. Or "
                f"say it in one line: {ids[0]}: EXPLORE | {ids[1]}: WAIT, or all: EXPLORE. "
                f"One agent only: as {ids[0]}. undo also takes back a half-given decision. "
                "DONE is final for who says it; all: DONE ends it."
            )

    def decision(self, decision: Decision) -> Iterator[Said]:
        """What became of every command, and what it did to the goal if that is shown."""
        told: dict[tuple[str, bool], list[str]] = {}
        for agent, outcome in (*decision.messages.items(), *decision.outcomes.items()):
            sentence = self._sentence(outcome)
            told.setdefault((sentence, outcome.reason is None), []).append(agent)
        for (sentence, accepted), agents in told.items():
            who = "" if len(self._episode.agents) == 1 else f"{self._names(agents)}: "
            yield Said(TextKind.DONE if accepted else TextKind.REFUSED, f"{who}{sentence}")
        yield from self._happened(decision)
        if any(not accepted for _, accepted in told) and not self._hinted:
            self._hinted = True
            yield hint("A refusal changes nothing but costs the decision. Type why for advice.")
        yield from self._goal_changes()
        if decision.stalled:
            yield hint("Nobody did anything in this decision.")
        left = self._episode.budget - self._episode.decisions
        if left in _WARN_AT and not self._episode.over:
            yield hint(f"{left} decision{'s' * (left > 1)} left.")

    def _happened(self, decision: Decision) -> Iterator[Said]:
        """What changed by itself in anybody's sight, once."""
        world = self._episode.world
        told = [line for agent in world.agents for line in happened(decision, world, agent)]
        yield from map(story, dict.fromkeys(told))

    def undone(self, steps: Sequence[StepRecord]) -> Iterator[Said]:
        """What was taken back."""
        if not steps:
            yield hint("There is nothing to take back.")
            return
        yield story(f"Taken back: {self._commands(steps)}")

    def redone(self, steps: Sequence[StepRecord]) -> Iterator[Said]:
        """What was taken again."""
        if not steps:
            yield hint("There is nothing to take again.")
            return
        yield story(f"Taken again: {self._commands(steps)}")

    def _commands(self, steps: Sequence[StepRecord]) -> str:
        return "; ".join(commands_of(steps, in_team=len(self._episode.agents) > 1))

    def ending(self) -> Iterator[Said]:
        """The verdict, and what of the goal was left."""
        episode = self._episode
        won = episode.success
        why = "" if episode.over else " The budget is used up."
        decisions = f"{episode.decisions} decision{'s' * (episode.decisions != 1)}"
        share = f"{episode.score} of {episode.max_score} parts of the goal hold"
        lines = [f"{share} after {decisions}.{why}"]
        for said, holds in zip(self._goal(), self._held_parts(), strict=True):
            lines.append(f"[{'x' if holds else ' '}] {said}")
        yield Said(
            TextKind.WON if won else TextKind.LOST, "\n".join(lines), "Done!" if won else "Not done"
        )

    def left(self) -> Said:
        """The farewell of who leaves before the end."""
        count = self._episode.decisions
        return hint(f"You leave after {count} decision{'s' * (count != 1)}.")

    def goal(self) -> Said:
        """Which parts of the goal hold now."""
        marks = zip(self._goal(), self._held_parts(), strict=True)
        lines = (f"[{'x' if holds else ' '}] {said}" for said, holds in marks)
        return panel(f"{self._episode.score} of {self._episode.max_score}", "\n".join(lines))

    def _goal_changes(self) -> Iterator[Said]:
        now = self._held_parts()
        if self._show_goal:
            for said, was, holds in zip(self._goal(), self._parts, now, strict=True):
                if was != holds:
                    yield hint(f"Goal {'met' if holds else 'lost'}: {said}")
        self._parts = now

    def _sentence(self, outcome: Outcome) -> str:
        engine = self._episode.engine
        said = feedback(outcome, engine.blueprint, engine.verbs)
        return said if outcome.reason is None else f"{one_line(outcome.command)}: {said}"

    def _names(self, agents: Sequence[str]) -> str:
        return listing(map(self._episode.engine.blueprint.name, agents))

    def _goal(self) -> tuple[str, ...]:
        engine = self._episode.engine
        return goal_lines(engine.scenario.task.goal, engine.task.answer, engine.blueprint)

    def _held_parts(self) -> tuple[bool, ...]:
        return tuple(part(self._episode.world) for part in self._episode.engine.task.goal.parts)


def _size(edges: tuple[float, ...]) -> str:
    return f"{' x '.join(number(edge) for edge in edges)} m"
