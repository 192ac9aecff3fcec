"""What only a replay shows of a failed episode: what was known, held and true, step by step.

The recorded commands are carried out again by the rules; no model is asked. A replay that does not
end in the recorded world is no evidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from earsim.actions.outcome import Outcome
from earsim.engine import Engine
from earsim.evaluation.store.rows import EpisodeRow, StepRow
from earsim.goals import compile_goal
from earsim.goals.tree import resolved
from earsim.rulesets import RULESETS
from earsim.schema import Scenario
from earsim.schema import goal as schema
from earsim.schema.goal_tree import momentary_leaves
from earsim.schema.verb_table import AttributeVerb, verb_table
from earsim.world import World, digest


class Change(NamedTuple):
    """A state that a part of the goal asks for.

    Attributes:
        object: whose state it is.
        attribute: name of the state.
        value: what it must become; None where any change counts (a joint one).
    """

    object: str
    attribute: str
    value: bool | None

    @property
    def verbs(self) -> tuple[AttributeVerb, ...]:
        """The verbs that bring it about."""
        return tuple(
            row
            for row in verb_table().values()
            if row.attribute == self.attribute and self.value in (None, not row.value)
        )


@dataclass(frozen=True, slots=True)
class GoalPart:
    """A part of the goal, as the score counts it.

    Attributes:
        was_true: it held after some decision, or at the start.
        lost_at: the decision with which it ended for good; None where it never held, or holds.
        is_true: it holds at the end.
        objects: ids of the objects and doors it speaks of, places included.
        moved: ids that it wants somewhere, with the id of where.
        changes: states that it wants.
    """

    was_true: bool
    lost_at: int | None
    is_true: bool
    objects: tuple[str, ...]
    moved: tuple[tuple[str, str], ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a replay shows.

    Attributes:
        parts: of the goal.
        known: ids that some agent knows at the end.
        discoverable: ids of all that can be known: objects and doors.
        held_abilities: abilities that somebody had in hand after some decision.
        providers: ids of the objects that give each ability.
        accepted: what took effect, in order, each with its decision.
    """

    parts: tuple[GoalPart, ...]
    known: frozenset[str]
    discoverable: frozenset[str]
    held_abilities: frozenset[str]
    providers: Mapping[str, tuple[str, ...]]
    accepted: tuple[tuple[int, Outcome], ...]

    @property
    def unmet(self) -> tuple[GoalPart, ...]:
        """The parts that do not hold at the end."""
        return tuple(part for part in self.parts if not part.is_true)

    @property
    def needed_tools(self) -> tuple[frozenset[str], ...]:
        """For each state that an unmet part wants and only tools give: abilities, one of which."""
        wanted = (each.verbs for part in self.unmet for each in part.changes)
        return tuple(
            frozenset(verb.name for verb in verbs)
            for verbs in wanted
            if verbs and all(verb.requires_tool for verb in verbs)
        )

    @property
    def goal_objects(self) -> frozenset[str]:
        """Everything that any part speaks of."""
        return frozenset(id for part in self.parts for id in part.objects)


def replayed(row: EpisodeRow, steps: Sequence[StepRow], scenario: Scenario) -> Evidence | None:
    """Carry out the commands of an episode again.

    Returns None if the scenario or its rules are no longer those of the record.
    """
    name = row.ruleset.partition("/")[0]
    if scenario.hash != row.scenario_hash or name not in RULESETS:
        return None
    engine = Engine(scenario, name)
    if engine.ruleset.id != row.ruleset:
        return None
    discovered = row.knowledge == "global" or row.extra.get("observability") == "full"
    return _watched(engine, engine.start(discovered=discovered), steps)


def _watched(engine: Engine, world: World, steps: Sequence[StepRow]) -> Evidence | None:
    goal, answer = engine.task.goal_tree, engine.task.answer
    nodes = goal.all if isinstance(goal, schema.AllOf) and goal.all else (goal,)
    compiled = compile_goal(goal, answer).parts  # as one: its conditions over time are numbered
    last: list[int | None] = [-1 if part(world) else None for part in compiled]  # it held
    abilities: set[str] = set()
    accepted: list[tuple[int, Outcome]] = []
    for step in steps:
        decision = engine.step(world, step.commands or None)
        found = decision.outcomes.values()
        accepted += [(step.decision, each) for each in found if each.accepted]
        abilities.update(*(agent.abilities for agent in world.agents.values()))
        last = [
            step.decision if part(world) else before
            for before, part in zip(last, compiled, strict=True)
        ]
    if steps and digest(world) != steps[-1].digest:
        return None
    parts = [
        _part(node, answer, before, part(world))
        for node, before, part in zip(nodes, last, compiled, strict=True)
    ]
    return Evidence(
        tuple(parts),
        frozenset().union(*world.known.values()),
        frozenset((*engine.blueprint.things, *engine.blueprint.doors)),
        frozenset(abilities),
        _providers(engine.scenario),
        tuple(accepted),
    )


def _providers(scenario: Scenario) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for thing in scenario.scene.objects:
        for ability in thing.provides:
            found[ability] = (*found.get(ability, ()), thing.id)
    return found


# -- reading a part of a goal --------------------------------------------------------------------


def _part(node: schema.Goal, answer: Mapping[str, str], last: int | None, now: bool) -> GoalPart:
    """A part of a goal that held last after decision `last`, -1 being the start."""
    # What must not hold names nothing that is to be done.
    found = [resolved(fact, answer) for _, fact in momentary_leaves(node, denied=False)]
    named = [(fact, about) for fact in found if (about := _object(fact)) is not None]
    moved = [(about, place) for fact, about in named if (place := _place(fact))]
    changes = [change for fact, _ in named if (change := _change(fact))]
    objects = [about for _, about in named] + [place for _, place in moved]
    lost_at = None if now or last is None else last + 1
    ids = tuple(dict.fromkeys(objects))
    return GoalPart(last is not None, lost_at, now, ids, tuple(moved), tuple(changes))


def _object(fact: schema.Fact) -> str | None:
    """What a fact is about; None where that is no object, such as costs and answers."""
    if isinstance(fact, schema.ClockFact | schema.SpentFact | schema.SubmittedFact):
        return None
    if isinstance(fact, schema.MeasuredFact | schema.OperationFact | schema.PerformedFact):
        return fact.apparatus
    return getattr(fact, "object", None)  # conditions over time and of many are taken apart before


def _place(fact: schema.Fact) -> str | None:
    if isinstance(fact, schema.AtFact):
        return fact.in_ or fact.on or (fact.place or "").rpartition(":")[2] or None
    if isinstance(fact, schema.InsideRoomFact):
        return fact.room
    return None


def _change(fact: schema.Fact) -> Change | None:
    if isinstance(fact, schema.HasStateFact) and isinstance(fact.equals, bool):
        return Change(fact.object, fact.state, fact.equals)
    if isinstance(fact, schema.DoneJointlyFact):
        return Change(fact.object, fact.state, None)
    return None
