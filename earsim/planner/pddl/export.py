"""A scenario as a planning task: domain, problem, and the command that each action is.

The domains of the two rulesets are files beside this one. What a scene adds to its domain are its
attribute verbs; everything else about it is in the problem.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from earsim.engine import Engine
from earsim.errors import UsageError
from earsim.goals.tree import OVER_TIME
from earsim.planner.known_verbs import require_known_verbs
from earsim.planner.pddl import circuit, ear_bench, physical
from earsim.planner.pddl.facts import Names, PddlFacts, attributes, body_of, changeable, verb_rows
from earsim.planner.pddl.goal import Condition
from earsim.planner.pddl.names import pddl_names
from earsim.planner.result import CommandClass
from earsim.schema.goal_tree import leaves
from earsim.schema.verb_table import AttributeVerb

_ACTION = re.compile(r"\(:action (?P<name>\S+) +; (?P<command>.+)\n +:parameters \((?P<of>.*)\)")
_PARAMETER = re.compile(r"\?\w+")


@dataclass(frozen=True, slots=True)
class PddlTask:
    """One scenario in PDDL.

    Attributes:
        domain: text of the domain.
        problem: text of the problem.
        agent: id of the one who acts.
        names: how each id is called in the problem.
        commands: the command that each action is, with `{0}` where its first argument goes.
    """

    domain: str
    problem: str
    agent: str
    names: Mapping[str, str]
    commands: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Domain:
    """What a ruleset brings: a file, the facts of a problem, and how attribute verbs work."""

    file: str
    facts: Callable[[Engine, Names, Collection[AttributeVerb]], PddlFacts]
    actions: Callable[[AttributeVerb], Iterable[str]]

    def text(self, rows: Collection[AttributeVerb], *, has_gates: bool) -> str:
        """The domain of a scene that has these verbs, and of a problem with circuits or without."""
        text = Path(__file__).with_name(self.file).read_text(encoding="utf-8")
        predicates = [f"    ({name} ?x - node) (has-{name} ?x - node)" for name in attributes(rows)]
        predicates += [f"    (gives-{row.name} ?x - thing)" for row in rows]
        predicates += [circuit.PREDICATES] * has_gates
        actions = [text for row in rows for text in self.actions(row)]
        text = text.replace(";;PREDICATES", "\n".join(predicates))
        text = text.replace(";;GATES\n", f"{circuit.AXIOMS}\n" * has_gates)
        return text.replace(";;VERBS", "\n".join(actions))


_DOMAINS: Mapping[str, _Domain] = {
    "ear-bench": _Domain(ear_bench.FILE, ear_bench.facts, ear_bench.actions),
    "physical": _Domain(physical.FILE, physical.facts, physical.actions),
}


def export(engine: Engine, *, command_class: CommandClass = CommandClass.PLAIN) -> PddlTask:
    """Write a scenario for one agent as PDDL; one action is one accepted command.

    Under `physical`, walks that stop at a closed door are left out: a least plan may be longer.
    In scenes with many things, what is too wide for a surface only together is left out, too, and
    shows when the plan is carried out.

    Raises:
        UsageError: The scenario has something that this does not express exactly; says what.
    """
    found = _domain_for(engine, command_class)
    names = pddl_names(engine.blueprint.ids())
    rows = verb_rows(engine)
    goal = Condition(engine, names, changeable(engine, rows))
    require_known_verbs(engine, "PDDL")
    facts = found.facts(engine, names, rows)
    facts.start.extend(f"(asked {names[room]})" for room in goal.rooms)
    domain = found.text(rows, has_gates=facts.has_gates)
    problem = _problem(engine, facts, goal)
    return PddlTask(domain, problem, body_of(engine).id, names, dict(_commands(domain)))


def _domain_for(engine: Engine, command_class: CommandClass) -> _Domain:
    scenario_id, agents = engine.scenario.id, len(engine.blueprint.bodies)
    ruleset = engine.ruleset.name
    if agents > 1:
        raise UsageError(f"{scenario_id} cannot be exported: it has {agents} agents, not one")
    if ruleset == "ear-bench" and command_class is CommandClass.ANY:
        raise UsageError(
            f"{scenario_id} cannot be exported: in class 'any' of 'ear-bench' things move without "
            "the agent turning to them, and its near set becomes stale; only 'plain' is expressed"
        )
    _refuse_time(engine)
    if ruleset not in _DOMAINS:
        raise UsageError(f"{scenario_id} cannot be exported: no domain for ruleset {ruleset!r}")
    return _DOMAINS[ruleset]


def _refuse_time(engine: Engine) -> None:
    """Amounts and time are refused, by the name of what has them."""
    live, scenario_id = engine.blueprint.live, engine.scenario.id
    if live is not None:
        changing = (*live.processes, *live.vessels, *live.sources, *live.fittings, *live.drains)
        named = next(iter(changing), next(iter(live.uses_up), ""))
        raise UsageError(
            f"{scenario_id} cannot be exported: what {named!r} holds or does changes with amounts "
            "and time, which this PDDL does not express"
        )
    for leaf in leaves(engine.task.goal_tree):
        if leaf.key in OVER_TIME:
            raise UsageError(
                f"{scenario_id} cannot be exported: its goal says {leaf.key!r}, and this PDDL does "
                "not express time"
            )


def _problem(engine: Engine, facts: PddlFacts, goal: Condition) -> str:
    objects = [f"    {' '.join(found)} - {kind}" for kind, found in facts.objects.items() if found]
    start = [f"    {fact}" for fact in facts.start]
    return "\n".join(
        [
            f";; EAR-Sim: {engine.scenario.id} under {engine.ruleset.id}",
            "",
            "(define (problem task)",
            f"  (:domain {engine.ruleset.name})",
            "  (:objects",
            *objects,
            "  )",
            "  (:init",
            *start,
            "  )",
            "  (:goal (and (not (reached broken))",
            f"    {goal.text})))",
            "",
        ]
    )


def _commands(domain: str) -> Iterator[tuple[str, str]]:
    """The command that stands behind each action of a domain, its parameters numbered."""
    for match in _ACTION.finditer(domain):
        command = match["command"]
        for place, parameter in enumerate(_PARAMETER.findall(match["of"])):
            command = command.replace(parameter, f"{{{place}}}")
        yield match["name"], command
