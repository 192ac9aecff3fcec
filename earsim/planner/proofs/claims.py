"""Claims of search: a question to the planner, its answer as a record, replay of a plan."""

from __future__ import annotations

from earsim.actions.decision import Decision
from earsim.engine import Engine
from earsim.goals.tree import OVER_TIME
from earsim.planner import CommandClass, Impossible, Plan, Unknown, plan
from earsim.planner.proofs.ablation import ablated
from earsim.planner.proofs.numbers import as_records, shown_by
from earsim.planner.timed.replay import Proved, proved
from earsim.planner.timed.waits import MARGIN_MS
from earsim.planner.walkthrough import walkthrough_of
from earsim.schema.certificate import Question, Search
from earsim.schema.goal_tree import leaves

AS_IT_IS = Question()
"""All agents, plain commands, no ablation."""

_IDLE = frozenset({"LOOK", "WAIT", ""})
"""Verbs of commands that only fill a decision in."""


def ask(engine: Engine, question: Question, *, nodes: int) -> Search:
    """The planner's answer to a question about a scenario, as a claim.

    Args:
        engine: from the scenario as it is.
        question: the ablation to plan under.
        nodes: states that the search may reach.
    """
    answer = plan(
        ablated(engine, question),
        agents=question.agents or None,
        command_class=CommandClass(question.command_class),
        nodes=nodes,
    )
    if isinstance(answer, Plan):
        return Search(
            question=question,
            found="plan",
            nodes=answer.nodes,
            plan=tuple(dict(decision) for decision in answer.decisions),
            commands=answer.commands,
            least=answer.least,
            bound=answer.bound,
            seconds=answer.seconds,
            margin_ms=answer.margin_ms,
            numeric=as_records(answer.numeric),
        )
    if isinstance(answer, Impossible):
        return Search(
            question=question,
            found="impossible",
            method="search" if answer.nodes else "rules",
            nodes=answer.nodes,
            why=answer.why.value,
            facts=dict(answer.facts),
        )
    assert isinstance(answer, Unknown)
    return Search(question=question, found="unknown", nodes=answer.nodes, bound=answer.bound)


def at_most_as_long(engine: Engine, found: Search) -> Search:
    """The claim itself, or the same with the walkthrough's plan where that is better.

    A search that gave up may have found no plan, or a longer one than the scenario's author did.
    """
    if found.least or found.found == "impossible":
        return found
    plan = tuple(map(dict, walkthrough_of(engine)))
    own = Search(
        found="plan", method="walkthrough", nodes=found.nodes, plan=plan, bound=found.bound
    )
    reached = reached_after(engine, own)
    if reached is None or (found.found == "plan" and reached >= len(found.plan)):
        return found
    own = own.model_copy(update={"plan": plan[:reached]})
    shown = timing_of(engine, own)
    if shown is None:
        return own
    if shown.margin_ms < MARGIN_MS:
        return found  # too close a call to prove anything
    told = {"seconds": shown.seconds, "margin_ms": shown.margin_ms}
    return own.model_copy(update={**told, "numeric": shown_by(engine, shown.world)})


def timing_of(engine: Engine, search: Search) -> Proved | None:
    """What replay shows of the time that a plan takes; None where nothing depends on time."""
    engine = ablated(engine, search.question)
    world = engine.start()
    is_timed = any(leaf.key in OVER_TIME for leaf in leaves(engine.task.goal_tree))
    if world.timeline is None and not (is_timed and world.physics.time_works):
        return None
    world.beliefs = {}  # which allow and forbid nothing
    return proved(engine, world, search.plan)


def reached_after(engine: Engine, search: Search) -> int | None:
    """After how many decisions of a plan the goal holds for the first time; None if it never does.

    None too where somebody acts who should stand and wait.
    """
    engine = ablated(engine, search.question)
    actors = set(search.question.agents or engine.blueprint.bodies)
    world = engine.start()
    world.beliefs = {}  # which allow and forbid nothing
    if engine.task.goal.holds(world):
        return 0
    for number, commands in enumerate(search.plan, start=1):
        if not _acting(engine.step(world, commands)) <= actors:
            return None
        if engine.task.goal.holds(world):
            return number
    return None


def _acting(decision: Decision) -> set[str]:
    """Those who did something in a decision, be it because others moved them."""
    outcomes = [one for one in decision.outcomes.values() if one.accepted and one.verb not in _IDLE]
    return {actor for outcome in outcomes for actor in outcome.actors}
