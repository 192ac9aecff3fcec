"""Landmarks of `ear-bench` on the way to one fact: finding, taking and changing things."""

from __future__ import annotations

from collections.abc import Sequence

from earsim.planner.landmarks.finder import LandmarkFinder
from earsim.planner.landmarks.landmark_set import DROP, EXPLORE, FLIP, FREE, GOTO, GRAB
from earsim.planner.landmarks.makespan import until_held, until_used
from earsim.planner.models.ear_bench_view import EarBenchStateView
from earsim.planner.problem import Problem, attribute_row
from earsim.planner.relaxation.ear_bench import EarBenchRelaxation
from earsim.world import World


class EarBenchAchievers(LandmarkFinder):
    """Landmarks on the way to a single thing; each names the rules that it relies on."""

    def __init__(self, problem: Problem, relaxation: EarBenchRelaxation) -> None:
        super().__init__(problem)
        self.relaxation = relaxation
        self.view = EarBenchStateView(problem, relaxation)

    def _look_at(self, world: World) -> None:
        self.view.world = world

    def _flip(self, node: str, attribute: str, value: bool, joint: bool, times: int) -> None:
        """The state must be changed from `value`; somebody is there, and has what it takes.

        Relies on `discovered`, `in_same_room`, `all_in_its_room`, `has_ability`.
        """
        self.landmarks.must((FLIP, node, attribute), times)
        self._find(node)
        self._be_there(node, everybody=joint and self.problem.plain)
        self._raise_makespan(1 + self.view.unseen(node))
        self._equip(node, attribute, value, joint)

    def _equip(self, node: str, attribute: str, value: bool, joint: bool) -> None:
        problem = self.problem
        verbs = list(problem.joint_verbs.get((attribute, value), ()))
        if not joint:
            verbs += problem.single_verbs.get((attribute, value), ())
        rows = [attribute_row(verb) for verb in verbs]
        if not rows or not all(row.requires_tool for row in rows):
            return
        abilities = {row.name for row in rows}
        lacking = [
            agent
            for agent in problem.actors
            if abilities.isdisjoint(self.world.agents[agent].abilities)
        ]
        everybody = joint and problem.plain
        if not lacking:
            return
        if len(lacking) == len(problem.actors) or everybody:
            self._fetch_tools(abilities, node, len(lacking) if everybody else 1)

    def _fetch_tools(self, abilities: set[str], node: str, times: int) -> None:
        """Tools for it are taken up, and tool and object brought together."""
        world = self.world
        tools = dict.fromkeys(tool for name in sorted(abilities) for tool in self._tools(name))
        free = [tool for tool in tools if world.location[tool].holder not in self.problem.actors]
        if not free:
            return
        if len(free) <= times:
            for tool in free:
                self._take(tool)
        self._take_some(free, times)
        self._raise_makespan(until_used(self.view, free, node, touching=False))
        there = world.room_of(node)
        here = [tool for tool in free if world.room_of(tool) == there]
        held = any(node in world.agents[agent].inventory for agent in self.problem.actors)
        if there is not None and len(here) < times and not held:
            self.landmarks.one_of([(GOTO, there), *self.view.shifts(node)])

    def _tools(self, ability: str) -> list[str]:
        return self.relaxation.tools(ability)

    def _take_some(self, objects: Sequence[str], times: int) -> None:
        """At least `times` of these are taken up, each by another actor."""
        landmarks, world = self.landmarks, self.world
        room = {node: str(world.room_of(node)) for node in objects}
        landmarks.one_of([(GRAB, node) for node in objects], times)
        away = [node for node in objects if not self.view.present(room[node])]
        if len(objects) - len(away) < times:
            downs = [
                landmark_action
                for node in away
                for landmark_action in self.view.set_down_around(node)
            ]
            landmarks.one_of([*((GOTO, room[node]) for node in away), *downs])
        unknown = [node for node in objects if not self.view.known(node)]
        if len(objects) - len(unknown) < times:
            landmarks.one_of({(EXPLORE, room[node]) for node in unknown})
        lids = map(self.view.shut_in, objects)
        shut = [(FLIP, lid, "is_open") for lid in lids if lid is not None]
        if len(objects) - len(shut) < times:
            landmarks.one_of(dict.fromkeys(shut))
        agents = [world.agents[agent] for agent in self.problem.actors]
        ready = sum(not agent.near.isdisjoint(objects) for agent in agents)
        ready = min(ready, sum(self.view.reached(node) for node in objects))
        if ready < times:
            landmark_actions = {
                landmark_action
                for node in objects
                for landmark_action in self.view.approaches(node)
            }
            landmarks.one_of(landmark_actions, times - ready)

    def _take(self, node: str) -> None:
        """Somebody takes it in hand, alone.

        Relies on `in_same_room`, `discovered`, `not_in_closed_container`, `in_near_set`,
        `free_hand`, `light_enough`, `light_with_contents`.
        """
        landmarks = self.landmarks
        landmarks.must((GRAB, node))
        self._raise_makespan(until_held(self.view, node))
        self._be_there(node, everybody=False)
        self._find(node)
        shut = self.view.shut_in(node)
        if shut is not None:
            self._flip(shut, "is_open", False, False, 1)
        if not self.view.reached(node):
            landmarks.one_of(self.view.approaches(node))
        able = self.relaxation.holders.get(node, ())
        if able:
            self._be_free_for(node, able)

    def _be_free_for(self, node: str, able: Sequence[str]) -> None:
        """A hand is free, and it is light enough; what comes out goes through somebody's hands."""
        landmarks, agents = self.landmarks, self.world.agents
        certain = self.problem.plain or self.problem.inadmissible
        burden = self.view.burden(able, node) if certain else 0
        held = sum(len(agents[agent].inventory) for agent in self.problem.actors)
        hands = sum(self.problem.bodies[agent].hands for agent in self.problem.actors)
        if burden:
            landmarks.one_of(self.view.emptying(node), burden)
        if burden and held + burden >= hands:
            inner = self.world.contents.get(node, ())
            downs = ((kind, child) for child in inner for kind in (FREE, DROP))
            let_go = self.view.letting_go(self.problem.actors)
            landmarks.one_of([*downs, *let_go], held + burden - hands + 1)
        elif not any(self.view.has_hand(agent) for agent in able):
            landmarks.one_of(self.view.letting_go(able))
        elif not burden and not any(self.view.has_strength(agent, node) for agent in able):
            landmarks.one_of([*self.view.letting_go(able), *self.view.emptying(node)])

    def _find(self, node: str) -> None:
        """Somebody explores the room that it is in (EAR-Bench 2.5)."""
        if node not in self.problem.things or self.view.known(node):
            return
        room = self.world.room_of(node)
        if room is None:
            return
        if not self.problem.plain and any(map(self.relaxation.can_lift, self.view.movers(node))):
            # what may be lifted unseen can be found wherever it was put (EAR-Bench Q14)
            self.landmarks.one_of((EXPLORE, other) for other in self.world.blueprint.rooms)
            return
        self.landmarks.must((EXPLORE, room))
        if not self.view.present(room):
            self.landmarks.must((GOTO, room))

    def _be_there(self, node: str, *, everybody: bool) -> None:
        """An actor, or all of them, must be in the room of an object, or hold it."""
        world = self.world
        room = world.room_of(node)
        if room is None:
            return
        agents = [world.agents[agent] for agent in self.problem.actors]
        there = [agent.room == room or node in agent.inventory for agent in agents]
        if not any(there):
            self.landmarks.one_of([(GOTO, room), *self.view.set_down_around(node)])
        elif everybody and not all(there):
            self.landmarks.one_of([(GOTO, room), *self.view.shifts(node)])
