"""The reply grammar `ear-bench`: extracts commands as the reference of EAR-Bench does.

The rules are EAR-Bench 6.5 and 6.6, oddities included: what the reference executes is what was
measured. Replies of one agent always give a command, if only their last line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

_WORD = "动作"
_PUNCTUATION = ".!?。！？，"  # noqa: RUF001 - full-width ones are meant
_MISSPELT = "Agnet_1_Action:"  # by the reference, which then has to read it
_ONE = (
    "Agent_1_Action:",
    _MISSPELT,
    "Action:",
    f"{_WORD}:",
    f"{_WORD}：",  # noqa: RUF001 - the full-width colon is meant
)


class EarBenchGrammar:
    """Reads ``Agent_1_Action: GOTO kitchen``, or the last line; agents are numbered in order."""

    everybody = True

    def bringing(self, texts: Collection[str]) -> EarBenchGrammar:
        """The same: its commands are one line, and nothing else."""
        return self

    def instructions(self, *, several: bool, messages: bool = False) -> str:
        """What a prompt says about the form of a reply; nothing is said beside a command."""
        if several:
            return (
                "Answer with these lines and nothing else; agents are numbered in the order in "
                "which they are listed:\n"
                "Thought: <why, in one line>\n"
                "Agent_1_Action: <command>\n"
                "Agent_2_Action: <command>\n"
                "A reply that lacks the line of an agent is lost, and so is the turn."
            )
        return (
            "Answer with these two lines and nothing else:\n"
            "Thought: <why, in one line>\n"
            "Agent_1_Action: <command>"
        )

    def line(self, agents: Sequence[str], agent: str) -> str:
        """What stands before the command of an agent."""
        return f"Agent_{agents.index(agent) + 1}_Action: "

    def read(
        self, reply: str | None, agents: Sequence[str], *, cut: bool = False
    ) -> dict[str, str] | None:
        """The commands as the reference extracts them, which reads replies that were cut too."""
        if reply is None:
            return None
        if len(agents) == 1:
            return {agents[0]: _of_one(reply)}
        found = {agent: _of_several(reply, number) for number, agent in enumerate(agents, start=1)}
        commands = {agent: command for agent, command in found.items() if command is not None}
        return commands if len(commands) == len(agents) else None

    def problem(self, reply: str | None, agents: Sequence[str], *, cut: bool = False) -> str:
        """The agents whose line is missing, and the lines that are wanted."""
        if self.read(reply, agents) is not None:
            return ""
        if reply is None:
            return "There was no text in it."
        forms = {agent: f"'{self.line(agents, agent)}<command>'" for agent in agents}
        missing = [
            agent
            for number, agent in enumerate(agents, start=1)
            if _of_several(reply, number) is None
        ]
        return (
            f"It has no command line for {', '.join(missing)}, so nobody acted. "
            f"Wanted: the lines {', '.join(forms.values())}."
        )


def _of_one(reply: str) -> str:
    """The first marked line that holds a command, else the last line that is not blank."""
    for line in _lines(reply):
        prefix = next((prefix for prefix in _ONE if line.startswith(prefix)), None)
        if prefix is not None:
            command = _command(line[len(prefix) :])
            if command:
                return command
    return next((line for line in reversed(list(_lines(reply))) if line), "")


def _of_several(reply: str, number: int) -> str | None:
    """The last marked line of an agent that holds a command."""
    found = None
    for line in _lines(reply):
        cut = _cut(line, number)
        if cut is not None:
            found = _command(line[cut:]) or found
    return found


def _cut(line: str, number: int) -> int | None:
    """Where the command begins on a line marked for an agent; None on other lines."""
    for prefix in (f"Agent_{number}_Action:", f"agent_{number}_action:"):
        if line.startswith(prefix):
            return len(prefix)
    if number == 1 and line.startswith(_MISSPELT):
        return len(_MISSPELT)
    short = f"agent_{number}_"
    if line.startswith((f"{short}{_WORD}:", f"{short}{_WORD}：")):  # noqa: RUF001 - meant
        return len(short)  # the reference cuts too little off here (EAR-Bench 6.6)
    return None


def _lines(reply: str) -> Iterator[str]:
    """Lines end with a line feed alone, other line separators stay in them (EAR-Bench 6.6)."""
    return (line.strip() for line in reply.split("\n"))


def _command(rest: str) -> str:
    """Blanks go before punctuation does, so a blank before a full stop stays."""
    return rest.strip().rstrip(_PUNCTUATION)
