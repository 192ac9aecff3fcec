import json

import gymnasium as gym
import numpy as np
import pytest

from earsim.envs import DiscreteActions
from earsim.schema import Scenario
from earsim.suites import open_suite
from earsim_training.graphs.encoder import (
    COMMAND_COLUMNS,
    NODE_COLUMNS,
    RELATIONS,
    VERBS,
    GraphEncoder,
)
from earsim_training.graphs.mentions import AROUND, SPANS

SCENARIO = "old_exchange/headset_behind_glass"


class Reading:
    """An environment and a reader of it."""

    def __init__(self, scenario, never=()):
        env = gym.make("OmniEAR-v0", scenario=scenario, observation="graph", end_on="goal")
        self.env = DiscreteActions(env)
        self.raw, info = self.env.reset(seed=0)
        self.reader = GraphEncoder(info["instruction"], info["budget"], never=never)
        self.graph = self.reader.read(self.raw, self.env.commands)

    def give(self, command):
        self.reader.note(command)
        self.raw, *_ = self.env.step(self.env.commands.index(command))
        self.graph = self.reader.read(self.raw, self.env.commands)
        return self.graph

    def node(self, id_, column):
        row = [node["id"] for node in self.raw["nodes"]].index(id_)
        return self.graph.nodes[row, NODE_COLUMNS.index(column)]

    def trait(self, command, column):
        return self.graph.traits[self.env.commands.index(command), COMMAND_COLUMNS.index(column)]


@pytest.fixture
def scenario():
    return open_suite("starter").load(SCENARIO)


def walkthrough(scenario):
    return [step for step in scenario.task.walkthrough if step != "DONE"]


def renamed(scenario):
    """The same scenario, with ids that sort the other way round and tell nothing."""
    data = json.loads(scenario.model_dump_json(by_alias=True, exclude_defaults=True))
    scene = data["scene"]
    parts = [*scene["rooms"], *scene.get("doors", []), *scene["objects"], *data["agents"]]
    ids = sorted(part["id"] for part in parts)
    new = {old: f"z{len(ids) - at:03}" for at, old in enumerate(ids)}

    def swapped(value):
        if isinstance(value, dict):
            return {key: swapped(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [swapped(inner) for inner in value]
        return new.get(value, value) if isinstance(value, str) else value

    for key in ("walkthrough", "select", "answer"):
        data["task"].pop(key, None)
    kept = {key: data["task"][key] for key in ("id", "instruction")}
    return Scenario.model_validate(swapped(data) | {"task": swapped(data["task"]) | kept}), new


def told(reading, new=None):
    """What is read of every command, by the command itself."""
    names = [" ".join((new or {}).get(w, w) for w in c.split()) for c in reading.env.commands]
    rows = zip(reading.graph.commands.tolist(), reading.graph.traits.tolist(), strict=True)
    return dict(zip(names, rows, strict=True))


def test_shapes_are_those_that_are_promised(scenario):
    graph = Reading(scenario).give("EXPLORE")
    nodes, commands = len(graph.nodes), len(graph.commands)
    assert graph.nodes.shape == (nodes, len(NODE_COLUMNS))
    assert graph.contexts.shape == (nodes, 2 * AROUND * SPANS)
    assert graph.holders.shape == (nodes,)
    assert graph.links.shape[0] == 2
    assert graph.commands.shape == (commands, 4)
    assert graph.traits.shape == (commands, len(COMMAND_COLUMNS))
    assert graph.mask.shape == (commands,)


def test_ids_do_not_get_through(scenario):
    other, new = renamed(scenario)
    one, two = Reading(scenario), Reading(other)
    for command in walkthrough(scenario):
        assert told(one, new) == told(two)
        for field in ("nodes", "contexts", "holders", "links", "words"):
            assert np.array_equal(getattr(one.graph, field), getattr(two.graph, field)), field
        one.give(command)
        two.give(" ".join(new.get(word, word) for word in command.split()))


def test_commands_point_at_the_rows_of_what_they_speak_of(scenario):
    reading = Reading(scenario)
    rows = {node["id"]: at for at, node in enumerate(reading.raw["nodes"], start=1)}
    for command, numbers in zip(reading.env.commands, reading.graph.commands, strict=True):
        verb, target, relation, destination = (*command.split(), "", "", "")[:4]
        assert numbers[0] == (VERBS.index(verb) if verb in VERBS else len(VERBS))
        assert numbers[1] == rows.get(target, 0)
        assert RELATIONS[numbers[2]] == relation
        assert numbers[3] == rows.get(destination, 0)


def test_masked_verbs_are_masked_and_no_others(scenario):
    reading = Reading(scenario, never=("DONE", "WAIT"))
    allowed = [c for c, ok in zip(reading.env.commands, reading.graph.mask, strict=True) if ok]
    assert [c for c in reading.env.commands if c not in allowed] == [
        "DONE",
        "WAIT 10",
        "WAIT 60",
        "WAIT 600",
    ]


def test_a_mask_always_leaves_something(scenario):
    never = ("GOTO", "EXPLORE", "LOOK", "WAIT", "DONE")
    assert Reading(scenario, never=never).graph.mask.all()


def test_what_was_done_is_remembered(scenario):
    reading = Reading(scenario)
    assert reading.trait("EXPLORE", "times given here") == 0
    reading.give("EXPLORE")
    assert reading.trait("EXPLORE", "times given here") == pytest.approx(np.log(2))
    assert reading.trait("EXPLORE", "given last") == 1
    assert reading.graph.left == pytest.approx(1 - 1 / scenario.task.budget)


def test_what_is_in_the_hands_is_told(scenario):
    reading = Reading(scenario)
    commands = walkthrough(scenario)
    grab = next(at for at, command in enumerate(commands) if command.startswith("GRAB"))
    for command in commands[:grab]:
        reading.give(command)
    held = commands[grab].split()[1]
    assert reading.node(held, "in my hands") == 0
    reading.give(commands[grab])
    assert reading.node(held, "in my hands") == 1
    assert reading.node(held, "in my room or hands") == 1
