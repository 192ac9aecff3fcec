"""The delete relaxation of `physical`: what can ever happen if nothing is ever undone.

Doors and containers that can be opened are open, everybody is everywhere it can get to with empty
hands. So what is out of reach here is out of reach for good, and that is a proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from earsim.actions.verb import Call, Verb, lasting_objection
from earsim.planner.landmarks.landmark_set import Confinement
from earsim.planner.problem import Problem, StateGoal, attribute_row
from earsim.planner.relaxation.relaxation import Relaxation
from earsim.planner.result import Impossible, Why
from earsim.world.containment import is_closed
from earsim.world.limits import is_within_load, is_within_size, size_limit
from earsim.world.power import faults, works


class PhysicalRelaxation(Relaxation):
    """The relaxation for one problem.

    Attributes:
        rooms: rooms that an actor can ever be in.
        near: objects and doors that an actor can ever lay hands on.
        lifted: objects that could ever be lifted jointly.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.rooms: dict[str, None] = {}
        self.near: set[str] = set()
        self.lifted: set[str] = set()
        fallible = problem.engine.blueprint.fallible_tools
        self._broken = {tool for tool in fallible if not works(self.world, tool)}
        bodies = [problem.bodies[agent] for agent in problem.actors]
        self._hands = sum(body.hands > 0 for body in bodies)
        self._team_strength = self._find_team_strength()
        self._team_size = size_limit([body.max_size_m for body in bodies if body.hands > 0])
        self._burdens: dict[str, float] = {}
        self._teams: dict[str, int] = {}
        self._strong = {node: self._strong_enough(node) for node in problem.things}
        self._turning = self._find_turning()
        self._saturate()

    def _find_team_strength(self) -> float:
        bodies = [self.problem.bodies[agent] for agent in self.problem.actors]
        able = [body.max_mass_kg for body in bodies if body.hands > 0]
        return sum(able) if len(able) > 1 else -1.0

    def least_team(self, node: str) -> int:
        """How many agents it takes at least to lift it together.

        Relies on `enough_give_it` and `can_be_lifted_together`: the strongest, with empty hands
        and without what can be taken out of it.
        """
        found = self._teams.get(node)
        if found is None:
            team = max(self._find_least_team(self.burden(node)), self.people(node))
            found = self._teams[node] = team
        return found

    def people(self, node: str) -> int:
        """How many agents it takes to change its states, or to lift it, as the scene says."""
        thing = self.problem.things.get(node)
        return 1 if thing is None else thing.people

    def _find_least_team(self, mass_kg: float) -> int:
        bodies = [self.problem.bodies[agent] for agent in self.problem.actors]
        limits = sorted([body.max_mass_kg for body in bodies if body.hands > 0], reverse=True)
        for size in range(2, len(limits)):
            if is_within_load(mass_kg, sum(limits[:size])):
                return size
        return max(2, len(limits))

    def _strong_enough(self, node: str) -> tuple[str, ...]:
        """Relies on `hands_free`, `can_be_lifted` and the checks of GRAB that read the scene."""
        problem, rolls = self.problem, self.problem.things[node].wheels is not None
        grab = Call(problem.engine.verbs["GRAB"], node)
        return tuple(
            [
                agent
                for agent in problem.actors
                if (body := problem.bodies[agent]).hands > 0
                and (rolls or is_within_load(self.burden(node), body.max_mass_kg))
                and lasting_objection(self.world, agent, grab) is None
            ]
        )

    def burden(self, node: str) -> float:
        """Its mass with what lies in it and can never be taken out; the rest can."""
        if node not in self._burdens:
            mass = self.problem.things[node].mass_kg
            for child in self.world.contents.get(node, ()):
                burden = self.burden(child)
                lifted = is_within_load(burden, self._team_strength)
                if not (lifted or self._strong_enough(child)):
                    mass += burden
            self._burdens[node] = mass
        return self._burdens[node]

    def _saturate(self) -> None:
        """Grow what can be entered, touched and held until there is nothing new.

        Relies on `a_way_leads_there`, `in_reach`, `in_nobodys_hands`, `lock_allows`,
        `somebody_is_equipped`.
        """
        before: tuple[int, ...] = ()
        while True:
            self._enter()
            self._touch()
            self._take()
            self._mend()
            found = (self.rooms, self.near, self.holders, self.lifted, self._broken)
            now = tuple([len(each) for each in found])
            if now == before:
                return
            before = now

    def _enter(self) -> None:
        queue = list(self.rooms) or [self.world.agents[a].room for a in self.problem.actors]
        for room in queue:  # grows while it is read
            self.rooms[room] = None
            for way in self.world.blueprint.passages[room]:
                if way.room not in self.rooms and self._passable(way.door):
                    self.rooms[way.room] = None
                    queue.append(way.room)

    def _passable(self, door: str | None) -> bool:
        if door is None or self.world.states[door].get("is_open") is True:
            return True
        return door in self.near and self.can_flip(door, "is_open", False)

    def confinement(self) -> Confinement | None:
        """What keeps actors apart for good; None where nothing does.

        Relies on `a_way_leads_there`: things go through doors in hands.
        """
        passages = self.world.blueprint.passages
        side_of: dict[str, int] = {}
        for side, room in enumerate(passages):
            queue = [] if room in side_of else [room]
            for each in queue:  # grows while it is read
                side_of[each] = side
                ways = [way.room for way in passages[each] if self._passable(way.door)]
                queue += [way for way in ways if way not in side_of and way not in queue]
        agents = self.world.agents
        actors = Counter(side_of[agents[actor].room] for actor in self.problem.actors)
        if len(actors) < 2:
            return None
        for thing in self.problem.things:
            room_of_thing = self.world.room_of(thing)
            if room_of_thing is not None:
                side_of[thing] = side_of[room_of_thing]
        return Confinement(side_of, actors)

    def _touch(self) -> None:
        world = self.world
        for door in world.blueprint.doors.values():
            if not self.rooms.keys().isdisjoint(door.between):
                self.near.add(door.id)
        queue = [*self.rooms, *self.problem.actors]
        for holder in queue:  # grows while it is read
            held = world.contents.get(holder)
            if not held:
                continue
            shut = is_closed(world, holder) and not self._opens(holder)
            for node in held:
                if not (shut and world.location[node].relation == "in"):
                    self.near.add(node)
                    queue.append(node)

    def _opens(self, holder: str) -> bool:
        return holder in self.near and self.can_flip(holder, "is_open", False)

    def _take(self) -> None:
        for node in self.near:
            if node in self.problem.things:
                if self._strong[node]:
                    self.holders[node] = self._strong[node]
                enough = self.people(node) <= self._hands
                fits = is_within_size(self.problem.things[node].size_m, self._team_size)
                if enough and fits and is_within_load(self.burden(node), self._team_strength):
                    self.lifted.add(node)

    def _mend(self) -> None:
        """Put tools in order that can be, with those that are."""
        for tool in tuple(self._broken):
            now = self.world.states[tool]
            ways = [(fault, now.get(fault)) for fault in faults(self.world, tool)]
            if all(isinstance(v, bool) and self.can_flip(tool, fault, v) for fault, v in ways):
                self._broken.discard(tool)

    # -- questions ---------------------------------------------------------------------------------

    def tools(self, ability: str) -> list[str]:
        """The objects that give an ability, can be held, and are or can be put in order."""
        return [tool for tool in super().tools(ability) if tool not in self._broken]

    @property
    def is_team(self) -> bool:
        """Whether joint verbs are open to the actors."""
        return len(self.problem.actors) > 1

    def can_lift(self, node: str) -> bool:
        """Whether actors can ever lift it jointly."""
        return node in self.lifted

    @property
    def can_roll(self) -> bool:
        """Whether an actor can ever roll something, with more on it than it can carry."""
        return not self.problem.engine.blueprint.wheeled.isdisjoint(self.holders)

    def can_be_open(self, holder: str) -> bool:
        """Whether something can ever be put in it."""
        return not is_closed(self.world, holder) or self.can_flip(holder, "is_open", False)

    def can_flip(self, node: str, attribute: str, value: bool) -> bool:
        """Whether an actor can ever change the state from `value`."""
        if self.turns(node, attribute):
            return True
        verbs = self.problem.single_verbs.get((attribute, value), ())
        return (
            self.people(node) <= len(self.problem.actors)
            and self._allowed(node, attribute, value)
            and any(self._equipped(node, verb) for verb in verbs)
        )

    def turns(self, node: str, attribute: str) -> bool:
        """Whether the state may change by itself, or as things are connected."""
        return attribute in self._turning.get(node, ())

    def _find_turning(self) -> Mapping[str, frozenset[str]]:
        live = self.world.blueprint.live
        if live is None:
            return {}
        found = {node: set(states) for node, states in live.derived.items()}
        for node, own in live.processes.items():
            for process in own:
                if process.crossing is not None:
                    found.setdefault(node, set()).update(process.crossing.sets)
                driven = process.discharge or process.burns
                if driven is not None:
                    found.setdefault(driven.of or node, set()).update(driven.while_)
        return {node: frozenset(states) for node, states in found.items()}

    def can_flip_jointly(self, node: str, attribute: str, value: bool) -> bool:
        """Whether the actors can ever change the state from `value` jointly."""
        return self.people(node) > 1 and self.can_flip(node, attribute, value)

    def _allowed(self, node: str, attribute: str, value: bool) -> bool:
        """What is locked must be unlocked first."""
        states = self.world.states[node]
        if attribute == "is_open" and not value and states.get("is_locked") is True:
            return self.can_flip(node, "is_locked", True)
        return True

    def _equipped(self, node: str, verb: Verb) -> bool:
        row = attribute_row(verb)
        key = self.key_of(node) if row.attribute == "is_locked" else None
        if key is not None:
            return key in self.holders
        return not row.requires_tool or bool(self.tools(row.name))

    def key_of(self, node: str) -> str | None:
        """The key of a door or a container, where it has one."""
        door = self.world.blueprint.doors.get(node)
        return self.problem.things[node].key if door is None else door.key

    # -- why not -----------------------------------------------------------------------------------

    def refute(self, state_goal: StateGoal) -> Impossible | None:
        """Why a state can never be as wished, or None."""
        if all(literal.holds(self.world) for literal in state_goal.literals):
            return None
        facts: dict[str, Any] = {"id": state_goal.node, "state": state_goal.attribute}
        states: Mapping[str, Any] = self.world.states.get(state_goal.node, {})
        if state_goal.attribute not in states:
            return Impossible(Why.NO_SUCH_STATE, facts)
        now = states[state_goal.attribute]
        wanted = state_goal.value if state_goal.has_value else not now
        if not isinstance(now, bool) or wanted not in (True, False):
            return Impossible(Why.NO_ACTION_SETS_STATE, facts)
        if self.turns(state_goal.node, state_goal.attribute):
            return None
        if state_goal.node not in self.near:
            return self._why_not_near(state_goal.node)
        can = self.can_flip_jointly if state_goal.joint else self.can_flip
        if not can(state_goal.node, state_goal.attribute, not wanted):
            return self._why_no_flip(
                state_goal.node, state_goal.attribute, not wanted, joint=state_goal.joint
            )
        if now != wanted or self.can_flip(state_goal.node, state_goal.attribute, now):
            return None  # what is right already must be changed away and back
        return self._why_no_flip(state_goal.node, state_goal.attribute, now, joint=False)

    def _why_no_flip(self, node: str, attribute: str, value: bool, *, joint: bool) -> Impossible:
        found = self._why_no_verb(node, attribute, value, joint=False)
        if found is not None:
            return found
        people = self.people(node)
        if people > len(self.problem.actors) or (joint and people < 2):
            facts = {"id": node, "state": attribute, "from": value}
            return Impossible(Why.NOT_TOGETHER, facts)
        if not self._allowed(node, attribute, value):
            return self._why_no_flip(node, "is_locked", True, joint=False)
        key = self.key_of(node) if attribute == "is_locked" else None
        if key is None:
            return self._why_no_tool(node, attribute, value, joint=False)
        facts = {"id": node, "state": attribute, "from": value, "key": key}
        return Impossible(Why.NO_KEY_TO_HOLD, facts)

    def _why_not_near(self, node: str) -> Impossible:
        """Relies on `a_way_leads_there` and `in_reach`."""
        world = self.world
        door = world.blueprint.doors.get(node)
        room = door.between[0] if door is not None else world.room_of(node)
        if room not in self.rooms:
            return self.why_not_entered(str(room), node)
        place = world.location[node]
        while place.holder in self.near or place.holder not in world.location:
            if place.holder not in world.location:
                return Impossible(Why.NOT_TOGETHER, {"id": node, "holder": place.holder})
            if is_closed(world, place.holder):
                break
            place = world.location[place.holder]
        return Impossible(Why.SHUT_IN, {"id": node, "container": place.holder})

    def why_not_entered(self, room: str, node: str | None = None) -> Impossible:
        """Why no actor ever gets into a room."""
        doors = [way.door for way in self.world.blueprint.passages.get(room, ()) if way.door]
        facts = {"room": room, "doors": doors}
        return Impossible(Why.UNREACHABLE_ROOM, facts if node is None else facts | {"id": node})

    def _why_not_taken(self, node: str) -> Impossible:
        if node not in self.near:
            return self._why_not_near(node)
        bodies = [self.problem.bodies[agent] for agent in self.problem.actors]
        thing, burden = self.problem.things[node], self.burden(node)
        if all(body.hands == 0 for body in bodies):
            return Impossible(Why.NO_HANDS, {"id": node})
        if self.people(node) > self._hands:
            return Impossible(Why.NOT_TOGETHER, {"id": node})
        limit = max(self._team_strength, max(body.max_mass_kg for body in bodies if body.hands))
        if not is_within_load(burden, limit):
            facts = {"id": node, "mass_kg": burden, "limit_kg": limit}
            return Impossible(Why.TOO_HEAVY, facts)
        return Impossible(Why.TOO_LARGE, {"id": node, "size_m": list(thing.size_m or ())})
