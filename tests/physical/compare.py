"""The fast ruleset beside the naive one: the same decisions, and what of both must be equal."""

from __future__ import annotations

import json
from collections.abc import Iterator

from earsim.engine import Engine
from earsim.schema import Scenario
from earsim.world import World
from earsim.world.belief import UNSEEN
from tests.physical.naive import Naive
from tests.physical.picture import Fact


class Pair:
    """One scenario in both implementations."""

    def __init__(self, scenario: Scenario) -> None:
        self.engine = Engine(scenario, "physical")
        self.world = self.engine.start()
        self.naive = Naive(scenario)

    def decide(self, commands: dict[str, str]) -> None:
        """Take a decision in both; raises where they differ."""
        decision = self.engine.step(self.world, commands)
        answers = self.naive.decide(commands)
        got = {agent: outcome.reason for agent, outcome in decision.outcomes.items()}
        expected = {agent: answer.reason for agent, answer in answers.items()}
        assert got == expected, (got, expected)
        assert bool(decision.stalled) == self.naive.stalled(answers)
        assert facts_of(self.world) == self.naive.facts
        for agent, belief in self.world.beliefs.items():
            assert mind_of(belief) == set(map(_remembered, self.naive.minds[agent])), agent
        self._compare_what_follows()

    def _compare_what_follows(self) -> None:
        """What the fast world keeps and the naive one recomputes."""
        now = self.naive.now
        for agent_id, agent in self.world.agents.items():
            assert set(agent.inventory) == set(now.held(agent_id))
            assert agent.carrying == now.carries(agent_id)
            assert set(agent.abilities) == self.naive.abilities(now, agent_id)
            assert abs(agent.load - float(self.naive.load(now, agent_id))) < 1e-6


def facts_of(world: World) -> set[Fact]:
    """A fast world as facts."""
    found: set[Fact] = {("clock", world.clock)}
    for node in world.location:
        found.add(_place(world, node, world.carriers.get(node, ())))
    found |= {*_states(world), *_bodies(world), *_readings(world)}
    for agent, known in world.known.items():
        found |= {("knows", agent, node) for node in known}
    for number, message in enumerate(world.messages):
        found.add(("said", number, *message))
    return found


def _remembered(fact: Fact) -> Fact:
    """Of those who carry something together, only the first is remembered."""
    return (*fact[:2], fact[2][:1]) if fact[0] == "carried" else fact


def mind_of(belief: World) -> set[Fact]:
    """A belief as facts."""
    places = {_place(belief, node, ()) for node in belief.location}
    return {*places, *_states(belief), *_bodies(belief), *_readings(belief)}


def _place(world: World, node: str, carriers: tuple[str, ...]) -> Fact:
    relation, holder = world.location[node]
    if relation == UNSEEN:
        return ("lost", node)
    if relation == "carried":
        return (relation, node, carriers or (holder,))
    return (relation, node, holder)


def _states(world: World) -> Iterator[Fact]:
    for node, states in world.states.items():
        for state, value in states.items():
            yield ("state", node, state, json.dumps(value))
    for node, marks in world.jointly.items():
        for mark in marks:
            yield ("together", node, mark)


def _readings(world: World) -> Iterator[Fact]:
    for node, readings in world.readings.items():
        for name, reading in readings.items():
            yield ("read", node, name, *reading)


def _bodies(world: World) -> Iterator[Fact]:
    for agent_id, agent in world.agents.items():
        yield ("room", agent_id, agent.room)
        yield ("focus", agent_id, agent.focus)
        if agent.idle:
            yield ("idle", agent_id)
