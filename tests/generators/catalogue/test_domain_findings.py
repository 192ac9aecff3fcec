"""What is wrong in a domain file is said with file, line, place and near misses, all at once."""

from pathlib import Path

import pytest

from earsim.errors import FileError
from earsim_generators.catalogue import parse_domain


def findings(text: str) -> list[str]:
    with pytest.raises(FileError) as error:
        parse_domain(text, source="shed.yaml")
    return [str(finding) for finding in error.value.findings]


def test_the_small_domain_is_sound(shed):
    assert parse_domain(shed).id == "shed"


def mistakes():
    """The blocks of mistakes.txt: a name, the text that is replaced, that which replaces it, ..."""
    text = Path(__file__).with_name("mistakes.txt").read_text(encoding="utf-8")
    for block in text.split("\n\n")[1:]:
        name, *lines = block.strip().split("\n")
        parts = {sign: [line[2:] for line in lines if line[0] == sign] for sign in "-+!"}
        yield pytest.param(*("\n".join(part) for part in parts.values()), id=name)


@pytest.mark.parametrize(("old", "new", "expected"), list(mistakes()))
def test_a_mistake_is_found(shed, old, new, expected):
    assert old in shed
    found = findings(shed.replace(old, new, 1))
    assert any(expected in finding for finding in found), "\n".join(found)


@pytest.mark.slow
def test_all_mistakes_are_told_at_once_with_their_lines(shed):
    text = shed
    for old, new in (
        ("holds: 0.6", "hold: 0.6"),
        ("material: clay", "material: clya"),
        ("provides: [repair]", "provides: [repiar]"),
        ("area_m2: [6, 9]", "area_m2: [9, 6]"),
    ):
        text = text.replace(old, new)
    found = findings(text)
    assert [finding.split(":")[1] for finding in found] == ["7", "10", "12", "16"]
    assert "furniture[1].hold: unknown key (did you mean 'holds'?)" in found[1]
    assert "items[3].provides[0]: unknown verb 'repiar' (did you mean 'repair'" in found[3]


def test_what_an_unreadable_part_would_have_is_not_missed(shed):
    """The chest cannot be read; that the pliers lie in it is no second mistake."""
    found = findings(shed.replace("holds: 0.6", "hold: 0.6"))
    assert len(found) == 1


@pytest.mark.parametrize(
    "text", ["", "[]", "3", "schema: earsim.domain/1", "{rooms: 3, items: {}}"]
)
def test_a_file_that_is_no_domain_is_told_so(text):
    assert findings(text)


def test_hostile_text_is_shown_escaped(shed):
    found = findings(shed.replace("names: [Rag]", 'names: ["Rag\\u202e\\x1b[31m"]'))
    assert "\x1b" not in "".join(found)
    assert "\u202e" not in "".join(found)
