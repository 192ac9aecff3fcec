"""The queries that heuristics and successor generators make of a delete relaxation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from earsim.world import World


class Relaxation(Protocol):
    """Sound answers: what is said never to happen never does."""

    @property
    def is_team(self) -> bool:
        """Whether joint verbs are open to the actors."""
        ...

    def can_hold(self, node: str) -> bool:
        """Whether an actor can ever have it in hand, alone."""
        ...

    def can_lift(self, node: str) -> bool:
        """Whether actors can ever lift it jointly."""
        ...

    def can_move(self, node: str) -> bool:
        """Whether it can ever be anywhere else."""
        ...

    def tools(self, ability: str) -> list[str]:
        """The objects that give an ability and can be held."""
        ...

    def key_of(self, node: str) -> str | None:
        """The key that locks and unlocks it, where the ruleset has keys."""
        ...

    def movers(self, node: str, world: World) -> Iterator[str]:
        """An object, if it can be moved, and everything around it now that can."""
        ...
