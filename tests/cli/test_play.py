"""`earsim play` from a script: what is shown, what is saved, and how one leaves."""

import json

import pytest
from typer.testing import CliRunner

from earsim.cli import app
from earsim.cli.playing import prompt
from earsim.cli.playing.play import converse
from tests.recorded import endings, recorded


@pytest.fixture
def typed(here, scene):
    """Play a task of the small scene with lines from a pipe."""

    def play(task, *lines, options=()):
        text = "".join(f"{line}\n" for line in lines)
        result = CliRunner().invoke(app, ["play", f"{scene}/{task}", *options], input=text)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        return result

    return play


def saved(here, task, run="hut-human-0"):
    return recorded(here / "runs" / run)[f"hut/{task}"]


WIN = ("explore", "go lamp", "turn on lamp", "done")


def test_a_game_is_won_saved_and_verified(here, typed, earsim):
    result = typed("light", *WIN)
    assert result.exit_code == 0
    assert "== Done! ==" in result.stdout
    assert saved(here, "light").result.success_final
    assert "1 equal." in earsim("replay", here / "runs").stdout


def test_names_are_shown_as_they_read(typed):
    shown = typed("light", "explore").stdout
    assert "Light the [bold]lamp[/bold]." in shown
    assert "Lamp :skull: (lamp)" in shown
    assert "\x1b" not in shown


def test_lines_appear_behind_the_prompt(typed):
    assert "[6 left] Eva ([red]Hall[/red])> explore\n" in typed("light", "explore").stdout


def test_what_is_typed_cannot_write_to_the_terminal(typed):
    shown = typed("light", "\x1b]0;title\x07 grab", "!SAY \x1b[31mred").stdout
    assert "\x1b" not in shown
    assert "\\x1b" in shown


def test_the_end_of_input_saves_and_leaves(here, typed):
    result = typed("light", "explore")
    assert result.exit_code == 0
    assert "You leave after 1 decision." in result.stdout
    assert endings(here / "runs" / "hut-human-0") == {"hut/light": "quit"}
    assert "You go on after decision 1" in typed("light", "quit").stdout


def test_the_command_to_go_on_with_has_the_options_that_find_the_attempt(here, typed, scene):
    options = ("--player", "ada", "--budget", "9", "--out", str(here / "an attempt"))
    told = " ".join(typed("light", "explore", options=options).stdout.split())
    assert f"To go on: earsim play {scene}/light --player ada --budget 9 --out" in told
    assert "an attempt'" in told
    assert "You go on after decision 1" in typed("light", "quit", options=options).stdout


def test_an_interrupt_saves_and_leaves(here, typed, monkeypatch):
    def interrupted(game, attempt, screen, ask):
        def once(prompt):
            if game.session.steps:
                raise KeyboardInterrupt
            return "explore"

        converse(game, attempt, screen, once)

    monkeypatch.setattr("earsim.cli.playing.play.converse", interrupted)
    assert typed("light").exit_code == 0
    assert len(saved(here, "light").steps) == 1


def test_nothing_is_saved_of_nothing(here, typed):
    assert "Nothing to save." in typed("light", "look", "quit").stdout
    assert not (here / "runs").exists()


def test_a_team(here, typed):
    lines = ("all: go loft", "all: explore", "all: go piano", "all: corp_grab piano")
    lines += ("eva, tom: corp goto hall", "all: corp place piano in hall", "all: done")
    assert "== Done! ==" in typed("carry", *lines).stdout
    assert saved(here, "carry").result.success_final


def test_a_player_and_what_was_shown_are_recorded(here, typed):
    result = typed("light", *WIN[:3], "undo", *WIN[2:], options=("--player", "ada", "--show-goal"))
    assert "Goal met" in result.stdout
    trajectory = saved(here, "light", "hut-human-ada-0")
    assert trajectory.policy == "human-ada"
    assert trajectory.memory == {"goal_shown": 1, "undone": 1}
    assert len(trajectory.steps) == 4


@pytest.mark.parametrize(
    ("lines", "memory"),
    [(("hint", "quit"), {"hints": 1}), (("explore", "undo", "least", "quit"), {"undone": 1})],
)
def test_hints_are_recorded_even_of_who_leaves_at_once(here, typed, lines, memory):
    assert "Saved in" in typed("light", *lines).stdout
    assert saved(here, "light").memory.items() >= memory.items()
    typed("light", *WIN, options=("--no-hints",))
    assert saved(here, "light").memory.items() >= memory.items()


def test_a_hint_is_written_down_before_the_next_decision(here, typed, monkeypatch):
    def killed(game):
        raise SystemExit(9)

    monkeypatch.setattr("earsim.play.game.Game.leave", killed)
    typed("light", "explore", "hint")
    assert saved(here, "light").memory == {"hints": 1}


