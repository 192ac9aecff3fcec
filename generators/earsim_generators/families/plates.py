"""Hot plates, and how long what stands on them takes."""

from __future__ import annotations

import math
from typing import NamedTuple

from earsim.dynamics import Constant, integral, net_power, one_body
from earsim_generators.families.draft import SceneDraft


class BodyInAir(NamedTuple):
    """A body in the air of a room.

    Attributes:
        begun_c: Its temperature at the start.
        loss_wpk: Its conductance to the air.
        ambient_c: Temperature of the air.
    """

    begun_c: float
    capacity_jpk: float
    loss_wpk: float
    ambient_c: float

    def time_to(self, goal_c: float, power_w: float = 0.0) -> float:
        """Seconds until it comes to a temperature; infinite if it does not."""
        air = [(self.loss_wpk, Constant(self.ambient_c))]
        law = one_body(self.begun_c, self.capacity_jpk, air, power_w)
        found = law.crosses(goal_c, rising=goal_c > self.begun_c)
        return math.inf if found is None else found

    def before(self, goal_c: float, seconds: float) -> float:
        """The temperature from which it comes to a goal in so many seconds without power."""
        decayed = math.exp(self.loss_wpk / self.capacity_jpk * seconds)
        return self.ambient_c + (goal_c - self.ambient_c) * decayed


def hot_plate(draft: SceneDraft, room: str) -> tuple[str, float]:
    """A hot plate and its power, which goes into what lies on it."""
    power_w = float(draft.rng.randrange(600, 1801, 100))
    plate = draft.furniture(
        "Hot plate",
        room,
        mass_kg=4.0,
        size=(0.5, 0.5, 0.15),
        states={"is_on": False},
        processes=[{"heats": {"power_w": power_w, "to": "on", "while": {"is_on": True}}}],
    )
    return plate, power_w


def seconds_on(body: BodyInAir, power_w: float, at_c: float, latent_j: float) -> float:
    """Seconds until a body has come to where it melts or boils, and taken up so much heat there."""
    air = [(body.loss_wpk, Constant(body.ambient_c))]
    taken = integral(net_power(at_c, air, power_w)).crosses(latent_j, rising=True)
    return body.time_to(at_c, power_w) + (math.inf if taken is None else taken)
