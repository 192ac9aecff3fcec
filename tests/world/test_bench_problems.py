"""Each thing that cannot be about a pool or a protocol is told once, with its place and remedy."""

from typing import Any

import pytest

from earsim.schema import Scene
from earsim.schema.apparatus import Apparatus
from earsim.schema.goal import PerformedFact
from earsim.schema.model import FieldProblem
from earsim.world.bench_problems import pool_problems, pool_references, protocol_problems

Told = list[tuple[str, str, str]]

TUBE = {"id": "tube", "states": {"is_full": True, "ml": 2.0, "label": "a"}}
VIAL = {"id": "vial", "exists": False, "states": {"mg": 1}}
TIME = {"name": "time", "unit": "min", "bounds": [1, 9], "usual": 2}
LABEL = {"name": "label", "choices": ["a", "b"]}
SPIN: dict[str, Any] = {
    "name": "spin",
    "inputs": {"tube": {"is_full": True}},
    "outputs": {"tube": {"is_full": False, "ml": "$time", "label": "$label"}, "vial": None},
    "parameters": [TIME, LABEL],
    "seconds": "time",
    "gives": [
        {"name": "density", "factor": 2, "times": ["vial.mg"], "over": ["tube.ml"]},
        {"name": "colour", "equals": "red"},
    ],
}


def bench(*actions: dict[str, Any], materials: tuple[Any, ...] = (TUBE, VIAL)) -> Apparatus:
    pool = {"materials": materials, "actions": actions or [SPIN]}
    return Apparatus.model_validate({"model": "wet_bench/1", "pool": pool})


def listed(found: Any) -> Told:
    problems: list[FieldProblem] = list(found)
    return [(".".join(map(str, p.loc)), p.reason, p.expected) for p in problems]


def without(start: str, found: Told) -> Told:
    """The findings, which all have such a place, by the rest of it."""
    assert all(place.startswith(start) for place, *_ in found), found
    return [(place.removeprefix(start), *rest) for place, *rest in found]


def of_pool(*actions: dict[str, Any], **more: Any) -> Told:
    """The findings, places relative to the pool's."""
    found = listed(pool_problems(bench(*actions, **more)))
    return without("pool.", found)


def changed(**changes: Any) -> Told:
    """Findings of the second action, places relative to it."""
    found = of_pool({"name": "wait"}, SPIN | changes)
    return without("actions.1.", found)


def test_a_sound_bench_has_no_findings():
    assert of_pool() == []


def test_a_bench_has_a_pool_and_nothing_else_has():
    pool = {"actions": [{"name": "wait"}]}
    fix = "a pool for wet_bench/1, and for no other model"
    other = Apparatus.model_validate({"model": "maglev/1", "pool": pool})
    assert listed(pool_problems(other)) == [("pool", "maglev/1 with a pool of actions", fix)]
    without = Apparatus.model_validate({"model": "wet_bench/1"})
    told = [("pool", "wet_bench/1 without a pool of actions", fix)]
    assert listed(pool_problems(without)) == told
    assert listed(pool_problems(Apparatus.model_validate({"model": "maglev/1"}))) == []


def test_materials_and_actions_have_names_of_their_own_and_states_values():
    cup = {"id": "cup", "states": {"lid": None, "ml": 1, "of": 0.5, "is_on": True, "hue": "red"}}
    found = of_pool(SPIN, {"name": "wait"}, SPIN, materials=(TUBE, VIAL, cup, TUBE))
    assert found == [
        ("materials.2.states.lid", "no value", "a word, a number or a truth value"),
        ("materials.3.id", "the material 'tube' is there twice", ""),
        ("actions.2.name", "the action 'spin' is there twice", ""),
    ]


@pytest.mark.parametrize(
    ("outputs", "place", "reason", "expected"),
    [
        ({"tub": {}}, "tub", "unknown material 'tub'", "did you mean 'tube'?"),
        ({"xyz": {}}, "xyz", "unknown material 'xyz'", "one of: tube, vial"),
        ({"tube": {"is_fll": 1}}, "tube.is_fll", "unknown state 'is_fll'", "did you mean 'is_ful"),
        ({"tube": {"ml": "$tim"}}, "tube.ml", "unknown parameter 'tim'", "did you mean 'time'?"),
        ({"tube": {"ml": "b"}}, "tube.ml", "'b' is a word, and 'ml' is a number", "a number"),
        ({"tube": {"ml": True}}, "tube.ml", "True is a truth value, and 'ml' is a n", "a number"),
        ({"tube": {"label": 1}}, "tube.label", "1 is a number, and 'label' is a word", "a word"),
        ({"tube": {"label": 1.5}}, "tube.label", "1.5 is a number, and 'label' is a", "a word"),
        ({"tube": {"is_full": 1}}, "tube.is_full", "1 is a number, and 'is_full'", "a truth value"),
        ({"tube": {"ml": "$label"}}, "tube.ml", "'' is a word, and 'ml' is a number", "a number"),
        ({"tube": {"label": "$time"}}, "tube.label", "0.0 is a number, and 'label'", "a word"),
    ],
)
def test_outputs(outputs: Any, place: str, reason: str, expected: str):
    ((there, told, fix),) = changed(outputs={**outputs, "vial": None})
    assert there == f"outputs.{place}"
    assert told.startswith(reason)
    assert fix.startswith(expected)


