"""The game around a session: a line goes in, what to tell comes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from earsim.actions.decision import Decision
from earsim.actions.outcome import Outcome, Refusal
from earsim.play.answers import Answers
from earsim.play.completing import completions
from earsim.play.reading import Reader
from earsim.play.report import EpisodeReport
from earsim.play.resolving import Doubt, resolve
from earsim.play.said import Said, doubt, hint
from earsim.play.session import Session
from earsim.play.typed import (
    EVERYBODY,
    Line,
    Request,
    TypedCommand,
    TypedCommands,
    one_line,
    understand,
)

_END_OF_TEXT = "."
"""The line that ends a text of many lines."""

_AS_IT_IS = "!"
"""What begins a command that goes to the world exactly as it was typed."""


class _Lacking(NamedTuple):
    """A command without the text that it brings along."""

    agent: str
    command: str


class Game:
    """Plays one session with whoever types.

    Attributes:
        session: what is played.
        over: nothing more is asked: the episode has ended, or the player left.
    """

    def __init__(
        self,
        session: Session,
        *,
        show_goal: bool = False,
        hints: bool = False,
        undo: bool = True,
    ) -> None:
        """Begin, or go on where the session stands.

        Args:
            session: a fresh or resumed one.
            show_goal: tell which parts of the goal hold.
            hints: tell the next command of a plan to who asks.
            undo: let decisions be taken back.
        """
        self.session = session
        self._can_undo = undo
        self.over = session.is_over
        self._reader = Reader(session.episode)
        self._answers = Answers(session, show_goal=show_goal, hints=hints)
        self._report = EpisodeReport(session, show_goal=show_goal)
        self._pending: dict[str, str] = {}
        self._only: str | None = None
        self._typing: tuple[str, list[str]] | None = None

    @property
    def agent(self) -> str:
        """Whose turn it is to be told what to do."""
        if self._only is not None and not self._is_done(self._only):
            return self._only
        asked = [a for a in self._active() if a not in self._pending]
        return (asked or self._active() or list(self.session.episode.agents))[0]

    def opening(self) -> list[Said]:
        """What is told before the first line."""
        return [*self._report.opening(), self._answers.look("", self.agent)]

    def prompt(self) -> str:
        """What stands before the cursor: who, where, and how many decisions are left.

        And the clock, in scenes where something changes by itself.
        """
        if self._typing is not None:
            return "... "
        episode = self.session.episode
        left = f"{episode.budget - episode.decisions} left"
        if episode.engine.blueprint.live is not None:
            left += f", clock {episode.world.clock} s"
        where = self._answers.where(self.agent)
        who = episode.engine.blueprint.name(self.agent)
        return f"[{left}] {who} ({where})> "

    def completions(self, line: str) -> list[str]:
        """How the line can go on."""
        if self._typing is not None:
            return []
        episode = self.session.episode
        part = line.rpartition("|")[2].lstrip()
        agent = self.agent
        name, colon, rest = part.partition(":")
        if colon and isinstance(found := resolve(name, self._agent_names()), str):
            agent, part = found, rest.lstrip()
        possible = (*episode.admissible(agent), *self._reader.tellings(agent))
        found_words = completions(part, possible, self._reader, self._answers.requests)
        if len(self._agent_names()) > 1 and " " not in part and not colon:
            typed = part.casefold()
            found_words += [
                f"{a}:" for a in (*self._active(), "all") if a.casefold().startswith(typed)
            ]
        return found_words

    def hear(self, line: str) -> list[Said]:
        """Answer one line."""
        return list(self.answer(line))

    def answer(self, line: str) -> Iterator[Said]:
        """Answer one line piece by piece, as some take a while; all of them are to be read."""
        if self._typing is not None:
            yield from self._type(line.rstrip("\r\n"))
            return
        names = self._agent_names()
        understood = understand(line, {agent: names[agent] for agent in self._active()})
        lacking = self._lacking(understood)
        if lacking is not None:
            yield self._begin_text(lacking)
        elif isinstance(understood, Doubt):
            yield doubt(understood.message)
        elif isinstance(understood, Request):
            yield from self._request(understood)
        elif isinstance(understood, TypedCommands):
            yield from self._joint(understood)
        else:
            yield from self._single(understood)

    def forget_text(self) -> bool:
        """Forget what was typed of a text of many lines; False if none was being typed."""
        typing, self._typing = self._typing, None
        return typing is not None

    def leave(self) -> list[Said]:
        """End the game where it stands."""
        self.over = True
        return [self._report.left()]

    # -- requests ------------------------------------------------------------------------------

    def _request(self, request: Request) -> Iterator[Said]:
        if request.what == "quit":
            yield from self.leave()
        elif request.what == "undo":
            yield from self._undo(request.about)
        elif request.what == "redo":
            yield from self._redo(request.about)
        elif request.what == "as":
            yield self._switch(request.about)
        else:
            yield from self._answers.answer(request.what, request.about, self.agent)

    def _undo(self, about: str) -> Iterator[Said]:
        if about and not about.isdecimal():
            yield doubt("undo takes a number of decisions: undo 2")
            return
        if self._pending:
            self._pending.clear()
            yield hint("The commands given for this decision are forgotten.")
            return
        if not self._can_undo:
            yield doubt("Here decisions stand: none is taken back.")
            return
        undone = self.session.undo(int(about[:6] or 1) if about else 1)
        self._report.catch_up()
        yield from self._report.undone(undone)
        if undone:
            yield self._answers.look("", self.agent)

    def _redo(self, about: str) -> Iterator[Said]:
        if about and not about.isdecimal():
            yield doubt("redo takes a number of decisions: redo 2")
            return
        self._pending.clear()
        again = self.session.redo(int(about[:6]) if about else 1)
        self._report.catch_up()
        yield from self._report.redone(again)
        self.over = self.session.is_over
        if self.over:
            yield from self._report.ending()
        elif again:
            yield self._answers.look("", self.agent)

    def _switch(self, about: str) -> Said:
        names = self._agent_names()
        self._pending.clear()
        if about.casefold() in ("", *EVERYBODY):
            self._only = None
            return hint(f"Every decision now asks {', '.join(names.values())} in turn.")
        found = resolve(about, names)
        if isinstance(found, Doubt):
            return doubt(f"There is no agent {about!r}; there are {', '.join(names)}.")
        if self._is_done(found):
            return doubt(f"{names[found]} has said DONE and does nothing more.")
        self._only = found
        return hint(f"Only {names[found]} acts now; the others do nothing. Back with: as all")

    # -- commands ------------------------------------------------------------------------------

    def _single(self, order: TypedCommand) -> Iterator[Said]:
        """A command for whoever's turn it is; the decision is taken when everybody has one."""
        agent = self.agent
        if order.text:
            command = self._read(order.text, agent)
            if isinstance(command, Doubt):
                yield doubt(command.message)
                return
            yield from self._echo(agent, order.text, command)
            self._pending[agent] = command
            for partner in self._partners(command):
                self._pending.setdefault(partner, "")
        elif len(self._active()) == 1 or self._only is not None:
            return
        else:
            self._pending[agent] = ""
        if self._only is None and any(a not in self._pending for a in self._active()):
            return
        yield from self._decide({a: text for a, text in self._pending.items() if text})

    def _joint(self, orders: TypedCommands) -> Iterator[Said]:
        """A line that is a whole decision."""
        commands: dict[str, str] = {}
        for agent, text in orders.texts.items():
            command = self._read(text, agent) if text else Doubt("Nothing follows the colon.")
            if isinstance(command, Doubt):
                yield doubt(f"{self._agent_names()[agent]}: {command.message}")
                return
            commands[agent] = command
        for agent, command in commands.items():
            yield from self._echo(agent, orders.texts[agent], command)
        yield from self._decide({**{a: t for a, t in self._pending.items() if t}, **commands})

    def _lacking(self, line: Line) -> _Lacking | None:
        """The command of one agent whose text is still to be typed."""
        if isinstance(line, TypedCommand) and self._reader.lacks_text(line.text):
            return _Lacking(self.agent, line.text)
        if isinstance(line, TypedCommands) and len(line.texts) == 1:
            ((agent, text),) = line.texts.items()
            return _Lacking(agent, text) if self._reader.lacks_text(text) else None
        return None

    def _begin_text(self, lacking: _Lacking) -> Said:
        """Ask for the text of a command, unless no text would make it one."""
        read = self._read(f"{lacking.command}\n{_END_OF_TEXT}", lacking.agent)
        if isinstance(read, Doubt):
            return doubt(read.message)
        self._typing = (lacking.agent, [lacking.command])
        return hint(f"Its text, line by line; a line with only {_END_OF_TEXT} ends it.")

    def _type(self, line: str) -> Iterator[Said]:
        """Another line of a text; the last one makes it a command."""
        assert self._typing is not None
        agent, lines = self._typing
        if line.strip() != _END_OF_TEXT:
            lines.extend(line.split("\n"))
            return
        self._typing = None
        command = "\n".join(lines)
        if agent == self.agent:
            yield from self._single(TypedCommand(command))
        else:
            yield from self._joint(TypedCommands({agent: command}))

    def _partners(self, command: str) -> tuple[str, ...]:
        """Those whom a joint command names: they need none of their own."""
        call = self.session.episode.engine.parse(command.partition("\n")[0])
        return () if isinstance(call, Refusal) else call.actors

    def _read(self, text: str, agent: str) -> str | Doubt:
        if text.startswith(_AS_IT_IS):
            return text.removeprefix(_AS_IT_IS).strip() or Doubt("Nothing follows the !")
        return self._reader.read(text, agent)

    def _echo(self, agent: str, typed: str, command: str) -> Iterator[Said]:
        said = one_line(command)
        if said.casefold() != " ".join(typed.split()).removeprefix(_AS_IT_IS).casefold():
            who = f"{agent}: " if len(self._agent_names()) > 1 else ""
            yield hint(f"= {who}{said}")

    def _decide(self, commands: Mapping[str, str]) -> Iterator[Said]:
        self._pending.clear()
        if not commands:
            yield doubt("Nobody does anything: give a command, or let somebody WAIT.")
            return
        rooms = {a: state.room for a, state in self.session.episode.world.agents.items()}
        decision = self.session.take(commands)
        yield from self._report.decision(decision)
        self.over = self.session.is_over
        if self.over:
            yield from self._report.ending()
            return
        yield from self._seen_now(decision, rooms)
        if self._only is not None and self._is_done(self._only):
            self._only = None

    def _seen_now(self, decision: Decision, rooms: Mapping[str, str]) -> Iterator[Said]:
        """A look around for who came to another room or found something."""
        shown: set[str] = set()
        accepted = {a: o for a, o in decision.outcomes.items() if a in rooms and o.reason is None}
        finders = [a for a, outcome in accepted.items() if _has_found(outcome)]
        for agent in dict.fromkeys([*finders, *accepted]):
            room = self.session.episode.world.agents[agent].room
            if (agent in finders or room != rooms[agent]) and room not in shown:
                shown.add(room)
                yield self._answers.look("", agent)

    def _active(self) -> list[str]:
        return [a for a in self.session.episode.agents if not self._is_done(a)]

    def _is_done(self, agent: str) -> bool:
        return self.session.episode.world.agents[agent].idle

    def _agent_names(self) -> dict[str, str]:
        return self._reader.agents


def _has_found(outcome: Outcome) -> bool:
    return bool(outcome.facts.get("discovered") or outcome.facts.get("revealed"))
