"""What it takes in `ear-bench` to find, take and change things."""

from __future__ import annotations

from collections.abc import Sequence

from earsim.planner.bench_prospects import BenchProspects
from earsim.planner.bench_stage import BenchStage
from earsim.planner.landmarks import Landmarks
from earsim.planner.needs import DROP, EXPLORE, FLIP, FREE, GOTO, GRAB
from earsim.planner.problem import Problem, row_of
from earsim.planner.rounds import until_held, until_used


class BenchMeans(Landmarks):
    """Landmarks on the way to a single thing; each names the rules that it relies on."""

    stage: BenchStage

    def __init__(self, problem: Problem, prospects: BenchProspects) -> None:
        super().__init__(problem)
        self.prospects = prospects
        self.stage = BenchStage(problem, prospects)

    def _flip(self, node: str, attribute: str, value: bool, joint: bool, times: int) -> None:
        """The state must be changed from `value`; somebody is there, and has what it takes.

        Relies on `discovered`, `in_same_room`, `all_in_its_room`, `has_ability`.
        """
        self.needs.must((FLIP, node, attribute), times)
        self._find(node)
        self._be_there(node, everybody=joint and self.problem.plain)
        self._take_rounds(1 + self.stage.unseen(node))
        self._equip(node, attribute, value, joint)

    def _equip(self, node: str, attribute: str, value: bool, joint: bool) -> None:
        problem = self.problem
        verbs = list(problem.joint_verbs.get((attribute, value), ()))
        if not joint:
            verbs += problem.single_verbs.get((attribute, value), ())
        rows = [row_of(verb) for verb in verbs]
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
        self._take_rounds(until_used(self.stage, free, node, touching=False))
        there = world.room_of(node)
        here = [tool for tool in free if world.room_of(tool) == there]
        held = any(node in world.agents[agent].inventory for agent in self.problem.actors)
        if there is not None and len(here) < times and not held:
            self.needs.one_of([(GOTO, there), *self.stage.shifts(node)])

    def _tools(self, ability: str) -> list[str]:
        return self.prospects.tools(ability)

    def _take_some(self, objects: Sequence[str], times: int) -> None:
        """At least `times` of these are taken up, each by another actor."""
        needs, world = self.needs, self.world
        room = {node: str(world.room_of(node)) for node in objects}
        needs.one_of([(GRAB, node) for node in objects], times)
        away = [node for node in objects if not self.stage.present(room[node])]
        if len(objects) - len(away) < times:
            downs = [deed for node in away for deed in self.stage.set_down_around(node)]
            needs.one_of([*((GOTO, room[node]) for node in away), *downs])
        unknown = [node for node in objects if not self.stage.known(node)]
        if len(objects) - len(unknown) < times:
            needs.one_of({(EXPLORE, room[node]) for node in unknown})
        lids = map(self.stage.shut_in, objects)
        shut = [(FLIP, lid, "is_open") for lid in lids if lid is not None]
        if len(objects) - len(shut) < times:
            needs.one_of(dict.fromkeys(shut))
        agents = [world.agents[agent] for agent in self.problem.actors]
        ready = sum(not agent.near.isdisjoint(objects) for agent in agents)
        ready = min(ready, sum(self.stage.reached(node) for node in objects))
        if ready < times:
            deeds = {deed for node in objects for deed in self.stage.approaches(node)}
            needs.one_of(deeds, times - ready)

    def _take(self, node: str) -> None:
        """Somebody takes it in hand, alone.

        Relies on `in_same_room`, `discovered`, `not_in_closed_container`, `in_near_set`,
        `free_hand`, `light_enough`, `light_with_contents`.
        """
        needs = self.needs
        needs.must((GRAB, node))
        self._take_rounds(until_held(self.stage, node))
        self._be_there(node, everybody=False)
        self._find(node)
        shut = self.stage.shut_in(node)
        if shut is not None:
            self._flip(shut, "is_open", False, False, 1)
        if not self.stage.reached(node):
            needs.one_of(self.stage.approaches(node))
        able = self.prospects.holders.get(node, ())
        if able:
            self._be_free_for(node, able)

    def _be_free_for(self, node: str, able: Sequence[str]) -> None:
        """A hand is free, and it is light enough; what comes out goes through somebody's hands."""
        needs, agents = self.needs, self.world.agents
        certain = self.problem.plain or self.problem.hopeful
        burden = self.stage.burden(able, node) if certain else 0
        held = sum(len(agents[agent].inventory) for agent in self.problem.actors)
        hands = sum(self.problem.bodies[agent].hands for agent in self.problem.actors)
        if burden:
            needs.one_of(self.stage.emptying(node), burden)
        if burden and held + burden >= hands:
            inner = self.world.contents.get(node, ())
            downs = ((kind, child) for child in inner for kind in (FREE, DROP))
            let_go = self.stage.letting_go(self.problem.actors)
            needs.one_of([*downs, *let_go], held + burden - hands + 1)
        elif not any(self.stage.has_hand(agent) for agent in able):
            needs.one_of(self.stage.letting_go(able))
        elif not burden and not any(self.stage.has_strength(agent, node) for agent in able):
            needs.one_of([*self.stage.letting_go(able), *self.stage.emptying(node)])

    def _find(self, node: str) -> None:
        """Somebody explores the room that it is in (RULES.md 2.5)."""
        if node not in self.problem.things or self.stage.known(node):
            return
        room = self.world.room_of(node)
        if room is None:
            return
        if not self.problem.plain and any(map(self.prospects.can_lift, self.stage.movers(node))):
            # what may be lifted unseen can be found wherever it was put (RULES.md Q14)
            self.needs.one_of((EXPLORE, other) for other in self.world.blueprint.rooms)
            return
        self.needs.must((EXPLORE, room))
        if not self.stage.present(room):
            self.needs.must((GOTO, room))

    def _be_there(self, node: str, *, everybody: bool) -> None:
        """An actor, or all of them, must be in the room of an object, or hold it."""
        world = self.world
        room = world.room_of(node)
        if room is None:
            return
        agents = [world.agents[agent] for agent in self.problem.actors]
        there = [agent.room == room or node in agent.inventory for agent in agents]
        if not any(there):
            self.needs.one_of([(GOTO, room), *self.stage.set_down_around(node)])
        elif everybody and not all(there):
            self.needs.one_of([(GOTO, room), *self.stage.shifts(node)])
