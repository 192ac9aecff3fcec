"""How objects of the core travel, compiled or not: to a process, into a file, into a deep copy.

By itself an object is made without its constructor and then filled in. A compiled class does not
allow that: it always runs its constructor, and what is frozen is frozen from the first.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any


class Frozen:
    """The base of frozen dataclasses: pickled as a call of the constructor.

    What that works out is worked out again.
    """

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """The class, and what its constructor was given."""
        given: Any = self
        return type(self), tuple([getattr(self, f.name) for f in fields(given) if f.init])


def reduced(thing: object, *given: object) -> tuple[Any, ...]:
    """What `__reduce__` of a class says whose objects change.

    Args:
        thing: what is pickled.
        given: what its constructor needs.
    """
    state: Any = thing.__getstate__()
    if isinstance(state, tuple):  # plain Python: those in `__dict__`, and those in `__slots__`
        state = {**(state[0] or {}), **state[1]}
    return _made_again, (type(thing), given, state)


def _made_again(kind: type, given: tuple[Any, ...], state: dict[str, Any]) -> object:
    made: object = kind(*given)
    for name, value in state.items():
        setattr(made, name, value)
    return made
