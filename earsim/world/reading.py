"""Numbers of things as somebody read them.

The only module of the core that is never compiled: a class made from a named tuple would be none
(docs/design/015-compiled.md).
"""

from __future__ import annotations

from typing import NamedTuple


class Reading(NamedTuple):
    """A number that was felt or measured, as it showed; `clock`: when."""

    value: float
    clock: int


class SeenNow(Reading):
    """A number that is in view, so that it is known as it is; `clock`: since when it shows this."""

    __slots__ = ()
