"""Plans that a PDDL planner wrote, as commands, and what comes of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from earsim.actions.outcome import Outcome
from earsim.engine import Engine
from earsim.errors import FileError, Finding, did_you_mean, near_misses
from earsim.planner.pddl.export import PddlTask

_ACTION = re.compile(r"\(([^()]*)\)")


@dataclass(frozen=True, slots=True)
class Replay:
    """What became of the commands of a plan.

    Attributes:
        outcomes: of each command, in order.
        reached: the goal holds in the end.
    """

    outcomes: tuple[Outcome, ...]
    reached: bool

    @property
    def is_valid(self) -> bool:
        """Whether every command was accepted, and the goal reached."""
        return self.reached and all(outcome.accepted for outcome in self.outcomes)


def read_plan(task: PddlTask, text: str, *, source: str = "the plan") -> tuple[str, ...]:
    """The commands of a plan: one action to a line, as in `(grab-from cup table)`; `;` comments.

    Raises:
        FileError: A line is no action of this task.
    """
    commands: list[str] = []
    findings: list[Finding] = []
    ids = {name: node for node, name in task.names.items()}
    for number, line in enumerate(text.splitlines(), 1):
        said = line.partition(";")[0]
        action = _ACTION.search(said)
        words = (said if action is None else action[1]).lower().split()
        if not words:
            continue
        template = task.commands.get(words[0])
        if template is None:
            near = did_you_mean(near_misses(words[0], task.commands))
            findings.append(Finding(source, "", f"no action {words[0]!r}", near, number))
            continue
        try:
            commands.append(template.format(*[ids.get(word, word) for word in words[1:]]))
        except IndexError:
            findings.append(Finding(source, "", f"too few arguments of {words[0]}", "", number))
    if findings:
        raise FileError(source, findings)
    return tuple(commands)


def replay(engine: Engine, task: PddlTask, commands: Sequence[str]) -> Replay:
    """Carry out commands from the start of a scenario."""
    world = engine.start()
    outcomes = [
        engine.step(world, {task.agent: command}).outcomes[task.agent] for command in commands
    ]
    return Replay(tuple(outcomes), engine.task.goal.holds(world))
