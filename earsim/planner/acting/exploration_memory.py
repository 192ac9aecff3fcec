"""Exploration memory: where a team has looked, and the frontiers that are left."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from earsim.actions.decision import Decision
from earsim.actions.outcome import Outcome, Reason
from earsim.planner.acting.known_world import KnownWorld
from earsim.world import World
from earsim.world.containment import closed_around, inside, is_closed
from earsim.world.limits import TOLERANCE_KG
from earsim.world.loads import total_mass
from earsim.world.perceived import MASS, instruments
from earsim.world.perception import things_in_room

_A_LITTLE_KG = 10 * TOLERANCE_KG


class Frontier(NamedTuple):
    """Where something may be that nobody has seen.

    Attributes:
        place: a room, a closed container, or a thing that has come out of its container: what is
            in or on that shows to nobody before the next EXPLORE.
        home: the room that it was in at the start; what is unseen in it was there too.
        lid: what must be opened to look; None where EXPLORE will do.
        unlikely: things could at most be piled up on it.
    """

    place: str
    home: str | None
    lid: str | None = None
    unlikely: bool = False


class Ballast(NamedTuple):
    """By how much a thing weighs more than what is known of it.

    Attributes:
        kg: how much.
        among: the frontier in it, one of which hides what weighs so much, and the things that
            nobody has felt; when they change, this holds no longer.
    """

    kg: float
    among: tuple[str, ...]


class ExplorationMemory:
    """What a team remembers of where it has looked.

    Most of that shows in what it knows: who knows a thing has looked where it stood. Noted here is
    the rest: places that turned out to be empty, and what was refused because of things unseen.

    Attributes:
        explored: rooms, and things that were in plain sight after they had come out of a container.
        opened: containers.
        ballast: by thing.
        barred: places that could not be looked into when it was tried.
        numberless: things, and the numbers that an instrument did not find in them.
    """

    def __init__(self) -> None:
        self.explored: dict[str, None] = {}
        self.opened: dict[str, None] = {}
        self.ballast: dict[str, Ballast] = {}
        self.barred: dict[str, None] = {}
        self.numberless: dict[tuple[str, str], None] = {}

    @property
    def memory(self) -> dict[str, Any]:
        """All of it as a JSON value."""
        return {
            "explored": list(self.explored),
            "opened": list(self.opened),
            "ballast": {n: {"kg": b.kg, "among": list(b.among)} for n, b in self.ballast.items()},
            "barred": list(self.barred),
            "numberless": [list(each) for each in self.numberless],
        }

    @property
    def hidden_kg(self) -> dict[str, float]:
        """By how much things weigh more than what is known of them."""
        return {node: ballast.kg for node, ballast in self.ballast.items()}

    # -- remembering -------------------------------------------------------------------------------

    def note(self, decision: Decision, known_world: KnownWorld, view: World) -> None:
        """Remember what came of a decision; `view` is what is known after it."""
        outcomes = tuple(decision.outcomes.values())
        opened = [str(outcome.facts["id"]) for outcome in outcomes if _has_opened(outcome)]
        self.opened |= dict.fromkeys(opened)
        for outcome in outcomes:
            if outcome.verb == "EXPLORE" and outcome.accepted:
                self._look_around(str(outcome.facts["room"]), known_world, view, opened)
        frontiers = {frontier.place for frontier in self.frontiers(known_world, view)}
        before = self.hidden_kg
        for outcome in outcomes:
            if outcome.reason is Reason.OVERWEIGHT:
                self._weigh(outcome, known_world, view, frontiers, before)
            elif outcome.verb == "MEASURE" and outcome.reason in (None, Reason.NOTHING_TO_MEASURE):
                self._measure(outcome, view)
        self.ballast = {
            node: ballast
            for node, ballast in self.ballast.items()
            if ballast.among == _among(frontiers, known_world, view, node)
        }

    def _look_around(
        self, room: str, known_world: KnownWorld, view: World, opened: Collection[str]
    ) -> None:
        """What came out of a container in this very decision may have come out after the look."""
        self.explored[room] = None
        for node in things_in_room(view, room):
            holder = known_world.first.location[node].holder
            if _was_shut_in(known_world.first, node) and holder not in opened:
                self.explored[node] = None

    def _measure(self, outcome: Outcome, view: World) -> None:
        """What an instrument could have shown and did not is no number of the thing."""
        asked, found = outcome.facts.get("property"), tuple(outcome.facts.get("readings", ()))
        if outcome.command.endswith(found):
            return  # it asked for this number alone
        for name in [asked] if asked else instruments(view, outcome.agent):
            if name not in found:
                self.numberless[str(outcome.facts["id"]), name] = None

    def _weigh(
        self,
        outcome: Outcome,
        known_world: KnownWorld,
        view: World,
        frontiers: Collection[str],
        before: Mapping[str, float],
    ) -> None:
        """It was too heavy to lift, maybe because of something in it that is not known.

        Where the refusal does not say what it weighs, it is a little more than could be lifted.
        What the ballast was `before` the decision is in the masses of the view.
        """
        facts = outcome.facts
        node = str(facts["id"])
        mass_kg = facts.get("mass_kg")
        if mass_kg is None:
            agents, bodies = view.agents, view.blueprint.bodies
            lifting = facts.get("actors", (outcome.agent,))
            free = [bodies[each].max_mass_kg - agents[each].load for each in lifting]
            mass_kg = sum(free, 0.0) + _A_LITTLE_KG
        more = mass_kg - total_mass(view, node)
        if more > TOLERANCE_KG:
            kg = before.get(node, 0.0) + more
            noted = self.ballast[node].kg if node in self.ballast else 0.0
            if kg > noted:
                self.ballast[node] = Ballast(kg, _among(frontiers, known_world, view, node))

    # -- asking ------------------------------------------------------------------------------------

    def frontiers(self, known_world: KnownWorld, view: World) -> tuple[Frontier, ...]:
        """Where something unseen may be, in file order."""
        return (*self._rooms(known_world), *self._things(known_world, view))

    def unfelt_inside(self, known_world: KnownWorld, view: World) -> list[tuple[str, str]]:
        """What is in or on things that were too heavy, and nobody has felt or tried to lift."""
        return [
            (node, MASS)
            for heavy in self.ballast
            for node in inside(view, heavy)
            if MASS in known_world.unread.get(node, ()) and node not in self.ballast
        ]

    def _rooms(self, known_world: KnownWorld) -> Iterator[Frontier]:
        """Rooms where nobody has looked: no thing is known that stood there, none was missed."""
        stood_in = {place.holder for place in known_world.first.location.values()}
        for room in known_world.first.blueprint.rooms:
            if room not in self.explored and room not in stood_in:
                yield Frontier(room, room)

    def _things(self, known_world: KnownWorld, view: World) -> Iterator[Frontier]:
        first = known_world.first
        if not first.physics.closed_containers_hide:
            return
        known_in = {place.holder for place in first.location.values() if place.relation == "in"}
        known_on = {place.holder for place in first.location.values() if place.relation == "on"}
        for node, thing in first.blueprint.things.items():
            home = first.room_of(node)
            shut = thing.is_container and is_closed(first, node)
            if shut and is_closed(view, node) and not (node in self.opened or node in known_in):
                yield Frontier(node, home, lid=node)
            if node not in self.explored and self._has_come_out(node, first, view):
                holds = thing.is_container and not shut
                if node not in known_on and not (holds and node in known_in):
                    lid = closed_around(view, node)
                    yield Frontier(node, home, lid, unlikely=not holds)

    def _has_come_out(self, node: str, first: World, view: World) -> bool:
        """Whether it was in a closed container, and that was opened."""
        holder = first.location[node].holder
        opened = holder in self.opened or not is_closed(view, holder)
        return _was_shut_in(first, node) and opened


def _was_shut_in(first: World, node: str) -> bool:
    place = first.location[node]
    return place.relation == "in" and is_closed(first, place.holder)


def _has_opened(outcome: Outcome) -> bool:
    """Whether a command showed what lies in a container."""
    return outcome.accepted and "revealed" in outcome.facts


def _among(
    frontiers: Collection[str], known_world: KnownWorld, view: World, node: str
) -> tuple[str, ...]:
    """The frontier in a thing, and itself if it is one; likewise what nobody has felt."""
    whole = (node, *inside(view, node))
    unfelt = [f"{each} {MASS}" for each in whole if MASS in known_world.unread.get(each, ())]
    return (*[each for each in whole if each in frontiers], *unfelt)
