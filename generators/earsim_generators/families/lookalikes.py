"""Lookalikes: things of one name, of which a number that stays picks one, and their task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from earsim_generators.families.draft import Fields


class LookalikePick(NamedTuple):
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


def pick_of(rng: Random, name: str, number: str, values: Mapping[str, float]) -> LookalikePick:
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
    return LookalikePick(order[k], {"wanted": selector})


def task_about(pick: LookalikePick, name: str, goal: Sequence[Fields], instruction: str) -> Fields:
    """A task of attribute reasoning: the goal speaks of the thing that the selector picks."""
    return {
        "id": name,
        "category": "attribute_reasoning",
        "select": pick.select,
        "goal": {"all": list(goal)},
        "instruction": instruction,
    }


def in_range(pick: LookalikePick, number: str, low: float, high: float) -> Fields:
    """A number of it is between two values."""
    fact = {"object": pick.ref, "of": number, "at_least": low, "at_most": high}
    return {"quantity": fact}


def is_off(node: str, state: str = "is_on") -> Fields:
    """A state of a thing is false."""
    return {"has_state": {"object": node, "state": state, "equals": False}}
