"""Moves of a typed memory, as a run keeps them: the trace in the last state of an episode."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def illegal_moves(state: Any) -> int | None:
    """How many moves of a state its table does not have; None where it has no trace.

    Args:
        state: as JSON; of several voices, theirs by agent.
    """
    traces = list(_traces(state))
    if not traces:
        return None
    return sum(move.get("allowed") is False for trace in traces for move in trace)


def _traces(state: Any) -> Iterator[list[dict[str, Any]]]:
    if not isinstance(state, dict):
        return
    if isinstance(state.get("agents"), dict):
        for each in state["agents"].values():
            yield from _traces(each)
    trace = state.get("trace")
    if isinstance(trace, list):
        yield [move for move in trace if isinstance(move, dict)]
