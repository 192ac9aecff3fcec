"""What an agent has not perceived tells it nothing, neither in its text nor in its list."""

import json
from collections.abc import Iterator, Mapping
from itertools import count
from random import Random
from typing import Any

import pytest

from earsim import Engine, Episode
from earsim.actions.decision import Decision
from earsim.actions.outcome import Outcome, Reason
from earsim.play.advice import Adviser
from earsim.render.graph import observed_graph
from earsim.render.outline.memory import OutlineMemory
from earsim.render.outline.outline import outline
from earsim.schema import Scenario
from earsim.world import Location, World
from earsim.world.containment import ancestors, closed_around, inside
from tests.physical.generated import Chatter, generated_scenario

Worlds = tuple[Episode, Episode]


def worlds_that_differ(seed: int) -> tuple[Engine, Engine]:
    """One scenario twice, other in what nobody has seen at the start.

    What is shut in weighs and measures otherwise, numbers that are felt or sensed differ, doors of
    other rooms are open or not, and locks take other keys. What the agents know from the start is
    the same.
    """
    rng = Random(seed)
    scenario = generated_scenario(seed)
    scene, first = scenario.scene, Engine(scenario)
    seen = {door for a in scenario.agents for door in _doors_seen(scenario, a.in_)}
    things = [thing.id for thing in scene.objects]
    hidden = _shut_in(scenario)
    doors = []
    for door in scene.doors:
        changes: dict[str, Any] = {"key": rng.choice([None, *things])}
        if door.id not in seen:
            changes["states"] = _other_door(rng)
        doors.append(door.model_copy(update=changes))
    objects = []
    for thing in scene.objects:
        changes = {} if thing.key is None else {"key": rng.choice([None, *things])}
        if thing.id in hidden:
            changes |= {"mass_kg": rng.choice([0.0, 6.0, 15.0]), "size_m": None}
        elif "mass_kg" in first.blueprint.hidden.get(thing.id, ()):
            most = sum(agent.max_mass_kg for agent in scenario.agents)  # more is on its label
            changes |= {"mass_kg": min(most, rng.choice([0.0, 6.0, 15.0]))}
        if "temperature_c" in first.blueprint.hidden.get(thing.id, ()):
            changes |= {"quantities": thing.quantities | {"temperature_c": rng.choice([3.1, 9.0])}}
        objects.append(thing.model_copy(update=changes))
    other = scene.model_copy(update={"doors": tuple(doors), "objects": tuple(objects)})
    return first, Engine(scenario.model_copy(update={"scene": other}))


def _doors_seen(scenario: Scenario, room: str | None) -> list[str]:
    here = room or scenario.scene.rooms[0].id
    return [door.id for door in scenario.scene.doors if here in door.between]


def _shut_in(scenario: Scenario) -> set[str]:
    """The things in something that is closed at first."""
    world = Engine(scenario).start()
    return {node for node in world.location if closed_around(world, node) is not None}


def _other_door(rng: Random) -> dict[str, bool]:
    is_open = rng.random() < 0.5
    return {"is_open": is_open, "is_locked": not is_open and rng.random() < 0.5}


Advised = tuple[tuple[str, ...], str, list[str]]
"""What an agent is told beside what it perceives: its list, its help, and what play advises."""


def told(episode: Episode, agent: str) -> tuple[str, Advised]:
    """All that an agent is given: its texts, graph, what it noticed, its facts; and its advice."""
    outcome = episode.outcome(agent)
    given = outline(
        episode.world, agent, task="box jar thing", memory=OutlineMemory(), outcome=outcome
    )
    graph = json.dumps(observed_graph(episode.world, agent))
    facts = "" if outcome is None else json.dumps(outcome.facts)
    parts = (episode.full(agent), episode.feedback(agent), episode.noticed(agent))
    advice = [] if outcome is None else Adviser(episode, agent).advice(outcome)
    advised = episode.admissible(agent), episode.help(agent), advice
    return "\n".join((*parts, *given, graph, facts)), advised


def compared(seed: int, decisions: int) -> Iterator[str]:
    """Play alike in both until an agent perceives a difference; yields the agents compared.

    Where its texts have been equal up to now, so are its lists; and outcomes differ only where the
    command touches something that does. Where all commands end alike, refusals say the same: what
    they state is in the text, or somebody tells it in this very decision.
    """
    first, second = (Episode(engine, budget=10**6) for engine in worlds_that_differ(seed))
    alike = set(first.agents)
    chatter = Chatter(Random(seed), first.engine)
    for _ in range(decisions):
        for agent in first.agents:
            (text, advised), (other_text, other_advised) = told(first, agent), told(second, agent)
            if agent in alike and text == other_text:
                assert advised == other_advised, (seed, agent)
                yield agent
            else:
                alike.discard(agent)
        if not alike:
            return
        commands = chatter.commands(first.world)
        before = first.world.copy()
        decision, other_decision = first.step(commands), second.step(commands)
        outcomes, other_outcomes = decision.outcomes, other_decision.outcomes
        ended_alike = _reasons(outcomes) == _reasons(other_outcomes)
        for agent in alike:
            one, other = outcomes.get(agent), other_outcomes.get(agent)
            if one is None or other is None:
                continue
            if one[3:] == other[3:]:
                continue
            about = touched(before, one, other) & differing(first.engine, second.engine)
            assert about, (seed, one, other)
            if ended_alike and one.reason is not None and one.facts != other.facts:
                assert about & heard(agent, decision), (seed, one, other)
            yield f"{agent} differs"


