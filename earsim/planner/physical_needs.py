"""What must still be done in `physical`: each estimate names the rules that it relies on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from earsim.planner.literals import Denied, HasState, Held, Inside, Joint, Placed
from earsim.planner.needs import (
    DROP,
    EXPLORE,
    FLIP,
    FREE,
    GOTO,
    GRAB,
    NEAR,
    Counted,
    Deed,
    Needs,
)
from earsim.planner.physical_prospects import PhysicalProspects
from earsim.planner.problem import Problem, Turn, Way, row_of
from earsim.planner.rounds import until_held, until_placed, until_used
from earsim.world import World
from earsim.world.containment import is_closed, standing_piece
from earsim.world.loads import TOLERANCE_KG, total_mass
from earsim.world.paths import is_passable
from earsim.world.proximity import in_hands, within_reach


class PhysicalNeeds:
    """Finds the landmarks of a state, one alternative of the goal at a time."""

    swept_along = False

    def __init__(self, problem: Problem, prospects: PhysicalProspects) -> None:
        self.problem = problem
        self.prospects = prospects
        self.actors = problem.actors
        self.world = problem.start
        self.needs = Needs()
        self._asked: set[Deed] = set()

    def of(self, world: World, way: Way) -> Counted:
        """The landmarks of a state for one alternative."""
        self.world = world
        self.needs = needs = Needs()
        self._asked = set()
        for turn in way.turns:
            if not all(wish.holds(world) for wish in turn.wishes):
                self._turn(turn)
        for wish in way.moves:
            if not wish.holds(world):
                self._move(wish.fact)
        for wish in way.denials:
            if not wish.holds(world):
                self._deny(wish.fact)
        return needs.settled()

    def _is_new(self, deed: Deed) -> bool:
        """Whether a question has not been asked of this state yet; answers may need each other."""
        if deed in self._asked:
            return False
        self._asked.add(deed)
        return True

    # -- states ------------------------------------------------------------------------------------

    def _turn(self, turn: Turn) -> None:
        now = self.world.states[turn.node][turn.attribute]
        wanted = turn.value if turn.wished else not now
        times = 1 if now != wanted else 2
        self._flip(turn.node, turn.attribute, not wanted, times=times, joint=turn.joint)

    def _flip(
        self, node: str, attribute: str, value: bool, *, times: int = 1, joint: bool = False
    ) -> None:
        """The state is changed from `value` by somebody who is near and has what it takes.

        Relies on `in_reach`, `lock_allows`, `somebody_is_equipped`; jointly on `all_near`.
        """
        self.needs.must((FLIP, node, attribute), times)
        if not self._is_new((FLIP, node, attribute)):
            return
        self._reach(node, partners=joint)
        self.needs.partners += joint
        if not self.held(node):
            near = self.reached(node)
            self._take_rounds(1 + (not near) + (not near and not self._somebody_by(node)))
        states = self.world.states[node]
        if attribute == "is_open" and not value and states.get("is_locked") is True:
            self._flip(node, "is_locked", True)
        if attribute == "is_locked" and not value and states.get("is_open") is True:
            self._flip(node, "is_open", True)
        self._equip(node, attribute, value, joint=joint)

    def _equip(self, node: str, attribute: str, value: bool, *, joint: bool) -> None:
        key = self.prospects.key_of(node) if attribute == "is_locked" else None
        if key is not None:
            self._bring([key], [a for a in self.actors if key in self._held(a)], node)
            return
        verbs = list(self.problem.joint_verbs.get((attribute, value), ()))
        if not joint:
            verbs += self.problem.single_verbs.get((attribute, value), ())
        rows = [row_of(verb) for verb in verbs]
        if not rows or not all(row.requires_tool for row in rows):
            return
        names = dict.fromkeys(row.name for row in rows)
        tools = list(dict.fromkeys(tool for n in names for tool in self.prospects.tools(n)))
        agents = self.world.agents
        able = [a for a in self.actors if not names.keys().isdisjoint(agents[a].abilities)]
        self._bring(tools, able, node)

    def _bring(self, tools: Sequence[str], able: Sequence[str], node: str) -> None:
        """One of the tools is in the hand of somebody near the object."""
        world, needs = self.world, self.needs
        if any(within_reach(world, agent, node) for agent in able):
            return
        movers = [(GRAB, mover) for mover in self._movers(node)]
        if able:
            needs.one_of([(NEAR, self._piece(node)), *movers])
            return
        free = [tool for tool in tools if world.location[tool].holder not in self.actors]
        if len(free) == 1:
            self._take(free[0])
        elif free:
            self._take_one(free)
        if node not in self.world.blueprint.doors:
            self._take_rounds(until_used(self, free, node, touching=True))
        pieces = {self._piece(tool) for tool in free}
        if not free or self._piece(node) in pieces or self.held(node):
            return
        needs.one_of([(NEAR, self._piece(node)), *movers])
        rooms = {world.room_of(tool) for tool in free}
        there = self._rooms_of(node)
        if rooms.isdisjoint(there):
            needs.one_of([*((GOTO, room) for room in there), *movers])

    def _take_one(self, objects: Sequence[str]) -> None:
        """At least one of these is taken up."""
        needs, world = self.needs, self.world
        needs.one_of([(GRAB, node) for node in objects])
        rooms = {str(world.room_of(node)) for node in objects}
        if not any(self.present(room) for room in rooms):
            needs.one_of((GOTO, room) for room in rooms)
        if not any(self.reached(node) for node in objects):
            needs.one_of({(NEAR, self._piece(node)) for node in objects})
        if not any(self._known(node) for node in objects):
            deeds = {deed for node in objects for deed in self._revealing(node)}
            needs.one_of(deeds)

    # -- places ------------------------------------------------------------------------------------

    def _move(self, fact: object) -> None:
        if isinstance(fact, Placed):
            self._place(fact)
        elif isinstance(fact, Held):
            self._hold(fact.object, fact.agent)
        elif isinstance(fact, Inside) and fact.object in self.problem.bodies:
            self.needs.must((GOTO, fact.room))
            self._open_way(fact.room)
        elif isinstance(fact, Inside):
            self._bring_into(fact.object, fact.room)
        else:
            self.needs.blind = True

    def _deny(self, denied: object) -> None:
        """What is so must end."""
        fact = denied.fact if isinstance(denied, Denied) else None
        if isinstance(fact, Placed | Held):
            in_hand = self.world.location[fact.object].holder in self.world.agents
            (self._let_go if in_hand else self._take)(fact.object)
        elif isinstance(fact, HasState | Joint):
            self._change(fact.node, fact.attribute)
        elif isinstance(fact, Inside):
            self._bring_out(fact.object, fact.room)
        else:
            self.needs.blind = True

    def _change(self, node: str, attribute: str) -> None:
        """A state is changed, by whomever."""
        now = self.world.states.get(node, {}).get(attribute)
        if isinstance(now, bool):
            self._flip(node, attribute, now)
        else:
            self.needs.blind = True

    def _bring_out(self, node: str, room: str) -> None:
        """Somebody walks out with it, or with something around it; or it walks out itself."""
        movers = [(GRAB, mover) for mover in self._movers(node)]
        if movers and not self.held(node):
            self.needs.one_of(movers)
        others = [other for other in self.problem.engine.blueprint.rooms if other != room]
        self.needs.one_of((GOTO, other) for other in others)

    def _hold(self, node: str, agent: str | None) -> None:
        holder = self.world.location[node].holder
        if holder in self.world.agents:
            self._let_go(node)
            self.needs.must((GRAB, node))
        else:
            self._take(node)

    def _bring_into(self, node: str, room: str) -> None:
        """Somebody walks in with it, or with something around it."""
        world, needs = self.world, self.needs
        movers = list(self._movers(node))
        if not self.held(node) and movers:
            if len(movers) == 1:
                self._take(movers[0])
            else:
                needs.one_of((GRAB, mover) for mover in movers)
                self._enter(str(world.room_of(node)))
                if not self.reached(standing_piece(world, node)):
                    needs.must((NEAR, standing_piece(world, node)))
        needs.must((GOTO, room))
        self._open_way(room)
        if not any(self.prospects.can_hold(mover) for mover in movers):
            needs.partners += 1  # all who carry it walk

    def _place(self, fact: Placed) -> None:
        node, dest = fact.object, fact.holder
        if dest in self.problem.bodies:
            self._hold(node, dest)
            return
        self.needs.must((DROP, node))
        holder = self.world.location[node].holder
        by_hand = self.prospects.can_hold(node)
        if not by_hand:
            self.needs.partners += 1
        if holder in self.world.agents:
            self._deliver(node, dest, holder)
        else:
            self._take(node)
            self._deliver_later(node, dest)
        self._make_room(node, fact)

    def _deliver(self, node: str, dest: str, holder: str) -> None:
        """It is in hand, and the hand goes to the destination, or that comes to the hand.

        Relies on `destination_in_reach`.
        """
        world, needs = self.world, self.needs
        room = world.agents[holder].room
        there = dest == room or within_reach(world, holder, dest)
        self._take_rounds(until_placed(self, node, dest, at_once=there))
        if dest in world.blueprint.rooms:
            if room != dest:
                needs.must((GOTO, dest))
                self._open_way(dest)
            return
        if within_reach(world, holder, dest):
            return
        self._approach(dest)
        movers = [(GRAB, mover) for mover in self._movers(dest)]
        needs.one_of([(NEAR, self._piece(dest)), *movers])
        if world.room_of(dest) != room:
            needs.one_of([(GOTO, str(world.room_of(dest))), *movers])

    def _deliver_later(self, node: str, dest: str) -> None:
        """Likewise after it was taken from where it is now; what it stood at is near then."""
        world, needs = self.world, self.needs
        room = world.room_of(node)
        self._take_rounds(until_placed(self, node, dest, at_once=False))
        if dest in world.blueprint.rooms:
            if room != dest:
                needs.must((GOTO, dest))
                self._open_way(dest)
            return
        self._approach(dest)
        if self.held(dest) or self._stands_at(dest, holding=node):
            return
        movers = [(GRAB, mover) for mover in self._movers(dest)]
        piece = self._piece(dest)
        if piece != self._piece(node) or piece == node:
            needs.one_of([(NEAR, piece), *movers])
        if world.room_of(dest) != room:
            needs.one_of([(GOTO, str(world.room_of(dest))), *movers])

    def _stands_at(self, dest: str, *, holding: str) -> bool:
        """Whether an actor is near it that has an object in hand, at any depth."""
        world = self.world
        return any(
            in_hands(world, a, holding) and within_reach(world, a, dest) for a in self.actors
        )

    def _approach(self, dest: str) -> None:
        """Somebody gets to it, and nothing is shut around it."""
        self._reach(dest)

    def _make_room(self, node: str, fact: Placed) -> None:
        """The destination is open, and there is space in it.

        Relies on `destination_can_hold` and `has_space`.
        """
        thing = self.problem.things.get(fact.holder)
        if fact.relation != "in" or thing is None:
            return
        if is_closed(self.world, fact.holder):
            self._flip(fact.holder, "is_open", False)
        if thing.capacity_l is None:
            return
        inside = [
            other
            for other in self.world.contents.get(fact.holder, ())
            if self.world.location[other].relation == "in"
        ]
        things = self.problem.things
        used = sum(things[other].volume_l for other in inside)
        if used + things[node].volume_l > thing.capacity_l + TOLERANCE_KG:
            self.needs.one_of((GRAB, other) for other in inside)

    # -- what the others share ---------------------------------------------------------------------

    def _take(self, node: str) -> None:
        """Somebody takes it in hand; several, where it is too much for each.

        Relies on `in_nobodys_hands`, `in_reach`, `hands_free`, `can_be_lifted`, `each_a_hand`,
        `can_be_lifted_together`.
        """
        world, needs = self.world, self.needs
        needs.must((GRAB, node))
        if not self._is_new((GRAB, node)):
            return
        self._take_rounds(until_held(self, node))
        able = self.prospects.holders.get(node, ())
        if world.location[node].holder in world.agents:
            self._let_go(node)
            return
        self._reach(node, partners=not able)
        if not able:
            needs.partners += 1
            return
        if self.prospects.can_lift(node):
            return
        if not any(self._has_hand(agent) for agent in able):
            needs.one_of(self._letting_go(able))
        elif not any(self._has_strength(agent, node) for agent in able):
            inner = ((GRAB, child) for child in self._inside(node))
            needs.one_of([*self._letting_go(able), *inner])

    def _let_go(self, node: str) -> None:
        self.needs.one_of([(FREE, node), (DROP, node)])

    def _reach(self, node: str, *, partners: bool = False) -> None:
        """An actor, or two, can lay hands on it: they stand there, and no lid is over it."""
        world, needs = self.world, self.needs
        if not self._is_new(("reach", node)):
            return
        self._find(node)
        near = sum(within_reach(world, agent, node) for agent in self.actors)
        if near < 1 + partners and not self.held(node):
            if not near:
                self._enter_one(self._rooms_of(node))
                needs.must((NEAR, self._piece(node)))
            else:  # the other comes, or what it lies in comes to the other
                around = [(GRAB, mover) for mover in self._movers(node) if mover != node]
                needs.one_of([(NEAR, self._piece(node)), *around])
        place = world.location.get(node)
        while place is not None:
            if place.relation == "in" and is_closed(world, place.holder):
                self._flip(place.holder, "is_open", False)
            place = world.location.get(place.holder)

    def _enter_one(self, rooms: Sequence[str]) -> None:
        """Somebody is in one of the rooms."""
        if len(rooms) == 1:
            self._enter(rooms[0])
        elif not any(self.present(room) for room in rooms):
            self.needs.one_of((GOTO, room) for room in rooms)

    def _enter(self, room: str) -> None:
        """Somebody is in the room, and gets there through open doors."""
        if self.present(room):
            return
        self.needs.must((GOTO, room))
        self._open_way(room)

    def _open_way(self, room: str) -> None:
        """The doors without which nobody gets in are opened.

        Relies on `way_is_free`.
        """
        world = self.world
        if not world.blueprint.doors or not self._is_new(("way", room)):
            return
        starts = {world.agents[agent].room for agent in self.actors}
        shut = [d for d in world.blueprint.doors if not is_passable(world, d)]
        if not shut or self._joined(starts, room, shut=shut):
            return
        needed = [door for door in shut if not self._joined(starts, room, shut=[door])]
        for door in needed:
            self._flip(door, "is_open", False)
        if not needed:
            self.needs.one_of((FLIP, door, "is_open") for door in shut)

    def _joined(self, starts: Collection[str], room: str, *, shut: Collection[str]) -> bool:
        """Whether a room can be walked to from one of the others with these doors shut."""
        passages = self.world.blueprint.passages
        seen = set(starts)
        queue = list(starts)
        for here in queue:  # grows while it is read
            if here == room:
                return True
            for way in passages[here]:
                if way.room not in seen and way.door not in shut:
                    seen.add(way.room)
                    queue.append(way.room)
        return False

    def _somebody_by(self, node: str) -> bool:
        return any(self.present(room) for room in self._rooms_of(node))

    def _find(self, node: str) -> None:
        """Somebody comes to know it: by exploring its room, or by opening what it is in."""
        if node not in self.problem.things or self._known(node):
            return
        if not self._is_new((EXPLORE, node)):
            return
        room = str(self.world.room_of(node))
        place = self.world.location[node]
        shut = place.relation == "in" and is_closed(self.world, place.holder)
        if not shut:
            self.needs.must((EXPLORE, room))
            self._enter(room)
        elif place.holder in self.problem.things:
            self._find(place.holder)

    def _revealing(self, node: str) -> Iterator[Deed]:
        """What may make an object known."""
        place = self.world.location[node]
        yield (EXPLORE, str(self.world.room_of(node)))
        while place.holder in self.world.location:
            if is_closed(self.world, place.holder):
                yield (FLIP, place.holder, "is_open")
            place = self.world.location[place.holder]

    def _known(self, node: str) -> bool:
        return any(node in known for known in self.world.known.values())

    def _piece(self, node: str) -> str:
        return node if node in self.world.blueprint.doors else standing_piece(self.world, node)

    def _rooms_of(self, node: str) -> tuple[str, ...]:
        """Where to be for it: at a door, the side that one gets to while it is shut."""
        world = self.world
        door = world.blueprint.doors.get(node)
        if door is None:
            return (str(world.room_of(node)),)
        if is_passable(world, node):
            return door.between
        starts = {world.agents[agent].room for agent in self.actors}
        sides = [room for room in door.between if self._joined(starts, room, shut=[node])]
        return tuple(sides) or door.between

    def _held(self, agent: str) -> tuple[str, ...]:
        return self.world.agents[agent].inventory

    def _has_hand(self, agent: str) -> bool:
        return len(self._held(agent)) < self.problem.bodies[agent].hands

    def _has_strength(self, agent: str, node: str) -> bool:
        limit = self.problem.bodies[agent].max_mass_kg
        mass = total_mass(self.world, node)
        return self.world.agents[agent].load + mass <= limit + TOLERANCE_KG

    def _letting_go(self, agents: Iterable[str]) -> Iterator[Deed]:
        for agent in agents:
            for held in self._held(agent):
                yield (FREE, held)
                yield (DROP, held)

    def _inside(self, node: str) -> Iterator[str]:
        for child in self.world.contents.get(node, ()):
            yield child
            yield from self._inside(child)

    def _movers(self, node: str) -> Iterator[str]:
        return self.prospects.movers(node, self.world)

    def _take_rounds(self, rounds: int) -> None:
        self.needs.rounds = max(self.needs.rounds, rounds)

    # -- as a stage for counting rounds ------------------------------------------------------------

    def present(self, room: str) -> bool:
        """Whether an actor is in the room."""
        return any(self.world.agents[agent].room == room for agent in self.actors)

    def unseen(self, node: str) -> bool:
        """Whether it must be found, in a room that nobody is in."""
        return not self._known(node) and not self.present(self.room(node))

    def reached(self, node: str) -> bool:
        """Whether an actor can lay hands on it from where it stands."""
        return any(within_reach(self.world, agent, node) for agent in self.actors)

    def held(self, node: str) -> bool:
        """Whether it is in the hands of an actor, at any depth."""
        return any(in_hands(self.world, agent, node) for agent in self.actors)

    def room(self, node: str) -> str:
        """The room it is in; a room is in itself, a door on the nearer side."""
        return self._rooms_of(node)[0]

    def next_to(self, node: str, dest: str) -> bool:
        """Whether who takes `node` from its place stands at what `dest` is in or on."""
        piece = self._piece(node)
        return self.held(dest) or (piece == self._piece(dest) and piece != node)

    def moving(self, node: str) -> list[str]:
        """What could be taken to move it."""
        return list(self._movers(node)) if node in self.world.location else []
