"""Goals over the world: predicates, one file each, compiled from the tree in the task."""

from earsim.goals.predicate import Predicate
from earsim.goals.tree import PREDICATES, CompiledGoal, compile_goal

__all__ = ["PREDICATES", "CompiledGoal", "Predicate", "compile_goal"]