def test_each_wrong_output_is_told():
    found = changed(outputs={"tub": {}, "tube": {"x": 1, "y": 2}})
    assert [place for place, *_ in found] == ["outputs.tub", "outputs.tube.x", "outputs.tube.y"]


def test_what_is_not_known_is_told_with_a_dozen_that_are():
    many = tuple({"id": f"m{number:02}"} for number in range(20))
    ((_, _, fix),) = of_pool({"name": "wait", "outputs": {"zzzz": {}}}, materials=many)
    assert fix == f"one of: {', '.join(f'm{number:02}' for number in range(12))}"
    ((_, _, fix),) = of_pool({"name": "wait", "outputs": {"zzzz": {}}}, materials=())
    assert fix == "one of: none"


@pytest.mark.parametrize(
    ("changes", "place", "reason", "expected"),
    [
        (TIME | {"name": "action"}, ".name", "the name 'action' is taken", "another name"),
        (TIME, ".name", "the name 'time' is taken", "another name"),
        ({"unit": "mil"}, ".unit", "unknown unit 'mil'", "did you mean 'mL' or"),
        ({}, "", "neither words nor bounds, or both", "'choices' or 'bounds'"),
        ({"choices": ["a"], "bounds": [0, 1]}, "", "neither words nor bounds, or", "'choices' or"),
        ({"choices": ["a"], "unit": "s"}, "", "words have no unit and are not", "'choices' alone"),
        ({"choices": ["a"], "integer": True}, "", "words have no unit and", "'choices' alone"),
        ({"bounds": [2, 1.5]}, ".bounds", "no value lies in 2 to 1.5", ""),
        ({"bounds": [0, 1], "usual": 2}, ".usual", "2 is no value of 'dose'", "0 to 1"),
        ({"bounds": [0, 1], "unit": "g", "usual": "x"}, ".usual", "'x' is no value of", "0 to 1 g"),
        ({"choices": ["a", "b"], "usual": "c"}, ".usual", "'c' is no value of", "one of a, b"),
    ],
)
def test_parameters(changes: Any, place: str, reason: str, expected: str):
    ((there, told, fix),) = changed(parameters=[TIME, LABEL, {"name": "dose"} | changes])
    assert there == f"parameters.2{place}"
    assert told.startswith(reason)
    assert fix.startswith(expected)
    assert bool(fix) is bool(expected)


@pytest.mark.parametrize("changes", [{"bounds": [1, 1]}, {"bounds": [0, 2], "usual": 2}])
def test_sound_parameters(changes: Any):
    assert changed(parameters=[TIME, LABEL, {"name": "dose"} | changes]) == []


def test_a_duration_is_a_parameter_that_tells_a_time():
    fix = "a parameter in s, min or h, from 0 on"
    unknown = ("seconds", "unknown parameter 'tme'", "did you mean 'time'?")
    assert changed(seconds="tme") == [unknown]
    none = [("seconds", "'dose' tells no time", fix)]

    def named(**dose: Any) -> Told:
        return changed(parameters=[TIME, LABEL, {"name": "dose"} | dose], seconds="dose")

    assert named(unit="g", bounds=[1, 2]) == none
    assert named(unit="s", bounds=[-1, 2]) == none
    assert named(choices=["a"]) == none
    assert named(unit="s", bounds=[0, 2]) == []
    assert changed(seconds=2.0) == []


@pytest.mark.parametrize(
    ("told", "place", "reason", "expected"),
    [
        ({"name": "action", "equals": 1}, ".name", "the name 'action' is taken", "another name"),
        ({"name": "first", "equals": 1}, ".name", "the name 'first' is taken", "another name"),
        ({}, "", "a value and a factor, or neither", "'equals' or 'factor'"),
        ({"equals": 1, "factor": 2}, "", "a value and a factor, or neither", "'equals' or 'facto"),
        ({"equals": 1, "times": ["tube.ml"]}, "", "states without a factor", "'factor', 1 for n"),
        ({"equals": 1, "over": ["tube.ml"]}, "", "states without a factor", "'factor', 1 for none"),
        ({"equals": [1]}, ".equals", "no value", "a number, a word or a truth value"),
        ({"factor": 1, "times": ["tub.ml"]}, "", "unknown material 'tub'", "did you mean 'tube'?"),
        ({"factor": 1, "over": ["tube.mll"]}, "", "unknown state 'mll'", "did you mean 'ml'?"),
        ({"factor": 1, "over": ["tube.label"]}, "", "0.0 is a number, and 'label' is a", "a word"),
    ],
)
def test_results(told: Any, place: str, reason: str, expected: str):
    gives = [{"name": "first", "equals": 1}, {"name": "second", **told}]
    ((there, said, fix),) = changed(gives=gives)
    assert there == f"gives.1{place}"
    assert said.startswith(reason)
    assert fix.startswith(expected)


