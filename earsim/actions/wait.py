"""WAIT: do nothing and let time pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from earsim.actions.grammar import Grammar
from earsim.actions.verb import Call, Facts
from earsim.world import World

GRAMMAR = Grammar.of("WAIT")


def wait(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Nothing happens; what others do meanwhile may be worth seeing."""
    return {}


def waited(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "You wait"."""
    return "You wait."
