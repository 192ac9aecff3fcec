"""The expert lifts and measures what a task needs to know, and knows no number before."""

from __future__ import annotations

from typing import Any

import pytest

from earsim import Episode
from earsim.engine import Engine
from earsim.planner.acting.expert import Expert
from earsim.planner.proofs.certificate import certify, recheck
from earsim.schema import Scenario
from earsim.suites import open_suite

ADA = {"id": "ada", "in": "hall", "max_mass_kg": 10}
BO = {"id": "bo", "in": "hall", "max_mass_kg": 12}


def scenario(objects: list[dict[str, Any]], agents: list[dict[str, Any]], select: Any) -> Scenario:
    """Three rooms in a row; what is selected belongs on the table in the store."""
    table = {"id": "table", "kind": "furniture", "in": "store", "mass_kg": 40}
    return Scenario.model_validate(
        {
            "schema": "earsim.scenario/1",
            "id": "perceiving/task",
            "scene": {
                "schema": "earsim.scene/1",
                "id": "perceiving",
                "rooms": [
                    {"id": "hall"},
                    {"id": "store", "connects": ["hall"]},
                    {"id": "yard", "connects": ["store"]},
                ],
                "objects": [table, *objects],
                "abilities": ["open", "close"],
            },
            "agents": agents,
            "task": {
                "id": "task",
                "category": "direct_command",
                "instruction": "-",
                "select": {"it": select},
                "goal": {"at": {"object": "$it", "on": "table"}},
            },
        }
    )


def box(node: str, mass_kg: float, **more: Any) -> dict[str, Any]:
    place = {} if "in" in more or "on" in more else {"in": "hall"}
    return {"id": node, "name": "Box", "kind": "item", "mass_kg": mass_kg} | place | more


def jar(node: str, temperature_c: float | None, **more: Any) -> dict[str, Any]:
    number = {} if temperature_c is None else {"temperature_c": temperature_c}
    place = {} if "in" in more or "on" in more else {"in": "hall"}
    return {"id": node, "name": "Jar", "kind": "item", "mass_kg": 1} | number | place | more


HEAVIEST = {"largest": "mass_kg", "among": {"name": "Box"}}
WARMEST = {"largest": "temperature_c", "among": {"name": "Jar"}}
THERMOMETER = {
    "id": "thermometer", "kind": "item", "in": "yard", "mass_kg": 0.1,
    "senses": {"temperature_c": 1},
}  # fmt: skip
DRAWER = {
    "id": "drawer", "kind": "furniture", "in": "store", "mass_kg": 30,
    "container": {}, "states": {"is_open": False},
}  # fmt: skip

CASES = {
    "one lifts them all": ([box("a", 1), box("b", 3), box("c", 2)], [ADA], HEAVIEST),
    "with something on it, nobody feels what it weighs": (
        [box("a", 1), box("b", 3), {"id": "cup", "kind": "item", "on": "b", "mass_kg": 5}],
        [ADA],
        HEAVIEST,
    ),
    "one is shut in": ([DRAWER, box("a", 1), box("b", 3, **{"in": "drawer"})], [ADA], HEAVIEST),
    "two lift what is too heavy for each": ([box("a", 9), box("b", 18)], [ADA, BO], HEAVIEST),
    "the thermometer is in the yard": (
        [THERMOMETER, jar("a", 20), jar("b", 40.04), jar("c", 40.01, **{"in": "yard"})],
        [ADA],
        {"rank": {"of": "temperature_c", "k": 3}, "among": {"name": "Jar"}},
    ),
    "one jar has no temperature": ([THERMOMETER, jar("a", 20), jar("b", None)], [ADA], WARMEST),
    "the jar is shut in": (
        [THERMOMETER, DRAWER, jar("a", 20), jar("b", 30, **{"in": "drawer"})],
        [ADA],
        WARMEST,
    ),
    "an agent senses it": (
        [jar("a", 20), jar("b", 30, **{"in": "yard"})],
        [ADA | {"senses": {"temperature_c": 0}}],
        WARMEST,
    ),
    "at least so warm": (
        [THERMOMETER, jar("a", 20), jar("b", 30)],
        [ADA],
        {"only": {"name": "Jar", "at_least": {"temperature_c": 25}}},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_expert_perceives_what_decides(case):
    asked = scenario(*CASES[case])
    engine = Engine(asked)
    expert, episode = Expert(engine), Episode(engine, budget=80)
    while not episode.over:
        decision = expert.decide(episode.world)
        taken = episode.step(decision)
        expert.note(taken, episode.world)
    assert episode.engine.task.goal.holds(episode.world)
    answer = engine.task.answer["it"]
    read = episode.world.readings
    asked_for = {"Box": "mass_kg", "Jar": "temperature_c"}
    hidden = {
        node: number
        for node, thing in engine.blueprint.things.items()
        if (number := asked_for.get(thing.name)) in engine.blueprint.hidden.get(node, ())
    }
    assert answer in hidden
    for node, number in hidden.items():
        assert number in read.get(node, ()), "an answer before all candidates were perceived"


def test_a_certificate_holds_a_plan_that_perceives_every_candidate():
    for task in ("heaviest_case", "dampest_crate"):
        asked = open_suite("starter").load(f"museum_depot/{task}")
        certificate = certify(asked)
        assert certificate.informed is not None
        assert len(certificate.solution.plan) < len(certificate.informed.plan) <= asked.task.budget
        assert not list(recheck(certificate, asked))
        false = certificate.model_copy(update={"informed": certificate.solution})
        assert [found.place for found in recheck(false, asked)] == ["certificate.informed"]


@pytest.mark.parametrize(
    "name",
    [
        "crystal_lab/label_the_sourest",
        pytest.param("crystal_lab/fullest_argon", marks=pytest.mark.slow),
    ],
)
def test_where_all_numbers_are_seen_nothing_is_to_be_perceived_first(name):
    assert certify(open_suite("starter").load(name)).informed is None
