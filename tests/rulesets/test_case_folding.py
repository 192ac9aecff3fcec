"""Only ASCII letters have two cases in commands: a long s is no s, a dotless i no i."""

import pytest

from earsim.actions.outcome import Reason, Status
from earsim.engine import Engine
from earsim.rulesets.ear_bench_front import ALIASES
from earsim.schema.files.load import load_scene
from earsim.schema.verb_table import verb_table
from tests.golden.transcript import SCENES
from tests.rulesets.conftest import TEAM, scenario

_LOOK_ALIKES = str.maketrans({"S": "\u017f", "I": "\u0131"})


def engine(ruleset: str) -> Engine:
    """The kitchen with every verb of the table."""
    scene = load_scene(SCENES / "kitchen.yaml")
    scene = scene.model_copy(update={"abilities": tuple(verb_table())})
    return Engine(scenario({"any": []}, TEAM).model_copy(update={"scene": scene}), ruleset)


@pytest.mark.parametrize("ruleset", ["ear-bench", "physical"])
def test_no_verb_is_spelt_with_look_alikes(ruleset: str):
    rules = engine(ruleset)
    world = rules.start()
    tried = 0
    for name in rules.verbs:
        spelt = name.translate(_LOOK_ALIKES)
        if spelt == name or name in ALIASES:  # those are found by their upper case: EAR-Bench 3.1
            continue
        tried += 1
        named = ruleset == "ear-bench" and name.startswith("CORP_")
        rest = "agent_1,agent_2 cup" if named else "cup"
        for command in (f"{spelt} {rest}", spelt):
            outcome = rules.execute(world, "agent_1", command)
            assert outcome.status is Status.INVALID, command
            assert outcome.reason in (Reason.BAD_FORMAT, Reason.UNKNOWN_VERB), command
    assert tried > (200 if ruleset == "ear-bench" else 100)


@pytest.mark.parametrize(
    ("ruleset", "command"),
    [
        ("ear-bench", "cLoSe cup"),
        ("physical", "cLoSe cup"),
        ("ear-bench", "corp_CLOSE agent_1,agent_2 cup"),
        ("physical", "corp_Grab cup"),
    ],
)
def test_ascii_letters_of_either_case_are_one(ruleset: str, command: str):
    assert engine(ruleset).parse(command).__class__.__name__ == "Call"


def test_in_and_on_have_no_look_alikes_where_they_are_read_as_words():
    rules = engine("physical")
    for command in ("PLACE cup \u0131n box", "CORP_PLACE cup \u0131n box"):
        outcome = rules.execute(rules.start(), "agent_1", command)
        assert outcome.reason is Reason.BAD_FORMAT
    assert rules.parse("PLACE cup In box").__class__.__name__ == "Call"
