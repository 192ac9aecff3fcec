"""EAR-Bench's validation checks as goals (EAR-Bench 5.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from earsim import ids
from earsim.schema.goal import (
    AllOf,
    AnyOf,
    At,
    AtFact,
    DoneJointly,
    DoneJointlyFact,
    Goal,
    HasState,
    HasStateFact,
)
from earsim.schema.task import Category
from earsim.suites.repair import Imported, Repair, RepairKind

NEVER = AnyOf(any=())
"""A goal that nothing fulfils."""

_TEAM_WORDS = (
    "cooperate",
    "cooperation",
    "cooperatively",
    "work together",
    "collaborate",
    "collaboration",
    "together",
    "jointly",
    "team up",
)
_COLLABORATION = frozenset(category for category in Category if category.is_collaboration)


def is_cooperative(category: str, description: str) -> bool:
    """Whether the reference demands that states be changed by several agents together."""
    text = description.lower()
    return category in _COLLABORATION or any(word in text for word in _TEAM_WORDS)  # Q22


def import_goal(
    checks: Any,
    category: str,
    description: str,
    known: Collection[str],
    *,
    rooms: Collection[str] = (),
) -> Imported[Goal]:
    """The goal that a list of checks means.

    ``known`` are the ids of the scene's objects and rooms, and ``rooms`` those of its rooms: a
    check on a room is never fulfilled, for a room has neither place nor states, unless it checks
    nothing at all.
    """
    if not isinstance(checks, list) or not checks:
        return Imported(NEVER, (Repair(RepairKind.IMPOSSIBLE_CHECK, "task", "no checks"),))
    repairs: list[Repair] = []
    together = is_cooperative(category, description)
    parts: list[Goal] = []
    for check in checks:
        parts += _Check(check, known, rooms, repairs).parts(together=together)
    return Imported(AllOf(all=tuple(parts)), tuple(repairs))


class _Check:
    """One check: an object, and what must hold of it."""

    def __init__(
        self,
        raw: Any,
        known: Collection[str],
        rooms: Collection[str],
        repairs: list[Repair],
    ) -> None:
        self.raw: Mapping[str, Any] = raw if isinstance(raw, dict) else {}
        self.id = self.raw.get("id")
        self.known = known
        self.rooms = rooms
        self.repairs = repairs

    def parts(self, *, together: bool) -> Iterator[Goal]:
        if not isinstance(self.id, str) or self.id not in self.known:
            yield self._never(f"no object {self.id!r}")
            return
        for key, value in self.raw.items():
            if key == "location_id":
                yield self._place(self.id, value)
            elif key.startswith("is_"):
                yield from self._state(self.id, key, value, together=together)
            elif key != "id":
                self._note(RepairKind.IGNORED_CHECK, f"{key!r} is not checked")  # Q20

    def _place(self, id: str, place: object) -> Goal:
        if id in self.rooms or not isinstance(place, str) or not _is_storable(place):
            return self._never(f"it cannot be at {place!r}")
        return At(at=AtFact(object=id, place=place))

    def _state(
        self,
        id: str,
        key: str,
        value: Any,
        *,
        together: bool,
    ) -> Iterator[Goal]:
        if id in self.rooms or not ids.is_id(key):
            yield self._never(f"it has no state {key!r}")
            return
        yield HasState(has_state=HasStateFact(object=id, state=key, equals=value))
        if together:
            yield DoneJointly(done_jointly=DoneJointlyFact(object=id, state=key))

    def _never(self, detail: str) -> Goal:
        self._note(RepairKind.IMPOSSIBLE_CHECK, detail)
        return NEVER

    def _note(self, kind: RepairKind, detail: str) -> None:
        self.repairs.append(Repair(kind, str(self.id), detail))


def _is_storable(place: str) -> bool:
    return ids.is_safe_text(place) and len(place) <= ids.MAX_TEXT_LENGTH
