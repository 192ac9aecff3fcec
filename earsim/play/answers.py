"""Answers to what one can ask at any time: look, inventory, help, why, map, hint, history."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.actions.verb import Verb, no_calls, no_fixed_calls
from earsim.play.advice import Adviser
from earsim.play.floor_plan import floor_plan
from earsim.play.hints import Hints
from earsim.play.reading import Reader, form_of
from earsim.play.report import EpisodeReport
from earsim.play.resolving import Doubt, resolve
from earsim.play.said import Said, TextKind, doubt, hint, panel
from earsim.play.session import Session, commands_of
from earsim.play.sight import Sight
from earsim.play.typed import BESIDE, REQUESTS
from earsim.play.values import values_told
from earsim.render.action_help import usable_verbs
from earsim.render.refusals import refusal

_EXAMPLES = 12
_HINTS = ("hint", "least")
_SHADOWED = "LOOK"
"""The verb whose place the free request takes."""


class Answers:
    """Answers for one session; nothing here changes the world."""

    def __init__(self, session: Session, *, show_goal: bool, hints: bool) -> None:
        self._session = session
        self._episode = session.episode
        self._show_goal = show_goal
        self._hints = Hints(session) if hints else None
        self._reader = Reader(session.episode)
        self._report = EpisodeReport(session, show_goal=show_goal)

    def answer(self, what: str, about: str, agent: str) -> Iterator[Said]:
        """What is told when `what` is asked for."""
        if what == "look":
            yield self.look(about, agent)
        elif what == "help":
            yield from self._help(about, agent)
        elif what == "why":
            yield from self._why()
        elif what == "map":
            yield panel("Map", floor_plan(self._episode, agent))
        elif what == "goal":
            yield self._goal()
        elif what == "inventory":
            yield panel("You carry", "\n".join(Sight(self._episode, agent).hands()))
        elif what == "history":
            yield self._history()
        elif what in _HINTS:
            yield from self._hint(what)

    def where(self, agent: str) -> str:
        """`Ward, at Trolley`."""
        return Sight(self._episode, agent).where()

    def look(self, about: str, agent: str) -> Said:
        """The room around the agent, another room or a thing as it is remembered, or all of it."""
        sight = Sight(self._episode, agent)
        if about.casefold() in ("", "around"):
            return sight.around()
        if about.casefold() in ("all", "everything"):
            return panel("Everything you know", self._episode.full(agent))
        found = resolve(about.removeprefix("at "), self._reader.names())
        if isinstance(found, Doubt):
            return doubt(found.message)
        if found in self._episode.engine.blueprint.rooms:
            here = self._episode.world.agents[agent].room
            return sight.around() if found == here else sight.room(found)
        if found not in sight.known and found not in self._episode.engine.blueprint.doors:
            return hint(f"Only somebody else on the team has seen {found}.")
        return sight.thing(found)

    # -- help ----------------------------------------------------------------------------------

    def _help(self, about: str, agent: str) -> Iterator[Said]:
        self._session.notes["asked_for_help"] += 1
        if about:
            yield self._help_on(about, agent)
            return
        yield panel("You can do", "\n".join(self._usable(agent)))
        asked = [f"{word:<10} {REQUESTS[word]}" for word in self.requests]
        yield panel("You can ask, at no cost", "\n".join(asked))
        yield hint(
            "Capitals do not matter, and names or their beginnings do for ids: take brass key. "
            "help VERB shows what it would work on now. !COMMAND is passed on as typed."
        )
        if verbs := self._reader.message_verbs:
            forms = " or ".join(map(form_of, verbs))
            yield hint(
                f"Beside a command, behind a semicolon, {forms} costs nothing: "
                f"GRAB cup{BESIDE} SAY it is heavy"
            )

    def _usable(self, agent: str) -> Iterator[str]:
        """The verbs that can be used now, and those that wait for a tool."""
        every = self._episode.engine.verbs
        usable = list(usable_verbs(self._episode.world, agent, every))
        plain = [verb for verb in usable if not verb.joint and verb.name != _SHADOWED]
        for verb in plain:
            if verb.attribute is None:
                yield f"{form_of(verb)}: {verb.says}"
        if states := [verb.name for verb in plain if verb.attribute is not None]:
            yield f"{', '.join(states)} <target>: change a state of something near"
        names = {verb.name for verb in usable}
        tooled = [v for v in every.values() if v.attribute is not None and not v.joint]
        waiting = [verb.name for verb in tooled if verb.name not in names]
        if waiting:
            yield f"With the right tool or key in hand also: {', '.join(waiting)}"
        if joint := [verb.name for verb in usable if verb.joint and verb.attribute is None]:
            agents = ",".join(self._episode.agents[:2])
            yield f"Together: {', '.join(joint)}"
            if any(verb.teams is not None for verb in usable):
                yield f"    such as CORP_GRAB {agents} <target>, said by one for all"
            else:
                yield f"    all give the same one in a decision: {agents}: {joint[0]} <target>"

    @property
    def requests(self) -> list[str]:
        """What can be asked in this game."""
        of_use = {
            "as": len(self._episode.agents) > 1,
            "goal": self._show_goal,
            **dict.fromkeys(_HINTS, self._hints is not None),
        }
        return [word for word in REQUESTS if of_use.get(word, True)]

    def _help_on(self, about: str, agent: str) -> Said:
        if about.casefold() in REQUESTS:
            return panel(about.casefold(), REQUESTS[about.casefold()])
        verb = self._reader.verb(about)
        if isinstance(verb, Doubt):
            return doubt(verb.message)
        named = list(values_told(self._episode.world, agent, verb))
        lines = [f"{form_of(verb)}: {verb.says}", "", *(named or self._possible(verb, agent))]
        return panel(verb.name, "\n".join(lines))

    def _possible(self, verb: Verb, agent: str) -> Iterator[str]:
        """Commands with a verb that would be accepted now."""
        if verb.calls is no_calls and verb.fixed is no_fixed_calls:
            yield "It is never listed: what it says is yours."
            return
        commands = self._episode.admissible(agent)
        found = [command for command in commands if command.split()[0] == verb.name]
        if not found:
            yield "Nothing that you know of would let you do this now."
            return
        yield "Now this would be accepted:"
        for command in found[:_EXAMPLES]:
            yield f"  {command}"
        if len(found) > _EXAMPLES:
            yield f"  and {len(found) - _EXAMPLES} more"

    # -- looking back --------------------------------------------------------------------------

    def _why(self) -> Iterator[Said]:
        last = self._episode.last
        outcomes = () if last is None else (*last.messages.values(), *last.outcomes.values())
        refused = [o for o in outcomes if o.reason or "stopped_at" in o.facts]
        if not refused:
            yield hint("Nothing was refused in the last decision.")
            return
        for outcome in dict.fromkeys((o.command, o.reason) for o in refused):
            first = next(o for o in refused if (o.command, o.reason) == outcome)
            adviser = Adviser(self._episode, first.agent)
            if first.reason is None:  # a walk that stopped at a door
                yield panel(first.command, "\n".join(adviser.advice(first)))
                continue
            said = refusal(first.reason, first.facts, self._episode.engine.blueprint)
            lines = [said, *adviser.advice(first), f"({first.reason.value})"]
            yield panel(first.command, "\n".join(lines))

    def _hint(self, what: str) -> Iterator[Said]:
        if self._hints is None:
            yield hint("There are no hints in this game.")
        elif what == "hint":
            yield from self._hints.next_decision()
        else:
            yield from self._hints.least()

    def _goal(self) -> Said:
        if not self._show_goal:
            return hint("The instruction says it all; --show-goal tells which parts hold.")
        return self._report.goal()

    def _history(self) -> Said:
        if not self._session.steps:
            return hint("You have not done anything yet.")
        lines = []
        told = commands_of(self._session.steps, in_team=len(self._episode.agents) > 1)
        for step, commands in zip(self._session.steps, told, strict=True):
            whose: dict[str, list[str]] = {}
            for outcome in step.outcomes:
                if outcome.reason is not None:
                    whose.setdefault(outcome.reason, []).append(outcome.agent)
            in_team = len(self._episode.agents) > 1
            reasons = (f"{r} ({', '.join(w)})" if in_team else r for r, w in whose.items())
            refused = f"   refused: {', '.join(reasons)}" if whose else ""
            lines.append(f"{step.decision + 1:>3}  {commands}{refused}")
        return Said(TextKind.PANEL, "\n".join(lines), self._episode.engine.instruction)
