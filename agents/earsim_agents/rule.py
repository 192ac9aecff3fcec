"""The policy `rule`: what can be had in a laboratory without a model, by rules of the trade.

Gains by textbook tunings and then one at a time, grids by the law of convergence, thresholds by
doubling and bisection; see `earsim.planner.laboratory.rules`. What others are reported beside.
"""

from __future__ import annotations

from typing import Any

from earsim_agents.expert import ExpertPolicy


class RulePolicy(ExpertPolicy):
    """Gets apparatus ready as `expert` does, and says how many runs its rules took.

    It reads from what commands bring, computes no model itself, and knows no answers. Where a task
    has no apparatus it plays as `expert`.
    """

    @property
    def memory(self) -> dict[str, Any]:
        """Runs by apparatus, answers by question, and why it said DONE."""
        known = super().memory
        return {name: known[name] for name in ("runs", "answers", "ended") if name in known}
