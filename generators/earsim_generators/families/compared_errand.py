"""Errand: one of several things alike, to be brought to a table, and all errands of a task."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

from earsim_generators.families.goods import Goods
from earsim_generators.families.needed_thing import NeededThing
from earsim_generators.families.ranked_choice import RankedChoice


class ComparedErrand(NamedTuple):
    """What is to be brought where.

    Attributes:
        name: Of the selector, without the `$`.
        goods: What the things are.
        choice: Which of them is meant.
        things: Ids of all of them, in the order of the choice's numbers.
        places: Ids of the tables where they are.
        gauge: Id of what they are compared with.
        table: Id of where one of them is to be brought.
        company: What becomes of another one that lies there, or that does not: it `goes`, it
            `stays`, or there is `none`.
        spare: Another table, to which one may go that has to leave this one.
    """

    name: str
    goods: Goods
    choice: RankedChoice
    things: tuple[str, ...]
    places: tuple[str, ...]
    gauge: str
    table: str
    company: str
    spare: str

    @property
    def thing(self) -> str:
        """Id of the one that is meant."""
        return self.things[self.choice.target]

    @property
    def others_there(self) -> list[str]:
        """Ids of those that lie there now."""
        there = zip(self.things, self.places, strict=True)
        return [thing for thing, place in there if place == self.table]

    @property
    def stays(self) -> list[str]:
        """Ids of those that are to stay there."""
        return self.others_there if self.company == "stays" else []

    @property
    def cleared(self) -> list[str]:
        """Ids of those that have to leave."""
        return self.others_there if self.company == "goes" else []

    @property
    def select(self) -> dict[str, Any]:
        """Selector of the thing, by its name in the goal."""
        return {self.name: self.choice.selector(self.goods, self.gauge)}

    @property
    def done(self) -> dict[str, Any]:
        """That the thing is there."""
        return self.on_table(f"${self.name}")

    @property
    def others_gone(self) -> dict[str, Any]:
        """That none is there but it and those that are to stay."""
        return self.without({*self.things} - {self.thing, *self.stays})

    @property
    def goal(self) -> list[dict[str, Any]]:
        """Parts of the goal: that it is there, those that are to stay too, and no others."""
        return [self.done, *map(self.on_table, self.stays), self.others_gone]

    def without(self, others: Collection[str]) -> dict[str, Any]:
        """Part of the goal: that none of these is there."""
        return {"not": {"any": [self.on_table(thing) for thing in sorted(others)]}}

    def on_table(self, thing: str) -> dict[str, Any]:
        """Part of the goal: that a thing is there."""
        return {"at": {"object": thing, "on": self.table}}


class DrawnErrands(NamedTuple):
    """All of a task.

    Attributes:
        each: Those about one of several things alike, in the order in which they are to be done.
        needed: Those about one of several rivals, in any order.
        goal: Parts of the goal, with the order of two where that matters.
        said: Sentences, in any order, with placeholders for ids.
    """

    each: tuple[ComparedErrand, ...]
    needed: tuple[NeededThing, ...]
    goal: tuple[dict[str, Any], ...]
    said: str

    @property
    def select(self) -> dict[str, Any]:
        """Selectors of all things alike."""
        return {name: how for errand in self.each for name, how in errand.select.items()}


@dataclass
class ErrandRequest:
    """Errands asked for beside what a family is about, and, once it has a draft, which these are.

    Attributes:
        count: So many about one of several things alike.
        needed: So many about one of several rivals.
        drawn: Those that the draft got; None before.
    """

    count: int
    needed: int = 0
    drawn: DrawnErrands | None = None

    @property
    def each(self) -> tuple[ComparedErrand, ...]:
        """All about things alike that its draft got."""
        return () if self.drawn is None else self.drawn.each
