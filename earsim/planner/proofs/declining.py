"""Proofs that a claim about a task is right: that it is impossible, or can be read in two ways.

Impossible is what the planner refutes: by rules, or by a search that reached every state. Unclear
is a task with two readings that can both be reached, where doing the one leaves the other undone.
That both are readings of the text is not proved here: it is whoever writes the text that knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from earsim.engine import Engine
from earsim.errors import Finding
from earsim.planner.acting.oracle import Oracle
from earsim.planner.proofs.claims import AS_IT_IS, ask, reached_after
from earsim.schema import Goal, Task
from earsim.schema.certificate import ClaimProof, ClaimShown, Search
from earsim.schema.files.dump import to_data

_LONGEST = 200
"""Decisions of a plan that is made part by part."""


def prove_claim(engine: Engine, solution: Search, *, nodes: int) -> ClaimProof | None:
    """What the planner shows of the claim that a scenario calls right; None where it is `done`.

    Args:
        engine: the rules of the scenario.
        solution: what was found about its goal.
        nodes: states that each search may reach.
    """
    right = engine.scenario.task.right_claim
    if right == "impossible":
        shown = {
            "plan": ClaimShown.REFUTED,
            "impossible": ClaimShown.PROVED,
            "unknown": ClaimShown.UNKNOWN,
        }[solution.found]
        return ClaimProof(claim=right, shown=shown)
    if right != "unclear":
        return None
    readings = other_readings(engine)
    others = tuple([ask_about_reading(reading, nodes=nodes) for reading in readings])
    shown = _shown(engine, solution, readings, others)
    return ClaimProof(claim=right, shown=shown, others=others)


def other_readings(engine: Engine) -> tuple[Engine, ...]:
    """The same scenario, as its text may be read as well."""
    return tuple([_reading(engine, goal) for goal in engine.scenario.task.other_readings])


def first_reading(engine: Engine) -> Engine:
    """The same scenario, where its text is read as `goal` has it."""
    return _reading(engine, engine.scenario.task.goal)


def _reading(engine: Engine, goal: Goal) -> Engine:
    task = engine.scenario.task
    update = {
        "goal": goal,
        "right_claim": "done",
        "other_readings": (),
        "walkthrough": _walkthrough_to(goal, task),
    }
    scenario = engine.scenario.model_copy(update={"task": task.model_copy(update=update)})
    return Engine(scenario, engine.ruleset)


def _walkthrough_to(goal: Goal, task: Task) -> tuple[Any, ...]:
    """The author's plan for a reading that exchanges ids one by one; none for any other.

    Whether it reaches the reading is replayed.
    """
    meant, otherwise = [*_texts(to_data(task.goal))], [*_texts(to_data(goal))]
    other = dict(zip(meant, otherwise, strict=False))
    if [other.get(text) for text in meant] != otherwise:
        return ()

    def retold(command: str) -> str:
        return " ".join(other.get(word, word) for word in command.split(" "))

    return tuple(
        retold(entry)
        if isinstance(entry, str)
        else {agent: retold(command) for agent, command in entry.items()}
        for entry in task.walkthrough
    )


def _texts(data: Any) -> Iterator[str]:
    """All texts in plain data, in order."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for value in data.values():
            yield from _texts(value)
    elif isinstance(data, list):
        for value in data:
            yield from _texts(value)


def ask_about_reading(engine: Engine, *, nodes: int) -> Search:
    """How a reading is reached: by a search, or part by part where that gives up.

    Args:
        engine: the rules of the scenario; of an unclear one, for its first reading.
        nodes: states that each search may reach.
    """
    found = ask(engine, AS_IT_IS, nodes=nodes)
    if found.found != "unknown":
        return found
    reading = first_reading(engine)
    oracle, world, plan = Oracle(reading, nodes=nodes), reading.start(), list[dict[str, str]]()
    while not oracle.ended and len(plan) < _LONGEST:
        plan.append(dict(oracle.decide(world)))
        reading.step(world, plan[-1])
        if reading.task.goal.holds(world):
            return Search(found="plan", nodes=found.nodes, plan=tuple(plan), bound=found.bound)
    return found


def _shown(
    engine: Engine, one: Search, readings: Sequence[Engine], others: Sequence[Search]
) -> ClaimShown:
    found = {search.found for search in (one, *others)}
    if "impossible" in found:
        return ClaimShown.REFUTED  # the text asks for what is left
    if "unknown" in found:
        return ClaimShown.UNKNOWN
    for reading, search in zip(readings, others, strict=True):
        if reached_after(reading, one) is not None or reached_after(engine, search) is not None:
            return ClaimShown.REFUTED  # who does the one has done the other
    return ClaimShown.PROVED


def recheck_claim(engine: Engine, solution: Search, proof: ClaimProof | None) -> Iterator[Finding]:
    """What playing shows to be wrong in the proof of a claim; searches nothing."""
    at, place = engine.scenario.id, "certificate.claim"
    right = engine.scenario.task.right_claim
    if proof is None:
        if right not in (None, "done"):
            yield Finding(at, place, f"is missing: {right!r} is called right", "earsim certify")
        return
    if proof.claim != right:
        yield Finding(at, place, f"is about {proof.claim!r}, not {right!r}", "earsim certify")
    elif proof.claim == "unclear" and proof.shown is ClaimShown.PROVED:
        readings = other_readings(engine)
        pairs = zip(readings, proof.others, strict=False)
        if len(readings) != len(proof.others) or any(
            reached_after(reading, search) is None for reading, search in pairs
        ):
            yield Finding(at, place, "its plans do not reach the readings", "earsim certify")
        elif _shown(engine, solution, readings, proof.others) is not ClaimShown.PROVED:
            yield Finding(at, place, "does not follow from its plans", "earsim certify")
    if proof.shown is ClaimShown.REFUTED:
        yield Finding(at, place, f"{right!r} is not the right claim", EXPECTED[proof.claim])


EXPECTED = {
    "impossible": "a goal that no plan reaches",
    "unclear": "two readings that can be reached, and not by one and the same",
}
"""What a scenario has to be for a claim to be right."""
