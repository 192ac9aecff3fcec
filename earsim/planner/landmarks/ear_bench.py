"""Landmarks of `ear-bench` goals; each bound names the rules that it relies on."""

from __future__ import annotations

from earsim.planner.landmarks.ear_bench_achievers import EarBenchAchievers
from earsim.planner.landmarks.landmark_set import DROP, FREE, GOTO, GRAB
from earsim.planner.landmarks.makespan import until_placed
from earsim.planner.literals import Denied, Held, Inside, Placed, StateIs
from earsim.planner.problem import StateGoal


class EarBenchLandmarks(EarBenchAchievers):
    """Finds the landmarks of a state, one alternative of the goal at a time."""

    # -- states (EAR-Bench 3.8, 3.10) --------------------------------------------------------------

    def _state_goal(self, state_goal: StateGoal) -> None:
        now = self.view.current(state_goal.node, state_goal.attribute)
        wanted = not now if state_goal.value is None else state_goal.value
        stuck = not isinstance(now, bool)  # 0 and 1 stay what they are (EAR-Bench 3.8)
        times = 1 if now != wanted or stuck else 2
        value = bool(now) if stuck else not wanted
        self._flip(state_goal.node, state_goal.attribute, value, state_goal.joint, times)

    def _take_joint_rounds(self, commands: int) -> None:
        """In one decision all but one of the agents may give joint commands that differ."""
        self._raise_makespan(-(-commands // max(1, len(self.problem.bodies) - 1)))

    # -- places (EAR-Bench 3.4, 3.5, 3.10) ---------------------------------------------------------

    def _move(self, fact: object) -> None:
        if isinstance(fact, Placed):
            self._place(fact)
        elif isinstance(fact, Held):
            self._hold(fact.object, fact.agent)
        elif isinstance(fact, Inside):
            self._bring_into(fact)
        else:
            self.landmarks.uninformed = True

    def _deny(self, denied: object) -> None:
        """What is so must end."""
        fact = denied.fact if isinstance(denied, Denied) else None
        if isinstance(fact, StateIs) and isinstance(fact.value, bool):
            self._flip(fact.node, fact.attribute, fact.value, False, 1)
        elif isinstance(fact, Placed | Held):
            self._displace(fact.object)
        else:
            self.landmarks.uninformed = True

    def _displace(self, node: str) -> None:
        """It leaves a hand, or its place; lifted jointly, it stays there until it is set down."""
        if self.world.location[node].holder in self.world.agents or node in self.view.in_hands():
            self.landmarks.one_of([(FREE, node), (DROP, node)])
        elif self.relaxation.can_lift(node):
            self.landmarks.must((GRAB, node))
        else:
            self._take(node)

    def _hold(self, node: str, agent: str | None) -> None:
        """It must come into hands; out of another's hands first."""
        holder = self.world.location[node].holder
        if holder in self.world.agents and holder != agent:
            self.landmarks.must((DROP, node))
            self.landmarks.must((GRAB, node))
        elif self.relaxation.can_lift(node):
            self.landmarks.must((GRAB, node))
        else:
            self._take(node)

    def _give(self, node: str, agent: str) -> None:
        """It comes into an agent's hand; in class `any` a team may also set it down there."""
        if not self.relaxation.can_lift(node):
            self._hold(node, agent)
        elif not any(self.world.agents[a].carrying == node for a in self.problem.actors):
            self.landmarks.must((GRAB, node))
            if not self.relaxation.can_hold(node):
                self.landmarks.must((DROP, node))
        else:
            self.landmarks.one_of([(DROP, node), (FREE, node)])

    def _bring_into(self, fact: Inside) -> None:
        """It, or something around it, must be moved."""
        movers = list(self.view.movers(fact.object))
        moving = any(mover in self.view.in_hands() for mover in movers)
        if movers and not moving:
            self.landmarks.one_of([(GRAB, mover) for mover in movers])
        self.landmarks.uninformed = True

    def _place(self, fact: Placed) -> None:
        node, dest = fact.object, fact.holder
        if dest in self.problem.bodies:
            self._give(node, dest)
            return
        self.landmarks.must((DROP, node))
        carriers = [a for a in self.problem.actors if self.world.agents[a].carrying == node]
        holder = self.world.location[node].holder
        if carriers:
            self._carry_on(node, dest)
        elif holder in self.problem.actors:
            self._deliver(node, dest, holder)
        else:
            self._fetch_and_deliver(node, dest)

    def _fetch_and_deliver(self, node: str, dest: str) -> None:
        by_hand, lifted = self.relaxation.can_hold(node), self.relaxation.can_lift(node)
        self.landmarks.must((GRAB, node))
        if by_hand and lifted:
            self._be_there(node, everybody=False)
        elif by_hand:
            self._take(node)
            self._find(dest)
            self._deliver_later(node, dest)
        else:
            self._lift(node, dest)

    def _deliver(self, node: str, dest: str, holder: str) -> None:
        """It is in hand; the holder goes up to the destination (or lets that be brought).

        Relies on `destination_in_near_set`, `destination_in_same_room`.
        """
        if self.relaxation.can_lift(node):
            return
        world, landmarks = self.world, self.landmarks
        agent = world.agents[holder]
        self._find(dest)
        room = world.room_of(dest)
        there = dest in agent.near or (dest == agent.room and dest in world.blueprint.rooms)
        self._raise_makespan(until_placed(self.view, node, dest, at_once=there))
        if room is not None and room != agent.room:
            landmarks.one_of([(GOTO, room), *self.view.shifts(dest)])
        if dest not in agent.near and dest in self.problem.things:
            down = self.view.setting_down(self.view.movers(dest))
            landmarks.one_of([*self.view.approaches(dest), *down])

    def _deliver_later(self, node: str, dest: str) -> None:
        """Delivery once it was taken from where it is now; then that place is near."""
        world, landmarks = self.world, self.landmarks
        self._raise_makespan(until_placed(self.view, node, dest, at_once=False))
        room, source = world.room_of(dest), world.room_of(node)
        here = list(self.view.set_down_around(node))
        if room is not None and room != source:
            landmarks.one_of([(GOTO, room), *self.view.shifts(dest), *here])
        if dest in self.problem.things and (room != source or not self.view.next_to(node, dest)):
            down = self.view.setting_down(self.view.movers(dest))
            landmarks.one_of([*self.view.approaches(dest), *down, *here])

    def _lift(self, node: str, dest: str) -> None:
        """It is lifted jointly and carried to the room of its destination.

        Relies on `all_in_its_room`; the walk and the knowledge are demanded in class `plain`.
        """
        self._be_there(node, everybody=self.problem.plain)
        if not self.problem.plain:
            return
        self._find(node)
        self._find(dest)
        room, source = self.world.room_of(dest), self.world.room_of(node)
        if room is not None and room != source:
            self.landmarks.one_of([(GOTO, room), *self.view.shifts(dest)])
            self._take_joint_rounds(self._rounds_of_lift(node, dest) + 3)
        else:
            self._take_joint_rounds(self._rounds_of_lift(node, dest) + 2)

    def _rounds_of_lift(self, node: str, dest: str) -> int:
        """Decisions before everybody can be at it: joint verbs that differ never share one."""
        world, actors = self.world, self.problem.actors
        room = world.room_of(node)
        absent = [agent for agent in actors if world.agents[agent].room != room]
        other = world.room_of(dest)
        if dest in self.problem.things and not self.view.known(dest) and other != room:
            return 1 if self.view.present(str(other)) else 2
        return 1 if absent and (len(absent) > 1 or absent[-1] == actors[-1]) else 0

    def _carry_on(self, node: str, dest: str) -> None:
        """It is carried already."""
        if not self.problem.plain:
            return
        room = self.world.room_of(dest)
        away = any(self.world.agents[agent].room != room for agent in self.problem.actors)
        if room is not None and away:
            self.landmarks.one_of([(GOTO, room), *self.view.shifts(dest)])
        self._take_joint_rounds(2 if away else 1)
