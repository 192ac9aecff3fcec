"""Other words for things: the same everywhere in a row, and never two for one."""

from __future__ import annotations

import re

import pytest

from tiny_model.renaming import Renaming

THINGS = [
    f"{colour}{kind}" for colour in ("red", "blue", "grey", "teal") for kind in "abcdefghijklmnop"
]


def row(thing, place="hall"):
    text = (
        f"Not searched: {place}_room\nTask: Put the {thing} cup in the {place} room.\n"
        f"- {thing}_cup_1 in {place}_room: dirty\n- {thing}_jug_1 in {place}_room\n"
        f"Refused: {thing.capitalize()} cup ({thing}_cup_1) is out of reach; GOTO it first."
    )
    return {
        "prompt": [{"role": "user", "content": text}],
        "completion": [{"role": "assistant", "content": f"Action: GRAB {thing}_cup_1"}],
        "scenario_id": thing,
    }


@pytest.fixture(scope="module")
def rows():
    return [row(thing, place) for thing in THINGS for place in ("oakhall", "elmhall")]


def told(row):
    return row["prompt"][0]["content"], row["completion"][0]["content"]


def test_a_thing_has_one_new_word_wherever_it_stands(rows):
    renaming = Renaming(rows, share=1.0, seed=0)
    for number, old in enumerate(rows):
        text, reply = told(renaming.renamed(number, old))
        thing = re.fullmatch(r"Action: GRAB ([a-z]+)_cup_1", reply).group(1)
        assert thing != old["scenario_id"]
        assert f"Put the {thing} cup in" in text
        assert f"\n- {thing}_" in text
        assert f"{thing.capitalize()} cup ({thing}_cup_1)" in text
        assert old["scenario_id"] not in text.lower().split("_cup_1")[0].split()


def test_what_was_said_stays(rows):
    renaming = Renaming(rows, share=1.0, seed=0)
    for number, old in enumerate(rows):
        text, _ = told(renaming.renamed(number, old))
        shape = re.compile(
            r"Not searched: (\w+)_room\nTask: Put the (\w+) cup in the \1 room\.\n"
            r"- \2_cup_1 in \1_room: dirty\n- \2_[a-z]+_1 in \1_room\n"
            r"Refused: \w+ cup \(\2_cup_1\) is out of reach; GOTO it first\."
        )
        assert shape.fullmatch(text)


def test_ids_of_one_word_are_renamed_too():
    def said(room, elsewhere):
        text = f"Not searched: {room}, {elsewhere}\nTask: Bring it to the {room}.\n- {room}: room"
        reply = f"Thought: look in {room}\nAction: GOTO {room}"
        contents = (("user", text), ("assistant", reply))
        return {"messages": [{"role": role, "content": told} for role, told in contents]}

    crowd = [said(room, other) for room in THINGS for other in ("attic", "cellar")]
    renaming = Renaming(crowd, share=1.0, seed=0)
    for number, old in enumerate(crowd):
        text, reply = (message["content"] for message in renaming.renamed(number, old)["messages"])
        room = re.fullmatch(r"Thought: look in ([a-z]+)\nAction: GOTO \1", reply).group(1)
        assert room != THINGS[number // 2]
        assert text.startswith(f"Not searched: {room}, ")
        assert text.endswith(f"Task: Bring it to the {room}.\n- {room}: room")


def test_what_is_said_to_others_makes_no_words_of_the_language_ids():
    def said(thing, word):
        text = f"- {thing}_cup_1 in hall_room\nLast: SAY {word} a minute\nIt stands in the hall."
        reply = f"Action ada: PLACE {thing}_cup_1 in hall_room\nAction ben: SAY on my way"
        contents = (("user", text), ("assistant", reply))
        return {"messages": [{"role": role, "content": told} for role, told in contents]}

    crowd = [said(thing, word) for thing in THINGS for word in ("in", "by")]
    renaming = Renaming(crowd, share=1.0, seed=0)
    for number, old in enumerate(crowd):
        _, reply = (message["content"] for message in renaming.renamed(number, old)["messages"])
        form = r"Action ada: PLACE \w+_1 in \w+_room\nAction ben: SAY on my way"
        assert re.fullmatch(form, reply)


def test_no_new_word_is_one_of_the_language(rows):
    spoken = {"user": "To say so is to be or to do or to go: he me we ye"}
    crowd = [*rows, *({"messages": [{"role": "user", "content": spoken["user"]}]} for _ in rows)]
    renaming = Renaming(crowd, share=1.0, seed=0)
    words = set(spoken["user"].lower().replace(":", "").split())
    for number, old in enumerate(rows):
        text, _ = told(renaming.renamed(number, old))
        ids = re.findall(r"\w+_\w+", text)
        assert words.isdisjoint(word for each in ids for word in each.split("_"))


def test_different_things_stay_different(rows):
    texts = "\n".join(f"- {thing}_cup_1 in hall_room" for thing in THINGS)
    crowd = {"messages": [{"role": "user", "content": texts}]}
    renaming = Renaming([*rows, crowd], share=1.0, seed=3)
    (message,) = renaming.renamed(0, crowd)["messages"]
    assert len(set(message["content"].splitlines())) == len(THINGS)


def test_some_words_are_new_to_all_rows(rows):
    known = {word for each in rows for text in told(each) for word in re.findall("[a-z]+", text)}
    renaming = Renaming(rows, share=1.0, seed=0)
    drawn = [told(renaming.renamed(number, old))[1].split()[-1] for number, old in enumerate(rows)]
    made_up = [word for word in drawn if word.split("_")[0] not in known]
    assert 0 < len(made_up) < len(drawn)


def test_the_same_seed_draws_the_same_words(rows):
    def all_told(seed):
        renaming = Renaming(rows, share=0.5, seed=seed)
        return [told(renaming.renamed(number, old)) for number, old in enumerate(rows)]

    assert all_told(1) == all_told(1) != all_told(2)


def test_a_share_of_the_rows_is_left_alone(rows):
    renaming = Renaming(rows, share=0.5, seed=0)
    same = sum(renaming.renamed(number, old) == old for number, old in enumerate(rows))
    assert 0.3 * len(rows) < same < 0.7 * len(rows)
    nobody = Renaming(rows, share=0.0, seed=0)
    assert all(nobody.renamed(number, old) is old for number, old in enumerate(rows))


def test_other_columns_and_the_rows_themselves_stay(rows):
    before = row("reda", "oakhall")
    found = Renaming(rows, share=1.0, seed=0).renamed(0, before)
    assert found["scenario_id"] == "reda"
    assert before == row("reda", "oakhall")
