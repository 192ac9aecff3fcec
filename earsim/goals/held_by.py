"""`held_by`: an agent, or anyone, has the object in hand or carries it with others."""

from __future__ import annotations

from functools import partial

from earsim.goals.predicate import Predicate
from earsim.schema.goal import HeldByFact
from earsim.world import World


def compile_held_by(fact: HeldByFact) -> Predicate:
    """True while the agent named, or any agent, holds it."""
    return partial(_is_held, fact.object, fact.agent)


def _is_held(target: str, wanted: str | None, world: World) -> bool:
    return any(
        target in agent.inventory or agent.carrying == target
        for agent_id, agent in world.agents.items()
        if wanted in (None, agent_id)
    )
