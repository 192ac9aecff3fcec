"""Builder of a task: subgoals are added one by one, each about other things."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any

from earsim.goals.tree import compile_goal
from earsim.schema import (
    AgentSpec,
    AllOf,
    AnyOf,
    At,
    DoneJointly,
    Goal,
    HasState,
    HeldBy,
    InsideRoom,
    Not,
)
from earsim.schema.goal import DoneJointlyFact, HasStateFact, HeldByFact, InsideRoomFact
from earsim.schema.goal_tree import leaf_of, with_fact
from earsim.schema.selector import Only
from earsim.world.containment import inside, is_closed
from earsim_generators.difficulty import Measures, asks_for
from earsim_generators.tasks.descriptions import descriptions, is_misleading
from earsim_generators.tasks.greedy_plan import GreedyPlan
from earsim_generators.tasks.scene_index import Flip, SceneIndex
from earsim_generators.tasks.selectors import Fit, Selector, SelectorSampler
from earsim_generators.tasks.subgoals import PORTABLE_KG, Destination, destinations

_NAMES = ("target", "other", "third", "fourth")
"""What selectors are called in goals."""

_SHUT_AGAIN = 0.5
"""How often what was opened to put something in is to be closed again."""

_BRANCHING = 26.0
"""Commands that are accepted in scenes of the usual size, on average."""

_DONE_TO_LOOK = frozenset({"is_open", "is_locked"})
"""States that those who look for something change as well."""

NamedFit = Callable[[str], bool]


class TaskBuilder:
    """A task under construction.

    Attributes:
        plan: a plan for the goals so far.
        team: number of agents of joint tasks; None where the template chooses.
        goals: conjuncts of the goal, in the order of the instruction.
        select: selectors by name.
        answer: ids that they pick.
        candidates: among which, by reference.
        jointly: references to things that the instruction says several must move.
        people: how many agents a thing takes, by its id, where a task changes it jointly.
        agents: empty until they are sampled.
        load_kg: the heaviest thing that one agent must carry alone.
        tool_kg: the heaviest tool.
    """

    def __init__(self, index: SceneIndex, rng: Random, *, team: int | None = None) -> None:
        self.index = index
        self.rng = rng
        self.team = team
        self.goals: list[Goal] = []
        self.select: dict[str, Selector] = {}
        self.answer: dict[str, str] = {}
        self.jointly: set[str] = set()
        self.people: dict[str, int] = {}
        self.agents: tuple[AgentSpec, ...] = ()
        self.load_kg = 0.0
        self.tool_kg = 0.0
        self.plan = GreedyPlan(index, (rng.choice(index.start_rooms),))
        self._used: set[str] = set()
        self._carried: set[str] = set()
        self.candidates: dict[str, tuple[str, ...]] = {}

    @property
    def goal(self) -> Goal:
        """The goal of all parts, as the instruction tells it."""
        return AllOf(all=tuple(self.goals))

    @property
    def exclusive_goal(self) -> Goal:
        """The same, and nothing of it done to the other candidates: doing it to all is wrong."""
        others = tuple(self._done_to_others())
        return AllOf(all=(*self.goals, Not(not_=AnyOf(any=others)))) if others else self.goal

    def _done_to_others(self) -> Iterator[Goal]:
        """What the goal says of a thing that is picked, of each of the others that it was among.

        But for what is so at the start, and for what travels along in what is carried.
        """
        for part in self.goals:
            if not isinstance(part, At | InsideRoom | HasState | HeldBy):
                continue
            fact: Any = leaf_of(part).fact
            if isinstance(part, HasState) and part.has_state.state in _DONE_TO_LOOK:
                continue
            for other in self.candidates.get(fact.object, ()):
                if other == self.node(fact.object) or other in self._carried:
                    continue
                done = with_fact(part, fact.model_copy(update={"object": other}))
                if not compile_goal(done, self.answer).holds(self.index.world):
                    yield done

    @property
    def is_whole(self) -> bool:
        """Whether the goal refers to every selector."""
        told = self.goal.model_dump_json()
        return all(f'"${name}"' in told for name in self.select)

    @property
    def estimate(self) -> Measures:
        """Estimated difficulty."""
        asked = sum(map(asks_for, self.select.values()))
        # The last thing need not be put down to be, or not to be, in a room.
        ends_in_a_room = bool(self.goals) and isinstance(self.goals[-1], InsideRoom | Not)
        return Measures(
            length=self.plan.decisions - ends_in_a_room,
            branching=_BRANCHING,
            lookalikes=max(map(len, self.candidates.values()), default=0),
            exploration=self.plan.explorations,
            conditions=len(self.goals) + asked,
        )

    def node(self, reference: str) -> str:
        """The id that a reference stands for."""
        return self.answer[reference[1:]] if reference.startswith("$") else reference

    def gather(self, count: int, *rooms: str) -> tuple[str, ...]:
        """Have so many do it, in these rooms and, when they run out, in rooms drawn by chance."""
        drawn = [self.rng.choice(self.index.start_rooms) for _ in range(count - len(rooms))]
        starts = (*rooms, *drawn)
        self.plan = GreedyPlan(self.index, starts)
        return starts

    # -- what it is about --------------------------------------------------------------------------

    def named(self, fit: NamedFit) -> str | None:
        """An eligible thing to be referred to by name; None if there is none."""
        naming = self.index.naming
        found = [
            node
            for node in self.index.things
            if node not in self._used
            and node not in self._carried
            and fit(node)
            and naming.called(node) is not None
            and not self._has_a_stale_place(node)
        ]
        if not found:
            return None
        chosen = self.rng.choice(found)
        self._used.update(naming.fitting(self.index.things[chosen].name))
        return chosen

    def chosen(self, fit: Fit, *, conditions: int) -> str | None:
        """A reference to an eligible thing by a new selector; None if there is none."""
        if len(self.select) == len(_NAMES):
            return None
        avoid = self._used | self._carried
        picked = SelectorSampler(self.index, self.rng).pick(fit, conditions=conditions, avoid=avoid)
        if picked is None:
            return None
        name = _NAMES[len(self.select)]
        self.select[name] = picked.selector
        self.answer[name] = picked.answer
        self._used.update(picked.candidates)
        self.candidates[f"${name}"] = picked.candidates
        return f"${name}"

    def described(self, fit: NamedFit) -> str | None:
        """A reference to an eligible thing by a selector without a name; None if there is none."""
        if len(self.select) == len(_NAMES):
            return None
        free = [node for node in self.index.things if node not in self._used | self._carried]
        fitting = [node for node in free if fit(node)]
        self.rng.shuffle(fitting)
        for node in fitting:
            found = [*descriptions(self.index, node)]
            among = self.rng.choice(found) if found else None
            if among is None or is_misleading(self.index, node, among):
                continue
            name = _NAMES[len(self.select)]
            self.select[name] = Only(only=among)
            self.answer[name] = node
            self.occupy((node,))
            return f"${name}"
        return None

    def occupy(self, nodes: Iterable[str]) -> None:
        """Refer no more to these things, nor to others that their names fit."""
        for node in nodes:
            self._used.update((node, *self.index.naming.fitting(self.index.things[node].name)))

    def _has_a_stale_place(self, node: str) -> bool:
        """Whether the place in the name of a thing may have become that of another one of its name.

        The box on the cart in the yard, after another cart went to the yard.
        """
        naming, holder = self.index.naming, self.index.world.location[node].holder
        called, place = naming.called(node), naming.called(holder)
        assert called is not None
        is_by_holder = called.place is not None and not called.place.is_room
        return is_by_holder and holder in self._used and place is not None and bool(place.place)

    def mentions(self, reference: str, state: str) -> bool:
        """Whether the phrase for a thing says something of a state."""
        selector = self.select[reference[1:]]
        among = selector.only if isinstance(selector, Only) else selector.among
        return state in among.has_state

    # -- what is to be done with it ----------------------------------------------------------------

    def move(self, reference: str, *, who: int | None = None, sought: float = 0.0) -> bool:
        """Have one agent put a thing somewhere else; False where it can go nowhere.

        Args:
            reference: The thing.
            who: The agent; the first that is free by default.
            sought: Chance that its destination is told by a selector.
        """
        node, plan = self.node(reference), self.plan
        seeks = self.rng.random() < sought
        place = (self._sought(node) if seeks else None) or self.destination(node)
        if place is None:
            return False
        actor = plan.first_free() if who is None else who
        self._deliver(actor, node, place)
        self.goals.append(place.goal(reference))
        self._shut_again(actor, place)
        return True

    def take_out(self, reference: str) -> bool:
        """Have one agent take a thing out of its room; False where there is no other room."""
        node = self.node(reference)
        here = self.index.room_of(node)
        others = [room for room in self.index.blueprint.rooms if room != here]
        if not others or self.index.naming.called(here) is None:
            return False
        self._deliver(self.plan.first_free(), node, Destination("room", self.rng.choice(others)))
        is_there = InsideRoom(inside_room=InsideRoomFact(object=reference, room=here))
        self.goals.append(Not(not_=is_there))
        return True

    def carry(self, reference: str) -> bool:
        """Have everybody carry a thing somewhere else; False where it can go nowhere."""
        place = self.destination(self.node(reference))
        if place is None:
            return False
        self.plan.carry(self.node(reference), *place)
        self.goals.append(place.goal(reference))
        self._forget_place(self.node(reference))
        return True

    def flip(self, reference: str, flip: Flip) -> None:
        """Have one agent change a state."""
        self.plan.flip(self.plan.first_free(), flip)
        self.goals.append(_state(reference, flip.state, flip.value))
        self._occupy_tools(flip)

    def flip_jointly(self, reference: str, flip: Flip) -> None:
        """Have everybody change a state together."""
        others = tuple(range(1, len(self.plan.actors)))
        self.plan.flip(0, flip, beside=others)
        mark = DoneJointlyFact(object=reference, state=flip.state)
        self.people[self.node(reference)] = len(self.plan.actors)
        self.goals += [DoneJointly(done_jointly=mark), _state(reference, flip.state, flip.value)]
        self._occupy_tools(flip)

    def hold(self, reference: str, agent: str, *, who: int) -> None:
        """Have an agent hold something in the end."""
        self.plan.take(who, self.node(reference))
        self.goals.append(HeldBy(held_by=HeldByFact(object=reference, agent=agent)))
        self._carried_alone(self.node(reference))

    def destination(self, node: str) -> Destination | None:
        """Somewhere to go: a room, a surface or a container, each kind as often as the others."""
        places = destinations(self.index, node, avoid=self._used | self._carried)
        kinds = list(dict.fromkeys(place.relation for place in places))
        if not kinds:
            return None
        kind = self.rng.choice(kinds)
        place = self.rng.choice([place for place in places if place.relation == kind])
        if place.relation != "room":
            self._used.add(place.node)
        return place

    def _sought(self, node: str) -> Destination | None:
        """A destination by a new selector; None if there is none."""
        places = {
            place.node: place.relation
            for place in destinations(self.index, node, avoid=self._used | self._carried)
            if place.relation != "room"
        }
        things = self.index.things

        def fits(other: str, candidates: Sequence[str]) -> bool:
            # Not into the second lightest of the things on the trolley.
            return other in places and len({things[node].name for node in candidates}) == 1

        reference = self.chosen(fits, conditions=1)
        if reference is None:
            return None
        return Destination(places[self.node(reference)], reference)

    def _deliver(self, who: int, node: str, place: Destination) -> None:
        self.plan.take(who, node)
        self.plan.put(who, node, place.relation, self.node(place.node))
        self._carried_alone(node)

    def _carried_alone(self, node: str) -> None:
        self._forget_place(node)
        self.load_kg = max(self.load_kg, self.index.mass(node))

    def _forget_place(self, node: str) -> None:
        """Refer no more to the contents of a thing: their names tell a place that it has left."""
        self._carried.update(inside(self.index.world, node))

    def _occupy_tools(self, flip: Flip) -> None:
        if flip.tools:
            self._used.update(flip.tools)
            self.tool_kg = max(self.tool_kg, *map(self.index.mass, flip.tools))

    def _shut_again(self, who: int, place: Destination) -> None:
        node = self.node(place.node)
        is_shut = place.relation == "in" and is_closed(self.index.world, node)
        if is_shut and "close" in self.index.context.verbs and self.rng.random() < _SHUT_AGAIN:
            self.goals.append(_state(place.node, "is_open", False))
            self.plan.close(who, node)

    # -- what fits ---------------------------------------------------------------------------------

    def is_portable(self, node: str, candidates: Sequence[str] = ()) -> bool:
        """Whether one person carries it at ease, and it is of no other use in the task."""
        thing = self.index.things[node]
        is_light = self.index.mass(node) <= PORTABLE_KG
        is_free = self.index.is_freely_carried(node)
        return is_free and is_light and not thing.is_furniture and node not in self.index.keys


def _state(reference: str, state: str, value: bool) -> Goal:
    return HasState(has_state=HasStateFact(object=reference, state=state, equals=value))
