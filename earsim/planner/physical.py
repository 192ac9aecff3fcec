"""The planner's guide through `physical`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from earsim.actions.outcome import Refusal
from earsim.planner.literals import Held, Inside, Placed
from earsim.planner.needs import Counted, Deed
from earsim.planner.physical_commands import PhysicalCommands
from earsim.planner.physical_needs import PhysicalNeeds
from earsim.planner.physical_prospects import PhysicalProspects
from earsim.planner.problem import Problem, Way
from earsim.planner.result import Impossible, Why
from earsim.planner.rules import Order
from earsim.world import World
from earsim.world.hands import CARRIED


class PhysicalGuide:
    """Prospects, needs and commands of one problem."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.prospects = PhysicalProspects(problem)
        self._needs = PhysicalNeeds(problem, self.prospects)
        self._commands = PhysicalCommands(problem, self.prospects)

    order_of_kinds: tuple[bool | None, ...] = (False, True)

    def refute(self, way: Way) -> Impossible | None:
        """Why an alternative can never hold, or None."""
        for turn in way.turns:
            found = self.prospects.refute(turn)
            if found is not None:
                return found
        for wish in way.moves:
            if not wish.holds(self.problem.start):
                found = self._refute_move(wish.fact)
                if found is not None:
                    return found
        return None

    def _refute_move(self, fact: object) -> Impossible | None:
        prospects = self.prospects
        if isinstance(fact, Placed):
            return self._refute_placing(fact)
        if isinstance(fact, Held):
            return prospects.why_not_moved(fact.object)
        if isinstance(fact, Inside) and fact.object in self.problem.bodies:
            return self._refute_walking(fact)
        if isinstance(fact, Inside):
            if not any(prospects.movers(fact.object, self.problem.start)):
                return prospects.why_not_moved(fact.object)
            if fact.room not in prospects.rooms:
                return prospects.why_not_entered(fact.room)
        return None

    def _refute_walking(self, fact: Inside) -> Impossible | None:
        if fact.object not in self.problem.actors:
            return Impossible(Why.NOT_TOGETHER, {"id": fact.object, "holder": fact.object})
        if fact.room not in self.prospects.rooms:
            return self.prospects.why_not_entered(fact.room)
        return None

    def _refute_placing(self, fact: Placed) -> Impossible | None:
        """Relies on `destination_is_no_agent`, `destination_can_hold`, `has_space`."""
        prospects, blueprint = self.prospects, self.problem.engine.blueprint
        found = prospects.why_not_moved(fact.object)
        if found is not None:
            return found
        dest, facts = fact.holder, {"id": fact.object, "holder": fact.holder}
        if dest in blueprint.bodies:
            return self._refute_handing(fact)
        if fact.relation not in (None, "in", "on"):
            return Impossible(Why.NO_CONTAINER, facts)
        if dest in blueprint.rooms:
            if fact.relation == "on":
                return Impossible(Why.NO_CONTAINER, facts)
            return None if dest in prospects.rooms else prospects.why_not_entered(dest)
        return self._refute_filling(fact, facts)

    def _refute_filling(self, fact: Placed, facts: Mapping[str, Any]) -> Impossible | None:
        """Why a thing can never hold what is to go there."""
        things, dest = self.problem.things, fact.holder
        thing = things.get(dest)
        if thing is None or dest == fact.object:
            return Impossible(Why.NO_CONTAINER, facts)
        if dest not in self.prospects.near:
            return self.prospects.why_not_moved(dest) or Impossible(Why.SHUT_IN, {"id": dest})
        if fact.relation == "in" and not thing.is_container:
            return Impossible(Why.NO_CONTAINER, facts)
        if fact.relation == "in" and not self.prospects.can_be_open(dest):
            return Impossible(Why.SHUT_IN, {"id": fact.object, "container": dest})
        volume = things[fact.object].volume_l
        if fact.relation == "in" and thing.capacity_l is not None and volume > thing.capacity_l:
            limits = {"volume_l": volume, "capacity_l": thing.capacity_l}
            return Impossible(Why.NO_SPACE, {**facts, **limits})
        return None

    def _refute_handing(self, fact: Placed) -> Impossible | None:
        """What is carried jointly is said to be with the first of those who carry it."""
        facts = {"id": fact.object, "holder": fact.holder}
        if fact.relation not in (None, CARRIED):
            return Impossible(Why.NO_CONTAINER, facts)
        if fact.relation == CARRIED and not self.prospects.can_lift(fact.object):
            return Impossible(Why.NOT_TOGETHER, facts)
        return None

    def needs(self, world: World, way: Way) -> Counted:
        """What must still be done for an alternative."""
        return self._needs.of(world, way)

    def doing(self, world: World, deeds: Collection[Deed]) -> Iterator[Order]:
        """Commands that do one of the deeds."""
        return self._commands.doing(world, deeds)

    def anything(self, world: World) -> Iterator[Order]:
        """Every command that may be part of a shortest plan."""
        return self._commands.anything(world)

    def engaged(self, order: Order) -> frozenset[str]:
        """Everybody that a joint command lists is busy with it."""
        call = self.problem.engine.parse(order.text)
        actors = () if isinstance(call, Refusal) else call.actors
        return frozenset(actors or (order.agent,))

    def beside(self, order: Order, others: Sequence[Order]) -> Order | None:
        """Different groups may do different things."""
        return order

    def spoken(self, orders: Sequence[Order]) -> Mapping[str, str]:
        """Who has nothing to do says nothing."""
        return dict(orders)
