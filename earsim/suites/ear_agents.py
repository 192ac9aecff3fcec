"""EAR-Bench's agent entries as agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from earsim import ids
from earsim.errors import FileError, Finding
from earsim.schema.agent import AgentSpec
from earsim.schema.scene_parts import Room
from earsim.suites.ear_scene import is_number, is_size
from earsim.suites.repair import Imported, Repair, RepairKind

_DEFAULT_MASS_KG = 10.0
_DEFAULT_HANDS = 2
_MOST_HANDS = 1000


def import_agents(
    raw: Sequence[Mapping[str, Any]], rooms: Sequence[Room]
) -> Imported[tuple[AgentSpec, ...]]:
    """The agents of an EAR-Bench task file (EAR-Bench 1.4).

    Agents without an id are called ``agent_1``, ``agent_2`` ... in file order; without a place
    they start in the room whose id comes first in the alphabet.

    Raises:
        FileError: The list is empty or holds something that is no dictionary.
    """
    if not isinstance(raw, list | tuple) or not raw or not all(isinstance(a, dict) for a in raw):
        finding = Finding("EAR-Bench agents", "agents_config", "no list of agents")
        raise FileError(finding.file, [finding])
    repairs: list[Repair] = []
    specs = [_agent(entry, number, rooms, repairs) for number, entry in enumerate(raw, start=1)]
    return Imported(tuple(specs), tuple(repairs))


def _agent(
    raw: Mapping[str, Any], number: int, rooms: Sequence[Room], repairs: list[Repair]
) -> AgentSpec:
    entry = _Entry(raw, number, repairs)
    return AgentSpec(
        id=entry.id,
        name=entry.name(),
        in_=entry.room({room.id for room in rooms}),
        max_mass_kg=entry.mass(),
        hands=entry.hands(),
        max_size_m=entry.size(),
    )


class _Entry:
    """One entry of ``agents_config``: limits stand in it or in its ``properties``."""

    def __init__(self, raw: Mapping[str, Any], number: int, repairs: list[Repair]) -> None:
        properties = raw.get("properties")
        self.raw = {**properties, **raw} if isinstance(properties, dict) else raw
        self.repairs = repairs
        self.id = f"agent_{number}"
        given = raw.get("id")
        if isinstance(given, str) and ids.is_id(given):
            self.id = given
        elif given is not None:
            self._note(RepairKind.AGENT_ID, f"{given!r} became {self.id!r}")

    def name(self) -> str:
        given = self.raw.get("name")
        name = ids.clean_name(given) if isinstance(given, str) else ""
        if name != given:
            self._note(RepairKind.CLEANED_TEXT, f"name became {name or self.id!r}")
        return name or self.id

    def room(self, rooms: set[str]) -> str:
        given = self.raw.get("location_id")
        place = str(given).rpartition(":")[2]
        if given is not None and place in rooms:
            return place
        first = min(rooms)
        if given is not None:
            self._note(RepairKind.START_ROOM, f"{given!r} became {first!r}")
        return first

    def mass(self) -> float:
        given = self.raw.get("max_weight", _DEFAULT_MASS_KG)
        if is_number(given) and 0 <= given <= 1e9:
            return float(given)
        self._note(RepairKind.MASS_LIMIT, f"{given!r} became {_DEFAULT_MASS_KG} kg")
        return _DEFAULT_MASS_KG

    def hands(self) -> int:
        """EAR-Bench 1.3: a float is cut to at least 1, a list is 1, an int stays, 0 included."""
        given = self.raw.get("max_grasp_limit", _DEFAULT_HANDS)
        if type(given) is int and 0 <= given <= _MOST_HANDS:
            return given
        hands = min(max(1, int(given)), _MOST_HANDS) if is_number(given) else 1
        self._note(RepairKind.HAND_LIMIT, f"{given!r} became {hands}")
        return hands

    def size(self) -> tuple[float, float, float] | None:
        given = self.raw.get("max_size")
        if given is None:
            return None
        if is_size(given):
            return (given[0], given[1], given[2])
        size = (given, given, given) if is_size([given, given, given]) else None
        self._note(RepairKind.SIZE_LIMIT, f"{given!r} became {size and list(size)}")
        return size

    def _note(self, kind: RepairKind, detail: str) -> None:
        self.repairs.append(Repair(kind, self.id, detail))
