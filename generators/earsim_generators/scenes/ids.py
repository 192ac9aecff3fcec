"""Ids from names: readable, unique, and silent about which thing is meant by a task."""

from __future__ import annotations

import re
from functools import lru_cache

_NOT_IN_IDS = re.compile(r"[^a-z0-9]+")


@lru_cache(maxsize=4096)
def slug(name: str) -> str:
    """A name as a word of an id: ``Oil can`` is ``oil_can``, ``Nurses' station`` nurses_station."""
    return _NOT_IN_IDS.sub("_", name.lower().replace("'", "")).strip("_") or "thing"


class IdGiver:
    """Gives every id once."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._last: dict[str, int] = {}

    def plain(self, name: str) -> str:
        """``store_room``, or ``store_room_2`` where that is taken."""
        word = slug(name)
        return self._take(word) if word not in self._taken else self.numbered(name, first=2)

    def numbered(self, name: str, *, first: int = 1) -> str:
        """``oil_can_1``, and ``oil_can_2`` for the next of that name."""
        word = slug(name)
        number = max(self._last.get(word, 0) + 1, first)
        while f"{word}_{number}" in self._taken:
            number += 1
        self._last[word] = number
        return self._take(f"{word}_{number}")

    def _take(self, id: str) -> str:
        self._taken.add(id)
        return id
