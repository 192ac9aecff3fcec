"""`has_state`: a state of an object or door has a value. Open attributes are not consulted."""

from __future__ import annotations

from functools import partial
from typing import Any

from earsim.goals.predicate import Predicate
from earsim.schema.goal import HasStateFact
from earsim.world import World


def compile_has_state(fact: HasStateFact) -> Predicate:
    """Plain equality; a missing state equals None, and 1 equals true (EAR-Bench 5.1)."""
    return partial(_has, fact.object, fact.state, fact.equals)


def _has(target: str, state: str, expected: Any, world: World) -> bool:
    states = world.states.get(target)
    return bool((None if states is None else states.get(state)) == expected)
