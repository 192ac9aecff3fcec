"""DONE: claim that the task is complete. Changes nothing in the world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from earsim.actions.grammar import Grammar
from earsim.actions.verb import Call, Facts
from earsim.world import World

GRAMMAR = Grammar.of("DONE")
GRAMMAR_EXACT = Grammar.of("DONE", exact=True)  # `ear-bench`


def claim(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Only a claim; what it leads to is the ruleset's and the episode's affair."""
    return {}


def rest(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """In `physical`, who says it does nothing more."""
    world.agents[agent].idle = True
    world.touch(agent)
    return {}


def claimed(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "You say that the task is done"."""
    return "You say that the task is done."
