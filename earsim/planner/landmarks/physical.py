"""Landmarks of `physical` goals; each bound names the rules that it relies on."""

from __future__ import annotations

from collections.abc import Sequence

from earsim.planner.landmarks.landmark_set import DROP, GOTO, GRAB, NEAR
from earsim.planner.landmarks.makespan import until_placed
from earsim.planner.landmarks.physical_achievers import PhysicalAchievers
from earsim.planner.literals import Denied, Held, Inside, Joint, Placed, StateIs
from earsim.planner.problem import StateGoal
from earsim.world.containment import is_closed, standing_piece
from earsim.world.limits import has_room_for
from earsim.world.proximity import within_reach


class PhysicalLandmarks(PhysicalAchievers):
    """Finds the landmarks of a state, one alternative of the goal at a time."""

    # -- states ------------------------------------------------------------------------------------

    def _state_goal(self, state_goal: StateGoal) -> None:
        now = self.world.states[state_goal.node][state_goal.attribute]
        wanted = state_goal.value if state_goal.has_value else not now
        times = 1 if now != wanted else 2
        self._flip(state_goal.node, state_goal.attribute, not wanted, times=times)

    # -- places ------------------------------------------------------------------------------------

    def _move(self, fact: object) -> None:
        if isinstance(fact, Placed):
            self._place(fact)
        elif isinstance(fact, Held):
            self._hold(fact.object, fact.agent)
        elif isinstance(fact, Inside) and fact.object in self.problem.bodies:
            self.landmarks.must((GOTO, fact.room))
            self._open_way(fact.room)
        elif isinstance(fact, Inside):
            self._bring_into(fact.object, fact.room)
        else:
            self.landmarks.uninformed = True

    def _deny(self, denied: object) -> None:
        """What is so must end."""
        fact = denied.fact if isinstance(denied, Denied) else None
        if isinstance(fact, Placed | Held):
            in_hand = self.world.location[fact.object].holder in self.world.agents
            (self._let_go if in_hand else self._take)(fact.object)
        elif isinstance(fact, StateIs | Joint):
            self._change(fact.node, fact.attribute)
        elif isinstance(fact, Inside):
            self._bring_out(fact.object, fact.room)
        else:
            self.landmarks.uninformed = True

    def _change(self, node: str, attribute: str) -> None:
        """A state is changed, by whomever."""
        now = self.world.states.get(node, {}).get(attribute)
        if isinstance(now, bool):
            self._flip(node, attribute, now)
        else:
            self.landmarks.uninformed = True

    def _bring_out(self, node: str, room: str) -> None:
        """Somebody walks out with it, or with something around it; or it walks out itself."""
        movers = [(GRAB, mover) for mover in self.view.movers(node)]
        if movers and not self.view.held(node):
            self.landmarks.one_of(movers, ranked=self.problem.innermost)
        others = [other for other in self.problem.engine.blueprint.rooms if other != room]
        self.landmarks.one_of((GOTO, other) for other in others)

    def _hold(self, node: str, agent: str | None) -> None:
        holder = self.world.location[node].holder
        if holder in self.world.agents:
            self._let_go(node)
            self.landmarks.must((GRAB, node))
        else:
            self._take(node)

    def _bring_into(self, node: str, room: str) -> None:
        """Somebody walks in with it, or with something around it."""
        world, landmarks = self.world, self.landmarks
        movers = list(self.view.movers(node))
        if not self.view.held(node) and movers:
            if len(movers) == 1:
                self._take(movers[0])
            else:
                grabs = [(GRAB, mover) for mover in movers]  # what lies within comes first
                landmarks.one_of(grabs, ranked=self.problem.innermost)
                self._enter(str(world.room_of(node)))
                if not self.view.reached(standing_piece(world, node)):
                    landmarks.must((NEAR, standing_piece(world, node)))
        landmarks.must((GOTO, room))
        self._open_way(room)
        if not any(self.relaxation.can_hold(mover) for mover in movers):
            self._walk_in_together(room, movers)

    def _walk_in_together(self, room: str, movers: Sequence[str]) -> None:
        """All who carry one of these walk; two at least, however many of these there are.

        One, where it may be rolled.
        """
        self.landmarks.must_by((GOTO, room), 1 if self.relaxation.can_roll else 2)

    def _place(self, fact: Placed) -> None:
        node, dest = fact.object, fact.holder
        if dest in self.problem.bodies:
            self._hold(node, dest)
            return
        self._by_carriers((DROP, node), node)
        holder = self.world.location[node].holder
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
        world = self.world
        room = world.agents[holder].room
        there = dest == room or within_reach(world, holder, dest)
        self._raise_makespan(until_placed(self.view, node, dest, at_once=there))
        if dest in world.blueprint.rooms:
            if room != dest:
                self._walk_with((GOTO, dest), node)
                self._open_way(dest)
            return
        if within_reach(world, holder, dest):
            return
        self._reach(dest)
        self._go(str(room), node, dest)

    def _deliver_later(self, node: str, dest: str) -> None:
        """Delivery once it was taken from where it is now; what it stood at is near then."""
        world = self.world
        room = world.room_of(node)
        self._raise_makespan(until_placed(self.view, node, dest, at_once=False))
        if dest in world.blueprint.rooms:
            if room != dest:
                self._walk_with((GOTO, dest), node)
                self._open_way(dest)
            return
        self._reach(dest)
        if self.view.held(dest) or self.view.stands_at(dest, holding=node):
            return
        piece = self.view.piece(dest)
        approach = piece != self.view.piece(node) or piece == node
        self._go(str(room), node, dest, approach=approach)

    def _go(self, room: str, node: str, dest: str, *, approach: bool = True) -> None:
        """Who carries it goes from a room to where it belongs, or that comes to them.

        Or it is handed over to somebody who stands there, so that nobody goes up to it.
        """
        coming = self._coming(dest)
        there = str(self.world.room_of(dest))
        steps = [(self._standing_at(dest), self._handing([node]))] if approach else []
        steps += [((GOTO, there), [])] if there != room else []
        for step, handing in steps:
            if coming or handing:
                self.landmarks.one_of([step, *coming, *handing])
            else:
                self._walk_with(step, node)

    def _make_room(self, node: str, fact: Placed) -> None:
        """The destination is open, and there is space in it.

        Relies on `destination_can_hold` and `has_space`.
        """
        thing = self.problem.things.get(fact.holder)
        if fact.relation != "in" or thing is None:
            return
        if is_closed(self.world, fact.holder):
            self._flip(fact.holder, "is_open", False)
        world = self.world
        if not has_room_for(world, fact.holder, self.problem.things[node].volume_l):
            inside = world.contents.get(fact.holder, ())
            lying_in = [other for other in inside if world.location[other].relation == "in"]
            self.landmarks.one_of((GRAB, other) for other in lying_in)