def test_no_hints_for_human_protocols(here, typed):
    shown = typed("light", "hint", "least", "help", *WIN, options=("--no-hints",)).stdout
    assert shown.count("There are no hints in this game.") == 2
    assert "how few decisions" not in shown
    assert saved(here, "light").memory == {"asked_for_help": 1}


def test_the_run_stands_in_a_manifest_like_any_other(here, typed):
    typed("light", *WIN)
    manifest = json.loads((here / "runs" / "hut-human-0" / "manifest.json").read_text())
    assert [model["name"] for model in manifest["settings"]["models"]] == ["human"]
    assert [list(hashes) for hashes in manifest["scenarios"].values()] == [["hut/light"]]


def test_wrong_input(typed, earsim):
    assert typed("nothing_such").exit_code == 2
    assert typed("light", options=("--player", "no/slash")).exit_code == 2
    assert earsim("play", "starter", "--category", "zebra").exit_code == 2


def test_the_prompt_falls_back(monkeypatch):
    class Terminal:
        def isatty(self):
            return True

    monkeypatch.setattr(prompt.sys, "stdin", Terminal())
    monkeypatch.setattr(prompt.sys, "stdout", Terminal())
    monkeypatch.setitem(prompt.sys.modules, "prompt_toolkit", None)
    monkeypatch.setattr("builtins.input", lambda prompt: f"typed after {prompt}")
    for module in ("readline", "nothing"):
        ask = prompt.open_prompt(lambda line: [])
        assert ask("> \x1b") == "typed after > \\x1b"
        monkeypatch.setitem(prompt.sys.modules, module, None)


def test_completion_in_a_terminal():
    pytest.importorskip("prompt_toolkit")
    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    words = prompt._completer(lambda line: ["rag"] if line == "GRAB ra" else [])
    found = list(words.get_completions(Document("GRAB ra"), CompleteEvent()))
    assert [(c.text, c.start_position, c.display_text) for c in found] == [("rag ", -2, "rag")]


def test_a_prompt_with_line_editing():
    pytest.importorskip("prompt_toolkit")
    from prompt_toolkit.application import create_app_session
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text("GRAB rot\x7fag\x02\x02\x08\r")
        assert prompt._from_toolkit(lambda line: [])("> ") == "GRAB rag"


def test_ctrl_c_clears_what_was_typed_and_leaves_only_an_empty_line():
    pytest.importorskip("prompt_toolkit")
    from prompt_toolkit.application import create_app_session
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output import DummyOutput

    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        ask = prompt._from_toolkit(lambda line: [])
        keys.send_text("GRAB bag\x03GRAB rag\r")
        assert ask("> ") == "GRAB rag"
        keys.send_text("\x03")
        with pytest.raises(KeyboardInterrupt):
            ask("> ")


def test_ctrl_c_clears_what_was_typed_with_readline_as_well(monkeypatch):
    readline = pytest.importorskip("readline")
    typed = iter(["half a line", "", None])

    def interrupted(prompt):
        line = next(typed)
        if line is None:
            return "a line"
        monkeypatch.setattr(readline, "get_line_buffer", lambda: line)
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    ask = prompt._from_readline(lambda line: [])
    with pytest.raises(KeyboardInterrupt):
        ask("> ")
    assert ask("> ") == "a line"


def test_an_interrupt_throws_a_line_away_and_two_leave(earsim, scene, monkeypatch):
    typed = iter(["explore", KeyboardInterrupt, "wait", KeyboardInterrupt, KeyboardInterrupt])

    def ask(prompt):
        line = next(typed)
        if line is KeyboardInterrupt:
            raise KeyboardInterrupt
        return line

    monkeypatch.setattr("earsim.cli.playing.play.open_prompt", lambda complete: ask)
    result = earsim("play", f"{scene}/light", "--player", "ada")
    assert result.exit_code == 0
    assert "You leave after 2 decisions" in result.stdout
    assert next(typed, None) is None


def test_the_picture_of_a_figure_that_is_read_is_saved_beside_the_attempt(here):
    lines = (
        *("explore", "go figure board", "run figure board show figure=metal_density"),
        *("wait until figure board done", "read figure board", "look"),
    )
    result = CliRunner().invoke(
        app,
        ["play", "reading_room/stiff_and_light", "--out", str(here / "attempt")],
        input="".join(f"{line}\n" for line in lines),
    )
    assert result.stdout.count("Its picture: ") == 1
    (file,) = (here / "attempt" / "pictures").iterdir()
    assert file.name == "metal_density.png"
    assert file.read_bytes().startswith(b"\x89PNG")
