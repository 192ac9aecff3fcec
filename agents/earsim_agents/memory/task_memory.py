"""The memory that a model writes line by line with its commands, and is told again.

A reply has one line ``State: ...`` above its command lines. It is taken out before the commands are
read, so whatever stands in it, no command is lost by it and none is made of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from earsim.envs.policy import Observation
from earsim.errors import UsageError
from earsim.ids import well_formed
from earsim_agents.memory.system_state import refusal
from earsim_agents.memory.task_state import (
    MOST_CHARS,
    MOVES,
    StringState,
    TaskMemoryState,
    TaskNote,
    TaskState,
)
from earsim_agents.replies.record import UnreadableReply, json_reply

MemoryKind = Literal["none", "string", "typed", "checked"]
KINDS: tuple[MemoryKind, ...] = ("none", "string", "typed", "checked")

HEADING = "# Your state"
"""Stands above the memory in a prompt."""

_MARKED = re.compile(r"^[ \t>*`-]*State[*`]*:[ \t*`]*", re.MULTILINE)
_COMMAND = re.compile(
    r"^[ \t>*`-]*(?:(?:Agent|Agnet)_\d+_)?(?:Action\b[^:\n]*|动作):", re.MULTILINE | re.IGNORECASE
)
_OPENING = re.compile(r"\s*(?:```(?:json)?\s*)?(?=\{)")
_LINE_END = re.compile(r"[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")  # as of `str.splitlines`
_CLOSING = re.compile(r"\s*```")

_TYPED_FORM = """\
Beside that, write down your state in one line above the first command line, as JSON:
State: {"step": "...", "goal": "...", "done": ["..."], "learned": ["..."], "next": "..."}
step is what you are doing: orient (understand the task), search (look for things), work (bring \
about what is asked), repair (overcome a refusal or a failure), verify (check that the goal is \
met) or finish (say DONE). goal is what is asked, done what you have brought about, learned what \
you want to remember, next what you mean to do. A field that you leave out stays as it was. You \
are told your state in every turn, with the error of the last command if it was refused."""

_CHECKED_FORM = "A step may go on, or be followed by others as follows; no other move is taken."

_STRING_FORM = """\
Beside that, write down your state in one line of text above the first command line:
State: TEXT
Tell in it what you are doing, what is asked, what you have brought about, what you want to \
remember, and what you mean to do next. You are told this text in every turn; without such a line \
it stays as it was."""


class WrittenMemory(NamedTuple):
    """The part of a reply that is memory.

    Attributes:
        text: what follows the mark.
        rest: the reply without it, with as many lines.
        at: where it stood.
    """

    text: str
    rest: str
    at: int


class TaskMemory:
    """The memory of one voice in one episode.

    Attributes:
        state: what is remembered; it is changed in place.
    """

    def __init__(self, kind: MemoryKind) -> None:
        self._kind = kind
        self._signal = ""
        self.state: TaskMemoryState = StringState() if kind == "string" else TaskState()

    @property
    def form(self) -> str:
        """What a prompt says about the line."""
        if self._kind == "string":
            return _STRING_FORM
        if self._kind == "typed":
            return _TYPED_FORM
        table = "\n".join(f"{step}: {', '.join(following)}" for step, following in MOVES.items())
        return f"{_TYPED_FORM}\n{_CHECKED_FORM}\n{table}"

    def hear(self, observations: Iterable[Observation]) -> str:
        """Take note of what became of the last commands; what a prompt says of the memory."""
        heard = [told for told in observations if told.outcome is not None]
        self._signal = _once(told.feedback for told in heard)
        refused = [told.feedback for told in heard if told.outcome and not told.outcome.accepted]
        state = self.state
        if isinstance(state, StringState):
            told = state.text or "(nothing yet)"
        else:
            state.error = _once(refused) if heard else state.error
            known = state.model_dump(exclude={"trace", "unreadable", "problem", "current_step"})
            told = json.dumps({"step": state.current_step, **known}, ensure_ascii=False)
        return "\n".join(filter(None, (HEADING, told, state.problem)))

    def take(self, reply: str | None, *, cut: bool = False) -> str | None:
        """Take the memory out of a reply; the reply without it.

        What cannot be read is counted, and told in the next prompt; the memory stays as it was.

        Args:
            reply: the text; None where there was none.
            cut: it ends where the model's tokens did.
        """
        written = written_memory(reply or "", as_json=self._kind != "string")
        self.state.problem = ""
        try:
            if written is None:
                raise UnreadableReply("no line above the commands begins with 'State:'")
            if cut and self._kind == "string" and not written.rest[written.at :].strip():
                raise UnreadableReply("it was cut off because the reply was too long")
            self._write(written.text)
        except UnreadableReply as problem:
            self.state.unreadable += 1
            self.state.problem = f"Your last state could not be read: {problem}. It is as it was."
        return reply if written is None else written.rest

    def _write(self, text: str) -> None:
        state = self.state
        if isinstance(state, StringState):
            if len(text) > MOST_CHARS:
                raise UnreadableReply(f"it has {len(text):,} characters; {MOST_CHARS:,} at most")
            state.text = well_formed(text)
            return
        note = json_reply(text, TaskNote)
        given = note.model_fields_set
        for name in given - {"step"}:
            setattr(state, name, getattr(note, name))
        if "step" in given and note.step != state.current_step:
            self._move(state, note.step)

    def _move(self, state: TaskState, following: str) -> None:
        """Go on to a step; in a checked memory only where the table has the move."""
        problem = refusal(state.current_step, following, MOVES)
        state.record(self._signal, following, allowed=not problem)
        if problem and self._kind == "checked":
            state.problem = f"{problem}. Your step is still {state.current_step}."
        else:
            state.current_step = following


def memory_of(kind: MemoryKind, *, constrain: str) -> TaskMemory | None:
    """A memory of a kind; None for ``none``.

    Args:
        kind: of `KINDS`.
        constrain: how the server restricts replies.

    Raises:
        UsageError: There is no such kind, or restricted replies have no room for a memory.
    """
    if kind not in KINDS:
        raise UsageError(f"state={kind!r}: expected one of {', '.join(KINDS)}")
    if kind == "none":
        return None
    if constrain != "none":
        raise UsageError(
            f"state={kind} with constrain={constrain}: a restricted reply has no room for a line "
            "'State:'; use constrain=none or state=none"
        )
    return TaskMemory(kind)


def written_memory(reply: str, *, as_json: bool) -> WrittenMemory | None:
    """The last memory above all command lines; None where there is none.

    Args:
        reply: the text.
        as_json: it is an object, which may go over several lines or stand in a code fence, unless
            there is none; else it is the rest of its line.
    """
    first = _COMMAND.search(reply)
    head = len(reply) if first is None else first.start()
    marks = [mark for mark in _MARKED.finditer(reply) if mark.start() < head]
    if not marks:
        return None
    begin, start = marks[-1].start(), marks[-1].end()
    end = _end_of_object(reply, start) if as_json else None
    if end is None:
        line_end = _LINE_END.search(reply, start)
        end = len(reply) if line_end is None else line_end.start()
    gap = "\n" * reply.count("\n", begin, end)
    return WrittenMemory(reply[start:end].strip(), reply[:begin] + gap + reply[end:], begin)


def _end_of_object(reply: str, start: int) -> int | None:
    """Where the object ends that begins here, its fence included; None where there is none."""
    opening = _OPENING.match(reply, start)
    if opening is None:
        return None
    try:
        _, end = json.JSONDecoder().raw_decode(reply, opening.end())
    except (ValueError, RecursionError):
        return None
    closing = _CLOSING.match(reply, end) if "```" in opening[0] else None
    return end if closing is None else closing.end()


def _once(texts: Iterable[str]) -> str:
    """Texts in one, each of them once."""
    return " ".join(dict.fromkeys(texts))
