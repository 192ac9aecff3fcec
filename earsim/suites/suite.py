"""A suite: a named list of scenarios, opened one at a time by id."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from earsim.errors import FileError, UnknownName
from earsim.schema.scenario import Scenario
from earsim.schema.task import Category
from earsim.suites.repair import Repair


class LoadProblem(NamedTuple):
    """A scenario of a suite that cannot be loaded, and why."""

    id: str
    error: FileError


class Suite(ABC):
    """A named list of scenarios.

    Attributes:
        name: Name of the suite.

    What cannot be loaded keeps its id and its place in the list, so that it counts: `load` raises
    for it, and `problems` lists it.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    @abstractmethod
    def ids(self) -> tuple[str, ...]:
        """Ids of all scenarios, in the order of the suite."""

    @abstractmethod
    def load(self, id: str) -> Scenario:
        """Loads one scenario.

        Raises:
            UnknownName: The suite has no such scenario.
            FileError: It cannot be loaded.
        """

    def files(self, id: str) -> bytes | None:
        """All bytes that a scenario is made from; None where that is not told.

        Raises:
            UnknownName: The suite has no such scenario.
            FileError: They cannot be read.
        """
        return None

    def repairs(self, id: str) -> tuple[Repair, ...]:
        """What an importer changed in a scenario; empty for our own files."""
        return ()

    def category(self, id: str) -> Category:
        """Category of a scenario's task; raises like `load`."""
        return self.load(id).task.category

    def problems(self) -> tuple[LoadProblem, ...]:
        """Every scenario that cannot be loaded. Loads them all, which takes its time."""
        found: list[LoadProblem] = []
        for id in self.ids:
            try:
                self.load(id)
            except FileError as error:
                found.append(LoadProblem(id, error))
        return tuple(found)

    def select(self, *, category: Category | str | None = None, limit: int | None = None) -> Suite:
        """The first ``limit`` scenarios of a category.

        A scenario whose category cannot be read stays in, to be counted as not measured.
        """
        if category is None and limit is None:
            return self
        wanted = None if category is None else _category(category)
        chosen = (id for id in self.ids if wanted is None or self._may_be(id, wanted))
        return Selection(self, tuple(islice(chosen, limit)))

    def _may_be(self, id: str, wanted: Category) -> bool:
        try:
            return self.category(id) == wanted
        except FileError:
            return True

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Scenario]:
        return (self.load(id) for id in self.ids)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"


class Selection(Suite):
    """Some of the scenarios of another suite."""

    def __init__(self, whole: Suite, ids: tuple[str, ...]) -> None:
        super().__init__(whole.name)
        self._whole = whole
        self._ids = ids

    @property
    def ids(self) -> tuple[str, ...]:
        """The chosen ids."""
        return self._ids

    def load(self, id: str) -> Scenario:
        """Loads one of the chosen scenarios."""
        if id not in self._ids:
            raise UnknownName(f"scenario of the selection from {self.name}", id, self._ids)
        return self._whole.load(id)

    def files(self, id: str) -> bytes | None:
        """What the whole suite says."""
        return self._whole.files(id)

    def repairs(self, id: str) -> tuple[Repair, ...]:
        """What the whole suite says."""
        return self._whole.repairs(id)

    def category(self, id: str) -> Category:
        """What the whole suite says."""
        return self._whole.category(id)


def _category(name: str) -> Category:
    try:
        return Category(name)
    except ValueError:
        raise UnknownName("category", name, [category.value for category in Category]) from None
