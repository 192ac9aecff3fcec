"""A planning problem: goal, initial state, actors, and the class of commands allowed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, cast

from earsim.actions.verb import Call, Verb
from earsim.engine import Engine
from earsim.goals.tree import OVER_TIME
from earsim.planner.known_verbs import require_known_verbs
from earsim.planner.literals import (
    Conjunction,
    Denied,
    Held,
    Inside,
    Joint,
    Literal,
    Never,
    Placed,
    StateIs,
    alternatives,
)
from earsim.planner.result import CommandClass, Impossible, Why
from earsim.schema.goal_tree import leaves
from earsim.schema.verb_table import AttributeVerb
from earsim.world import World


class StateGoal(NamedTuple):
    """A state that is to have a value, or to be changed jointly, or both.

    `has_value` says whether a value is asked for at all.
    """

    node: str
    attribute: str
    value: Any
    has_value: bool
    joint: bool
    literals: tuple[Literal, ...]


class Disjunct(NamedTuple):
    """One alternative of the goal, sorted by what it asks for."""

    state_goals: tuple[StateGoal, ...]
    moves: tuple[Literal, ...]
    denials: tuple[Literal, ...]


class Problem:
    """One question to the planner; it never changes.

    Attributes:
        engine: the rules of the scenario.
        start: the state to plan from; plans never change it.
        actors: who may act, in file order.
        command_class: which commands may be given.
        plain: only what the prompts advertise (`ear-bench`).
        inadmissible: the heuristic may take for granted what nearly always holds: good for finding
            a plan, not for proving anything.
        innermost: of plans of equal length, rather one in which a thing is carried than what it
            lies in or on.
        disjuncts: alternatives of the goal that nothing contradicts; None where there are too many.
        refuted: why the other alternatives cannot be, in their order.
        single_verbs: the verbs of one agent that change a state from a value.
        joint_verbs: the joint verbs that change a state from a value.
        providers: the objects that give an ability, by its name.
    """

    def __init__(
        self,
        engine: Engine,
        start: World,
        *,
        actors: Sequence[str],
        command_class: CommandClass,
        inadmissible: bool = False,
        innermost: bool = False,
    ) -> None:
        """Ask a question.

        Raises:
            UsageError: The scenario has a verb, or its goal a predicate, that the planner does not
                know.
        """
        self.engine = engine
        self.start = start
        self.actors = tuple(agent for agent in start.agents if agent in actors)
        self.everybody = len(self.actors) == len(start.agents)
        self.command_class = command_class
        self.plain = command_class is CommandClass.PLAIN
        self.inadmissible = inadmissible
        self.innermost = innermost
        self.bodies = engine.blueprint.bodies
        self.things = engine.blueprint.things
        self.refuted: list[Impossible] = []
        listed = alternatives(engine.task.goal_tree, engine.task.answer, start)
        require_known_verbs(engine)
        self.disjuncts: list[Disjunct] | None = None if listed is None else []
        for conjunction in listed or ():
            disjunct = _sorted(conjunction, () if start.physics.keeps_near_set else self.bodies)
            if isinstance(disjunct, Impossible):
                self.refuted.append(disjunct)
            elif self.disjuncts is not None:
                self.disjuncts.append(disjunct)
        if listed == ():
            self.refuted.append(Impossible(Why.NEVER_TRUE))
        self.single_verbs = self._verbs(joint=False)
        self.joint_verbs = self._verbs(joint=True)
        self.providers = self._providers()

    @property
    def is_timed(self) -> bool:
        """Whether numbers change by themselves, or the goal has conditions over time."""
        return self.start.timeline is not None or (
            self.start.physics.time_works
            and any(leaf.key in OVER_TIME for leaf in leaves(self.engine.task.goal_tree))
        )

    def holds(self, world: World) -> bool:
        """Whether the goal is reached."""
        return self.engine.task.goal.holds(world)

    def _verbs(self, *, joint: bool) -> Mapping[tuple[str, bool], tuple[Verb, ...]]:
        found: dict[tuple[str, bool], tuple[Verb, ...]] = {}
        for verb in self.engine.verbs.values():
            if verb.attribute is not None and verb.joint is joint and self._is_spoken(verb):
                key = (verb.attribute.attribute, verb.attribute.value)
                found[key] = (*found.get(key, ()), verb)
        return found

    def _is_spoken(self, verb: Verb) -> bool:
        """Whether its command is understood as such; an alias may shadow it (EAR-Bench Q28)."""
        actors = self.actors if verb.joint else ()
        call = self.engine.parse(Call(verb, "x", actors=actors).text())
        return isinstance(call, Call) and call.verb is verb

    def _providers(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for thing in self.things.values():
            for ability in thing.provides:
                found[ability] = (*found.get(ability, ()), thing.id)
        return found


def attribute_row(verb: Verb) -> AttributeVerb:
    """The table row of an attribute verb."""
    assert verb.attribute is not None
    return verb.attribute


def _sorted(conjunction: Conjunction, hands: Collection[str]) -> Disjunct | Impossible:
    """`hands`: what these agents hold is nowhere else; joint lifting in `ear-bench` differs."""
    state_goals: dict[tuple[str, str], StateGoal] = {}
    moves: list[Literal] = []
    denials: list[Literal] = []
    for literal in conjunction:
        fact = literal.fact
        if isinstance(fact, Never):
            return Impossible(Why.NEVER_TRUE, {"asked": fact.asked})
        if isinstance(fact, StateIs | Joint):
            key = (fact.node, fact.attribute)
            state_goal = state_goals.get(key) or StateGoal(*key, None, False, False, ())
            merged = _merge(state_goal, literal)
            if merged is None:
                return Impossible(Why.CONTRADICTION, {"id": fact.node, "state": fact.attribute})
            state_goals[key] = merged
        elif isinstance(fact, Denied):
            denials.append(literal)
        else:
            moves.append(literal)
    wanted = {literal.fact for literal in conjunction}
    for denial in denials:
        denied = cast("Denied", denial.fact).fact
        if denied in wanted:
            return Impossible(Why.CONTRADICTION, {"id": denied[0]})
    clash = _clash(moves, hands)
    if clash is not None:
        return Impossible(Why.CONTRADICTION, {"id": clash})
    return Disjunct(tuple(state_goals.values()), tuple(moves), tuple(denials))


def _merge(state_goal: StateGoal, literal: Literal) -> StateGoal | None:
    fact, literals = literal.fact, (*state_goal.literals, literal)
    if isinstance(fact, Joint):
        return state_goal._replace(joint=True, literals=literals)
    assert isinstance(fact, StateIs)
    if state_goal.has_value and state_goal.value != fact.value:
        return None
    return state_goal._replace(value=fact.value, has_value=True, literals=literals)


def _clash(moves: list[Literal], hands: Collection[str]) -> str | None:
    """An object that would have to be in two places."""
    places: dict[str, tuple[str, str | None]] = {}
    rooms: dict[str, str] = {}
    for literal in moves:
        fact = literal.fact
        if isinstance(fact, Placed) and fact.holder not in hands:
            holder, relation = places.setdefault(fact.object, (fact.holder, fact.relation))
            other = {relation, fact.relation} - {None}
            if holder != fact.holder or len(other) > 1:
                return fact.object
        elif isinstance(fact, Inside) and rooms.setdefault(fact.object, fact.room) != fact.room:
            return fact.object
    if not hands:
        return None
    held = {literal.fact.object for literal in moves if isinstance(literal.fact, Held)}
    return next((object_id for object_id in places if object_id in held), None)
