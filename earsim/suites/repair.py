"""What an importer changed in foreign data so that it fits our schema."""

from __future__ import annotations

from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class RepairKind(StrEnum):
    """Classes of repairs, for counting."""

    MISSING_MASS = "missing mass"
    UNUSUAL_TYPE = "unusual type"
    UNUSUAL_RELATION = "unusual relation"
    UNPLACED_OBJECT = "unplaced object"
    UNKNOWN_ABILITY = "unknown ability"
    MISPLACED_ABILITIES = "misplaced abilities"
    UNKNOWN_SCENE_ABILITY = "unknown scene ability"
    UNKNOWN_CONNECTION = "unknown connection"
    CLEANED_TEXT = "cleaned text"
    HAND_LIMIT = "hand limit"
    MASS_LIMIT = "mass limit"
    SIZE_LIMIT = "size limit"
    START_ROOM = "start room"
    AGENT_ID = "agent id"
    IGNORED_CHECK = "ignored check"
    IMPOSSIBLE_CHECK = "impossible check"


class Repair(NamedTuple):
    """One change.

    Attributes:
        place: Id of the thing that was changed, or where it stands.
        detail: What was found and what became of it.
    """

    kind: RepairKind
    place: str
    detail: str

    def __str__(self) -> str:
        return f"{self.place}: {self.kind}: {self.detail}"


class Imported(NamedTuple, Generic[T]):
    """A value made from foreign data, and what had to be repaired."""

    value: T
    repairs: tuple[Repair, ...] = ()
