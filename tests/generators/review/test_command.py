"""`earsim review`: a sitting from a pipe, the figures, the export."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from earsim.cli import app
from earsim.schema import Scenario, to_data
from earsim_generators.review import ReviewFile
from tests.generators.review.rig import review, scenarios, suite
from tests.recorded import endings, recorded

SAND, PANE, FROST = scenarios()
SOLVED = ["explore", "goto sponge", "grab sponge", "goto shed", "explore", "goto pane"]
SOLVED += ["clean pane", "done"]


@pytest.fixture
def mine(here: Path) -> Path:
    return suite(here / "mine")


def say(*lines: str, who: str = "ada", flags: tuple[str, ...] = ()) -> str:
    """A sitting in which these lines are typed."""
    words = ["review", "mine", "--reviewer", who, *flags]
    result = CliRunner().invoke(app, words, input="".join(f"{line}\n" for line in lines))
    assert result.exit_code == 0, result.output
    return result.stdout


def decided(who: str = "ada") -> list[tuple[str, str, str]]:
    reviews = ReviewFile(Path("mine/reviews/reviews.jsonl")).reviews
    return [
        (each.scenario_id.partition("/")[2], each.decision.value, each.note)
        for each in reviews
        if each.reviewer == who
    ]


def test_a_whole_sitting(mine):
    said = say(
        "help",
        "goal",
        "proof",
        "note read twice",
        "accept nice",
        "reject",
        "reject the pane is clean enough",
        "correct There will be frost: carry the {tub} into the {shed}.",
    )
    assert "3 to decide" in said
    assert "Bring the heaviest sack of sand into the shed." in said
    assert "decisions, least: proved" in said
    assert "GRAB sack_b" in said
    assert "Say why" in said
    assert "It will read: There will be frost: carry the lemon tree into the shed." in said
    assert "3 decided, 0 left." in said
    assert decided() == [
        ("sand", "accept", "read twice nice"),
        ("pane", "reject", "the pane is clean enough"),
        ("frost", "correct", ""),
    ]
    assert "You have decided everything" in say()


def test_a_task_is_played_and_the_attempt_is_kept(mine):
    said = say("skip", "play", *SOLVED, "accept", "quit")
    assert "Back in the review" in said
    (made,) = ReviewFile(mine / "reviews" / "reviews.jsonl").reviews
    assert (made.tried.won, made.tried.decisions) == (True, len(SOLVED))
    kept = recorded(mine / "reviews" / "attempts" / "ada")[PANE.id]
    assert kept.result.success_final
    assert kept.policy == "human-ada"


def test_an_attempt_that_was_left_goes_on(mine):
    say("skip", "play", *SOLVED[:3], "quit")
    said = say("skip", "play", *SOLVED[3:], "accept")
    assert "Back in the review" in said
    (made,) = ReviewFile(mine / "reviews" / "reviews.jsonl").reviews
    assert (made.tried.won, made.tried.decisions) == (True, len(SOLVED))


def test_input_that_ends_in_the_midst_of_a_game_loses_nothing(mine):
    said = say("accept", "play", "explore")
    assert "1 decided, 2 left." in said
    assert "To go on: earsim review mine --reviewer ada" in said
    assert endings(mine / "reviews" / "attempts" / "ada") == {PANE.id: "quit"}


def test_a_suite_may_be_named_in_more_ways_than_one(mine, here):
    say("play", "explore", "quit", "quit")
    words = ["review", str(here / "mine"), "--reviewer", "ada"]
    result = CliRunner().invoke(app, words, input="play\ngoto sack_b\nquit\nquit\n")
    assert result.exit_code == 0, result.output
    assert len(recorded(mine / "reviews" / "attempts" / "ada")[SAND.id].steps) == 2


def test_a_finished_attempt_is_not_played_over(mine):
    say("skip", "play", *SOLVED, "quit")
    before = recorded(mine / "reviews" / "attempts" / "ada")
    assert "that attempt is kept" in say("skip", "play", "explore", "done", "quit")
    assert recorded(mine / "reviews" / "attempts" / "ada") == before


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("correct", "Say how it should read"),
        ("correct Bring the {target} to {mars}.", "That will not do"),
        ("correct Bring the heaviest sack.", "does not speak of it"),
        ("correct Bring the {target} into the {shed}.", "says already"),
        ("dance", "There is no 'dance' here"),
        ("accept " + "x" * 5_000, "at most 4,000"),
        ("reject \x1b[2J", "plain text"),
    ],
)
def test_what_will_not_do_is_told_and_nothing_is_written(mine, line, told):
    assert told in say(line, "quit")
    assert not (mine / "reviews" / "reviews.jsonl").exists()


def test_a_change_of_mind(mine):
    say("accept", "quit")
    assert "You said accept" in say("reject too easy", "quit", flags=("--again",))
    assert decided() == [("sand", "accept", ""), ("sand", "reject", "too easy")]


def test_only_a_category(mine):
    assert "1 to decide" in say("quit", flags=("--category", "tool_use"))


def test_the_figures(mine, earsim):
    file = ReviewFile(mine / "reviews" / "reviews.jsonl")
    for scenario, ada, bo in ((SAND, "accept", "accept"), (PANE, "accept", "reject")):
        file.add(review(scenario, "ada", ada))
        file.add(review(scenario, "bo", bo))
    shown = earsim("review", "mine", "--summary")
    assert "1 accepted, 1 open, 1 split" in shown.stdout
    assert "Raw agreement 50.0 % on 2 scenarios" in shown.stdout
    data = json.loads(earsim("review", "mine", "--summary", "--json").stdout)
    assert data["reviewers"]["bo"]["reject"] == 1
    assert data["agreement"]["pairs"][0]["kappa"] == 0.0
    assert data["agreement"]["fleiss"] == pytest.approx(-1 / 3)


def test_the_export(mine, earsim):
    say("accept", "reject no", "skip")
    made = earsim("review", "mine", "--export", "accepted.jsonl.gz")
    assert made.exit_code == 0, made.output
    assert "1 of 3 scenarios in accepted.jsonl.gz (1 accepted, 1 open, 1 rejected)" in made.stdout
    assert "1 certificates replayed" in earsim("validate", "accepted.jsonl.gz").stdout


def test_an_export_of_nothing_is_told(mine, earsim):
    made = earsim("review", "mine", "--export", "accepted.jsonl.gz")
    assert made.exit_code == 1
    assert "nothing was accepted" in made.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("mine",), "--reviewer NAME"),
        (("mine", "--reviewer", "../up"), "will not do as a name"),
        (("starter", "--reviewer", "ada"), "not yours to review"),
        (("nowhere", "--reviewer", "ada"), "nowhere"),
        (("mine", "--export", "x.yaml"), "ends in"),
    ],
)
def test_wrong_usage_is_told(mine, earsim, words, told):
    made = earsim("review", *words)
    assert made.exit_code == 2
    assert told in made.stderr


def test_hostile_names_are_shown_and_not_obeyed(here):
    data = to_data(SAND)
    data["scene"]["title"] = "[red]<script>alert(1)</script>{0.__class__}"
    data["scene"]["objects"][1]["name"] = "[link=file:///etc/passwd]Sack[/link]"
    data["agents"][0]["name"] = "%s%n\u00ad${HOME}"
    suite(here / "mine", Scenario.model_validate(data))
    said = say("goal", "proof", "play", "look", "map", "quit", "words", "accept")
    assert "[red]<script>alert(1)</script>{0.__class__}" in said
    assert "\x1b" not in said
