"""`done_jointly`: a state was last changed by several agents together."""

from __future__ import annotations

from functools import partial

from earsim.goals.predicate import Predicate
from earsim.schema.goal import DoneJointlyFact
from earsim.world import World


def compile_done_jointly(fact: DoneJointlyFact) -> Predicate:
    """True while the joint mark of the last change stands."""
    return partial(_is_joint, fact.object, fact.state)


def _is_joint(target: str, state: str, world: World) -> bool:
    return state in world.jointly.get(target, ())
