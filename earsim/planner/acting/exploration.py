"""Exploration: assigning agents to frontiers, places where something unseen may be.

What costs little comes first: rooms that can be walked to, doors to more of them and lids that open
at a touch, boxes that came out of others; then what takes a key or a tool to be opened. Of equals
the nearest comes first, then the first in file order, and no two agents are sent to one place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from earsim.planner.acting.exploration_memory import Frontier
from earsim.planner.acting.known_world import KnownWorld
from earsim.planner.agent_command import AgentCommand
from earsim.planner.plan import plan
from earsim.planner.result import Plan
from earsim.planner.search.astar import follow
from earsim.schema import HasState
from earsim.schema.goal import HasStateFact
from earsim.world import World
from earsim.world.paths import breadth_first, is_free, is_passable, route_to
from earsim.world.proximity import within_reach

OPENING_NODES = 2_000
"""States that a search for a way to open something may reach."""

_STEPS_TO_OPEN = 3
"""Walk to its room, go up to it, open it."""


class ExplorationTarget(NamedTuple):
    """What an agent is sent to do.

    Attributes:
        agent: who is sent.
        place: what is to be looked into or opened.
        command: what the agent does next.
        far: how far from done, in decisions and then in rooms.
    """

    agent: str
    place: str
    command: str
    far: tuple[int, int]


class Exploration:
    """The exploration targets for one state of what is known.

    Attributes:
        targets: by agent; who is not among them is of no use here.
    """

    def __init__(
        self,
        known_world: KnownWorld,
        view: World,
        agents: Sequence[str],
        frontiers: Iterable[Frontier],
    ) -> None:
        self.targets: dict[str, ExplorationTarget] = {}
        self._known_world = known_world
        self._view = view
        self._agents = agents
        self._open_ground = self._find_open_ground()
        self._opener = self._find_opener()
        self._send(tuple(frontiers))

    def _send(self, frontiers: tuple[Frontier, ...]) -> None:
        rooms = [
            frontier.place for frontier in frontiers if frontier.place in self._view.blueprint.rooms
        ]
        things = [
            frontier for frontier in frontiers if frontier.place not in self._view.blueprint.rooms
        ]
        lids = [frontier.lid for frontier in things if frontier.lid is not None]
        loose = [frontier for frontier in things if frontier.lid is None]
        doors = list(self._doors({*rooms, *map(self._room_of, things)}))
        self._share(rooms, self._exploring)
        self._share(doors, self._opening)
        self._share(lids, self._opening)
        self._share((self._room_of(s) for s in loose if not s.unlikely), self._exploring)
        self._share(doors, self._fetching)
        self._share(lids, self._fetching)
        self._share((self._room_of(s) for s in loose if s.unlikely), self._exploring)
        if not self.targets:
            self._open_together([*doors, *lids])
        if not self.targets and frontiers:
            self._set_down()

    def _room_of(self, frontier: Frontier) -> str:
        return str(self._view.room_of(frontier.place))

    def _share(
        self, places: Iterable[str], target_for: Callable[[str, str], ExplorationTarget | None]
    ) -> None:
        """Give every agent that is free the nearest place that nobody else is sent to."""
        taken = {target.place for target in self.targets.values()}
        free = [agent for agent in self._agents if agent not in self.targets]
        left = [place for place in dict.fromkeys(places) if place not in taken]
        found = [target_for(agent, place) for agent in free for place in left]
        for target in sorted(filter(None, found), key=lambda target: target.far):
            if target.agent not in self.targets and target.place not in taken:
                self.targets[target.agent] = target
                taken.add(target.place)

    # -- exploration targets -----------------------------------------------------------------------

    def _exploring(self, agent: str, room: str) -> ExplorationTarget | None:
        here = self._view.agents[agent].room
        command = "EXPLORE" if here == room else f"GOTO {room}"
        after = self._after(self._view, agent, command)
        if after is None or after.agents[agent].room != room:  # a walk may stop at a closed door
            return None
        way = route_to(self._view, here, room)
        return ExplorationTarget(agent, room, command, (0, way.hops if way is not None else 1))

    def _opening(self, agent: str, node: str) -> ExplorationTarget | None:
        """What opens by itself: neither locked nor in need of a tool."""
        world = self._view
        commands: list[str] = []
        hops = 0
        while len(commands) < _STEPS_TO_OPEN:
            command = self._step_to(world, agent, node)
            after = None if command is None else self._after(world, agent, command)
            if command is None or after is None:
                return None
            commands.append(command)
            way = route_to(world, world.agents[agent].room, after.agents[agent].room)
            hops += way.hops if way is not None else 1
            world = after
            if world.states[node].get("is_open") is True:
                return ExplorationTarget(agent, node, commands[0], (len(commands), hops))
        return None

    def _step_to(self, world: World, agent: str, node: str) -> str | None:
        """The next step towards opening something."""
        door = world.blueprint.doors.get(node)
        sides = (world.room_of(node),) if door is None else door.between
        if world.agents[agent].room not in sides:
            near = next((room for room in sides if room in self._open_ground), None)
            return None if near is None else f"GOTO {near}"
        if not within_reach(world, agent, node):
            return f"GOTO {node}"
        return None if self._opener is None else f"{self._opener} {node}"

    def _fetching(self, agent: str, node: str) -> ExplorationTarget | None:
        """What takes more, such as a key or a tool."""
        rules = self._known_world.aiming_at(_open(node))
        found = plan(rules, self._view, agents=[agent], nodes=OPENING_NODES)
        if not isinstance(found, Plan) or not found.decisions:
            return None
        return ExplorationTarget(agent, node, found.decisions[0][agent], (len(found), 0))

    def _open_together(self, nodes: Iterable[str]) -> None:
        """What nobody can open alone."""
        if len(self._agents) < 2:
            return
        for node in dict.fromkeys(nodes):
            rules = self._known_world.aiming_at(_open(node))
            found = plan(rules, self._view, agents=self._agents, nodes=OPENING_NODES)
            if isinstance(found, Plan) and found.decisions:
                for agent, command in found.decisions[0].items():
                    self.targets[agent] = ExplorationTarget(agent, node, command, (len(found), 0))
                return

    def _set_down(self) -> None:
        """Who carries something together is of no use before it stands somewhere."""
        for agent in self._agents:
            state = self._view.agents[agent]
            names = [a for a in self._agents if self._view.agents[a].carrying == state.carrying]
            commands = (
                f"RELEASE {state.carrying}",
                f"CORP_PLACE {','.join(names)} {state.carrying} in {state.room}",  # `ear-bench`
            )
            for command in commands if state.carrying is not None else ():
                if self._after(self._view, agent, command) is not None:
                    self.targets[agent] = ExplorationTarget(
                        agent, str(state.carrying), command, (1, 0)
                    )
                    return

    # -- what is where -----------------------------------------------------------------------------

    def _doors(self, rooms: set[str]) -> Iterator[str]:
        """Closed doors between where one can walk and rooms that one of these lies beyond."""
        ground = self._open_ground
        for door in self._view.blueprint.doors.values():
            beyond = [room for room in door.between if room not in ground]
            shut = len(beyond) == 1 and not is_passable(self._view, door.id)
            if shut and not rooms.isdisjoint(self._behind(beyond[0])):
                yield door.id

    def _find_open_ground(self) -> frozenset[str]:
        """Rooms that can be walked to."""
        starts = [self._view.agents[agent].room for agent in self._agents]
        return frozenset(breadth_first(self._view, starts, is_free))

    def _behind(self, start: str) -> frozenset[str]:
        """Rooms that would be within walking distance if only one got into this one."""
        ground = self._open_ground
        return frozenset(
            breadth_first(self._view, [start], lambda world, way: way.room not in ground)
        )

    def _find_opener(self) -> str | None:
        """The verb of one agent that opens."""
        for verb in self._known_world.rules.verbs.values():
            row = verb.attribute
            if (
                row is not None
                and not verb.joint
                and (row.attribute, row.value) == ("is_open", False)
            ):
                return verb.name
        return None

    def _after(self, world: World, agent: str, command: str) -> World | None:
        """The state after a command, or None where the rules refuse it."""
        return follow(self._known_world.rules, world, AgentCommand(agent, command))


def _open(node: str) -> HasState:
    return HasState(has_state=HasStateFact(object=node, state="is_open", equals=True))
