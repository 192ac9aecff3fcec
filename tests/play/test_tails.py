"""Commands at the prompt that say more than which thing: settings, seconds, a state, a page."""

import pytest

from earsim.play.game import Game
from earsim.play.reading import Reader
from earsim.play.resolving import Doubt
from earsim.play.session import Session
from earsim.schema import parse
from earsim.schema.records.episode_settings import EpisodeSettings

LAB = """\
schema: earsim.scene/1
id: lab
rooms: [{id: hall, name: Hall}]
objects:
  - {id: lag_rig, name: Lag rig, kind: furniture, in: hall, mass_kg: 40,
     apparatus: {model: maglev/1, bounds: {Kp: [0, 25]}, tunable: [Kp, topology]}}
tasks:
  - id: one
    category: direct_command
    agents: [{id: eva, name: Eva, in: hall, max_mass_kg: 40}]
    goal: {all: [{submitted: {name: gain, equals: 3}},
                 {measured: {apparatus: lag_rig, result: steady_error, at_most: 0.5}},
                 {operation: {apparatus: lag_rig, status: halted}},
                 {operation: {apparatus: lag_rig, status: completed, count: 2}},
                 {spent: {account: kwh, at_most: 4}}]}
    instruction: "Run it."
    budget: 40
"""


@pytest.fixture
def game() -> Game:
    game = Game(Session(parse(LAB).scenarios()[0], EpisodeSettings()), show_goal=True)
    for line in ("explore", "goto lag rig"):
        game.hear(line)
    return game


def said(game: Game, line: str) -> str:
    return "\n".join(str(piece.text) for piece in game.hear(line))


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("configure lag rig Kp=2 topology=pi", "CONFIGURE lag_rig Kp=2 topology=pi"),
        ("configure the lag rig Kp = 2", "CONFIGURE lag_rig Kp=2"),
        ("configure lag rig kp=2 TOPOLOGY=PID", "CONFIGURE lag_rig Kp=2 topology=pid"),
        ("configure lag rig kq=2", "CONFIGURE lag_rig kq=2"),
        ("SUBMIT GAIN=None", "SUBMIT gain=None"),
        ("wait", "WAIT"),
        ("wait 60", "WAIT 60"),
        ("wait for 60 s", "WAIT 60"),
        ("wait until the lag rig is done", "WAIT UNTIL lag_rig done"),
        ("WAIT UNTIL lag_rig done", "WAIT UNTIL lag_rig done"),
        ("read lag rig", "READ lag_rig"),
        ("read lag rig 2", "READ lag_rig 2"),
        ("measure lag rig", "MEASURE lag_rig"),
        ("measure lag rig y", "MEASURE lag_rig y"),
        ("submit gain = 3", "SUBMIT gain=3"),
    ],
)
def test_what_follows_a_thing_is_kept(game: Game, typed: str, command: str):
    assert Reader(game.session.episode).read(typed, "eva") == command


@pytest.mark.parametrize("typed", ["configure lag rig", "submit 3", "submit"])
def test_settings_without_a_value_are_asked_for(game: Game, typed: str):
    found = Reader(game.session.episode).read(typed, "eva")
    assert isinstance(found, Doubt)
    assert "takes name=value" in found.message


def test_help_names_settings_with_their_bounds_and_questions(game: Game):
    assert "Kp 1 (0 to 25): proportional gain" in said(game, "help configure")
    assert "topology p (p, pi, pid)" in said(game, "help configure")
    assert "gain=NUMBER or a word" in said(game, "help submit")


def test_a_person_sees_settings_readings_and_what_came_of_a_run(game: Game):
    assert "runs maglev/1: Kp 1, topology p" in said(game, "look")
    assert "Nothing runs at Lag rig" in said(game, "wait until lag rig done")
    game.hear("configure lag rig topology=p Kp=25")
    game.hear("run lag rig")
    told = said(game, "wait until lag rig done")
    assert told.count("op_1 warns at t") == 1
    assert "diverging" in told
    assert "{" not in told
    assert "op_1 in progress" in said(game, "look")
    game.hear("stop lag rig")
    game.hear("configure lag rig Kp=2")
    game.hear("run lag rig")
    assert "op_2 completed" in said(game, "wait until lag rig done")


def test_goals_about_apparatus_are_told_in_words_without_the_answer(game: Game):
    told = said(game, "goal")
    for part in (
        "the last answer to gain is right",
        "the last completed run of Lag rig (lag_rig) has steady_error at most 0.5",
        "a run of Lag rig (lag_rig) was stopped",
        "at least 2 runs of Lag rig (lag_rig) were completed",
        "runs have cost at most 4 kWh",
    ):
        assert part in told


def test_what_a_run_comes_to_meanwhile_is_told_in_words(game: Game):
    game.hear("configure lag rig topology=p Kp=2")
    game.hear("run lag rig")
    assert "Lag rig: op_1 completed (at 46 s)." in said(game, "wait 60")


def test_the_clock_stands_before_the_cursor_where_time_matters(game: Game):
    assert game.prompt().startswith("[38 left, clock 12 s] Eva")


def test_help_says_that_what_is_said_is_never_listed(game: Game):
    assert "never listed" in said(game, "help say")
