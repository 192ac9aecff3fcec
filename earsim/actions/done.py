"""DONE: claim that the task is complete. Changes nothing in the world."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from earsim.actions.grammar import Grammar, pattern
from earsim.actions.verb import Call
from earsim.world import World

GRAMMAR = Grammar(pattern(r"^DONE$"), "DONE")
GRAMMAR_EXACT = Grammar(pattern(r"^\s*DONE\s*$"), "DONE", exact=True)  # `ear-bench`


def claim(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Only a claim; what it leads to is the ruleset's and the episode's affair."""
    return {}


def rest(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """In `physical`, who says it does nothing more."""
    world.agents[agent].idle = True
    world.touch(agent)
    return {}
