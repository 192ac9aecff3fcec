"""Agreement of sentence and goal, as far as it can be decided."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from earsim.datasets.audit.goal_facts import GoalFacts, facts_of
from earsim.engine import Engine
from earsim.errors import Finding
from earsim.schema import Scenario
from earsim.schema.task_references import selector_references
from earsim.schema.verb_table import verb_table
from earsim_generators.language.predicates import PARTICLES
from earsim_generators.llm.checks.answer_error import finding

_COMMAND = re.compile(
    r"(?:^|[.,;:]\s*|\b(?:and|then|to|please|together|jointly|cooperatively)\s+)"
    rf"(?P<verb>[a-z]+)(?:\s+(?P<before>{'|'.join(PARTICLES)}))?"
    r"\s+(?:the|an?|all|both|this|that|each|any|it|its|them|their)\b"
    rf"(?:\s+(?P<behind>{'|'.join(PARTICLES)})\b)?"
)
"""A verb where a command has one, before what it is about: `then turn it off`. `The label on the
door` asks nobody to label."""

_END_NUMBER = re.compile(r"[ _]+\d+$")


def unspoken(scenario: Scenario) -> Iterator[Finding]:
    """Selectors that the sentence leaves out, directly and through other selectors."""
    task = scenario.task
    said = [name for name in task.select if f"{{{name}}}" in task.instruction]
    for name in said:
        for reference in selector_references(task.select[name]):
            if reference.name[:1] == "$" and reference.name[1:] not in said:
                said.append(reference.name[1:])
    for name in task.select:
        if name not in said:
            expected = f"{{{name}}} in the instruction where it speaks of that object"
            yield finding(f"select.{name}", "the instruction does not speak of it", expected)


def disagreements(scenario: Scenario) -> Iterator[Finding]:
    """Findings where the sentence names other things or changes than the goal."""
    engine = Engine(scenario)
    goal = facts_of(engine)
    if goal is not None:
        told = engine.instruction.casefold().replace("_", " ")
        yield from _names(goal, engine, told)
        yield from _changes(goal, told)


def _names(goal: GoalFacts, engine: Engine, told: str) -> Iterator[Finding]:
    """Ids of the goal that the sentence does not name, while it names others."""
    blueprint, picked = engine.blueprint, frozenset(engine.task.answer.values())
    named = [
        node
        for node in (*blueprint.things, *blueprint.rooms, *blueprint.doors)
        if _is_named(node, told) or _is_named(blueprint.name(node), told)
    ]
    wanted = dict.fromkeys((*goal.things, *(fact.holder for fact in goal.places)))
    missing = [node for node in wanted if node not in named and node not in picked]
    if any(node not in wanted for node in named):
        for node in missing:
            expected = f"{{{node}}} in the instruction, or a selector for what it describes"
            yield finding("goal", f"the instruction does not name {node}", expected)


def _is_named(name: str, told: str) -> bool:
    short = _END_NUMBER.sub("", name.casefold()).replace("_", " ")
    return re.search(rf"(?<!\w){re.escape(short)}(?:e?s)?(?!\w)", told) is not None


def _changes(goal: GoalFacts, told: str) -> Iterator[Finding]:
    """Whether the changes in the sentence and those in the goal are the same.

    Where the goal says where something is to be, `load` and `file` may ask for no more than that.
    """
    checked = {(fact.state, fact.value) for fact in goal.states}
    asked = _asked(told)
    said = {effect for effects in asked.values() for effect in effects}
    missing = [effect for effect in checked - said if not _is_spoken_of(effect, told)]
    unchecked = [verb for verb, effects in asked.items() if checked.isdisjoint(effects)]
    if checked and ((asked and missing) or (unchecked and not goal.places)):
        wanted = ", ".join(f"{state} {value}" for state, value in sorted(checked, key=str))
        reason = "the instruction and the goal differ in the state"
        yield finding("goal", reason, f"says {', '.join(asked)}, checks {wanted}")


def _asked(told: str) -> Mapping[str, frozenset[tuple[str, Any]]]:
    """The effects of each attribute verb that stands as a command."""
    found: dict[str, frozenset[tuple[str, Any]]] = {}
    for match in _COMMAND.finditer(told):
        verb, particle = match["verb"], match["before"] or match["behind"]
        rows = [row for row in verb_table().values() if row.name.partition("_")[0] == verb]
        # `scan the barcode`, `turn it off`; `clean it up` is another verb than `clean it`
        longer = [row for row in rows if _is_whole(row.name.partition("_")[2], particle, told)]
        if not longer and particle in (None, "on", "in"):
            longer = [row for row in rows if row.name == verb]
        if longer:
            found[verb] = frozenset((row.attribute, not row.value) for row in longer)
    return found


def _is_whole(second: str, particle: str | None, told: str) -> bool:
    """Whether the second word of a verb is there: a particle beside it, a noun anywhere."""
    if second in PARTICLES:
        return second == particle
    return bool(second) and _is_named(second, told)


def _is_spoken_of(effect: tuple[str, Any], told: str) -> bool:
    """Whether a verb that brings it about, or the state itself, begins some word."""
    rows = [row for row in verb_table().values() if (row.attribute, not row.value) == effect]
    words = {effect[0].removeprefix("is_"), *(row.name for row in rows)}
    return any(re.search(rf"\b{word.partition('_')[0]}", told) for word in words)
