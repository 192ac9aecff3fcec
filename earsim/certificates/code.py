"""Whether this machine executes the code of a walkthrough."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.actions.execute import unfit_machine, workstations
from earsim.engine import Engine
from earsim.render.refusals import refusal
from earsim.schema import Scenario


def code_not_executed(scenario: Scenario) -> str:
    """Why this machine executes no code of the walkthrough; empty where it does, or there is none.

    That is no fault of the scene: its walkthrough cannot be played here.
    """
    given = [command.split(maxsplit=2) for command in _commands(scenario)]
    targets = {words[1]: None for words in given if words[0] == "EXEC" and len(words) > 1}
    if not targets:
        return ""
    engine = Engine(scenario)
    world = engine.start()
    for node in targets:
        refused = unfit_machine(world, node) if node in workstations(engine.blueprint) else None
        if refused is not None:
            return refusal(refused.reason, refused.facts, engine.blueprint)
    return ""


def _commands(scenario: Scenario) -> Iterator[str]:
    for entry in scenario.task.walkthrough:
        yield from [entry] if isinstance(entry, str) else entry.values()
