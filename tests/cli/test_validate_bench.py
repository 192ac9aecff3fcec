"""What `earsim validate` finds in the pool of a wet bench, and in a protocol: place and remedy."""

from typing import Any

import pytest

from earsim.schema import Scenario
from earsim.schema.apparatus import Apparatus
from earsim.world.bench_problems import pool_problems
from earsim.world.rigs import rig_problems, task_problems

ACTION: dict[str, Any] = {
    "name": "spin",
    "inputs": {"tube": {"is_full": True}},
    "outputs": {"tube": {"is_spun": True}},
    "parameters": [{"name": "time", "unit": "min", "bounds": [1, 9]}],
    "seconds": "time",
}
POOL: dict[str, Any] = {
    "materials": [{"id": "tube", "states": {"is_full": True, "is_spun": False}}],
    "actions": [ACTION],
}


def found(**changes: Any) -> list[tuple[str, str, str]]:
    pool = {**POOL, "actions": [{**ACTION, **changes}]}
    spec = Apparatus.model_validate({"model": "wet_bench/1", "pool": pool})
    told = pool_problems(spec)
    return [(".".join(map(str, p.loc)), p.reason, p.expected) for p in told]


def test_a_sound_pool_has_no_findings():
    assert found() == []


@pytest.mark.parametrize(
    ("changes", "place", "reason"),
    [
        ({"outputs": {"tub": {}}}, "pool.actions.0.outputs.tub", "unknown material 'tub'"),
        (
            {"outputs": {"tube": {"is_spnu": True}}},
            "pool.actions.0.outputs.tube.is_spnu",
            "unknown state 'is_spnu'",
        ),
        (
            {"outputs": {"tube": {"is_spun": "yes"}}},
            "pool.actions.0.outputs.tube.is_spun",
            "'yes' is a word, and 'is_spun' is a truth value",
        ),
        (
            {"outputs": {"tube": {"is_spun": "$speed"}}},
            "pool.actions.0.outputs.tube.is_spun",
            "unknown parameter 'speed'",
        ),
        ({"seconds": "tim"}, "pool.actions.0.seconds", "unknown parameter 'tim'"),
        (
            {"parameters": [{"name": "time", "unit": "uL", "bounds": [1, 9]}]},
            "pool.actions.0.seconds",
            "'time' tells no time",
        ),
        (
            {"parameters": [{"name": "time", "unit": "mins", "bounds": [1, 9]}], "seconds": 1},
            "pool.actions.0.parameters.0.unit",
            "unknown unit 'mins'",
        ),
        (
            {"parameters": [{"name": "time"}], "seconds": 1},
            "pool.actions.0.parameters.0",
            "neither words nor bounds, or both",
        ),
        (
            {"parameters": [{"name": "time", "unit": "s", "bounds": [1, 9], "usual": 10}]},
            "pool.actions.0.parameters.0.usual",
            "10 is no value of 'time'",
        ),
        (
            {"gives": [{"name": "mass", "factor": 2, "times": ["tube.volume"]}]},
            "pool.actions.0.gives.0",
            "unknown state 'volume'",
        ),
        (
            {"gives": [{"name": "mass"}]},
            "pool.actions.0.gives.0",
            "a value and a factor, or neither",
        ),
    ],
)
def test_findings_of_a_pool(changes: dict[str, Any], place: str, reason: str):
    assert (place, reason) in [each[:2] for each in found(**changes)]


def test_a_pool_is_of_benches_alone_and_a_bench_has_one():
    for model, pool in (("maglev/1", POOL), ("wet_bench/1", None)):
        spec = Apparatus.model_validate({"model": model, "pool": pool})
        (problem,) = pool_problems(spec)
        assert problem.loc == ("pool",)


def scenario(fact: dict[str, Any], action: dict[str, Any] = ACTION) -> Scenario:
    bench = {"model": "wet_bench/1", "pool": {**POOL, "actions": [action]}}
    return Scenario.model_validate(
        {
            "id": "s",
            "scene": {
                "schema": "earsim.scene/1",
                "id": "s",
                "rooms": [{"id": "lab"}],
                "objects": [
                    {
                        "id": "bench",
                        "kind": "furniture",
                        "in": "lab",
                        "mass_kg": 9,
                        "apparatus": bench,
                    },
                    {
                        "id": "tube",
                        "kind": "item",
                        "on": "bench",
                        "mass_kg": 1,
                        "states": {"is_cold": True},
                    },
                ],
            },
            "agents": [{"id": "ada", "max_mass_kg": 9}],
            "task": {
                "id": "s",
                "category": "direct_command",
                "instruction": "Spin.",
                "goal": {"performed": {"apparatus": "bench", **fact}},
            },
        }
    )


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ({"action": "spin", "parameters": {"time": "5 min"}}, ""),
        ({"action": "spin", "parameters": {"time": "300 s"}}, ""),
        ({"action": "spni"}, "unknown action 'spni'"),
        ({"action": "spin", "parameters": {"tim": 5}}, "unknown parameter 'tim'"),
        ({"action": "spin", "parameters": {"time": 50}}, "50 is no value of 'time'"),
        ({"action": "spin", "parameters": {"time": "5 uL"}}, "'5 uL' is no value of 'time'"),
    ],
)
def test_findings_of_a_protocol(step: dict[str, Any], reason: str):
    checked = scenario({"protocol": [step]})
    told = [problem.reason for problem in task_problems(checked.scene, checked.task)]
    assert told == ([reason] if reason else [])


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"inputs": {"tube": {"is_cold": False}}}, ""),
        ({"inputs": {"tubes": {}}}, "unknown material or object 'tubes'"),
        ({"inputs": {"tube": {"is_coold": True}}}, "unknown state 'is_coold'"),
        ({"needs": {"ability": "pipette"}}, "no object provides 'pipette'"),
        ({"needs": {"things": [{"object": "spinner"}]}}, "unknown object 'spinner'"),
        (
            {"needs": {"things": [{"object": "tube", "of": "temperature_c"}]}},
            "a number without bounds, or bounds of none",
        ),
    ],
)
def test_findings_of_a_pool_in_its_scene(changes: dict[str, Any], reason: str):
    checked = scenario({"protocol": [{"action": "spin"}]}, {**ACTION, **changes})
    told = [problem.reason for problem in rig_problems(checked.scene)]
    assert told == ([reason] if reason else [])
