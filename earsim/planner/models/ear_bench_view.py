"""The queries that the heuristic of `ear-bench` makes of a state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from earsim.planner.landmarks.landmark_set import DROP, FREE, GRAB, NEAR, LandmarkAction
from earsim.planner.models.state_view import StateView
from earsim.planner.relaxation.ear_bench import TOO_HEAVY_BY_KG
from earsim.world.containment import ancestors, is_closed
from earsim.world.loads import direct_mass


class EarBenchStateView(StateView):
    """A state of the world as the actors of a problem find it."""

    swept_along = True

    def present(self, room: str) -> bool:
        """Whether an actor is in the room."""
        return any(self.world.agents[agent].room == room for agent in self.problem.actors)

    def unseen(self, node: str) -> bool:
        """Whether it must be found, in a room that nobody is in.

        Of three agents one may take all there, one explore and one go on, in one decision.
        """
        if len(self.problem.bodies) > 2:
            return False
        return super().unseen(node)

    def sought_on_arrival(self, dest: str) -> bool:
        """Whether who takes something to `dest` must wait there until it is found.

        In class `plain` a partner takes others along only from its own room. One of two who looks
        for it first needs two decisions to be back; one who comes along looks when both are there.
        """
        around = (dest, *ancestors(self.world, dest))
        known = any(node in self.problem.things and self.known(node) for node in around)
        alone = self.problem.plain and len(self.problem.bodies) < 3
        return alone and not known and not self.present(self.room(dest))

    def reached(self, node: str) -> bool:
        """Whether it is in the near set of an actor."""
        return any(node in self.world.agents[agent].near for agent in self.problem.actors)

    def held(self, node: str) -> bool:
        """Whether it is in the hands of an actor, at any depth."""
        return not self.world.agents.keys().isdisjoint(ancestors(self.world, node))

    def room(self, node: str) -> str:
        """The room it is in; a room is in itself."""
        return str(self.world.room_of(node))

    def next_to(self, node: str, dest: str) -> bool:
        """Whether `dest` is near once `node` was taken from where it is."""
        world, things = self.world, self.problem.things
        around = [n for n in ancestors(world, node) if n in things]
        furniture = next((n for n in around if things[n].is_furniture), None)
        if furniture is None:
            return dest == world.location[node].holder
        return dest == furniture or any(n == furniture for n in ancestors(world, dest))

    def current(self, node: str, attribute: str) -> Any:
        """The value that verbs look at: among the states, else the open attributes."""
        states = self.world.states[node]
        return states[attribute] if attribute in states else self.world.attributes(node)[attribute]

    def known(self, node: str) -> bool:
        """Whether the team has discovered it."""
        return node in self.world.known[self.problem.actors[0]]

    def shut_in(self, node: str) -> str | None:
        """What is directly around it, if that is closed (EAR-Bench 3.4, check 4)."""
        place = self.world.location[node]
        shut = place.relation == "in" and is_closed(self.world, place.holder)
        return place.holder if shut else None

    def in_hands(self) -> set[str]:
        """What the actors hold, or carry jointly."""
        agents = [self.world.agents[agent] for agent in self.problem.actors]
        held = {node for agent in agents for node in agent.inventory}
        return held | {agent.carrying for agent in agents if agent.carrying is not None}

    def has_strength(self, agent: str, node: str) -> bool:
        """Whether the agent can lift it beside what it holds."""
        limit = self.problem.bodies[agent].max_mass_kg
        mass = direct_mass(self.world, node)
        return self.world.agents[agent].load + mass <= limit + TOO_HEAVY_BY_KG

    def burden(self, agents: Iterable[str], node: str) -> int:
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

    def approaches(self, node: str) -> list[LandmarkAction]:
        """Going up to any of these makes it near (EAR-Bench 2.4); so may taking what it is in."""
        things = self.problem.things
        around = [node, *(n for n in ancestors(self.world, node) if n in things)]
        furniture = [n for n in around if things[n].is_furniture]
        found: list[LandmarkAction] = [(NEAR, n) for n in furniture or [node]]
        found += [(GRAB, n) for n in around[1:] if self._relaxation.can_hold(n)]
        if not furniture:
            found += [(GRAB, child) for child in self.world.contents.get(node, ())]
        return [*found, *self.set_down_around(node)]

    def shifts(self, node: str) -> Iterator[LandmarkAction]:
        """What may change the room that it is in; while held it is where its holder began (Q1)."""
        for mover in self.movers(node):
            yield (GRAB, mover)
        yield from self.set_down_around(node)

    def set_down_around(self, node: str) -> Iterator[LandmarkAction]:
        """Setting down what is in hand or carried jointly, itself or around it."""
        location, agents = self.world.location, self.world.agents
        carried = [agent.carrying for agent in agents.values()]
        for around in (node, *ancestors(self.world, node)):
            held = around in location and location[around].holder in agents
            if held or around in carried:
                yield (FREE, around)
                yield (DROP, around)

    def setting_down(self, objects: Iterable[str]) -> Iterator[LandmarkAction]:
        """In class `plain` nothing is put into what is held, so what was brought is set down."""
        for node in objects:
            yield (FREE, node)
            yield (DROP, node)
            if not self.problem.plain:
                yield (GRAB, node)

    def emptying(self, node: str) -> Iterator[LandmarkAction]:
        """What is lifted jointly stays where it is until it is set down (EAR-Bench Q13)."""
        carried = self.in_hands()
        for child in self.world.contents.get(node, ()):
            yield (GRAB, child)
            if child in carried:
                yield (FREE, child)
                yield (DROP, child)
