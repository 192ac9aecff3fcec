"""People: who does a task, with limits that make it what its label says."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from earsim.schema import AgentSpec

_NAMES = (
    "Ada", "Amir", "Anouk", "Bao", "Ben", "Berta", "Carlos", "Chika", "Clara", "Dana", "Dmitri",
    "Elif", "Emeka", "Esther", "Farah", "Felix", "Goran", "Greta", "Hana", "Hugo", "Ines",
    "Ivan", "Jada", "Jonas", "Kaveh", "Keiko", "Lars", "Leila", "Lucia", "Marek", "Maya",
    "Milan", "Nadia", "Nils", "Noor", "Olga", "Omar", "Petra", "Priya", "Rafael", "Rosa",
    "Samir", "Sana", "Selma", "Stefan", "Tariq", "Tessa", "Tomas", "Uma", "Vera", "Viktor",
    "Wanda", "Yara", "Yusuf", "Zoe",
)  # fmt: skip

_ALONE_KG = (25.0, 30.0, 35.0, 40.0, 45.0)
"""What one person alone may be able to carry."""

_LEAST_SHARE, _MOST_SHARE = 0.56, 0.9
"""Of a load for two, what one of the two can carry."""

_ROOM_FOR_ERROR = 1.12
"""By how much the team is stronger than it must be, at least."""


def alone(room: str, rng: Random, *, carries: float = 0.0) -> tuple[AgentSpec, ...]:
    """One agent, strong enough for a load in kg."""
    strong = [limit for limit in _ALONE_KG if limit >= carries] or [float(round(carries + 5))]
    return (_person(rng.choice(_NAMES), room, rng.choice(strong)),)


def team(rooms: Sequence[str], limits: Sequence[float], rng: Random) -> tuple[AgentSpec, ...]:
    """Agents with different names, each with its room and what it can carry."""
    names = rng.sample(_NAMES, len(rooms))
    return tuple(map(_person, names, rooms, limits))


def shares(load: float, total: float, count: int, rng: Random) -> tuple[float, ...] | None:
    """Limits with which so many agents can lift a load that no smaller number of them can.

    Args:
        load: what cannot be taken off it, in kg.
        total: what it weighs with all that is in and on it.
        count: agents.
        rng: draws who is the stronger.

    Returns:
        None where what lies on the load leaves no limits between.
    """
    fewer = count - 1
    for _ in range(8):
        drawn = [rng.uniform(_LEAST_SHARE, _MOST_SHARE) * load * 2 / count for _ in range(count)]
        limits = tuple(max(5.0, float(round(limit))) for limit in drawn)
        enough = sum(limits) >= _ROOM_FOR_ERROR * total
        if enough and sum(sorted(limits)[-fewer:]) < load:
            return limits
    return None


def _person(name: str, room: str, limit: float) -> AgentSpec:
    return AgentSpec(id=name.lower(), name=name, in_=room, max_mass_kg=limit)
