"""The reply grammar `strict`: one marked line per agent, anything before, nothing guessed.

A reply is read line by line. A *command line* is ``Action: COMMAND`` where one agent is asked, and
``Action AGENT: COMMAND`` where several are. Every agent that is asked needs exactly one, and there
may be no other: a second command, a command for somebody unknown or a missing one makes the whole
reply unreadable. A line ``Message: TEXT``, or ``Message AGENT: TEXT``, is what the agent says
beside its command. All other lines are thoughts and are not looked at.

Verbs such as ``EXEC`` bring a *text* along: the lines below the command line, to the end of the
reply or to the command line of another agent. Where the text begins with a fence (`````), it ends
with the next one, and neither belongs to it.

Tolerated, because it leaves nothing to guess: blanks around a line, its keyword and its command;
Markdown emphasis and code marks (``*``, `````, leading ``-`` and ``>``) around them; the case of
the word ``Action``. Nothing else is: punctuation belongs to the command, names are as spelled.

The last line of a reply that was cut off by the token limit is not read: its end is missing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from earsim_agents.replies.grammar import quoted

_AROUND = "*`" + "".join(filter(str.isspace, map(chr, range(0x3001))))  # U+3000 is the last blank
_FENCE = "```"
_CUT = "It was cut off because it was too long, before its command was complete."
_LINE = re.compile(r"(?i:action)[*`]*(?P<whom>[ \t][^:]*)?:(?P<command>.*)", re.DOTALL)
_MESSAGE = re.compile(r"(?i:message)[*`]*(?P<whom>[ \t][^:]*)?:(?P<command>.*)", re.DOTALL)


class StrictGrammar:
    """Reads ``Action: GOTO kitchen``, once for each agent and exactly once."""

    everybody = False

    def __init__(self, texts: Collection[str] = ()) -> None:
        self._texts = frozenset(texts)

    def bringing(self, texts: Collection[str]) -> StrictGrammar:
        """Reads the texts of these verbs too, and says where they are to stand."""
        return StrictGrammar(texts)

    def instructions(self, *, several: bool, messages: bool = False) -> str:
        """What a prompt says about the form of a reply."""
        form = self._form(several=several)
        if self._texts:
            until = "the line of the next agent" if several else "the end of your reply"
            form += (
                f"\nThe text of {' and of '.join(sorted(self._texts))} stands on the lines below "
                f"its command, up to {until}."
            )
        if not messages:
            return form
        line = "Message <agent id>: <text>" if several else "Message: <text>"
        return (
            f"{form}\nBefore {'those lines' if several else 'that line'} there may be one line "
            f"'{line}'{' for each agent' if several else ''}: it is said at no cost, beside the "
            "command."
        )

    @staticmethod
    def _form(*, several: bool) -> str:
        if several:
            return (
                "You may think first, in as few words as you need. End your reply with one line "
                "for each agent that has not said DONE, in this form and with nothing after it:\n"
                "Action <agent id>: <command>\n"
                "Write no other line that begins with 'Action': a reply with a missing, a second "
                "or an extra command cannot be read, and the turn is lost."
            )
        return (
            "You may think first, in as few words as you need. End your reply with exactly one "
            "line in this form and with nothing after it:\n"
            "Action: <command>\n"
            "Write no other line that begins with 'Action': a reply with no command or with "
            "several cannot be read, and the turn is lost."
        )

    def line(self, agents: Sequence[str], agent: str) -> str:
        """What stands before the command of an agent."""
        return "Action: " if len(agents) == 1 else f"Action {agent}: "

    def read(
        self, reply: str | None, agents: Sequence[str], *, cut: bool = False
    ) -> dict[str, str] | None:
        """The command of each agent; None unless each was given exactly one."""
        read = self._read(reply, agents, cut=cut)
        return None if isinstance(read, str) else read

    def problem(self, reply: str | None, agents: Sequence[str], *, cut: bool = False) -> str:
        """The line at fault, or the agents without one, and the form that is wanted."""
        read = self._read(reply, agents, cut=cut)
        if not isinstance(read, str):
            return ""
        forms = [f"'{self.line(agents, agent)}<command>'" for agent in agents]
        wanted = f"one line {forms[0]}" if len(forms) == 1 else f"the lines {', '.join(forms)}"
        return f"{read} Wanted: {wanted}, and no other line that begins with 'Action'."

    def _read(self, reply: str | None, agents: Sequence[str], *, cut: bool) -> dict[str, str] | str:
        """The command of each agent, or what is wrong."""
        if not reply:
            return "There was no text in it."
        lines = reply.splitlines()
        is_cut = cut and bool(lines) and not reply.endswith(("\n", "\r"))
        if is_cut:
            del lines[-1]
        thoughts: list[str] = []
        found = _commands(lines, agents, thoughts, cut=cut, texts=self._texts)
        if isinstance(found, str):
            return found
        missing = [agent for agent in agents if agent not in found]
        if not missing:
            return {agent: _whole(found[agent], thoughts, agent, agents) for agent in agents}
        if is_cut:
            return _CUT
        if len(agents) == 1:
            return "No line of it begins with 'Action:'."
        return f"It has no command line for {', '.join(missing)}, so nobody acted."


def _commands(
    lines: Sequence[str],
    agents: Sequence[str],
    thoughts: list[str],
    *,
    cut: bool,
    texts: Collection[str],
) -> dict[str, str] | str:
    """The commands on these lines by agent, or what is wrong; other lines go to the thoughts."""
    found: dict[str, str] = {}
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        given = _command_line(line)
        if given is None:
            thoughts.append(line)
            continue
        agent, command = given
        if not agent and len(agents) == 1:
            agent = agents[0]
        fault = _fault(agent, command, agents, found)
        if fault:
            return f"Line {number}, {quoted(line)}, {fault}."
        if command.partition(" ")[0].upper() in texts:
            text = _text_from(lines[number:], agents)
            number += text.lines
            if cut and not text.closed:
                return _CUT
            command += f"\n{text.text}"
        found[agent] = command
    return found


def _whole(command: str, thoughts: Sequence[str], agent: str, agents: Sequence[str]) -> str:
    """A command with what is said beside it; nothing is beside one that brings a text along."""
    return command if "\n" in command else command + _beside(thoughts, agent, agents)


class _CommandText(NamedTuple):
    """What a command brings along.

    Attributes:
        text: its lines.
        lines: how many lines of the reply it takes, fences included.
        closed: a fence says where it ends.
    """

    text: str
    lines: int
    closed: bool


def _text_from(lines: Sequence[str], agents: Sequence[str]) -> _CommandText:
    """The text that begins on the first of these lines."""
    begin = next((i for i, line in enumerate(lines) if line.strip()), len(lines))
    if begin < len(lines) and lines[begin].lstrip().startswith(_FENCE):
        inside = begin + 1
        ends = [i for i in range(inside, len(lines)) if lines[i].strip() == _FENCE]
        end = ends[0] if ends else len(lines)
        return _CommandText("\n".join(lines[inside:end]), min(end + 1, len(lines)), bool(ends))
    others = [
        i
        for i, line in enumerate(lines)
        if len(agents) > 1 and (given := _command_line(line)) and given[0] in agents
    ]
    end = others[0] if others else len(lines)
    return _CommandText("\n".join(lines[begin:end]).rstrip(), end, bool(others))


def _beside(lines: Sequence[str], agent: str, agents: Sequence[str]) -> str:
    """The second line of an agent's command: what it says, or tells of a thing."""
    speakers = (agent, "") if len(agents) == 1 else (agent,)
    found = filter(None, (_command_line(line, _MESSAGE) for line in lines))
    text = " ".join([said for speaker, said in found if speaker in speakers and said])
    if not text:
        return ""
    return f"\n{text}" if text.split()[0] in ("SAY", "TELL") else f"\nSAY {text}"


def _fault(agent: str, command: str, agents: Sequence[str], found: Mapping[str, str]) -> str:
    """What is wrong with a command line; empty if nothing is."""
    if not command:
        return "gives no command"
    if agent in found:
        return "is a second command" if len(agents) == 1 else f"is a second command for {agent}"
    if not agent:
        return "does not say whose command it is"
    if agent not in agents:
        return f"names {quoted(agent)}, who takes no command now"
    return ""


def _command_line(line: str, pattern: re.Pattern[str] = _LINE) -> tuple[str, str] | None:
    """The agent named by a command line (perhaps none) and its command."""
    match = pattern.fullmatch(_bare(line.strip().lstrip("-> \t")))
    if match is None:
        return None
    return _bare(match["whom"] or ""), _bare(match["command"])


def _bare(text: str) -> str:
    """Without blanks and marks around it."""
    return text.strip(_AROUND)
