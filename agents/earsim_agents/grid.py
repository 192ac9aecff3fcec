"""The policy `grid`: threshold questions by a grid from coarse to fine, as a person would.

It is what the bracket rule of policy `rule` is reported beside; see
`earsim.apparatus.sixbox.coarse_to_fine`.
"""

from __future__ import annotations

from earsim.planner.laboratory.inquiry import Search
from earsim_agents.rule import RulePolicy


class GridPolicy(RulePolicy):
    """Plays as `rule`, but for thresholds: one value of a grid after the other, going outward.

    Where the task allows no more runs it answers what those so far show.
    """

    search: Search = "grid"
