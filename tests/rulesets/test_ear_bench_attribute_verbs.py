"""Every attribute verb of the table, alone and together (EAR-Bench 3.2, 3.8, 3.10)."""

from typing import Any

import pytest

from earsim.actions.outcome import Outcome, Reason
from earsim.engine import Engine
from earsim.rulesets.ear_bench import REPLAY, ear_bench
from earsim.schema import Scenario
from earsim.schema.verb_table import AttributeVerb, verb_table
from earsim.world import World

AGENTS = [{"id": "ann", "max_mass_kg": 5}, {"id": "bob", "max_mass_kg": 5}]
ROWS = list(verb_table().values())


def stage(row: AttributeVerb, **thing: Any) -> Engine:
    """A room with the thing and a tool for each agent; no front step, for the sake of SCAN."""
    item = {"kind": "item", "in": "room", "mass_kg": 1}
    scene = {
        "schema": "earsim.scene/1",
        "id": "bench",
        "rooms": [{"id": "room"}],
        "objects": [
            {**item, "id": "thing", **thing},
            {**item, "id": "tool_a", "provides": [row.name]},
            {**item, "id": "tool_b", "provides": [row.name]},
        ],
        "abilities": [row.name],
    }
    task = {"id": "t", "category": "tool_use", "instruction": "-", "goal": {"any": []}}
    content = {"id": "s", "ruleset": "ear-bench", "scene": scene, "agents": AGENTS, "task": task}
    return Engine(Scenario.model_validate(content), ear_bench(REPLAY))


def do(engine: Engine, world: World, *commands: str) -> Outcome:
    """The outcome of the last of some lines `agent command`."""
    outcomes = [engine.execute(world, *line.split(maxsplit=1)) for line in commands]
    return outcomes[-1]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_verb_flips_its_attribute(row: AttributeVerb):
    engine = stage(row, states={row.attribute: row.value})
    world = engine.start()
    verb = row.name.upper()
    first = do(engine, world, "ann EXPLORE", f"ann {verb} thing")
    assert first.reason is (Reason.NO_ABILITY if row.requires_tool else None)
    if row.requires_tool:
        assert do(engine, world, "ann GOTO tool_a", "ann GRAB tool_a", f"ann {verb} thing").accepted
    assert world.states["thing"] == {row.attribute: not row.value}
    assert do(engine, world, f"ann {verb} thing").reason is Reason.ATTR_PRECONDITION


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_joint_form_flips_it_and_leaves_a_mark(row: AttributeVerb):
    engine = stage(row, states={row.attribute: row.value})
    world = engine.start()
    together = f"ann CORP_{row.name.upper()} ann,bob thing"
    do(engine, world, "ann EXPLORE", "ann GOTO tool_a", "ann GRAB tool_a")
    if row.requires_tool:
        assert do(engine, world, together).reason is Reason.NO_ABILITY
    assert do(engine, world, "bob GOTO tool_b", "bob GRAB tool_b", together).accepted
    assert world.states["thing"] == {row.attribute: not row.value}
    assert world.jointly["thing"] == (row.attribute,)


def test_who_orders_and_what_is_named_have_to_be_there():
    engine = stage(verb_table()["open"], states={"is_open": False})
    world = engine.start()
    do(engine, world, "ann EXPLORE")
    assert do(engine, world, "stranger OPEN thing").reason is Reason.NO_SUCH_AGENT
    for verb in ("GRAB", "OPEN"):
        assert do(engine, world, f"ann {verb} nothing").reason is Reason.NO_SUCH_OBJECT


@pytest.mark.parametrize("place", ["states", "attributes"])
def test_states_come_before_attributes(place: str):
    row = verb_table()["open"]
    engine = stage(row, **{place: {"is_open": False}})
    world = engine.start()
    assert do(engine, world, "ann EXPLORE", "ann OPEN thing").accepted
    changed = world.states["thing"] if place == "states" else world.attributes("thing")
    assert changed == {"is_open": True}


def test_where_both_have_it_only_the_state_changes():
    engine = stage(verb_table()["open"], states={"is_open": False}, attributes={"is_open": True})
    world = engine.start()
    assert do(engine, world, "ann EXPLORE", "ann OPEN thing").accepted
    assert world.states["thing"] == {"is_open": True}
    assert "thing" not in world.altered


def test_a_joint_mark_goes_when_one_agent_changes_it_alone():
    engine = stage(verb_table()["open"], states={"is_open": False})
    world = engine.start()
    do(engine, world, "ann EXPLORE", "ann CORP_OPEN ann,bob thing")
    world.set_state("thing", "is_open", False)
    assert world.jointly["thing"] == ("is_open",)
    assert do(engine, world, "ann OPEN thing").accepted
    assert world.jointly["thing"] == ()
