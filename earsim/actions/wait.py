"""WAIT: do nothing and let time pass."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from earsim.actions.grammar import Grammar, pattern
from earsim.actions.verb import Call
from earsim.world import World

GRAMMAR = Grammar(pattern(r"^WAIT$"), "WAIT")


def wait(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Nothing happens; what others do meanwhile may be worth seeing."""
    return {}
