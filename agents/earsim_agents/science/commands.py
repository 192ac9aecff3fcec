"""Command lines in a reply: what a generator wants done, one line each, thoughts around them.

Only the form is read here. Whether names exist and values are allowed, the world says, by refusing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from earsim.apparatus.parameter import Value, read_number
from earsim.planner.laboratory.planning import configure, said
from earsim_agents.replies.record import UnreadableReply

FORM = """\
Think first, in few words. Then give the commands, each on a line of its own:
CONFIGURE apparatus name=value name=value
RUN apparatus
SUBMIT name=value
A workstation executes what stands between two lines of three backticks after
EXEC workstation
Settings that you do not name stay as they are. If there is nothing to do, write the one line
NEXT
Any other line is a thought."""
"""What a prompt says about the form of commands."""

MOST = 6
"""Commands in a reply at most."""

_NAME = r"[A-Za-z0-9_.-]{1,64}"
_PAIR = rf"{_NAME}=[^\s=`]{{1,64}}"
_LINE = re.compile(
    rf"(?P<verb>CONFIGURE|RUN|EXEC) (?P<node>{_NAME})(?P<pairs>(?: {_PAIR})*)"
    rf"|(?P<submit>SUBMIT)(?P<answers>(?: {_PAIR})+)|(?P<next>NEXT)"
)
_LOOKS_LIKE = re.compile(r"(?:CONFIGURE|RUN|EXEC|SUBMIT|STOP)\b")
_AROUND = " \t\r*`->"


class RunRequest(NamedTuple):
    """A run of an apparatus, with some settings changed before it."""

    node: str
    settings: Mapping[str, Value]

    def __str__(self) -> str:
        changed = f"{configure(self.node, self.settings)}; " if self.settings else ""
        return f"{changed}RUN {self.node}"


class Execution(NamedTuple):
    """A piece of code on a workstation."""

    node: str
    code: str

    def __str__(self) -> str:
        return f"EXEC {self.node}\n{self.code}"


class AnswerGiven(NamedTuple):
    """An answer to a question of the task."""

    name: str
    value: Value

    def __str__(self) -> str:
        return f"SUBMIT {self.name}={said(self.value)}"


Action = RunRequest | Execution | AnswerGiven


def read_commands(text: str | None) -> tuple[Action, ...]:
    """The actions of a reply, in its order; none for NEXT.

    Raises:
        UnreadableReply: It holds no command, too many, or one in another form.
    """
    found: list[Action] = []
    settings: dict[str, dict[str, Value]] = {}
    lines, nothing = iter((text or "").splitlines()), False
    for raw in lines:
        line = " ".join(raw.strip(_AROUND).split())
        match = _LINE.fullmatch(line)
        if match is None:
            if _LOOKS_LIKE.match(line):
                raise UnreadableReply(f"{line[:80]!r} is in none of the forms")
            continue
        nothing = nothing or match["next"] is not None
        if match["verb"] == "EXEC":
            found.append(Execution(match["node"], _block(lines)))
        elif match["verb"]:
            pairs = settings.setdefault(match["node"], {})
            pairs.update(_pairs(match["pairs"]))
            if match["verb"] == "RUN":
                found.append(RunRequest(match["node"], settings.pop(match["node"])))
        elif match["submit"]:
            found += [AnswerGiven(name, value) for name, value in _pairs(match["answers"]).items()]
    return _checked(found, settings, nothing=nothing)


def _checked(
    found: Sequence[Action], unrun: Mapping[str, Mapping[str, Value]], *, nothing: bool
) -> tuple[Action, ...]:
    if unrun:
        raise UnreadableReply(f"CONFIGURE {next(iter(unrun))} without a RUN after it")
    if not found and not nothing:
        raise UnreadableReply("there is no command in it")
    if found and nothing:
        raise UnreadableReply("NEXT stands beside other commands")
    if len(found) > MOST:
        raise UnreadableReply(f"there are {len(found)} commands, and {MOST} at most are taken")
    return tuple(found)


def _pairs(text: str) -> dict[str, Value]:
    pairs = (each.partition("=") for each in text.split())
    return {name: _value(value) for name, _, value in pairs}


def _value(text: str) -> Value:
    number = read_number(text)
    if number is None or number in (float("inf"), float("-inf")):
        return text
    return int(number) if text.lstrip("+-").isdecimal() else number


def _block(lines: Iterator[str]) -> str:
    """The code block that comes next, without its fences."""
    code: list[str] | None = None
    for line in lines:
        if line.strip().startswith("```"):
            if code is not None:
                return _code(code)
            code = []
        elif code is not None:
            code.append(line)
        elif line.strip():
            break
    raise UnreadableReply("EXEC without a code block after it, between lines of three backticks")


def _code(lines: Sequence[str]) -> str:
    code = "\n".join(lines)
    if not code.strip():
        raise UnreadableReply("the code block is empty")
    return code
