"""How commands are read from what a model says: the reply grammars by name."""

from __future__ import annotations

from earsim.registry import Registry
from earsim_agents.replies.ear_bench import EarBenchGrammar
from earsim_agents.replies.grammar import ReplyGrammar
from earsim_agents.replies.strict import StrictGrammar

__all__ = ["GRAMMARS", "ReplyGrammar"]

GRAMMARS: Registry[ReplyGrammar] = Registry(
    "reply grammar", {"strict": StrictGrammar(), "ear-bench": EarBenchGrammar()}
)
"""Every reply grammar that settings can name."""
