"""Informed plans: by agents who perceive every number that decides before they are done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from earsim.engine import Engine
from earsim.goals.selectors import decisive
from earsim.planner.acting.experimenter import expert_of
from earsim.planner.walkthrough import walkthrough_of
from earsim.schema.certificate import Search
from earsim.world.perceived import read_by_anybody


def informed(engine: Engine) -> Search | None:
    """A plan within the budget that perceives the felt and measured numbers of all candidates.

    The expert's, who knows no more than the agents; else the walkthrough's. None where nothing that
    decides must be felt or measured, or neither does it.
    """
    if not to_perceive(engine):
        return None
    if is_informed(engine, tried := _by_the_expert(engine)):
        return Search(found="plan", method="expert", nodes=0, plan=tuple(tried))
    if is_informed(engine, own := tuple(map(dict, walkthrough_of(engine)))):
        return Search(found="plan", method="walkthrough", nodes=0, plan=own)
    return None


def to_perceive(engine: Engine) -> frozenset[tuple[str, str]]:
    """The things, and numbers of them, that a task rests on and that nobody knows from looking."""
    hidden = engine.blueprint.hidden
    if not hidden:
        return frozenset()
    world = engine.start(discovered=True)
    asked = [
        each
        for selector in engine.scenario.task.select.values()
        for each in decisive(selector, world, engine.task.answer)
    ]
    return frozenset([(node, name) for node, name in asked if name in hidden.get(node, ())])


def is_informed(engine: Engine, plan: Sequence[Mapping[str, str]]) -> bool:
    """Whether the goal holds after a plan within the budget, and everything was perceived."""
    if not 0 < len(plan) <= engine.budget:
        return False
    world = engine.start()
    for decision in plan:
        engine.step(world, decision)
    read = {(node, name) for node, names in read_by_anybody(world).items() for name in names}
    return engine.task.goal.holds(world) and to_perceive(engine) <= read


def _by_the_expert(engine: Engine) -> list[dict[str, str]]:
    """What the expert does, until it says that it is done."""
    expert, world = expert_of(engine), engine.start()
    done: list[dict[str, str]] = []
    while len(done) < engine.budget:
        decision = dict(expert.decide(world, left=engine.budget - len(done)))
        if set(decision.values()) == {"DONE"}:
            break
        expert.note(engine.step(world, decision), world)
        done.append(decision)
    return done
