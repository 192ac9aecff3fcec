"""Where a team has looked, and where something may be that it has not seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from earsim.actions.decision import Decision
from earsim.actions.outcome import Outcome, Reason
from earsim.planner.imagined import Imagined
from earsim.world import World
from earsim.world.containment import closed_around, inside, is_closed
from earsim.world.loads import TOLERANCE_KG, total_mass
from earsim.world.perception import things_in_room


class BlindSpot(NamedTuple):
    """Where something may be that nobody has seen.

    Attributes:
        place: a room, a closed container, or a thing that has come out of its container: what is
            in or on that shows to nobody before the next EXPLORE.
        home: the room that it was in at the start; what is unseen in it was there too.
        lid: what must be opened to look; None where EXPLORE will do.
        unlikely: it is no box, so that things could at most be piled up on it.
    """

    place: str
    home: str | None
    lid: str | None = None
    unlikely: bool = False


class Survey:
    """What a team remembers of where it has looked.

    Most of that shows in what it knows: who knows a thing has looked where it stood. Noted here is
    the rest: places that turned out to be empty, and what was refused because of things unseen.

    Attributes:
        seen: places that were looked into.
        hidden_kg: by how much things weigh more than what is known of them.
        barred: places that could not be looked into when it was tried.
    """

    def __init__(self) -> None:
        self.seen: dict[str, None] = {}
        self.hidden_kg: dict[str, float] = {}
        self.barred: dict[str, None] = {}

    @property
    def memory(self) -> dict[str, Any]:
        """All of it as a JSON value."""
        return {
            "seen": list(self.seen),
            "hidden_kg": dict(self.hidden_kg),
            "barred": list(self.barred),
        }

    # -- remembering -------------------------------------------------------------------------------

    def note(self, decision: Decision, imagined: Imagined, view: World) -> None:
        """Remember what came of a decision; `view` is what is known after it."""
        outcomes = tuple(decision.outcomes.values())
        opened = [str(outcome.facts["id"]) for outcome in outcomes if _has_opened(outcome)]
        for node in opened:
            self.seen[node] = None
            self.hidden_kg.pop(node, None)
        for outcome in outcomes:
            if outcome.verb == "EXPLORE" and outcome.accepted:
                self._explored(str(outcome.facts["room"]), imagined, view, opened)
            elif outcome.reason is Reason.OVERWEIGHT:
                self._weighed(str(outcome.facts["id"]), outcome.facts["mass_kg"], imagined, view)

    def _explored(self, room: str, imagined: Imagined, view: World, opened: list[str]) -> None:
        """What came out of a container in this very decision may have come out after the look."""
        self.seen[room] = None
        for node in things_in_room(view, room):
            place = imagined.first.location[node]
            came_out = place.relation == "in" and is_closed(imagined.first, place.holder)
            if came_out and place.holder not in opened and not is_closed(view, node):
                self.seen[node] = None

    def _weighed(self, node: str, mass_kg: float, imagined: Imagined, view: World) -> None:
        """It was too heavy to lift, maybe because of what is in it, or in something in or on it."""
        hidden = mass_kg - total_mass(view, node)
        if hidden <= TOLERANCE_KG:
            return
        shut = {spot.place for spot in self.blind_spots(imagined, view)}
        box = next((inner for inner in (node, *inside(view, node)) if inner in shut), node)
        self.hidden_kg[box] = self.hidden_kg.get(box, 0.0) + hidden

    # -- asking ------------------------------------------------------------------------------------

    def blind_spots(self, imagined: Imagined, view: World) -> tuple[BlindSpot, ...]:
        """Where something unseen may be, in file order."""
        return (*self._rooms(imagined), *self._things(imagined, view))

    def _rooms(self, imagined: Imagined) -> Iterator[BlindSpot]:
        """Rooms where nobody has looked: no thing is known that stood there, none was missed."""
        stood_in = {place.holder for place in imagined.first.location.values()}
        for room in imagined.first.blueprint.rooms:
            if room not in self.seen and room not in stood_in:
                yield BlindSpot(room, room)

    def _things(self, imagined: Imagined, view: World) -> Iterator[BlindSpot]:
        first = imagined.first
        if not first.physics.closed_containers_hide:
            return
        shown_in = {place.holder for place in first.location.values() if place.relation == "in"}
        held_first = {place.holder for place in first.location.values()}
        for node, thing in first.blueprint.things.items():
            if node in self.seen:
                continue
            home = first.room_of(node)
            if thing.is_container and is_closed(first, node) and is_closed(view, node):
                if node not in shown_in:
                    yield BlindSpot(node, home, node)
            elif node not in held_first and self._has_come_out(node, first, view):
                lid = closed_around(view, node)
                yield BlindSpot(node, home, lid, unlikely=not thing.is_container)

    def _has_come_out(self, node: str, first: World, view: World) -> bool:
        """Whether it was in a closed container, and that was opened."""
        place = first.location[node]
        shut = place.relation == "in" and is_closed(first, place.holder)
        return shut and (place.holder in self.seen or not is_closed(view, place.holder))


def _has_opened(outcome: Outcome) -> bool:
    """Whether a command showed what lies in a container."""
    return outcome.accepted and "revealed" in outcome.facts
