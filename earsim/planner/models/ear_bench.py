"""The planning model of `ear-bench`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from earsim.planner.agent_command import AgentCommand
from earsim.planner.landmarks.ear_bench import EarBenchLandmarks
from earsim.planner.literals import Inside, Placed
from earsim.planner.models.planning_model import PlanningModel
from earsim.planner.problem import Problem
from earsim.planner.relaxation.ear_bench import EarBenchRelaxation
from earsim.planner.result import Impossible, Why
from earsim.planner.successors.ear_bench import EarBenchSuccessors


class EarBenchModel(PlanningModel):
    """Prospects, needs and commands of one problem."""

    order_of_kinds = (None,)
    has_inadmissible_heuristic = True

    def __init__(self, problem: Problem) -> None:
        self.relaxation = EarBenchRelaxation(problem)
        landmarks = EarBenchLandmarks(problem, self.relaxation)
        successors = EarBenchSuccessors(problem, self.relaxation)
        super().__init__(problem, self.relaxation, landmarks, successors)

    def _refute_walking(self, fact: Inside) -> Impossible:
        """Agents count as where they began (EAR-Bench Q1)."""
        return Impossible(Why.NOT_TOGETHER, {"id": fact.object, "holder": fact.object})

    def _refute_placing(self, fact: Placed) -> Impossible | None:
        """Relies on `is_held`, `destination_suits_relation`, `destination_exists`."""
        relaxation, problem = self.relaxation, self.problem
        blueprint = problem.engine.blueprint
        dest = fact.holder
        facts = {"id": fact.object, "holder": dest}
        if dest not in blueprint.rank or dest in blueprint.doors:
            return Impossible(Why.NO_SUCH_THING, {"id": dest})
        if dest == fact.object:
            return Impossible(Why.NO_CONTAINER, facts)
        if dest in blueprint.bodies:
            return self._refute_handing(fact)
        if fact.relation not in (None, "in", "on"):
            odd = self.problem.plain or fact.relation.lower() not in ("in", "on")
            return Impossible(Why.NO_CONTAINER, facts) if odd else None
        lifted = relaxation.can_lift(fact.object)
        if fact.relation == "on" and dest in blueprint.rooms and not lifted:
            return Impossible(Why.NO_CONTAINER, facts)
        thing = blueprint.things.get(dest)
        if fact.relation == "in" and thing is not None and not (thing.is_container or lifted):
            return Impossible(Why.NO_CONTAINER, facts)
        return None

    def _refute_handing(self, fact: Placed) -> Impossible | None:
        if fact.holder not in self.problem.actors and self.problem.plain:
            return Impossible(Why.NOT_TOGETHER, {"id": fact.object, "holder": fact.holder})
        if not self.problem.plain and self.relaxation.can_lift(fact.object):
            return None
        if fact.relation is not None:
            return Impossible(Why.NO_CONTAINER, {"id": fact.object, "holder": fact.holder})
        if fact.holder not in self.relaxation.holders.get(fact.object, ()):
            return self.relaxation.why_not_held(fact.object) or Impossible(
                Why.TOO_HEAVY, {"id": fact.object, "holder": fact.holder}
            )
        return None

    def engaged(self, order: AgentCommand) -> frozenset[str]:
        """Only who gives it; a joint command moves partners whatever they do (EAR-Bench Q11)."""
        return frozenset((order.agent,))

    def beside(self, order: AgentCommand, others: Sequence[AgentCommand]) -> AgentCommand | None:
        """Where all give different joint commands, none is carried out; small letters escape that.

        EAR-Bench 5.3, rules 3 and 4; small letters are nothing that class `plain` does.
        """
        if sum((other.is_joint for other in others), 0) + 1 < len(self._everybody):
            return order
        if self.problem.plain:
            return None
        verb, _, rest = order.text.partition(" ")
        return AgentCommand(order.agent, f"{verb.lower()} {rest}")

    def as_decision(self, orders: Sequence[AgentCommand]) -> Mapping[str, str]:
        """Everybody speaks: a partner says the joint command too, others look around.

        EAR-Bench 5.3: of equal joint commands the first is carried out, once; so the first agent
        says it only where it is the one to order it.
        """
        said = {order.agent: order.text for order in orders}
        joint = next((order for order in orders if order.is_joint), None)
        filler = "LOOK"
        if joint is not None and len(said) == 1 and joint.agent == self._everybody[0]:
            named = joint.text.split()[1]
            filler = joint.text if named == ",".join(self._everybody) else filler
        return {agent: said.get(agent, filler) for agent in self._everybody}

    @property
    def _everybody(self) -> tuple[str, ...]:
        return tuple(self.problem.bodies)
