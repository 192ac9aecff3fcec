"""Grammars: the structured form of a slot fits where its schema says so, and reads as its text."""

from typing import Any

import jsonschema
import pytest

from earsim.actions import corp
from earsim.actions.grammar import Grammar, Slots

WAIT = Grammar.of("WAIT [{seconds}]")
SET = Grammar.of("CONFIGURE {target} {settings}")
LIFT = Grammar.of("CORP_GRAB {actors} {target}")
PLACE = Grammar.of("PLACE {target} {relation} {destination}")
EXEC = Grammar.with_text("EXEC {target} {code}")
SAVE = Grammar.with_text("SAVE {target} {file} {content}")
SAY = Grammar.of("SAY {message}")


def fits(grammar: Grammar, value: dict[str, Any]) -> bool:
    """Whether it is a command, which the schema says as well."""
    schema = {
        "type": "object",
        "properties": grammar.schemas(),
        "required": list(grammar.required),
        "additionalProperties": False,
    }
    valid = jsonschema.Draft202012Validator(schema).is_valid(value)
    taken = grammar.from_json(value) is not None
    assert valid or not taken
    return taken


@pytest.mark.parametrize("seconds", [1, 2, 3600, 10**299])
def test_seconds_that_are_taken(seconds: int):
    assert fits(WAIT, {"seconds": seconds})
    assert WAIT.from_json({"seconds": seconds}) == Slots(destination=str(seconds))


@pytest.mark.parametrize("seconds", [0, -1, 1.5, True, "1", None, 10**300])
def test_seconds_that_are_not(seconds: Any):
    assert WAIT.from_json({"seconds": seconds}) is None


@pytest.mark.parametrize(
    ("settings", "details"),
    [
        ({"Kp": 1}, "Kp=1"),
        ({"Kp": -1.5, "how": "well"}, "Kp=-1.5 how=well"),
        ({"n": 10**299}, f"n={10**299}"),
        ({"n": -(10**299)}, f"n={-(10**299)}"),
    ],
)
def test_settings_that_are_taken(settings: dict[str, Any], details: str):
    assert fits(SET, {"target": "rig", "settings": settings})
    found = SET.from_json({"target": "rig", "settings": settings})
    assert found == Slots(target="rig", details=details)
    assert SET.parse(f"CONFIGURE rig {details}") == found


NO_SETTINGS: list[Any] = [{}, [], "Kp=1", {"K p": 1}, {"": 1}, {"Kp": True}, {"Kp": None}]
NO_SETTINGS += [{"Kp": [1]}, {"Kp": "a b"}, {"Kp": ""}, {"Kp": "a=b"}]
NO_SETTINGS += [{"n": 10**300}, {"n": -(10**300)}]


@pytest.mark.parametrize("settings", NO_SETTINGS)
def test_settings_that_are_not(settings: Any):
    assert SET.from_json({"target": "rig", "settings": settings}) is None


@pytest.mark.parametrize("settings", [{}, {"Kp": None}, {"Kp": [1]}])
def test_settings_that_the_schema_refuses(settings: Any):
    schema = SET.schemas()["settings"]
    assert not jsonschema.Draft202012Validator(schema).is_valid(settings)


@pytest.mark.parametrize("value", [0, 1.5, "1"])
def test_seconds_that_the_schema_refuses(value: Any):
    assert not jsonschema.Draft202012Validator(WAIT.schemas()["seconds"]).is_valid(value)


def test_actors_are_a_list_of_words():
    command = {"actors": ["ada", "bo"], "target": "bench"}
    assert fits(LIFT, command)
    found = LIFT.from_json(command)
    assert found == LIFT.parse("CORP_GRAB ada,bo bench") == Slots("bench", actors=("ada", "bo"))
    for actors in ([], "ada", ["ada", ""], ["a b"], [1], None):
        assert not fits(LIFT, command | {"actors": actors})


