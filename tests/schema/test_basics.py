import pickle
import sys
import unicodedata

import pytest

from earsim import ids, units
from earsim.errors import (
    EarSimError,
    FileError,
    Finding,
    MissingExtra,
    ReplayMismatch,
    UnknownName,
    UsageError,
)
from earsim.registry import Lazy, Registry
from earsim.schema import verb_table


@pytest.mark.parametrize(
    ("field", "parts"),
    [
        ("temperature_c", ("temperature", "c")),
        ("max_inner_pressure_bar", ("max_inner_pressure", "bar")),
        ("temperature", None),
        ("temperature_x", None),
        ("_c", None),
    ],
)
def test_a_quantity_name_ends_in_its_unit(field: str, parts: tuple[str, str] | None) -> None:
    assert units.split_quantity(field) == parts


def test_quantities_are_shown_with_symbols() -> None:
    assert units.format_quantity(8.0, "c") == "8 °C"
    assert units.format_quantity(0.03, "kg") == "0.03 kg"
    assert units.format_quantity(7.0, "ph") == "7 pH"
    assert units.format_field("inner_pressure_bar", 90) == "inner pressure 90 bar"


@pytest.mark.parametrize("suffix", list(units.UNITS))
def test_every_unit_can_end_a_field(suffix: str) -> None:
    assert units.split_quantity(f"x_{suffix}") == ("x", suffix)
    assert units.UNITS[suffix].dimension


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("a\x1b[2Jb", "a\\x1b[2Jb"),
        ("a\u202eb", "a\\u202eb"),
        ("tag \U000e0041", "tag \\U000e0041"),
        ("\ud800", "\\ud800"),
        ("a\u200bb\u00adc\u2060d", "a\\u200bb\\xadc\\u2060d"),
        ("a\u00a0b\u3000c\u3164d", "a\\xa0b\\u3000c\\u3164d"),
        ("é\n\tx", "é\n\tx"),
    ],
)
def test_untrusted_text_is_made_printable(raw: str, shown: str) -> None:
    assert ids.printable(raw) == shown
    assert ids.is_safe_text(shown)


def test_nothing_that_is_shown_is_a_format_character_or_an_odd_space() -> None:
    hidden = [
        character
        for character in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zs", "Zl", "Zp")
        and character not in "\t\n "
    ]
    assert [character for character in hidden if ids.printable(character) == character] == []
    assert ids.is_safe_name("na\u200cme"), "some languages need a joiner: it may be in a name"


def test_cleaning_removes_what_names_must_not_hold() -> None:
    assert ids.clean_name("Red\x1b[31m \r\n cup\u202e") == "Red cup"
    assert ids.clean_text("a\r\nb\x07") == "a\nb"
    assert ids.clean_id("eval/00001 x") == "eval_00001_x"
    assert not ids.is_id("cup\n")
    assert not ids.is_id("ä")


def test_a_registry_names_near_misses_and_loads_lazily() -> None:
    registry = Registry[object]("policy", {"join": Lazy("posixpath:join"), "one": 1})
    assert registry["one"] == 1
    assert callable(registry["join"])
    assert registry.get("two") is None
    with pytest.raises(UnknownName, match="unknown policy 'onne'; did you mean 'one'"):
        registry["onne"]
    with pytest.raises(UnknownName, match=r"unknown policy 'xyz'; choose from join, one$"):
        registry["xyz"]
    with pytest.raises(UsageError):
        registry.add("one", 2)
    registry.add("gone", Lazy("no_such_module:x", extra="agents"))
    with pytest.raises(MissingExtra, match=r"pip install 'earsim\[agents\]'"):
        registry["gone"]


@pytest.mark.parametrize(
    "error",
    [
        FileError("a.yaml", [Finding("a.yaml", "x", "bad", "expected good", 3)]),
        UnknownName("suite", "evl", ["eval", "other"]),
        UnknownName("suite", "xyz", ["eval", "other"]),
        MissingExtra("torch", "train"),
        ReplayMismatch("a.jsonl", 3, "x", "y"),
    ],
)
def test_errors_survive_pickling_with_their_message(error: EarSimError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert type(again) is type(error)


def test_the_verb_table_is_complete_and_read_only() -> None:
    verbs = verb_table()
    assert len(verbs) == 217
    assert sum(verb.requires_tool for verb in verbs.values()) == 136
    assert sum(not verb.value for verb in verbs.values()) == 159
    assert verbs["open"].attribute == "is_open"
    assert verbs is verb_table()
    with pytest.raises(TypeError):
        verbs["fly"] = verbs["open"]  # type: ignore[index]
