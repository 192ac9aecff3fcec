"""`earsim participate`: consent, order, time, and a row that people fill together."""

import json
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from earsim.cli import app
from earsim.cli.playing import participate
from earsim.errors import FileError
from earsim.play.participation import assigned, load_protocol, round_of
from earsim.suites import open_suite
from earsim.suites.finding import find_scenario
from tests.recorded import endings, recorded

EXAMPLE = Path(__file__).parents[2] / "examples" / "human_baseline.yaml"
LIGHT = ("explore", "go lamp", "turn on lamp", "done")


@pytest.fixture
def protocol(here, scene):
    """One task of the small scene for each of two participants."""
    path = here / "protocol.yaml"
    told = {"schema": "earsim.play-protocol/1", "suite": str(scene), "tasks": 1, "minutes": 5}
    told["consent"] = "You play. Nothing is asked about you."
    path.write_text(json.dumps(told), encoding="utf-8")
    return path


@pytest.fixture
def sit_down(protocol):
    """A participant at the prompt, with lines from a pipe."""

    def play(number, *lines):
        text = "".join(f"{line}\n" for line in lines)
        words = ["participate", str(protocol), "--number", str(number), "--out", "human"]
        return CliRunner().invoke(app, words, input=text)

    return play


def change(path, **changes):
    told = {**json.loads(path.read_text()), **changes}
    path.write_text(json.dumps(told), encoding="utf-8")


def number_of(protocol, task):
    """The participant who plays a task."""
    asked = load_protocol(protocol)
    suite = open_suite(asked.suite)
    return next(n for n in (1, 2) if assigned(asked, suite, n) == (f"hut/{task}",))


def test_without_consent_nothing_is_saved(here, sit_down):
    for said in ("no", "", "I do not agree"):
        done = sit_down(1, said)
        assert done.exit_code == 1
        assert "Nothing is asked about you." in done.stdout
        assert "Nothing was saved." in done.stdout
    assert sit_down(1).exit_code == 1
    assert not (here / "human").exists()


def test_a_participant_plays_and_the_record_holds_no_name(here, sit_down, protocol):
    number = number_of(protocol, "light")
    done = sit_down(number, "I agree", *LIGHT)
    assert done.exit_code == 0
    assert "Task 1 of 1." in done.stdout
    assert "[5 min] [6 left] Eva" in done.stdout
    assert "All 1 tasks are played." in done.stdout
    record = json.loads((here / f"human/p{number:03d}/participant.json").read_text())
    assert set(record) == {
        "schema", "participant", "protocol", "earsim", "order", "agreed_at", "started"
    }  # fmt: skip
    assert record["order"] == list(record["started"]) == ["hut/light"]
    assert endings(here / f"human/p{number:03d}") == {"hut/light": "done"}


def test_consent_is_asked_once_and_a_break_goes_on(here, sit_down, protocol):
    number = number_of(protocol, "light")
    done = sit_down(number, "I agree", "explore", "quit")
    assert "A break." in done.stdout
    done = sit_down(number, *LIGHT[1:])
    assert "agree" not in done.stdout
    assert endings(here / f"human/p{number:03d}") == {"hut/light": "done"}


def test_nothing_helps_that_policies_do_not_have(here, sit_down, protocol):
    number = number_of(protocol, "light")
    done = sit_down(number, "I agree", "explore", "undo", "hint", "least", *LIGHT[1:])
    assert "Here decisions stand" in done.stdout
    (kept,) = recorded(here / f"human/p{number:03d}").values()
    assert not kept.memory
    assert len(kept.steps) == len(LIGHT)


def test_a_line_after_the_time_is_not_carried_out(here, sit_down, protocol, monkeypatch, earsim):
    number = number_of(protocol, "light")
    sit_down(number, "I agree", "explore", "quit")
    started = json.loads((here / f"human/p{number:03d}/participant.json").read_text())["started"]
    late = started["hut/light"] + 301
    times = iter([late - 5, late])
    monkeypatch.setattr(participate.time, "time", lambda: next(times, late))
    done = sit_down(number, *LIGHT[1:])
    assert done.exit_code == 0
    assert "The time of this task is over." in done.stdout
    assert "All 1 tasks are played." in done.stdout
    assert endings(here / f"human/p{number:03d}") == {"hut/light": "out_of_time"}
    assert earsim("replay", f"human/p{number:03d}").exit_code == 0


def test_a_whole_round_is_a_row_of_a_leaderboard(here, sit_down, protocol, earsim):
    light, carry = (number_of(protocol, task) for task in ("light", "carry"))
    sit_down(light, "I agree", *LIGHT)
    sit_down(carry, "I agree", "all: done")
    done = earsim("submit", "human/p001", "human/p002")
    assert done.exit_code == 0, done.stderr
    (entry,) = json.loads(done.stdout)["entries"]
    assert (entry["label"], entry["episodes"], entry.get("assisted", 0)) == ("human", 2, 0)
    assert entry["scores"][0]["value"] == 0.5


def test_another_protocol_needs_another_folder(sit_down, protocol):
    sit_down(1, "I agree", "quit")
    change(protocol, minutes=6)
    done = sit_down(1, "explore")
    assert done.exit_code == 2
    assert "another protocol" in done.stderr


def test_practice_comes_once_and_is_not_kept(here, sit_down, protocol, scene):
    number = number_of(protocol, "light")
    change(protocol, practice=[f"{scene}/carry"])
    done = sit_down(number, "I agree", "quit", *LIGHT)
    assert done.stdout.index("Practice") < done.stdout.index("Task 1 of 1.")
    assert endings(here / f"human/p{number:03d}") == {"hut/light": "done"}


@pytest.mark.slow
def test_a_round_plays_every_scenario_once_with_categories_mixed():
    protocol = load_protocol(EXAMPLE)
    suite = open_suite(protocol.suite)
    assert all(find_scenario(id).id not in suite.ids for id in protocol.practice)
    people = round_of(protocol, suite)
    orders = [assigned(protocol, suite, number + 1) for number in range(people)]
    assert people == 14
    assert Counter(id for order in orders for id in order) == Counter(suite.ids)
    for order in orders:
        assert len({suite.category(id) for id in order}) == 7
    assert assigned(protocol, suite, 3) == orders[2]
    assert assigned(protocol, suite, people + 3) != orders[2]
    assert set(assigned(protocol, suite, people + 3)) == set(orders[2])


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"minutes": 0}, "minutes"),
        ({"tasks": 0}, "tasks"),
        ({"consent": ""}, "consent"),
        ({"minuts": 5}, "did you mean"),
    ],
)
def test_a_protocol_that_makes_no_sense_is_told(protocol, changes, told):
    change(protocol, **changes)
    with pytest.raises(FileError, match=told):
        load_protocol(protocol)
