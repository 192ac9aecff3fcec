"""Errand: one of several things alike, to be brought to a table, and several errands of a task."""

from __future__ import annotations

from typing import Any, NamedTuple


class ComparedErrand(NamedTuple):
    """What is to be brought where.

    Attributes:
        one: What the thing is called in a sentence.
        thing: Its id.
        gauge: Id of what it is compared with.
        table: Id of where it is brought.
        cleared: Id of another one that has to leave the table, if one has; `spare` is another
            table, to which it may go.
        select: Selector of the thing, by its name in the goal.
        goal: Parts of the goal.
        said: A sentence for it, with placeholders for ids.
    """

    one: str
    thing: str
    gauge: str
    table: str
    cleared: str
    spare: str
    select: dict[str, Any]
    goal: tuple[dict[str, Any], ...]
    said: str

    @property
    def done(self) -> dict[str, Any]:
        """That the thing is there."""
        return self.goal[0]


class ComparedErrands(NamedTuple):
    """Several, in the order in which they are to be done.

    Attributes:
        each: All of them.
        goal: Parts of the goal, with the order of two where that matters.
        said: Sentences, in any order, with placeholders for ids.
    """

    each: tuple[ComparedErrand, ...]
    goal: tuple[dict[str, Any], ...]
    said: str

    @property
    def select(self) -> dict[str, Any]:
        """Selectors of all things."""
        return {name: how for errand in self.each for name, how in errand.select.items()}
