"""What people call things, and that nobody guesses between two."""

import pytest

from earsim.play.resolving import Doubt, resolve

NAMES = {
    "parts_key": "Flat key",
    "ribbon_key": "Key on a ribbon",
    "parts_room": "Parts room",
    "parts_door": "Parts room door",
    "guest_book": "Guest book",
    "key": "Master key",
    "wheel_a": "Rear wheel",
    "wheel_b": "Rear wheel",
}


@pytest.mark.parametrize(
    ("phrase", "node"),
    [
        ("guest_book", "guest_book"),
        ("GUEST_BOOK", "guest_book"),
        ("guest book", "guest_book"),
        ("the guest book", "guest_book"),
        ("book", "guest_book"),
        ("gu", "guest_book"),
        ("key on a ribbon", "ribbon_key"),
        ("ribbon", "ribbon_key"),
        ("key", "key"),
        ("parts room", "parts_room"),
        ("parts d", "parts_door"),
        ("wheel a", "wheel_a"),
    ],
)
def test_ids_names_beginnings_and_words(phrase, node):
    assert resolve(phrase, NAMES) == node


@pytest.mark.parametrize(
    ("phrase", "told"),
    [
        ("rear wheel", "Rear wheel (wheel_a) or Rear wheel (wheel_b)"),
        ("parts", "Flat key (parts_key), Parts room (parts_room) or Parts room door (parts_door)"),
        ("gest book", "Did you mean Guest book (guest_book)?"),
        ("zebra", "EXPLORE"),
        ("   ", "nothing"),
        ("the", "nothing"),
    ],
)
def test_doubts_say_what_could_be_meant(phrase, told):
    found = resolve(phrase, NAMES)
    assert isinstance(found, Doubt)
    assert told in found.message


def test_what_makes_no_sense_is_not_meant():
    doors = [lambda node: node.endswith("door")]
    assert resolve("parts", NAMES, doors) == "parts_door"
    assert resolve("guest", NAMES, doors) == "guest_book"
    assert isinstance(resolve("rear wheel", NAMES, doors), Doubt)


def test_many_candidates_are_not_all_listed():
    found = resolve("box", {f"box_{i}": "Box" for i in range(30)})
    assert isinstance(found, Doubt)
    assert "and 22 more" in found.message
