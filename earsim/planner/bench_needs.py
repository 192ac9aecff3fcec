"""What must still be done in `ear-bench`: each estimate names the rules that it relies on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from earsim.planner.bench_prospects import TOO_HEAVY_BY_KG, BenchProspects
from earsim.planner.literals import Denied, HasState, Held, Inside, Placed
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
from earsim.planner.problem import Problem, Turn, Way, row_of
from earsim.planner.rounds import until_held, until_placed, until_used
from earsim.world import World
from earsim.world.containment import ancestors, is_closed
from earsim.world.loads import direct_mass


class BenchNeeds:
    """Finds the landmarks of a state, one alternative of the goal at a time."""

    swept_along = True

    def __init__(self, problem: Problem, prospects: BenchProspects) -> None:
        self.problem = problem
        self.prospects = prospects
        self.world = problem.start
        self.needs = Needs()

    def of(self, world: World, way: Way) -> Counted:
        """The landmarks of a state for one alternative."""
        self.world = world
        self.needs = needs = Needs()
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

    # -- states (RULES.md 3.8, 3.10) ---------------------------------------------------------------

    def _turn(self, turn: Turn) -> None:
        now = self.current(turn.node, turn.attribute)
        wanted = not now if turn.value is None else turn.value
        stuck = not isinstance(now, bool)  # 0 and 1 stay what they are (RULES.md 3.8)
        times = 1 if now != wanted or stuck else 2
        value = bool(now) if stuck else not wanted
        self._flip(turn.node, turn.attribute, value, turn.joint, times)

    def current(self, node: str, attribute: str) -> Any:
        """The value that verbs look at: among the states, else the open attributes."""
        states = self.world.states[node]
        return states[attribute] if attribute in states else self.world.attributes(node)[attribute]

    def _take_joint_rounds(self, commands: int) -> None:
        """In one decision all but one of the agents may give joint commands that differ."""
        self._take_rounds(-(-commands // max(1, len(self.problem.bodies) - 1)))

    def _take_rounds(self, rounds: int) -> None:
        self.needs.rounds = max(self.needs.rounds, rounds)

    def _flip(self, node: str, attribute: str, value: bool, joint: bool, times: int) -> None:
        """The state must be changed from `value`; somebody is there, and has what it takes.

        Relies on `discovered`, `in_same_room`, `all_in_its_room`, `has_ability`.
        """
        self.needs.must((FLIP, node, attribute), times)
        self._find(node)
        self._be_there(node, everybody=joint and self.problem.plain)
        self._take_rounds(1 + self.unseen(node))
        self._equip(node, attribute, value, joint)

    def _equip(self, node: str, attribute: str, value: bool, joint: bool) -> None:
        problem = self.problem
        verbs = list(problem.joint_verbs.get((attribute, value), ()))
        if not joint:
            verbs += problem.single_verbs.get((attribute, value), ())
        rows = [row_of(verb) for verb in verbs]
        if not rows or not all(row.requires_tool for row in rows):
            return
        abilities = {row.name for row in rows}
        lacking = [
            agent
            for agent in problem.actors
            if abilities.isdisjoint(self.world.agents[agent].abilities)
        ]
        everybody = joint and problem.plain
        if not lacking:
            return
        if len(lacking) == len(problem.actors) or everybody:
            self._fetch_tools(abilities, node, len(lacking) if everybody else 1)

    def _fetch_tools(self, abilities: set[str], node: str, times: int) -> None:
        """Tools for it are taken up, and tool and object brought together."""
        world = self.world
        tools = dict.fromkeys(tool for name in sorted(abilities) for tool in self._tools(name))
        free = [tool for tool in tools if world.location[tool].holder not in self.problem.actors]
        if not free:
            return
        if len(free) <= times:
            for tool in free:
                self._take(tool)
        self._take_some(free, times)
        self._take_rounds(until_used(self, free, node, touching=False))
        there = world.room_of(node)
        here = [tool for tool in free if world.room_of(tool) == there]
        held = any(node in world.agents[agent].inventory for agent in self.problem.actors)
        if there is not None and len(here) < times and not held:
            self.needs.one_of([(GOTO, there), *self._shifts(node)])

    def _tools(self, ability: str) -> list[str]:
        return self.prospects.tools(ability)

    def _take_some(self, objects: Sequence[str], times: int) -> None:
        """At least `times` of these are taken up, each by another actor."""
        needs, world = self.needs, self.world
        room = {node: str(world.room_of(node)) for node in objects}
        needs.one_of([(GRAB, node) for node in objects], times)
        away = [node for node in objects if not self.present(room[node])]
        if len(objects) - len(away) < times:
            needs.one_of({d for n in away for d in ((GOTO, room[n]), *self._set_down_around(n))})
        unknown = [node for node in objects if not self._known(node)]
        if len(objects) - len(unknown) < times:
            needs.one_of({(EXPLORE, room[node]) for node in unknown})
        shut = [(FLIP, c, "is_open") for node in objects if (c := self._shut_in(node)) is not None]
        if len(objects) - len(shut) < times:
            needs.one_of(dict.fromkeys(shut))
        agents = [world.agents[agent] for agent in self.problem.actors]
        ready = sum(not agent.near.isdisjoint(objects) for agent in agents)
        ready = min(ready, sum(self.reached(node) for node in objects))
        if ready < times:
            deeds = {deed for node in objects for deed in self._approaches(node)}
            needs.one_of(deeds, times - ready)

    # -- places (RULES.md 3.4, 3.5, 3.10) ----------------------------------------------------------

    def _move(self, fact: object) -> None:
        if isinstance(fact, Placed):
            self._place(fact)
        elif isinstance(fact, Held):
            self._hold(fact.object, fact.agent)
        elif isinstance(fact, Inside):
            self._bring_into(fact)
        else:
            self.needs.blind = True

    def _deny(self, denied: object) -> None:
        """What is so must end."""
        fact = denied.fact if isinstance(denied, Denied) else None
        if isinstance(fact, HasState) and isinstance(fact.value, bool):
            self._flip(fact.node, fact.attribute, fact.value, False, 1)
        elif isinstance(fact, Placed | Held):
            self._displace(fact.object)
        else:
            self.needs.blind = True

    def _displace(self, node: str) -> None:
        """It leaves a hand, or its place; lifted jointly, it stays there until it is set down."""
        if self.world.location[node].holder in self.world.agents or node in self._in_hands():
            self.needs.one_of([(FREE, node), (DROP, node)])
        elif self.prospects.can_lift(node):
            self.needs.must((GRAB, node))
        else:
            self._take(node)

    def _hold(self, node: str, agent: str | None) -> None:
        """It must come into hands; out of another's hands first."""
        holder = self.world.location[node].holder
        if holder in self.world.agents and holder != agent:
            self.needs.must((DROP, node))
            self.needs.must((GRAB, node))
        elif self.prospects.can_lift(node):
            self.needs.must((GRAB, node))
        else:
            self._take(node)

    def _give(self, node: str, agent: str) -> None:
        """It comes into an agent's hand; in class `any` a team may also set it down there."""
        if not self.prospects.can_lift(node):
            self._hold(node, agent)
        elif not any(self.world.agents[a].carrying == node for a in self.problem.actors):
            self.needs.must((GRAB, node))
            if not self.prospects.can_hold(node):
                self.needs.must((DROP, node))
        else:
            self.needs.one_of([(DROP, node), (FREE, node)])

    def _bring_into(self, fact: Inside) -> None:
        """It, or something around it, must be moved."""
        movers = list(self._movers(fact.object))
        moving = any(mover in self._in_hands() for mover in movers)
        if movers and not moving:
            self.needs.one_of([(GRAB, mover) for mover in movers])
        self.needs.blind = True

    def _place(self, fact: Placed) -> None:
        node, dest = fact.object, fact.holder
        if dest in self.problem.bodies:
            self._give(node, dest)
            return
        self.needs.must((DROP, node))
        carriers = [a for a in self.problem.actors if self.world.agents[a].carrying == node]
        holder = self.world.location[node].holder
        if carriers:
            self._carry_on(node, dest)
        elif holder in self.problem.actors:
            self._deliver(node, dest, holder)
        else:
            self._fetch_and_deliver(node, dest)

    def _fetch_and_deliver(self, node: str, dest: str) -> None:
        by_hand, lifted = self.prospects.can_hold(node), self.prospects.can_lift(node)
        self.needs.must((GRAB, node))
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
        if self.prospects.can_lift(node):
            return
        world, needs = self.world, self.needs
        agent = world.agents[holder]
        self._find(dest)
        room = world.room_of(dest)
        there = dest in agent.near or (dest == agent.room and dest in world.blueprint.rooms)
        self._take_rounds(until_placed(self, node, dest, at_once=there))
        if room is not None and room != agent.room:
            needs.one_of([(GOTO, room), *self._shifts(dest)])
        if dest not in agent.near and dest in self.problem.things:
            needs.one_of([*self._approaches(dest), *self._setting_down(self._movers(dest))])

    def _deliver_later(self, node: str, dest: str) -> None:
        """Likewise after it was taken from where it is now; then that place is near."""
        world, needs = self.world, self.needs
        self._take_rounds(until_placed(self, node, dest, at_once=False))
        room, source = world.room_of(dest), world.room_of(node)
        here = list(self._set_down_around(node))
        if room is not None and room != source:
            needs.one_of([(GOTO, room), *self._shifts(dest), *here])
        if dest in self.problem.things and (room != source or not self.next_to(node, dest)):
            down = self._setting_down(self._movers(dest))
            needs.one_of([*self._approaches(dest), *down, *here])

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
            self.needs.one_of([(GOTO, room), *self._shifts(dest)])
            self._take_joint_rounds(self._rounds_of_lift(node, dest) + 3)
        else:
            self._take_joint_rounds(self._rounds_of_lift(node, dest) + 2)

    def _rounds_of_lift(self, node: str, dest: str) -> int:
        """Decisions before everybody can be at it: joint verbs that differ never share one."""
        world, actors = self.world, self.problem.actors
        room = world.room_of(node)
        absent = [agent for agent in actors if world.agents[agent].room != room]
        other = world.room_of(dest)
        if dest in self.problem.things and not self._known(dest) and other != room:
            return 1 if self.present(str(other)) else 2
        return 1 if absent and (len(absent) > 1 or absent[-1] == actors[-1]) else 0

    def _carry_on(self, node: str, dest: str) -> None:
        """It is carried already."""
        if not self.problem.plain:
            return
        room = self.world.room_of(dest)
        away = any(self.world.agents[agent].room != room for agent in self.problem.actors)
        if room is not None and away:
            self.needs.one_of([(GOTO, room), *self._shifts(dest)])
        self._take_joint_rounds(2 if away else 1)

    # -- what the others share ---------------------------------------------------------------------

    def _take(self, node: str) -> None:
        """Somebody takes it in hand, alone.

        Relies on `in_same_room`, `discovered`, `not_in_closed_container`, `in_near_set`,
        `free_hand`, `light_enough`, `light_with_contents`.
        """
        needs = self.needs
        needs.must((GRAB, node))
        self._take_rounds(until_held(self, node))
        self._be_there(node, everybody=False)
        self._find(node)
        shut = self._shut_in(node)
        if shut is not None:
            self._flip(shut, "is_open", False, False, 1)
        if not self.reached(node):
            needs.one_of(self._approaches(node))
        able = self.prospects.holders.get(node, ())
        if able and not any(self._has_hand(agent) for agent in able):
            needs.one_of(self._letting_go(able))
        elif able and not any(self._has_strength(agent, node) for agent in able):
            burden = self._burden(able, node) if self.problem.plain else 0
            let_go = () if burden else self._letting_go(able)
            needs.one_of([*let_go, *self._emptying(node)], max(burden, 1))

    def _shut_in(self, node: str) -> str | None:
        """What is directly around it, if that is closed (RULES.md 3.4, check 4)."""
        place = self.world.location[node]
        shut = place.relation == "in" and is_closed(self.world, place.holder)
        return place.holder if shut else None

    def _find(self, node: str) -> None:
        """Somebody explores the room that it is in (RULES.md 2.5)."""
        if node not in self.problem.things or self._known(node):
            return
        room = self.world.room_of(node)
        if room is None:
            return
        if not self.problem.plain and any(map(self.prospects.can_lift, self._movers(node))):
            # what may be lifted unseen can be found wherever it was put (RULES.md Q14)
            self.needs.one_of((EXPLORE, other) for other in self.world.blueprint.rooms)
            return
        self.needs.must((EXPLORE, room))
        if not self.present(room):
            self.needs.must((GOTO, room))

    def _be_there(self, node: str, *, everybody: bool) -> None:
        """An actor, or all of them, must be in the room of an object, or hold it."""
        world = self.world
        room = world.room_of(node)
        if room is None:
            return
        agents = [world.agents[agent] for agent in self.problem.actors]
        there = [agent.room == room or node in agent.inventory for agent in agents]
        if not any(there):
            self.needs.one_of([(GOTO, room), *self._set_down_around(node)])
        elif everybody and not all(there):
            self.needs.one_of([(GOTO, room), *self._shifts(node)])

    def _known(self, node: str) -> bool:
        return node in self.world.known[self.problem.actors[0]]

    def _approaches(self, node: str) -> list[Deed]:
        """Going up to any of these makes it near (RULES.md 2.4); so may taking what they are in."""
        things = self.problem.things
        around = [node, *(n for n in ancestors(self.world, node) if n in things)]
        furniture = [n for n in around if things[n].is_furniture]
        found: list[Deed] = [(NEAR, n) for n in furniture or [node]]
        found += [(GRAB, n) for n in around[1:] if self.prospects.can_hold(n)]
        if not furniture:
            found += [(GRAB, child) for child in self.world.contents.get(node, ())]
        return [*found, *self._set_down_around(node)]

    def _shifts(self, node: str) -> Iterator[Deed]:
        """What may change the room that it is in; while held it is where its holder began (Q1)."""
        for mover in self._movers(node):
            yield (GRAB, mover)
        yield from self._set_down_around(node)

    def _set_down_around(self, node: str) -> Iterator[Deed]:
        """Setting down what is in hand or carried jointly, itself or around it."""
        location, agents = self.world.location, self.world.agents
        carried = [agent.carrying for agent in agents.values()]
        for around in (node, *ancestors(self.world, node)):
            held = around in location and location[around].holder in agents
            if held or around in carried:
                yield (FREE, around)
                yield (DROP, around)

    def _has_hand(self, agent: str) -> bool:
        held = self.world.agents[agent].inventory
        return len(held) < self.problem.bodies[agent].hands

    def _has_strength(self, agent: str, node: str) -> bool:
        limit = self.problem.bodies[agent].max_mass_kg
        mass = direct_mass(self.world, node)
        return self.world.agents[agent].load + mass <= limit + TOO_HEAVY_BY_KG

    def _burden(self, agents: Iterable[str], node: str) -> int:
        """How many things must come out before it is light enough for empty hands."""
        limit = max(self.problem.bodies[agent].max_mass_kg for agent in agents)
        excess = direct_mass(self.world, node) - limit - TOO_HEAVY_BY_KG
        things = self.problem.things
        masses = [things[child].mass_kg for child in self.world.contents.get(node, ())]
        count = 0
        for mass in sorted(masses, reverse=True):
            if excess <= 0:
                break
            excess -= mass
            count += 1
        return count

    def _letting_go(self, agents: Iterable[str]) -> Iterator[Deed]:
        for agent in agents:
            for held in self.world.agents[agent].inventory:
                yield (FREE, held)
                yield (DROP, held)

    def _emptying(self, node: str) -> Iterator[Deed]:
        """What is lifted jointly stays where it is until it is set down (RULES.md Q13)."""
        carried = self._in_hands()
        for child in self.world.contents.get(node, ()):
            yield (GRAB, child)
            if child in carried:
                yield (FREE, child)
                yield (DROP, child)

    def _setting_down(self, objects: Iterable[str]) -> Iterator[Deed]:
        """In class `plain` nothing is put into what is held, so what was brought is set down."""
        for node in objects:
            yield (FREE, node)
            yield (DROP, node)
            if not self.problem.plain:
                yield (GRAB, node)

    def _movers(self, node: str) -> Iterator[str]:
        return self.prospects.movers(node, self.world)

    def _in_hands(self) -> set[str]:
        agents = [self.world.agents[agent] for agent in self.problem.actors]
        held = {node for agent in agents for node in agent.inventory}
        return held | {agent.carrying for agent in agents if agent.carrying is not None}

    # -- as a stage for counting rounds ------------------------------------------------------------

    def present(self, room: str) -> bool:
        """Whether an actor is in the room."""
        return any(self.world.agents[agent].room == room for agent in self.problem.actors)

    def unseen(self, node: str) -> bool:
        """Whether it must be found, in a room that nobody is in.

        Of three agents one may take all there, one explore and one go on, in one decision.
        """
        if len(self.problem.bodies) > 2:
            return False
        return not self._known(node) and not self.present(self.room(node))

    def reached(self, node: str) -> bool:
        """Whether it is in the near set of an actor."""
        return any(node in self.world.agents[agent].near for agent in self.problem.actors)

    def held(self, node: str) -> bool:
        """Whether it is in the hands of an actor, at any depth."""
        return not self.world.agents.keys().isdisjoint(ancestors(self.world, node))

    def room(self, node: str) -> str:
        """The room it is in; a room is in itself."""
        return str(self.world.room_of(node))

    def moving(self, node: str) -> list[str]:
        """What could be taken to move it."""
        return list(self._movers(node)) if node in self.world.location else []

    def next_to(self, node: str, dest: str) -> bool:
        """Whether `dest` is near once `node` was taken from where it is."""
        world, things = self.world, self.problem.things
        around = [n for n in ancestors(world, node) if n in things]
        furniture = next((n for n in around if things[n].is_furniture), None)
        if furniture is None:
            return dest == world.location[node].holder
        return dest == furniture or furniture in ancestors(world, dest)
