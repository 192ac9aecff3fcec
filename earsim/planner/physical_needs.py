"""What must still be done in `physical`: each estimate names the rules that it relies on."""

from __future__ import annotations

from earsim.planner.literals import Denied, HasState, Held, Inside, Joint, Placed
from earsim.planner.needs import DROP, GOTO, GRAB, NEAR
from earsim.planner.physical_means import PhysicalMeans
from earsim.planner.problem import Turn
from earsim.planner.rounds import until_placed
from earsim.world.containment import is_closed, standing_piece
from earsim.world.loads import TOLERANCE_KG
from earsim.world.proximity import within_reach


class PhysicalNeeds(PhysicalMeans):
    """Finds the landmarks of a state, one alternative of the goal at a time."""

    # -- states ------------------------------------------------------------------------------------

    def _turn(self, turn: Turn) -> None:
        now = self.world.states[turn.node][turn.attribute]
        wanted = turn.value if turn.wished else not now
        times = 1 if now != wanted else 2
        self._flip(turn.node, turn.attribute, not wanted, times=times, joint=turn.joint)

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
        movers = [(GRAB, mover) for mover in self.stage.movers(node)]
        if movers and not self.stage.held(node):
            self.needs.one_of(movers, ranked=self.problem.innermost)
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
        movers = list(self.stage.movers(node))
        if not self.stage.held(node) and movers:
            if len(movers) == 1:
                self._take(movers[0])
            else:
                grabs = [(GRAB, mover) for mover in movers]  # what lies within comes first
                needs.one_of(grabs, ranked=self.problem.innermost)
                self._enter(str(world.room_of(node)))
                if not self.stage.reached(standing_piece(world, node)):
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
        self._take_rounds(until_placed(self.stage, node, dest, at_once=there))
        if dest in world.blueprint.rooms:
            if room != dest:
                needs.must((GOTO, dest))
                self._open_way(dest)
            return
        if within_reach(world, holder, dest):
            return
        self._reach(dest)
        movers = [(GRAB, mover) for mover in self.stage.movers(dest)]
        needs.one_of([(NEAR, self.stage.piece(dest)), *movers])
        if world.room_of(dest) != room:
            needs.one_of([(GOTO, str(world.room_of(dest))), *movers])

    def _deliver_later(self, node: str, dest: str) -> None:
        """Likewise after it was taken from where it is now; what it stood at is near then."""
        world, needs = self.world, self.needs
        room = world.room_of(node)
        self._take_rounds(until_placed(self.stage, node, dest, at_once=False))
        if dest in world.blueprint.rooms:
            if room != dest:
                needs.must((GOTO, dest))
                self._open_way(dest)
            return
        self._reach(dest)
        if self.stage.held(dest) or self.stage.stands_at(dest, holding=node):
            return
        movers = [(GRAB, mover) for mover in self.stage.movers(dest)]
        piece = self.stage.piece(dest)
        if piece != self.stage.piece(node) or piece == node:
            needs.one_of([(NEAR, piece), *movers])
        if world.room_of(dest) != room:
            needs.one_of([(GOTO, str(world.room_of(dest))), *movers])

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
