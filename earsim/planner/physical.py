"""The planner's guide through `physical`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from earsim.actions.outcome import Refusal
from earsim.planner.guide import Guide
from earsim.planner.literals import Held, Inside, Placed
from earsim.planner.order import Order
from earsim.planner.physical_commands import PhysicalCommands
from earsim.planner.physical_needs import PhysicalNeeds
from earsim.planner.physical_prospects import PhysicalProspects
from earsim.planner.problem import Problem, Turn
from earsim.planner.result import Impossible, Why
from earsim.world.hands import CARRIED


class PhysicalGuide(Guide):
    """Prospects, needs and commands of one problem."""

    order_of_kinds = (False, True)
    hopes = False

    def __init__(self, problem: Problem) -> None:
        self.prospects = PhysicalProspects(problem)
        landmarks = PhysicalNeeds(problem, self.prospects)
        super().__init__(problem, landmarks, PhysicalCommands(problem, self.prospects))

    def _refute_turn(self, turn: Turn) -> Impossible | None:
        return self.prospects.refute(turn)

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
