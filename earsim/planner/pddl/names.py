"""Names that PDDL can tell apart, for ids that differ in case or begin with a digit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count

_WORDS = "and or not imply exists forall when either object define domain problem full broken"
_TYPES = "node room thing vessel furniture item door hand mark bit"
_RESERVED = frozenset(f"{_WORDS} {_TYPES}".split(" "))


def pddl_names(ids: Iterable[str]) -> Mapping[str, str]:
    """A name for every id: letter first, all in small letters, each different from the others.

    There is at most one hyphen in it; what a problem has besides has two in its names.
    """
    names: dict[str, str] = {}
    taken = set(_RESERVED)
    for node in ids:
        name = node.lower()
        if not name[0].isalpha():
            name = f"n{name}"
        if name in taken:
            name = next(free for n in count(2) if (free := f"{name}-{n}") not in taken)
        taken.add(name)
        names[node] = name
    return names
