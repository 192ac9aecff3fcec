"""Which scenario is meant, where it is saved, and that nothing finished is ever overwritten."""

from pathlib import Path

import pytest

from earsim.errors import UnknownName, UsageError
from earsim.play.attempts import find_attempt
from earsim.schema.records.episode_settings import EpisodeSettings
from tests.play.conftest import HOUSE

AS_USUAL = EpisodeSettings()


@pytest.fixture(autouse=True)
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "house.yaml"
    path.write_text(HOUSE, encoding="utf-8")
    return path


def finish(attempt, *commands):
    session = attempt.begin()
    for text in commands:
        session.take({"eva": text})
    attempt.save(session)
    return session


def test_a_finished_attempt_is_kept_and_the_next_has_its_own_folder():
    first = find_attempt("house.yaml/alone", AS_USUAL)
    assert (first.number, first.left) == (0, None)
    finish(first, "DONE")
    again = find_attempt("house.yaml/alone", AS_USUAL)
    assert again.number == 1
    assert again.run.path != first.run.path


def test_an_attempt_that_was_left_goes_on():
    finish(find_attempt("house.yaml/alone", AS_USUAL), "EXPLORE", "GOTO desk")
    again = find_attempt("house.yaml/alone", AS_USUAL)
    assert again.number == 0
    session = again.begin()
    assert [dict(step.commands)["eva"] for step in session.steps] == ["EXPLORE", "GOTO desk"]
    session.undo(2)
    again.save(session)
    trajectory = find_attempt("house.yaml/alone", AS_USUAL).left
    assert trajectory is not None
    assert trajectory.steps == ()
    assert trajectory.memory == {"resumed": 1, "undone": 2}


def test_of_a_suite_the_first_unfinished_is_meant():
    assert find_attempt("house.yaml", AS_USUAL).scenario.id == "house/alone"
    finish(find_attempt("house.yaml", AS_USUAL), "DONE")
    assert find_attempt("house.yaml", AS_USUAL).scenario.id == "house/pair"
    of_tools = find_attempt("house.yaml", AS_USUAL, category="tool_use")
    assert (of_tools.scenario.id, of_tools.number) == ("house/alone", 1)


def test_nothing_done_leaves_nothing():
    attempt = find_attempt("house.yaml/alone", AS_USUAL)
    finish(attempt)
    assert not attempt.run.path.exists()


def test_players_have_runs_of_their_own():
    attempt = find_attempt("house.yaml/alone", AS_USUAL, player="ada")
    finish(attempt, "DONE")
    assert attempt.run.cell.entrant.name == "human-ada"
    assert find_attempt("house.yaml/alone", AS_USUAL).number == 0


def test_what_differs_in_rules_has_a_folder_of_its_own():
    run = find_attempt("house.yaml/alone", EpisodeSettings(budget=3)).run
    assert run.path.name.endswith("budget3")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "options", "error"),
    [
        ("house.yaml/alone", {"player": "../ada"}, UsageError),
        ("house.yaml/alone", {"player": ""}, UsageError),
        ("house.yaml", {"category": "compound_reasoning"}, UsageError),
        ("house.yaml", {"category": "no_such"}, UnknownName),
        ("no_such_scenario", {}, UnknownName),
    ],
)
def test_what_cannot_be_meant(text, options, error):
    with pytest.raises(error):
        find_attempt(text, AS_USUAL, **options)


def test_a_given_folder_takes_one_attempt(tmp_path):
    out = tmp_path / "mine"
    finish(find_attempt("house.yaml/alone", AS_USUAL, out=out), "DONE")
    with pytest.raises(UsageError, match="finished"):
        find_attempt("house.yaml/alone", AS_USUAL, out=out)
    with pytest.raises(UsageError, match="another human-house"):
        find_attempt("house.yaml/pair", EpisodeSettings(budget=3), out=out)
