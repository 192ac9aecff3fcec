"""The reply grammar `strict`: one marked line per agent, anything before, nothing guessed.

A reply is read line by line. A *command line* is ``Action: COMMAND`` where one agent is asked, and
``Action AGENT: COMMAND`` where several are. Every agent that is asked needs exactly one, and there
may be no other: a second command, a command for somebody unknown or a missing one makes the whole
reply unreadable. Lines that are no command lines are thoughts and are not looked at.

Tolerated, because it leaves nothing to guess: blanks around a line, its keyword and its command;
Markdown emphasis and code marks (``*``, `````, leading ``-`` and ``>``) around them; the case of
the word ``Action``. Nothing else is: punctuation belongs to the command, names are as spelled.

The last line of a reply that was cut off by the token limit is not read: its end is missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_AROUND = "*`" + "".join(filter(str.isspace, map(chr, range(0x3001))))  # U+3000 is the last blank
_LINE = re.compile(r"(?i:action)[*`]*(?P<whom>[ \t][^:]*)?:(?P<command>.*)", re.DOTALL)


class StrictGrammar:
    """Reads ``Action: GOTO kitchen``, once for each agent and exactly once."""

    everybody = False

    def instructions(self, *, several: bool) -> str:
        """What a prompt says about the form of a reply."""
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
        if reply is None:
            return None
        lines = reply.splitlines()
        if cut and lines and not reply.endswith(("\n", "\r")):
            del lines[-1]
        found: dict[str, str] = {}
        for line in lines:
            given = _command_line(line)
            if given is None:
                continue
            agent, command = given
            if not agent and len(agents) == 1:
                agent = agents[0]
            if agent not in agents or agent in found or not command:
                return None
            found[agent] = command
        return {agent: found[agent] for agent in agents} if len(found) == len(agents) else None


def _command_line(line: str) -> tuple[str, str] | None:
    """The agent named by a command line (perhaps none) and its command."""
    match = _LINE.fullmatch(_bare(line.strip().lstrip("-> \t")))
    if match is None:
        return None
    return _bare(match["whom"] or ""), _bare(match["command"])


def _bare(text: str) -> str:
    """Without blanks and marks around it."""
    return text.strip(_AROUND)
