"""A goal as a condition of PDDL.

What a leaf of the goal is true of is asked of the goal's own predicate, in a world in which only
that fact is changed. So there is no second reading of EAR-Bench's places or of values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from earsim.engine import Engine
from earsim.errors import UsageError
from earsim.goals import PREDICATES, Predicate
from earsim.goals.tree import resolved
from earsim.schema import goal as schema
from earsim.schema.goal_tree import Leaf, fold
from earsim.world import HELD, Location

NEVER = "(never)"
ALWAYS = "(and)"


class Condition:
    """The goal of a scenario with one agent.

    Attributes:
        text: the condition.
        rooms: rooms that it asks to have something inside, at any depth.
    """

    def __init__(
        self, engine: Engine, names: Mapping[str, str], states: Iterable[tuple[str, str]]
    ) -> None:
        """Read the goal; `states` are the changeable ones, as pairs of id and attribute."""
        self._engine = engine
        self._names = names
        self._states = frozenset(states)
        self._start = engine.start()
        self._agent = next(iter(engine.blueprint.bodies))
        self.rooms: dict[str, None] = {}
        self.text = fold(
            engine.task.goal_tree,
            leaf=self._leaf,
            every=lambda parts: _joined("and", parts, empty=ALWAYS),
            some=lambda parts: _joined("or", parts, empty=NEVER),
            negated=lambda part: f"(not {part})",
        )

    def _leaf(self, leaf: Leaf) -> str:
        fact = resolved(leaf.fact, self._engine.task.answer)
        holds = PREDICATES[leaf.key](fact)
        if isinstance(fact, schema.AtFact | schema.HeldByFact):
            return _joined("or", list(self._places(fact.object, holds)), empty=NEVER)
        if isinstance(fact, schema.InsideRoomFact):
            return self._inside_room(fact, holds)
        if isinstance(fact, schema.HasStateFact):
            return self._has_state(fact, holds)
        if isinstance(fact, schema.QuantityFact | schema.DoneJointlyFact):
            return ALWAYS if holds(self._start) else NEVER  # which stay as they are
        raise UsageError(f"the goal {leaf.key!r} cannot be said in PDDL")

    def _places(self, node: str, holds: Predicate) -> Iterator[str]:
        """Where an object has to be: an alternative for every place that will do."""
        blueprint = self._engine.blueprint
        if node not in blueprint.things:
            return
        name = self._names[node]
        world = self._start.copy()
        for holder in (*blueprint.rooms, *blueprint.things):
            fitting = []
            for relation in ("in", "on"):
                world.location[node] = Location(relation, holder)
                if holds(world):
                    fitting.append(relation)
            if fitting:
                how = {"in": f" (inside {name})", "on": f" (not (inside {name}))"}
                more = how[fitting[0]] if len(fitting) == 1 else ""
                yield f"(and (at {name} {self._names[holder]}){more})"
        world.location[node] = Location(HELD, self._agent)
        world.agents[self._agent].inventory = (node,)
        if holds(world):
            yield f"(in-hand {name})"

    def _inside_room(self, fact: schema.InsideRoomFact, holds: Predicate) -> str:
        blueprint = self._engine.blueprint
        if fact.object in blueprint.things and fact.room in blueprint.rooms:
            self.rooms[fact.room] = None
            return f"(inside-room {self._names[fact.object]} {self._names[fact.room]})"
        world = self._start.copy()  # an agent, or what never changes
        fitting = []
        for room in blueprint.rooms:
            world.walk(self._agent, room)
            if holds(world):
                fitting.append(f"(agent-in {self._names[room]})")
        return _joined("or", fitting, empty=NEVER)

    def _has_state(self, fact: schema.HasStateFact, holds: Predicate) -> str:
        if (fact.object, fact.state) not in self._states:
            return ALWAYS if holds(self._start) else NEVER
        atom = f"({fact.state} {self._names[fact.object]})"
        world = self._start.copy()
        fitting = []
        for value, text in ((True, atom), (False, f"(not {atom})")):
            world.set_state(fact.object, fact.state, value)
            if holds(world):
                fitting.append(text)
        return ALWAYS if len(fitting) == 2 else _joined("or", fitting, empty=NEVER)


def _joined(word: str, parts: Sequence[str], *, empty: str) -> str:
    if not parts:
        return empty
    return parts[0] if len(parts) == 1 else f"({word} {' '.join(parts)})"
