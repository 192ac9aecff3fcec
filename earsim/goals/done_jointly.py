"""`done_jointly`: a state was last changed by several agents together."""

from __future__ import annotations

from earsim.goals.predicate import Predicate
from earsim.schema.goal import DoneJointlyFact
from earsim.world import World


def compile_done_jointly(fact: DoneJointlyFact) -> Predicate:
    """True while the joint mark of the last change stands."""
    target, state = fact.object, fact.state

    def is_joint(world: World) -> bool:
        return state in world.jointly.get(target, ())

    return is_joint
