"""Landmarks of `physical` on the way to one fact: reaching, taking and changing things."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, KeysView, Sequence

from earsim.planner.landmarks.finder import LandmarkFinder
from earsim.planner.landmarks.landmark_set import (
    DOOR,
    DROP,
    EXPLORE,
    FLIP,
    FREE,
    GOTO,
    GRAB,
    NEAR,
    LandmarkAction,
)
from earsim.planner.landmarks.makespan import until_held, until_used
from earsim.planner.models.physical_view import PhysicalStateView
from earsim.planner.problem import Problem, attribute_row
from earsim.planner.relaxation.physical import PhysicalRelaxation
from earsim.world import World
from earsim.world.containment import is_closed
from earsim.world.power import faults
from earsim.world.proximity import within_reach


class PhysicalAchievers(LandmarkFinder):
    """Landmarks on the way to a single thing; each names the rules that it relies on."""

    def __init__(self, problem: Problem, relaxation: PhysicalRelaxation) -> None:
        super().__init__(problem)
        self.relaxation = relaxation
        self.actors = problem.actors
        self.view = PhysicalStateView(problem, relaxation)
        self.confinement = relaxation.confinement()
        self._asked: set[LandmarkAction] = set()
        self._needed: dict[tuple[str, bool], dict[str, None]] = {}

    def _look_at(self, world: World) -> None:
        self._asked = set()
        self.view.forget()
        self.view.world = world

    def _standing_at(self, node: str) -> LandmarkAction:
        """Somebody goes up to a door, or to what one goes up to for a thing."""
        kind = DOOR if node in self.world.blueprint.doors else NEAR
        return (kind, self.view.piece(node))

    def _coming(self, node: str) -> list[LandmarkAction]:
        """What brings it to somebody who stays: it is taken, or put down before them."""
        coming: list[LandmarkAction] = [(GRAB, mover) for mover in self.view.movers(node)]
        if self.view.held(node):
            held = self.view.piece(node)
            coming += [(FREE, held), (DROP, held)]
        return coming

    def _handing(self, nodes: Iterable[str]) -> list[LandmarkAction]:
        """What puts one of these into the hands of somebody who stands elsewhere in the room."""
        if len(self.actors) < 2:
            return []
        movers = dict.fromkeys(mover for node in nodes for mover in self.view.movers(node))
        return [(FREE, mover) for mover in movers]

    def _is_new(self, landmark_action: LandmarkAction) -> bool:
        """Whether a question has not been asked of this state yet; answers may need each other."""
        if landmark_action in self._asked:
            return False
        self._asked.add(landmark_action)
        return True

    def _flip(self, node: str, attribute: str, value: bool, *, times: int = 1) -> None:
        """The state is changed from `value` by as many as it takes, who are near and equipped.

        Relies on `in_reach`, `lock_allows`, `enough_give_it`, `somebody_is_equipped`.
        """
        self.landmarks.must((FLIP, node, attribute), times)
        if not self._is_new((FLIP, node, attribute)):
            return
        partners = self.relaxation.people(node) - 1
        self._reach(node, partners=partners > 0)
        self.landmarks.partners += partners
        if not self.view.held(node):
            near = self.view.reached(node)
            # A walk may stop at a closed door.
            apart = node not in self.world.blueprint.doors and not self.view.somebody_by(node)
            self._raise_makespan(1 + (not near) + (not near and apart))
        states = self.world.states[node]
        if attribute == "is_open" and not value and states.get("is_locked") is True:
            self._flip(node, "is_locked", True)
        if attribute == "is_locked" and not value and states.get("is_open") is True:
            self._flip(node, "is_open", True)
        if attribute == "is_open" and not value:
            self._clear_lid(node)
        self._equip(node, attribute, value)

    def _clear_lid(self, node: str) -> None:
        """What lies on a lid at the top is taken off.

        Relies on `lid_is_clear`.
        """
        thing = self.problem.things.get(node)
        if thing is None or not thing.lid_on_top:
            return
        for child in self.world.contents.get(node, ()):
            if self.world.location[child].relation == "on":
                self._take(child)

    def _equip(self, node: str, attribute: str, value: bool) -> None:
        key = self.relaxation.key_of(node) if attribute == "is_locked" else None
        if key is not None:
            self._bring([key], [a for a in self.actors if key in self.view.inventory(a)], node)
            return
        names = self._needed_for(attribute, value)
        if not names:
            return
        tools = list(dict.fromkeys(tool for n in names for tool in self.relaxation.tools(n)))
        agents = self.world.agents
        able = [a for a in self.actors if not names.isdisjoint(agents[a].abilities)]
        self._bring(tools, able, node)

    def _needed_for(self, attribute: str, value: bool) -> KeysView[str]:
        """Abilities one of which it takes, in order; none where it can be done without."""
        asked = (attribute, value)
        found = self._needed.get(asked)
        if found is None:
            rows = [attribute_row(v) for v in self.problem.single_verbs.get(asked, ())]
            tooled = rows if all(row.requires_tool for row in rows) else ()
            found = self._needed[asked] = dict.fromkeys(row.name for row in tooled)
        return found.keys()

    def _bring(self, tools: Sequence[str], able: Sequence[str], node: str) -> None:
        """One of the tools is in the hand of somebody near the object."""
        world, landmarks = self.world, self.landmarks
        if any(within_reach(world, agent, node) for agent in able):
            return
        coming = self._coming(node)
        if able:
            landmarks.one_of([self._standing_at(node), *coming, *self._handing(tools)])
            return
        free = [tool for tool in tools if world.location[tool].holder not in self.actors]
        if len(free) < len(tools) and world.blueprint.fallible_tools.intersection(tools):
            self._take_or_mend(tools, free)
            return
        if len(free) == 1:
            self._take(free[0])
            self._mend(free[0])
        elif free:
            self._take_one(free)
        if node not in self.world.blueprint.doors:
            self._raise_makespan(until_used(self.view, free, node, touching=True))
        pieces = {self.view.piece(tool) for tool in free}
        if not free or self.view.piece(node) in pieces or self.view.held(node):
            return
        landmarks.one_of([self._standing_at(node), *coming, *self._handing(free)])
        rooms = {world.room_of(tool) for tool in free}
        there = self.view.rooms_of(node)
        if rooms.isdisjoint(there):
            landmarks.one_of([*((GOTO, room) for room in there), *coming])

    def _take_or_mend(self, tools: Sequence[str], free: Sequence[str]) -> None:
        """One of the tools is put in order, which some actor holds, or another one is taken."""
        found: list[LandmarkAction] = [(GRAB, tool) for tool in free]
        for tool in tools:
            if tool not in free:
                found += [(FLIP, tool, fault) for fault in faults(self.world, tool)][:1]
        if len(tools) == 1:
            self._mend(tools[0])
        else:
            self.landmarks.one_of(found)

    def _mend(self, tool: str) -> None:
        """A tool is put in order: repaired, switched on, plugged in.

        Relies on `somebody_is_equipped`.
        """
        if tool in self.world.blueprint.fallible_tools:
            for fault in faults(self.world, tool):
                self._flip(tool, fault, fault == "is_broken")

    def _take_one(self, objects: Sequence[str]) -> None:
        """At least one of these is taken up."""
        landmarks, world = self.landmarks, self.world
        landmarks.one_of([(GRAB, node) for node in objects])
        rooms = {str(world.room_of(node)) for node in objects}
        if not any(self.view.present(room) for room in rooms):
            landmarks.one_of((GOTO, room) for room in rooms)
        if not any(self.view.reached(node) for node in objects):
            landmarks.one_of({self._standing_at(node) for node in objects})
        if not any(self.view.known(node) for node in objects):
            landmark_actions = {
                landmark_action for node in objects for landmark_action in self.view.revealing(node)
            }
            landmarks.one_of(landmark_actions)

    def _take(self, node: str) -> None:
        """Somebody takes it in hand; several, where it is too much for each.

        Relies on `in_nobodys_hands`, `in_reach`, `hands_free`, `can_be_lifted`, `hands_free`,
        `can_be_lifted_together`.
        """
        world, landmarks = self.world, self.landmarks
        landmarks.must((GRAB, node))
        if not self._is_new((GRAB, node)):
            return
        self._raise_makespan(until_held(self.view, node))
        able = self.relaxation.holders.get(node, ())
        if world.location[node].holder in world.agents:
            self._let_go(node)
            return
        if not able:
            self._lift(node)
            return
        self._reach(node)
        if self.relaxation.can_lift(node):
            self._take_or_lift()
            return
        if not any(self.view.has_hand(agent) for agent in able):
            landmarks.one_of(self.view.letting_go(able))
        elif not any(self.view.has_strength(agent, node) for agent in able):
            landmarks.one_of(self._lightening(able, node))

    def _lift(self, node: str) -> None:
        """Several take it together; two at least."""
        self._reach(node, partners=True)
        self.landmarks.partners += 1

    def _take_or_lift(self) -> None:
        """One takes it, or several lift it: nothing is certain."""

    def _by_carriers(self, action: LandmarkAction, node: str) -> None:
        """All who have it in hand do this; two at least, where nobody can hold it alone."""
        self.landmarks.must(action)
        self.landmarks.partners += not self.relaxation.can_hold(node)

    def _walk_with(self, action: LandmarkAction, node: str) -> None:
        """Somebody walks with it."""
        self.landmarks.must(action)

    def _lightening(self, agents: Sequence[str], node: str) -> Iterator[LandmarkAction]:
        """What takes weight off these agents, or off what they are to take."""
        yield from self.view.letting_go(agents)
        held = [held for agent in agents for held in self.view.inventory(agent)]
        for holder in (node, *held):
            for child in self.view.inside(holder):
                yield (GRAB, child)

    def _let_go(self, node: str) -> None:
        self.landmarks.one_of([(FREE, node), (DROP, node)])

    def _reach(self, node: str, *, partners: bool = False) -> None:
        """An actor, or two, can lay hands on it: they stand there, and no lid is over it."""
        world, landmarks = self.world, self.landmarks
        if not self._is_new(("reach", node)):
            return
        self._find(node)
        near = self.view.near(node)
        if near < 1 + partners and not self.view.held(node):
            if not near:
                self._enter_one(self.view.rooms_of(node))
                landmarks.must(self._standing_at(node))
            else:  # the other comes, or what it lies in comes to the other
                around = [(GRAB, mover) for mover in self.view.movers(node) if mover != node]
                landmarks.one_of([self._standing_at(node), *around])
        place = world.location.get(node)
        while place is not None:
            if place.relation == "in" and is_closed(world, place.holder):
                self._flip(place.holder, "is_open", False)
            place = world.location.get(place.holder)

    def _enter_one(self, rooms: Sequence[str]) -> None:
        """Somebody is in one of the rooms."""
        if len(rooms) == 1:
            self._enter(rooms[0])
        elif not any(self.view.present(room) for room in rooms):
            self.landmarks.one_of((GOTO, room) for room in rooms)

    def _enter(self, room: str) -> None:
        """Somebody is in the room, and gets there through open doors."""
        if self.view.present(room):
            return
        self.landmarks.must((GOTO, room))
        self._open_way(room)

    def _open_way(self, room: str) -> None:
        """The doors without which nobody gets in are opened.

        Relies on `a_way_leads_there`.
        """
        if not self.world.blueprint.doors or not self._is_new(("way", room)):
            return
        starts, shut = self.view.starts(), self.view.shut()
        if not shut or self.view.joined(starts, room, shut=shut):
            return
        needed = [door for door in shut if not self.view.joined(starts, room, shut=(door,))]
        for door in needed:
            self._flip(door, "is_open", False)
        if not needed:
            self.landmarks.one_of((FLIP, door, "is_open") for door in shut)

    def _find(self, node: str) -> None:
        """Somebody comes to know it: by exploring its room, or by opening what it is in."""
        if node not in self.problem.things or self.view.known(node):
            return
        if not self._is_new((EXPLORE, node)):
            return
        room = str(self.world.room_of(node))
        place = self.world.location[node]
        shut = place.relation == "in" and is_closed(self.world, place.holder)
        if not shut:
            self.landmarks.must((EXPLORE, room))
            self._enter(room)
        elif place.holder in self.problem.things:
            self._find(place.holder)
