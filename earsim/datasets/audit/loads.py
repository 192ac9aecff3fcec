"""What has to be moved, against what the agents can lift."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from earsim.datasets.audit.goal_facts import GoalFacts
from earsim.engine import Engine


class Fit(StrEnum):
    """Who can lift a load, going by masses alone."""

    ONE = "one agent"
    TOGETHER = "only together"
    EXACTLY = "exactly all together"
    NOBODY = "not even together"


class Load(NamedTuple):
    """The heaviest object that a goal wants somewhere; own mass, without what is in it.

    Attributes:
        strongest_kg: the limit of the strongest agent.
        together_kg: the limits of all agents.
    """

    object: str
    mass_kg: float
    strongest_kg: float
    together_kg: float

    @property
    def fit(self) -> Fit:
        """Who can lift it."""
        if self.mass_kg <= self.strongest_kg:
            return Fit.ONE
        if self.mass_kg == self.together_kg:
            return Fit.EXACTLY
        return Fit.TOGETHER if self.mass_kg < self.together_kg else Fit.NOBODY


def load_of(engine: Engine, goal: GoalFacts) -> Load | None:
    """The heaviest thing to be moved; None where nothing is."""
    things, world = engine.blueprint.things, engine.start()
    moved = [
        things[fact.thing]
        for fact in goal.places
        if fact.thing in things and world.location[fact.thing].holder != fact.holder
    ]
    if not moved:
        return None
    heaviest = max(moved, key=lambda thing: thing.mass_kg)
    limits = [body.max_mass_kg for body in engine.blueprint.bodies.values()]
    return Load(heaviest.id, heaviest.mass_kg, max(limits), sum(limits))
