"""Conditions: tasks whose goals say more than how things end.

Which ones and no others, how many, in which order, what at no time, on how many trips, until when.
Every task comes with shortcuts: plans that do what is asked and do not heed the condition. They are
played, and a task that one of them wins is rejected.
"""

from earsim_generators.conditions.condition_task import ConditionTask
from earsim_generators.conditions.draft import ConditionDraft
from earsim_generators.conditions.play import (
    BUDGET_RATIO,
    Budgeted,
    ExpertPlay,
    expert_play,
    is_missed_by,
    is_won_without,
    within_budget,
)
from earsim_generators.conditions.registry import CONDITIONS

__all__ = [
    "BUDGET_RATIO",
    "CONDITIONS",
    "Budgeted",
    "ConditionDraft",
    "ConditionTask",
    "ExpertPlay",
    "expert_play",
    "is_missed_by",
    "is_won_without",
    "within_budget",
]