def test_a_relation_is_one_of_two():
    command = {"target": "cup", "relation": "on", "destination": "table"}
    assert fits(PLACE, command)
    assert PLACE.from_json(command) == PLACE.parse("PLACE cup ON table") is not None
    for change in ({"relation": "under"}, {"target": 1}, {"target": ""}, {"more": 1}):
        assert not fits(PLACE, command | change)
    for name in command:
        assert not fits(PLACE, {key: value for key, value in command.items() if key != name})


@pytest.mark.parametrize(
    "slot", ["target", "destination", "property", "receiver", "mark", "operation"]
)
def test_a_schema_tells_what_an_id_is(slot: str):
    told = Grammar.of(f"ACT {{{slot}}}").schemas()[slot]
    assert told["description"].startswith(("id of", "name of"))
    valid = jsonschema.Draft202012Validator({"type": "object", "properties": {"it": told}}).is_valid
    assert valid({"it": "cup_1"})
    assert not any(valid({"it": each}) for each in ("a b", "", 1, "a-b"))


def test_a_team_puts_a_thing_in_or_on_a_place():
    place = corp.PLACE_GRAMMAR
    assert place.parse("CORP_PLACE a,b bench on mat") == Slots("bench", "on", "mat", ("a", "b"))
    for short in ("CORP_PLACE a,b bench in", "CORP_PLACE a,b bench", "CORP_PLACE a,b bench at mat"):
        assert place.parse(short) is None


def test_brackets_end():
    grammar = Grammar.of("READ [{page}] {target}")
    assert (grammar.required, grammar.optional) == (("target",), ("page",))
    assert grammar.parse("READ 2 log") == Slots("log", destination="2")
    assert grammar.parse("READ log") == Slots("log")


def test_a_text_is_taken_as_it_is():
    code = {"target": "desk", "code": "for i in 'ab':\n    print(i)\n"}
    assert EXEC.from_json(code) == Slots("desk", details=code["code"])
    file = {"target": "desk", "file": "a.py", "content": " x = 1"}
    assert SAVE.from_json(file) == Slots("desk", destination="a.py", details=" x = 1")
    for wrong in (code | {"code": " \n"}, code | {"code": 1}, code | {"code": ""}):
        assert EXEC.from_json(wrong) is None
    for wrong in (file | {"file": "a b"}, file | {"file": ""}, file | {"file": 1}):
        assert SAVE.from_json(wrong) is None
    assert SAY.from_json({"message": "  "}) is None


def test_texts_of_verbatim_commands():
    assert EXEC.parse("EXEC desk\nx = 1\ny = 2") == Slots("desk", details="x = 1\ny = 2")
    assert EXEC.parse("EXEC desk \r\n  x") == Slots("desk", details="  x")
    assert EXEC.parse("exec desk print(1)") == Slots("desk", details="print(1)")
    assert EXEC.parse("EXEC desk") is None
    assert EXEC.parse("EXEC desk \n ") is None
    assert EXEC.text(Slots("desk", details="a\n b")) == "EXEC desk\na\n b"
    assert EXEC.parse(EXEC.text(Slots("desk", details="a\n b"))) == Slots("desk", details="a\n b")


def test_what_stands_in_brackets_may_be_left_out():
    assert WAIT.parse("WAIT") == Slots()
    assert WAIT.parse("wait 5") == Slots(destination="5")
    assert WAIT.parse("WAIT 5 6") is None
    assert WAIT.parse("\u017fAY x") is None
    assert SAY.parse("say  hello there") == Slots("hello there")
    assert SAY.parse("\u017fay hello") is None, "a long s is another letter"
    assert PLACE.parse("PLACE cup \u0131n box") is None, "and so is a dotless i"
    assert (WAIT.name, WAIT.form, WAIT.required, WAIT.optional) == (
        "WAIT",
        "WAIT {seconds}",
        (),
        ("seconds",),
    )
