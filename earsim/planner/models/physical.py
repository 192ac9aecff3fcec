"""The planning model of `physical`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from earsim.planner.agent_command import AgentCommand
from earsim.planner.landmarks.physical import PhysicalLandmarks
from earsim.planner.landmarks.physical_journeys import JourneyLandmarks
from earsim.planner.literals import Held, Inside, Placed
from earsim.planner.models.planning_model import PlanningModel
from earsim.planner.problem import Disjunct, Problem
from earsim.planner.relaxation.physical import PhysicalRelaxation
from earsim.planner.result import Impossible, Why
from earsim.planner.successors.physical import PhysicalSuccessors
from earsim.world.hands import CARRIED
from earsim.world.limits import is_within_load, is_within_size


class PhysicalModel(PlanningModel):
    """Prospects, needs and commands of one problem."""

    order_of_kinds = (False, True)
    has_inadmissible_heuristic = False

    def __init__(self, problem: Problem, *, journeys: bool = False) -> None:
        """A model; with `journeys`, of teams every member's turns are counted."""
        self.relaxation = PhysicalRelaxation(problem)
        kind = JourneyLandmarks if journeys else PhysicalLandmarks
        landmarks = kind(problem, self.relaxation)
        successors = PhysicalSuccessors(problem, self.relaxation)
        super().__init__(problem, self.relaxation, landmarks, successors)

    def refute(self, disjunct: Disjunct) -> Impossible | None:
        """Why an alternative of the goal can never hold, or None."""
        return super().refute(disjunct) or self._refute_holding(disjunct)

    def _refute_holding(self, disjunct: Disjunct) -> Impossible | None:
        """Things are held in more rooms than there are hands to be in.

        Who holds a thing is in its room; those who may not act hold what they held at the start.
        """
        world, actors = self.problem.start, self.problem.actors
        facts = [literal.fact for literal in disjunct.moves]
        held = {fact.object for fact in facts if isinstance(fact, Held)}
        waiting = {
            held for a in world.agents if a not in actors for held in world.contents.get(a, ())
        }
        rooms = {
            fact.room: None
            for fact in facts
            if isinstance(fact, Inside) and fact.object in held - waiting
        }
        if len(rooms) <= len(actors):
            return None
        return Impossible(Why.NOT_TOGETHER, {"rooms": list(rooms)})

    def _refute_entering(self, fact: Inside) -> Impossible | None:
        if fact.room in self.relaxation.rooms:
            return None
        return self.relaxation.why_not_entered(fact.room)

    def _refute_walking(self, fact: Inside) -> Impossible | None:
        if fact.object not in self.problem.actors:
            return Impossible(Why.NOT_TOGETHER, {"id": fact.object, "holder": fact.object})
        if fact.room not in self.relaxation.rooms:
            return self.relaxation.why_not_entered(fact.room)
        return None

    def _refute_placing(self, fact: Placed) -> Impossible | None:
        """Relies on `destination_is_no_agent`, `destination_can_hold`, `fits_in`, `has_space`."""
        relaxation, blueprint = self.relaxation, self.problem.engine.blueprint
        dest, facts = fact.holder, {"id": fact.object, "holder": fact.holder}
        if dest in blueprint.bodies:
            return self._refute_handing(fact)
        if fact.relation not in (None, "in", "on"):
            return Impossible(Why.NO_CONTAINER, facts)
        if dest in blueprint.rooms:
            if fact.relation == "on":
                return Impossible(Why.NO_CONTAINER, facts)
            return None if dest in relaxation.rooms else relaxation.why_not_entered(dest)
        return self._refute_filling(fact, facts)

    def _refute_filling(self, fact: Placed, facts: Mapping[str, Any]) -> Impossible | None:
        """Why a thing can never hold what is to go there."""
        things, dest = self.problem.things, fact.holder
        thing = things.get(dest)
        if thing is None or dest == fact.object:
            return Impossible(Why.NO_CONTAINER, facts)
        if dest not in self.relaxation.near:
            return self.relaxation.why_not_moved(dest) or Impossible(Why.SHUT_IN, {"id": dest})
        if fact.relation == "in" and not thing.is_container:
            return Impossible(Why.NO_CONTAINER, facts)
        if fact.relation == "in" and not self.relaxation.can_be_open(dest):
            return Impossible(Why.SHUT_IN, {"id": fact.object, "container": dest})
        size, limit = things[fact.object].size_m, thing.size_m
        if fact.relation == "in" and not is_within_size(size, limit):
            return Impossible(Why.NO_SPACE, {**facts, "size_m": list(size or ())})
        load = thing.quantities.get("max_load_kg")
        if fact.relation == "on" and load is not None:
            burden = self.relaxation.burden(fact.object)
            if not is_within_load(burden, load):
                return Impossible(Why.NO_SPACE, {**facts, "mass_kg": burden, "max_load_kg": load})
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
        if fact.relation == CARRIED and not self.relaxation.can_lift(fact.object):
            return Impossible(Why.NOT_TOGETHER, facts)
        return None

    def engaged(self, order: AgentCommand) -> frozenset[str]:
        """All who give a joint command are busy with it."""
        return frozenset(order.partners or (order.agent,))

    def beside(self, order: AgentCommand, others: Sequence[AgentCommand]) -> AgentCommand | None:
        """Different groups may do different things."""
        return order

    def as_decision(self, orders: Sequence[AgentCommand]) -> Mapping[str, str]:
        """Who has nothing to do says nothing; what several do together each of them says."""
        said = {agent: text for order in orders for agent, text in order.said.items()}
        return {
            agent: said[agent] for agent in self.problem.engine.blueprint.bodies if agent in said
        }
