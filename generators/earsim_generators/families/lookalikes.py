"""Lookalikes: things of one name, of which a number that does not move picks one."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from earsim_generators.families.draft import Fields


class Pick(NamedTuple):
    """A selector and its answer.

    Attributes:
        target: Id of the thing that is meant.
        select: Selectors of the task.
    """

    target: str
    select: Fields

    @property
    def name(self) -> str:
        """Name of the selector, for placeholders."""
        return next(iter(self.select))

    @property
    def ref(self) -> str:
        """How a goal refers to it."""
        return f"${self.name}"


def pick_of(rng: Random, name: str, number: str, values: Mapping[str, float]) -> Pick:
    """One of several things: that with the largest, the smallest or the second largest number."""
    order = sorted(values, key=lambda node: -values[node])
    among = {"name": name}
    k = rng.randrange(len(order))
    if k == 0:
        selector: Fields = {"largest": number, "among": among}
    elif k == len(order) - 1:
        selector = {"smallest": number, "among": among}
    else:
        selector = {"rank": {"of": number, "k": k + 1}, "among": among}
    return Pick(order[k], {"wanted": selector})
