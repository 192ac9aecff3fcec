"""Every way a tiny scenario can go, tried out: what the planner says is checked against this.

It asks the engine about every canonical command over every id and carries out all that are
accepted, decision by decision. Nothing of the planner is used but the names of its options.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import NamedTuple

from earsim.engine import Engine
from earsim.planner.result import CommandClass
from earsim.world import World
from tests.planner.keys import state_key
from tests.planner.tries import Tries, Try

Commands = Mapping[str, str]


class Moment(NamedTuple):
    """Commands of one decision, and the world after them."""

    given: Commands
    world: World


@dataclass(frozen=True, slots=True)
class Space:
    """All states within some number of decisions of a start.

    Attributes:
        worlds: the states, nearest first; the first is the start.
        depths: for each, the least number of decisions that lead to it.
        came_from: for each, which state it was reached from, by which decision.
        complete: every state within this many decisions is there.
        exhausted: there are no others at all.
    """

    worlds: Sequence[World]
    depths: Sequence[int]
    came_from: Sequence[tuple[int, Commands]]
    complete: int
    exhausted: bool

    def first(self, holds: Callable[[World], bool]) -> int | None:
        """The index of a nearest state in which something holds; exact in its depth."""
        return next((i for i, world in enumerate(self.worlds) if holds(world)), None)

    def way_to(self, index: int) -> list[Commands]:
        """Decisions that lead to a state, as few as possible."""
        way: list[Commands] = []
        while index:
            index, decision = self.came_from[index]
            way.append(decision)
        return way[::-1]


def bare(world: World) -> World:
    """A copy without beliefs: no rule asks for them, and they take most of the time."""
    beliefs, world.beliefs = world.beliefs, {}
    twin = world.copy()
    world.beliefs = beliefs
    return twin


def start_of(engine: Engine, *, discovered: bool = False) -> World:
    """The start of an engine, without beliefs."""
    return bare(engine.start(discovered=discovered))


class BruteForce:
    """Tries everything that the rules accept, for some agents of a scenario.

    Args:
        engine: the rules.
        command_class: which commands of `ear-bench` to try.
        agents: who may act; the others wait and take part in nothing.
        one_command: a decision holds a single command, as `least_commands` counts.
        hands_empty: as in `Tries`.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        command_class: CommandClass = CommandClass.PLAIN,
        agents: Sequence[str] | None = None,
        one_command: bool = False,
        hands_empty: bool = False,
    ) -> None:
        self.engine = engine
        self.team = tuple(engine.blueprint.bodies)
        self.actors = self.team if agents is None else tuple(a for a in self.team if a in agents)
        self.tries = Tries(engine, self.actors, command_class, hands_empty=hands_empty)
        self.one_command = one_command or len(self.actors) == 1

    def explore(
        self,
        start: World,
        *,
        states: int = 2000,
        until: Callable[[World], bool] | None = None,
        key: Callable[[World], Hashable] = state_key,
    ) -> Space:
        """All states, nearest first; as many as there is room for, or up to one that is wanted."""
        worlds, depths = [start], [0]
        came_from: list[tuple[int, Commands]] = [(0, {})]
        if until is not None and until(start):
            return Space(worlds, depths, came_from, 0, False)
        seen = {key(start)}
        for index, world in enumerate(worlds):  # grows while it is read
            if len(worlds) >= states:
                return Space(worlds, depths, came_from, depths[index], False)
            for given, after in self.after(world):
                found = key(after)
                if found in seen:
                    continue
                seen.add(found)
                worlds.append(after)
                depths.append(depths[index] + 1)
                came_from.append((index, given))
                if until is not None and until(after):
                    return Space(worlds, depths, came_from, depths[index], False)
        return Space(worlds, depths, came_from, depths[-1], True)

    def wander(self, world: World, rng: Random, commands: int) -> list[Commands]:
        """Change a world by some accepted commands, one agent at a time; returns them."""
        given: list[Commands] = []
        for _ in range(commands):
            tries = [one for agent in self.actors for one in self._commands(world, agent)]
            if tries:
                chosen = rng.choice(tries)
                given.append(self._said(chosen))
                self.engine.step(world, given[-1])
        return given

    # -- decisions -----------------------------------------------------------------------------

    def after(self, world: World) -> Iterable[Moment]:
        """Every decision of which all commands are accepted, with the state it leads to."""
        if self.one_command:
            every = (one for agent in self.actors for one in self._commands(world, agent))
            tries = (one for one in every if len(set(self._said(one).values())) == 1)
            return (Moment(self._said(one), self._done(world, one)) for one in tries)
        if self.engine.ruleset.everybody_speaks:
            return self._spoken_in_turn(world)
        singles = self._in_turn(world, self.tries.singles)
        return chain(singles, self._then_joint(singles))

    def _commands(self, world: World, agent: str) -> Iterator[Try]:
        return chain(self.tries.singles(world, agent), self.tries.joint(world, agent))

    def _in_turn(
        self, world: World, commands: Callable[[World, str], Iterable[Try]]
    ) -> list[Moment]:
        """One command or none of each actor, in file order, each seeing what the others did."""
        moments = [Moment({}, world)]
        for agent in self.actors:
            found = [self._with(m, one) for m in moments for one in commands(m.world, agent)]
            moments = _distinct([*moments, *found])
        return moments

    def _spoken_in_turn(self, world: World) -> Iterator[Moment]:
        """`ear-bench`: singles and joint commands alike, in file order (EAR-Bench 5.3).

        Where all agents give commands in capitals that begin with CORP_, only the first is carried
        out: for the commands of the prompts that is a decision of one. Small letters escape that.
        """
        for given, after in self._in_turn(world, self._commands):
            if len(given) < len(self.team) or not _all_joint(given.values()):
                yield Moment(given, after)
            elif not self.tries.plain:
                last = self.team[-1]
                verb, rest = given[last].split(maxsplit=1)
                yield Moment({**given, last: f"{verb.lower()} {rest}"}, after)

    def _then_joint(self, moments: Iterable[Moment]) -> Iterator[Moment]:
        """`physical`: after the single commands, what those do together who gave none."""
        for moment in moments:
            free = [agent for agent in self.actors if agent not in moment.given]
            for agent in free:
                for one in self.tries.joint(moment.world, agent):
                    if agent == one.call.actors[0] and set(one.call.actors) <= set(free):
                        yield self._with(moment, one)

    def _with(self, moment: Moment, one: Try) -> Moment:
        return Moment({**moment.given, **self._said(one)}, self._done(moment.world, one))

    def _said(self, one: Try) -> Commands:
        """Who says what: in `physical` all who act together."""
        if self.engine.ruleset.everybody_speaks:
            return {one.agent: one.text}
        said = dict.fromkeys(one.call.actors or (one.agent,), one.text)
        if one.call.verb.name == "GIVE":
            said[one.call.destination] = f"GRAB {one.call.target}"
        return said

    def _done(self, world: World, one: Try) -> World:
        twin = world.copy()
        outcome = self.engine.step(twin, self._said(one)).outcomes[one.agent]
        assert outcome.accepted, f"{one.text}: {outcome.reason}"
        return twin


def _all_joint(texts: Iterable[str]) -> bool:
    return all(text.startswith("CORP_") for text in texts)


def _distinct(moments: Iterable[Moment]) -> list[Moment]:
    """One of those that leave the same world to the same agents; the first one found."""
    found: dict[Hashable, Moment] = {}
    for given, world in moments:
        key = (state_key(world), *given, _all_joint(given.values()))
        found.setdefault(key, Moment(given, world))
    return list(found.values())