# -- in the scene ----------------------------------------------------------------------------------


def in_scene(**changes: Any) -> Told:
    thing = {"kind": "item", "in": "lab", "mass_kg": 1}
    objects = [
        {"id": "tube", "states": {"is_cold": True}, **thing},
        {"id": "spinner", "provides": ["unlock"], "speed_rpm": 9.0, **thing},
        {"id": "wrench", "provides": ["clean"], **thing},
    ]
    scene = Scene.model_validate({"id": "s", "rooms": [{"id": "lab"}], "objects": objects})
    spec = bench({"name": "wait"}, SPIN | changes)
    return without("pool.actions.1.", listed(pool_references(scene, spec)))


def test_what_is_worked_on_is_a_material_an_object_or_both():
    both = {"tube": {"is_cold": False, "is_full": True}, "vial": {"mg": 2}, "spinner": {}}
    assert in_scene(inputs=both) == []
    assert in_scene(inputs={"tub": {"x": 1}, "tube": {"is_coldd": True, "is_cold": "no"}}) == [
        ("inputs.tub", "unknown material or object 'tub'", "did you mean 'tube'?"),
        ("inputs.tube.is_coldd", "unknown state 'is_coldd'", "did you mean 'is_cold'?"),
        ("inputs.tube.is_cold", "'no' is a word, and 'is_cold' is a truth value", "a truth value"),
    ]
    assert in_scene(inputs={"vial": {"is_cold": True}, "spinner": {"mg": 1}}) == [
        ("inputs.vial.is_cold", "unknown state 'is_cold'", "one of: mg"),
        ("inputs.spinner.mg", "unknown state 'mg'", "one of: none"),
    ]
    ((_, _, fix),) = in_scene(inputs={"quux": {}})
    assert fix == "one of: tube, vial, tube, spinner, wrench"


def test_what_an_action_takes_is_there():
    assert in_scene(needs={"ability": "unlock", "things": [{"object": "spinner"}]}) == []
    assert in_scene(needs={"ability": "unlok"}) == [
        ("needs.ability", "no object provides 'unlok'", "did you mean 'unlock'?")
    ]
    ((_, _, fix),) = in_scene(needs={"ability": "xyz"})
    assert fix == ""

    def things(**bounds: Any) -> Told:
        return in_scene(needs={"things": [{"object": "tube"}, {"object": "spinner", **bounds}]})

    there, two = "needs.things.1", "a number without bounds, or bounds of none"
    assert in_scene(needs={"things": [{"object": "tube"}, {"object": "spinnr"}]}) == [
        (f"{there}.object", "unknown object 'spinnr'", "did you mean 'spinner'?")
    ]
    for sound in ({"at_least": 1}, {"at_most": 1}, {"at_least": 1, "at_most": 1}):
        assert things(of="speed_rpm", **sound) == []
        assert things(**sound) == [(there, two, "'of' and a bound")]
    assert things(of="speed_rpm") == [(there, two, "'of' and a bound")]
    assert things(of="speed_rpm", at_least=2, at_most=1.5) == [
        (there, "no value lies in 2 to 1.5", "")
    ]


def test_a_protocol_names_what_the_bench_has():
    def told(*steps: Any, apparatus: str = "bench") -> Told:
        fact = PerformedFact.model_validate({"apparatus": apparatus, "protocol": list(steps)})
        other = Apparatus.model_validate({"model": "maglev/1"})
        return listed(protocol_problems(fact, {"bench": bench(), "rig": other}, ("goal",)))

    sound = {"action": "spin", "parameters": {"time": "60 s", "label": "b"}}
    assert told(sound) == []
    step = {"action": "spin", "parameters": {"time": 90, "lable": "b", "label": "c"}}
    assert told(sound, {"action": "spn", "parameters": {"x": 1}}, step) == [
        ("goal.protocol.1.action", "unknown action 'spn'", "did you mean 'spin'?"),
        ("goal.protocol.2.parameters.time", "90 is no value of 'time'", "1 to 9 min"),
        ("goal.protocol.2.parameters.lable", "unknown parameter 'lable'", "did you mean 'label'?"),
        ("goal.protocol.2.parameters.label", "'c' is no value of 'label'", "one of a, b"),
    ]
    unknown = ("goal.apparatus", "unknown bench 'rig'", "one of: bench")
    assert told(sound, apparatus="rig") == [unknown]
