"""Scenarios for one agent in PDDL, for the planners of that community."""

from earsim.planner.pddl.export import PddlTask, export
from earsim.planner.pddl.plan_text import Replay, read_plan, replay

__all__ = ["PddlTask", "Replay", "export", "read_plan", "replay"]
