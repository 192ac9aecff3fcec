"""A typed registry: names to values, some of them imported only when asked for.

Lazy entries (``"earsim_agents.random:RandomPolicy"``) let the command line run what lies in
packages above it, and keep optional dependencies out of ``import earsim``.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from earsim.errors import MissingExtra, UnknownName, UsageError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Lazy:
    """An entry that is imported when it is first asked for.

    Attributes:
        target: ``"module:attribute"``.
        extra: The extra of the distribution that brings what the module imports.
    """

    target: str
    extra: str | None = None

    def load(self) -> object:
        """Imports the module and returns the attribute.

        Raises:
            MissingExtra: Something the module needs is not installed, and an extra brings it.
        """
        module, _, attribute = self.target.partition(":")
        try:
            return getattr(importlib.import_module(module), attribute)
        except ModuleNotFoundError as error:
            if self.extra is None:
                raise
            raise MissingExtra(error.name or module, self.extra) from error


class Registry(Mapping[str, T], Generic[T]):
    """Named values of one kind, in the order they were added.

    Looking up an unknown name raises `UnknownName` with near misses. A lazy entry is imported on
    every look-up (the import system caches it), so the registry itself never changes on reading.
    """

    def __init__(self, kind: str, entries: Mapping[str, T | Lazy] | None = None) -> None:
        self.kind = kind
        self._entries: dict[str, T | Lazy] = dict(entries or {})

    def add(self, name: str, entry: T | Lazy) -> None:
        """Adds an entry; a name may be given only once."""
        if name in self._entries:
            raise UsageError(f"{self.kind} {name!r} is registered twice")
        self._entries[name] = entry

    def __getitem__(self, name: str) -> T:
        try:
            entry = self._entries[name]
        except KeyError:
            raise UnknownName(self.kind, name, self._entries) from None
        return cast(T, entry.load()) if isinstance(entry, Lazy) else entry

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)
