"""Pools of wet benches as they are compiled: every part of an action as the model has it."""

from math import inf

from earsim.apparatus.parameter import Parameter
from earsim.apparatus.wet_bench.pool import Action, Equipment, Material, StateProduct
from earsim.schema.wet_bench import ActionPool
from earsim.world.pools import compiled

POOL = {
    "materials": [
        {"id": "tube", "states": {"ml": 2.0}},
        {"id": "vial", "exists": False, "states": {"mg": 1}},
    ],
    "actions": [
        {"name": "wait"},
        {
            "name": "spin",
            "says": "spin it",
            "inputs": {"tube": {"ml": 2.0}},
            "outputs": {"vial": None},
            "parameters": [
                {"name": "min", "says": "how long", "unit": "min", "bounds": [1, 9], "usual": 2},
                {"name": "turns", "integer": True, "bounds": [3, 5]},
                {"name": "label", "choices": ["a", "b"]},
            ],
            "seconds": "min",
            "needs": {
                "ability": "unlock",
                "people": 2,
                "things": [
                    {"object": "rotor"},
                    {"object": "fridge", "of": "temperature_c", "at_least": 2, "at_most": 8},
                ],
            },
            "gives": [
                {"name": "density", "factor": 2, "times": ["vial.mg"], "over": ["tube.ml"]},
                {"name": "colour", "equals": "red"},
                {"name": "parts", "equals": 3},
            ],
        },
    ],
}


def test_all_of_a_pool_is_compiled():
    pool = compiled(ActionPool.model_validate(POOL))
    assert pool.materials == {
        "tube": Material(True, {"ml": 2.0}),
        "vial": Material(False, {"mg": 1}),
    }
    assert list(pool.actions) == ["wait", "spin"]
    spin, wait = pool.actions["spin"], pool.actions["wait"]
    assert (spin.name, spin.says, spin.seconds) == ("spin", "spin it", "min")
    assert (spin.inputs, spin.outputs) == ({"tube": {"ml": 2.0}}, {"vial": None})
    assert spin.required == {"turns", "label"}
    assert (spin.ability, spin.people) == ("unlock", 2)
    assert (wait.ability, wait.people, wait.things) == ("", 1, ())
    assert spin.things == (
        Equipment("rotor", "", -inf, inf),
        Equipment("fridge", "temperature_c", 2, 8),
    )
    assert spin.gives == {
        "density": StateProduct(2, (("vial", "mg"),), (("tube", "ml"),)),
        "colour": "red",
        "parts": 3,
    }
    assert isinstance(spin, Action)


def test_parameters_have_their_bounds_and_what_is_usual_or_comes_first():
    minutes, turns, label = compiled(ActionPool.model_validate(POOL)).actions["spin"].parameters
    assert minutes == Parameter("min", "how long", 2, unit="min", low=1, high=9)
    assert (turns.default, turns.low, turns.high, turns.integer) == (3, 3, 5, True)
    assert (label.default, label.choices) == ("a", ("a", "b"))
    assert (label.low, label.high, label.integer) == (-inf, inf, False)
