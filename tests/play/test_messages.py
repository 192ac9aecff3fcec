"""What is said beside a command in a team: typed behind a semicolon, at no cost."""

import pytest

from earsim.cli.playing.narrator import Narrator
from earsim.cli.screen import Screen
from earsim.evaluation.replay import verify
from earsim.play.session import Session
from earsim.schema.records.episode_settings import EpisodeSettings
from tests.play.conftest import said

TEAM = ("all: explore", "eva: go desk | tom: wait")


def commands(game) -> list[dict[str, str]]:
    return [dict(step.commands) for step in game.session.steps]


@pytest.mark.parametrize(
    ("line", "given"),
    [
        (
            "eva: GRAB rag; SAY it is light | tom: WAIT",
            {"eva": "GRAB rag\nSAY it is light", "tom": "WAIT"},
        ),
        ("eva: take rag;say wait: here", {"eva": "GRAB rag\nSAY wait: here"}),
        ("all: wait; say one; say two", dict.fromkeys(("eva", "tom"), "WAIT\nSAY one; say two")),
        ("eva: take rag ; tell it", {"eva": "GRAB rag\nTELL rag"}),
        ("eva: wait; tell tin key", {"eva": "WAIT\nTELL toy_key"}),
        ("eva: tell rag; say there", {"eva": "TELL rag\nSAY there"}),
        ("eva: SAY one; SAY two", {"eva": "SAY one; SAY two"}),
        ("eva: !GRAB rag; SAY x", {"eva": "GRAB rag; SAY x"}),
    ],
)
def test_what_stands_behind_a_semicolon_is_said_beside_the_command(play, line, given):
    game = play("apart", *TEAM)
    game.hear(line)
    assert commands(game)[-1] == given


@pytest.mark.parametrize(
    ("task", "line", "told"),
    [
        (
            "apart",
            "eva: take rag; tom: wait",
            "Beside a command stands SAY <message> or TELL <target>",
        ),
        (
            "apart",
            "eva: take rag; go hall",
            "Beside a command stands SAY <message> or TELL <target>",
        ),
        ("apart", "eva: take rag; say", "SAY what?"),
        ("apart", "eva: take rag; tell", "TELL what?"),
        ("apart", "eva: ; say hello", "Nothing stands before the ;"),
        ("apart", "eva: take unicorn; say hello", "unicorn"),
        ("pair", "eva: take rag; go hall", "Beside a command stands SAY <message>:"),
        ("alone", "take rag; say hello", "Nothing can be said beside a command here"),
    ],
)
def test_a_doubt_costs_nothing(play, task, line, told):
    game = play(task, *(("explore",) if task == "alone" else TEAM))
    before = commands(game)
    assert told in said(game.hear(line))
    assert commands(game) == before


def test_where_all_know_the_same_telling_is_saying(play):
    game = play("pair", *TEAM)
    game.hear("eva: wait; tell it is heavy")
    assert commands(game)[-1] == {"eva": "WAIT\nSAY it is heavy"}


def test_everybody_is_asked_in_turn_and_may_say_something(play):
    game = play("apart", "explore; say nothing here", "wait")
    assert commands(game) == [{"eva": "EXPLORE\nSAY nothing here", "tom": "WAIT"}]


def test_it_takes_no_time_and_is_heard(play):
    game = play("apart", *TEAM)
    clock = game.session.episode.world.clock
    told = said(game.hear("eva: GRAB rag; SAY it is light"))
    assert "Eva: You say: it is light" in told
    assert "= " not in told
    assert game.session.episode.world.clock == clock + 3
    assert "it is light" in game.session.episode.full("tom")


def test_a_refused_message_is_told_and_explained(play):
    game = play("apart", "tom: wait")
    told = said(game.hear(f"eva: explore; say {'x' * 300}"))
    assert "300" in told
    assert "(too_long)" in said(game.hear("why"))


def test_history_undo_redo_and_replay_keep_it(play):
    game = play("apart", *TEAM, "eva: GRAB rag; SAY it is light | tom: WAIT")
    shown = "eva: GRAB rag; SAY it is light | tom: WAIT"
    assert shown in said(game.hear("history"))
    before = game.session.episode.world.copy()
    assert f"Taken back: {shown}" in said(game.hear("undo"))
    assert f"Taken again: {shown}" in said(game.hear("redo"))
    assert game.session.episode.world.messages == before.messages
    trajectory = game.session.trajectory()
    scenario = game.session.episode.engine.scenario
    verify(trajectory, scenario, source="game")
    again = Session(scenario, EpisodeSettings())
    again.resume(trajectory)
    assert again.episode.world.messages == before.messages


def test_a_replay_shows_it(play, capsys):
    game = play("apart", *TEAM, "eva: GRAB rag; SAY it is light")
    episode = game.session.episode
    narrator = Narrator(Screen())
    narrator.open(episode, "again")
    narrator.tell(episode, game.session.steps[-1].commands)
    told = capsys.readouterr().out
    assert "GRAB rag; SAY it is light" in told
    assert "You say: it is light" in told


@pytest.mark.parametrize(
    ("task", "line", "offered"),
    [
        ("apart", "eva: GRAB rag; s", ["SAY"]),
        ("apart", "eva: GRAB rag; ", ["SAY", "TELL"]),
        ("pair", "eva: GRAB rag; ", ["SAY"]),
        ("apart", "eva: GRAB rag; TELL to", ["toy_key"]),
        ("apart", "eva: TELL to", ["toy_key"]),
        ("apart", "tom: GRAB rag; TELL hatch", ["hatch"]),
        ("apart", "eva: SAY a; ", []),
        ("alone", "GRAB rag; ", []),
    ],
)
def test_completion(play, task, line, offered):
    game = play(task, *(("explore",) if task == "alone" else TEAM))
    assert game.completions(line) == offered


def test_only_what_one_knows_oneself_is_offered_to_be_told(play):
    game = play("apart", "tom: go cellar", "eva: explore")
    assert game.completions("eva: WAIT; TELL ra") == ["rag"]
    assert game.completions("tom: WAIT; TELL hat") == ["hatch"]


def test_help_says_how(play):
    assert "GRAB cup; SAY it is heavy" in said(play("pair").hear("help"))
    assert "TELL" in said(play("apart").hear("help"))
    assert "; SAY" not in said(play("alone").hear("help"))
