"""The delete relaxation of `ear-bench`: what can ever happen if nothing is ever undone.

Whoever could lift something alone, with empty hands, may have it; whatever can be opened is. So
what is out of reach here is out of reach for good, and that is a proof.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from earsim.actions.verb import Verb
from earsim.planner.problem import Problem, StateGoal, attribute_row
from earsim.planner.relaxation.relaxation import Relaxation
from earsim.planner.result import Impossible, Why
from earsim.world.containment import is_closed

TOO_HEAVY_BY_KG = 1e-9


class EarBenchRelaxation(Relaxation):
    """The relaxation for one problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self._saturate()

    def _saturate(self) -> None:
        """Find everything that can be held, until there is nothing new.

        Relies on `free_hand`, `light_*`, `not_in_closed_container`, `not_held_by_other`,
        `has_ability`.
        """
        waiting = {node: self._strong_enough(node) for node in self.problem.things}
        waiting = {node: agents for node, agents in waiting.items() if agents}
        grown = True
        while grown:
            grown = False
            for node in list(waiting):
                if self._accessible(node):
                    self.holders[node] = waiting.pop(node)
                    grown = True

    def _strong_enough(self, node: str) -> tuple[str, ...]:
        """Who could hold it: own mass only, for what lies in it can be taken out first."""
        problem, world = self.problem, self.world
        place = world.location[node]
        if place.holder in world.agents and place.holder not in problem.actors:
            return ()
        mass = problem.things[node].mass_kg
        return tuple(
            agent
            for agent in problem.actors
            if problem.bodies[agent].hands > 0
            and mass <= problem.bodies[agent].max_mass_kg + TOO_HEAVY_BY_KG
        )

    def _accessible(self, node: str) -> bool:
        place = self.world.location[node]
        if place.relation != "in" or not is_closed(self.world, place.holder):
            return True
        return self.can_flip(place.holder, "is_open", False)

    # -- questions ---------------------------------------------------------------------------------

    def can_lift(self, node: str) -> bool:
        """Whether actors can ever lift it jointly: too heavy for the strongest that is listed."""
        problem = self.problem
        thing = problem.things.get(node)
        if thing is None:
            return False
        limits = [problem.bodies[agent].max_mass_kg for agent in problem.actors]
        if problem.plain:
            return self.is_team and thing.mass_kg > max(limits)
        return thing.mass_kg > min(limits)

    @property
    def is_team(self) -> bool:
        """Whether joint verbs are open to the actors: all agents of the task, in class `plain`."""
        problem = self.problem
        return not problem.plain or (problem.everybody and len(problem.actors) > 1)

    def can_flip(self, node: str, attribute: str, value: bool) -> bool:
        """Whether an actor can ever change the state from `value`, alone."""
        verbs = self.problem.single_verbs.get((attribute, value), ())
        return any(self._equipped(verb, 1) for verb in verbs)

    def can_flip_jointly(self, node: str, attribute: str, value: bool) -> bool:
        """Whether the actors can ever change it jointly; in class `plain` each holds a tool."""
        verbs = self.problem.joint_verbs.get((attribute, value), ())
        tools = len(self.problem.actors) if self.problem.plain else 1
        return self.is_team and any(self._equipped(verb, tools) for verb in verbs)

    def _equipped(self, verb: Verb, tools: int) -> bool:
        row = attribute_row(verb)
        if not row.requires_tool:
            return True
        return len(self.tools(row.name)) >= tools and self._hands_for(row.name, tools)

    def _hands_for(self, ability: str, tools: int) -> bool:
        """Whether so many different actors can hold one of the tools."""
        able = {agent for tool in self.tools(ability) for agent in self.holders[tool]}
        return len(able) >= tools

    def key_of(self, node: str) -> str | None:
        """There are no keys in this ruleset."""
        return None

    # -- why not -----------------------------------------------------------------------------------

    def refute(self, state_goal: StateGoal) -> Impossible | None:
        """Why a state can never be as wished, or None."""
        if all(literal.holds(self.world) for literal in state_goal.literals):
            return None
        states: Mapping[str, Any] = self.world.states.get(state_goal.node, {})
        unasked = not state_goal.has_value or state_goal.value is None
        if (
            state_goal.attribute not in states
            and unasked
            and state_goal.node in self.world.location
        ):
            states = self.world.attributes(state_goal.node)  # a joint mark is all that is asked for
        if state_goal.attribute not in states:
            return Impossible(
                Why.NO_SUCH_STATE, {"id": state_goal.node, "state": state_goal.attribute}
            )
        now = states[state_goal.attribute]
        return self._refute_flips(state_goal, now, not now if unasked else state_goal.value)

    def _refute_flips(self, state_goal: StateGoal, now: Any, wanted: Any) -> Impossible | None:
        facts = {"id": state_goal.node, "state": state_goal.attribute, "value": wanted}
        if wanted not in (True, False) or now not in (True, False):
            return Impossible(Why.NO_ACTION_SETS_STATE, facts)
        if not isinstance(now, bool):  # 0 and 1 stay what they are, but are marked: EAR-Bench 3.8
            if now != wanted and state_goal.has_value:
                return Impossible(Why.NO_ACTION_SETS_STATE, facts)
            if self.can_flip_jointly(state_goal.node, state_goal.attribute, bool(now)):
                return None
            return self._why_no_flip(state_goal, bool(now), joint=True)
        needed = not wanted
        if not state_goal.joint:
            if self.can_flip(state_goal.node, state_goal.attribute, needed) or (
                self.can_flip_jointly(state_goal.node, state_goal.attribute, needed)
            ):
                return None
            return self._why_no_flip(state_goal, needed, joint=False)
        if not self.can_flip_jointly(state_goal.node, state_goal.attribute, needed):
            return self._why_no_flip(state_goal, needed, joint=True)
        back = now == wanted
        if back and not (
            self.can_flip(state_goal.node, state_goal.attribute, now)
            or self.can_flip_jointly(state_goal.node, state_goal.attribute, now)
        ):
            return self._why_no_flip(state_goal, bool(now), joint=False)
        return None

    def _why_no_flip(self, state_goal: StateGoal, value: bool, *, joint: bool) -> Impossible:
        state = state_goal.node, state_goal.attribute, value
        return self._why_no_verb(*state, joint=joint) or self._why_no_tool(*state, joint=joint)

    def why_not_held(self, node: str) -> Impossible | None:
        """Why no actor can ever have an object in hand, or None."""
        if node not in self.problem.things:
            return Impossible(Why.NO_SUCH_THING, {"id": node})
        return None if self.can_hold(node) else self._why_not_taken(node)

    def _why_not_taken(self, node: str) -> Impossible:
        bodies = [self.problem.bodies[agent] for agent in self.problem.actors]
        mass = self.problem.things[node].mass_kg
        if all(body.hands == 0 for body in bodies):
            return Impossible(Why.NO_HANDS, {"id": node})
        limits = [body.max_mass_kg for body in bodies if body.hands]
        if mass > max(limits) + TOO_HEAVY_BY_KG:
            facts = {"id": node, "mass_kg": mass, "limit_kg": max(limits)}
            return Impossible(Why.TOO_HEAVY, facts)
        place = self.world.location[node]
        if place.holder in self.world.agents:
            return Impossible(Why.NOT_TOGETHER, {"id": node, "holder": place.holder})
        return Impossible(Why.SHUT_IN, {"id": node, "container": place.holder})
