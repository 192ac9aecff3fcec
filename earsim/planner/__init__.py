"""The oracle: it solves a scenario, or proves that nothing does."""

from earsim.planner.plan import least_commands, plan
from earsim.planner.result import (
    DEFAULT_NODE_LIMIT,
    CommandClass,
    Impossible,
    Knowledge,
    Plan,
    Result,
    Unknown,
    Why,
)

__all__ = [
    "DEFAULT_NODE_LIMIT",
    "CommandClass",
    "Impossible",
    "Knowledge",
    "Plan",
    "Result",
    "Unknown",
    "Why",
    "least_commands",
    "plan",
]
