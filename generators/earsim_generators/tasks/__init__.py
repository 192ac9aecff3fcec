"""Tasks: proposals put together from what a scene offers."""

from earsim_generators.tasks.ground import Ground
from earsim_generators.tasks.proposing import Proposal, Wish, propose
from earsim_generators.tasks.recipes import Ambition

__all__ = ["Ambition", "Ground", "Proposal", "Wish", "propose"]
