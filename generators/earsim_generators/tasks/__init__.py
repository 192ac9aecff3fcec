"""Tasks: proposals put together from what a scene offers."""

from earsim_generators.tasks.sampler import Proposal, TaskRequest, for_several, propose
from earsim_generators.tasks.scene_index import SceneIndex
from earsim_generators.tasks.templates import TaskDemand

__all__ = ["Proposal", "SceneIndex", "TaskDemand", "TaskRequest", "for_several", "propose"]