def _reasons(outcomes: Mapping[str, Outcome]) -> dict[str, Reason | None]:
    return {agent: outcome.reason for agent, outcome in outcomes.items()}


def heard(agent: str, decision: Decision) -> set[str]:
    """The things that an agent is told of in a decision."""
    said = (*decision.outcomes.values(), *decision.messages.values())
    told_it = [each.facts for each in said if agent in each.facts.get("heard_by", ())]
    return {facts["id"] for facts in told_it if "id" in facts}


def differing(first: Engine, second: Engine) -> set[str]:
    """The things and doors that are not the same in two scenarios."""
    scenes = first.scenario.scene, second.scenario.scene
    nodes = [(*scene.objects, *scene.doors) for scene in scenes]
    return {one.id for one, other in zip(*nodes, strict=True) if one != other}


def touched(world: World, one: Outcome, other: Outcome) -> set[str]:
    """What a command is about: what it names with all that is in or on it or around it, what the
    team has in hand with all that is in or on that, the door that a walk stopped at, and the room
    that is looked at.
    """
    found = {str(outcome.facts.get("stopped_at")) for outcome in (one, other)}
    if one.verb in ("LOOK", "EXPLORE"):
        here = world.agents[one.agent].room
        found |= {node for node in world.location if world.room_of(node) == here}
    named = [word for word in one.command.split() if word in world.states]
    held = [node for node, place in world.location.items() if place.holder in world.agents]
    for node in named:
        found |= {node, *ancestors(world, node)}
    for node in [*found, *held]:
        if node in world.location:
            found |= {node, *inside(world, node)}
    return found


@pytest.mark.slow
def test_the_list_tells_no_more_than_the_text_and_outcomes_no_more_than_they_touch():
    found = [each for seed in range(300) for each in compared(seed, 25)]
    assert len(found) > 7_500
    assert sum(1 for each in found if each.endswith("differs")) > 30


def behind_the_back(seed: int) -> Iterator[str]:
    """One world twice, where knowledge is own; then things change in the second out of sight.

    All that an agent is told is the same in both, and so is what it is advised where it tries
    something that is refused alike; yields the refusals.
    """
    rng = Random(seed)
    scenario = generated_scenario(seed).model_copy(update={"knowledge": "own", "channel": "room"})
    if len(scenario.agents) < 2:
        return
    first = Episode(Engine(scenario), budget=10**6)
    chatter = Chatter(rng, first.engine)
    for _ in range(rng.randint(5, 40)):
        first.step(chatter.commands(first.world))
    for agent in first.agents:
        second = first.fork()
        _jumble(second.world, agent, rng)
        assert told(first, agent) == told(second, agent), seed
        tries = {chatter.commands(first.world).get(agent, "WAIT") for _ in range(20)}
        for command in sorted(tries):
            yield from _advised_alike((first, second), agent, command)


def _jumble(world: World, agent: str, rng: Random) -> None:
    """Out of an agent's sight things lie elsewhere, are open or not, and hands hold other loads."""
    here = world.agents[agent].room
    away = [room for room in world.blueprint.rooms if room != here]
    for node, place in list(world.location.items()):
        if world.room_of(node) == here:
            continue
        altered = {s: not v for s, v in world.states[node].items() if isinstance(v, bool)}
        world.states[node] = {**world.states[node], **altered}
        if place.holder not in world.agents:
            world.move_object(node, Location("in", rng.choice(away)))
        world.touch(node)
    for other in world.agents.values():
        if other.room != here:
            other.load += 3


def _advised_alike(worlds: Worlds, agent: str, command: str) -> Iterator[str]:
    """What is refused alike in both is advised on alike."""
    first, second = (each.fork() for each in worlds)
    one, other = (each.step({agent: command}).outcomes.get(agent) for each in (first, second))
    if one is not None and other is not None and one[3:] == other[3:] and one.reason is not None:
        advice = [Adviser(each, agent).advice(one) for each in (first, second)]
        assert advice[0] == advice[1], command
        yield one.reason.value


@pytest.mark.slow
def test_what_changes_out_of_sight_changes_neither_list_nor_help_nor_advice():
    found = [reason for seed in range(100) for reason in behind_the_back(seed)]
    assert len(found) > 1_000
    assert {"undiscovered", "not_near", "no_ability", "hands_full"} <= set(found)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("part", range(8))
def test_the_list_tells_no_more_than_the_text_over_200_000_decisions(part: int):
    done, seeds = 0, count(1_000 + 100_000 * part)
    while done < 25_000:
        done += sum(1 for _ in compared(next(seeds), 40))
