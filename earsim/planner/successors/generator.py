"""Successor generators: commands that achieve a landmark action, and all relevant ones."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from earsim.planner.agent_command import AgentCommand
from earsim.planner.landmarks.landmark_set import (
    DOOR,
    DROP,
    EXPLORE,
    FLIP,
    FREE,
    GOTO,
    GRAB,
    NEAR,
    LandmarkAction,
)
from earsim.planner.literals import Denied, Joint, Placed, StateIs
from earsim.planner.problem import Problem
from earsim.planner.relaxation.relaxation import Relaxation
from earsim.world import World
from earsim.world.containment import ancestors


class SuccessorGenerator(ABC):
    """Proposes commands; whether one is accepted is for the engine to say.

    Attributes:
        wanted: where the goal wants objects: relation and holder, by object.
        teams: the groups that joint commands may list.
    """

    def __init__(self, problem: Problem, relaxation: Relaxation) -> None:
        self.problem = problem
        self.relaxation = relaxation
        self.wanted = _wanted(problem)
        self._goal_states = self._find_goal_states()
        self._joint_states = self._find_joint_states()
        self._relevant: tuple[str, ...] | None = None  # not every question asks for it
        self.teams: tuple[tuple[str, ...], ...] = self._find_teams()
        self._by_kind: Mapping[str, Callable[[World, str, str], Iterator[AgentCommand]]] = {
            GOTO: self._goto,
            NEAR: self._near,
            DOOR: self._near,
            EXPLORE: self._explore,
            GRAB: self._grab,
            DROP: self._drop,
            FREE: self._free,
            FLIP: self._flip,
        }

    def achieving(
        self, world: World, landmark_actions: Collection[LandmarkAction]
    ) -> Iterator[AgentCommand]:
        """Commands that do one of the landmark actions."""
        for landmark_action in landmark_actions:
            yield from self._by_kind[landmark_action[0]](
                world, landmark_action[1], landmark_action[-1]
            )

    def all_relevant(self, world: World) -> Iterator[AgentCommand]:
        """Every command about relevant things; what is irrelevant brings no goal nearer."""
        things = self.problem.things
        for room in self._rooms(world):
            yield from self._goto(world, room, room)
            yield from self._explore(world, room, room)
        for node in self.relevant:
            if node in things or node in world.blueprint.doors:
                yield from self._near(world, node, node)
                for attribute in self._changeable(world, node):
                    yield from self._flip(world, node, attribute)
            if node in things:
                yield from self._grab(world, node, node)
        for agent in self.problem.actors:
            state = world.agents[agent]
            for held in (*state.inventory, *([state.carrying] if state.carrying else ())):
                yield from self._free(world, held, held)
                yield from self._drop(world, held, held)

    def _rooms(self, world: World) -> Iterable[str]:
        """Where relevant things are, and both sides of relevant doors."""
        blueprint = world.blueprint
        found: dict[str, None] = {}
        for node in self.relevant:
            if node in blueprint.rooms:
                found[node] = None
            elif node in blueprint.doors:
                found |= dict.fromkeys(blueprint.doors[node].between)
            elif (room := world.room_of(node)) is not None:
                found[room] = None
        return found

    def _changeable(self, world: World, node: str) -> Iterator[str]:
        """The states of it that a plan may want changed."""
        for attribute in ("is_open", "is_locked"):
            if isinstance(world.states[node].get(attribute), bool):
                yield attribute
        for other, attribute in self._goal_states:
            if other == node and attribute not in ("is_open", "is_locked"):
                yield attribute

    # -- by landmark action ------------------------------------------------------------------------

    @abstractmethod
    def _find_teams(self) -> tuple[tuple[str, ...], ...]: ...

    @abstractmethod
    def _goto(self, world: World, room: str, _: str) -> Iterator[AgentCommand]: ...

    @abstractmethod
    def _near(self, world: World, node: str, _: str) -> Iterator[AgentCommand]: ...

    @abstractmethod
    def _grab(self, world: World, node: str, _: str) -> Iterator[AgentCommand]: ...

    @abstractmethod
    def _free(self, world: World, node: str, _: str) -> Iterator[AgentCommand]: ...

    @abstractmethod
    def _put(self, world: World, node: str, relation: str, dest: str) -> Iterator[AgentCommand]: ...

    def _explore(self, world: World, room: str, _: str) -> Iterator[AgentCommand]:
        for agent in self.problem.actors:
            if world.agents[agent].room == room:
                yield AgentCommand(agent, "EXPLORE")

    def _drop(self, world: World, node: str, _: str) -> Iterator[AgentCommand]:
        for relation, dest in self.wanted.get(node, ()):
            yield from self._put(world, node, relation, dest)

    def _flip(self, world: World, node: str, attribute: str) -> Iterator[AgentCommand]:
        value = self._value(world, node, attribute)
        single = self.problem.single_verbs.get((attribute, value), ())
        for verb in single:
            yield from self._by_enough(node, f"{verb.name} {node}")
        if single and (node, attribute) not in self._joint_states:
            return  # whatever else several change together, one of them can change alone
        for verb in self.problem.joint_verbs.get((attribute, value), ()):
            for team in self.teams:
                yield from self._jointly(team, verb.name, node)

    def _by_enough(self, node: str, text: str) -> Iterator[AgentCommand]:
        """A command by each who could give it; here, by any one."""
        for agent in self.problem.actors:
            yield AgentCommand(agent, text)

    def _value(self, world: World, node: str, attribute: str) -> Any:
        return world.states[node][attribute]

    def _jointly(self, team: tuple[str, ...], verb: str, rest: str) -> Iterator[AgentCommand]:
        yield AgentCommand(team[0], f"{verb} {','.join(team)} {rest}")

    # -- what a plan may have to do with -----------------------------------------------------------

    @property
    def relevant(self) -> tuple[str, ...]:
        """Rooms, doors and objects that a shortest plan may have to do with, in file order."""
        if self._relevant is None:
            self._relevant = self._find_relevant()
        return self._relevant

    def _find_relevant(self) -> tuple[str, ...]:
        """What the goal speaks of, held things and doors, and what these take.

        That is: what is around, what gives the abilities and keys needed, what lies in something
        that may have to be lighter or emptier, and boxes where there is more to carry than there
        are hands.
        """
        problem, world = self.problem, self.problem.start
        found: dict[str, None] = {}
        held = [node for agent in world.agents.values() for node in agent.inventory]
        goal_nodes = self._find_goal_nodes()
        queue = [*goal_nodes, *held, *self._ways_to(goal_nodes)]
        for node in queue:  # grows while it is read
            if node in found or node in world.agents:
                continue
            found[node] = None
            queue += [holder for holder in ancestors(world, node) if holder not in world.agents]
            if node in world.states:
                queue += self._tools_for(world, node)
            if node in problem.things:
                queue += world.contents.get(node, ())
            if not queue[len(found) :] and self._is_pressed(found):
                queue += self._boxes()
        found |= dict.fromkeys(self._where_to_hand_over(world))
        return tuple(sorted(found, key=world.blueprint.rank.__getitem__))

    def _where_to_hand_over(self, world: World) -> Iterator[str]:
        """Where somebody stands, others may put things for them."""
        if len(self.problem.actors) > 1:
            for agent in world.agents.values():
                if agent.focus in world.location:
                    yield agent.focus

    def _boxes(self) -> Iterator[str]:
        for node, thing in self.problem.things.items():
            if thing.is_container and self.relaxation.can_move(node):
                yield node

    def _ways_to(self, nodes: Iterable[str]) -> Iterator[str]:
        """The doors: any that is shut may be on the way."""
        yield from self.problem.engine.blueprint.doors

    def _tools_for(self, world: World, node: str) -> Iterator[str]:
        """What gives the abilities, and the key, for every change of it that may be wanted."""
        for attribute in self._changeable(world, node):
            for now in (True, False):
                verbs = self.problem.single_verbs.get((attribute, now), ())
                for verb in (*verbs, *self.problem.joint_verbs.get((attribute, now), ())):
                    if verb.attribute is not None and verb.attribute.requires_tool:
                        yield from self.relaxation.tools(verb.attribute.name)
            key = self.relaxation.key_of(node) if attribute == "is_locked" else None
            if key is not None:
                yield key

    def _is_pressed(self, found: Collection[str]) -> bool:
        """Whether there may be more to carry than hands, so that boxes are of use."""
        hands = max((self.problem.bodies[agent].hands for agent in self.problem.actors), default=0)
        movable = [node for node in found if self.relaxation.can_hold(node)]
        return len(movable) > max(hands, 1)

    def _find_goal_nodes(self) -> Mapping[str, None]:
        found: dict[str, None] = {}
        for disjunct in self.problem.disjuncts or ():
            found |= dict.fromkeys(state_goal.node for state_goal in disjunct.state_goals)
            for literal in (*disjunct.moves, *disjunct.denials):
                fact = getattr(literal.fact, "fact", literal.fact)
                named = (getattr(fact, name, None) for name in ("object", "holder", "room", "node"))
                found |= dict.fromkeys(node for node in named if node is not None)
        if self.problem.disjuncts is None or any(
            disjunct.denials for disjunct in self.problem.disjuncts
        ):
            found |= dict.fromkeys(self.problem.engine.blueprint.ids())  # anywhere else will do
        rank = self.problem.engine.blueprint.rank
        return {node: None for node in found if node in rank}

    def _find_joint_states(self) -> frozenset[tuple[str, str]]:
        """The states that the goal wants changed jointly."""
        if self.problem.disjuncts is None:
            return frozenset(self._goal_states)
        return frozenset(
            (state_goal.node, state_goal.attribute)
            for disjunct in self.problem.disjuncts
            for state_goal in disjunct.state_goals
            if state_goal.joint
        )

    def _find_goal_states(self) -> Mapping[tuple[str, str], None]:
        """The states that the goal speaks of and that are there to be changed."""
        found: dict[tuple[str, str], None] = {}
        for disjunct in self.problem.disjuncts or ():
            found |= dict.fromkeys(
                (state_goal.node, state_goal.attribute) for state_goal in disjunct.state_goals
            )
            for literal in disjunct.denials:
                fact = literal.fact.fact if isinstance(literal.fact, Denied) else literal.fact
                if isinstance(fact, StateIs | Joint):
                    found[fact.node, fact.attribute] = None
        states = self.problem.start.states
        if self.problem.disjuncts is None:
            found |= {(node, name): None for node, own in states.items() for name in own}
        return {key: None for key in found if self._has(*key)}

    def _has(self, node: str, attribute: str) -> bool:
        return attribute in self.problem.start.states.get(node, ())


def _wanted(problem: Problem) -> Mapping[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for disjunct in problem.disjuncts or ():
        for literal in disjunct.moves:
            fact = literal.fact
            if isinstance(fact, Placed):
                relations = ("in", "on") if fact.relation is None else (fact.relation,)
                found.setdefault(fact.object, []).extend((r, fact.holder) for r in relations)
    return found
