"""What others wrote reaches the terminal as text: no escape, no markup, no emoji."""

import json

import pytest

from earsim.cli.screen import Screen, line, percent, safe

ESCAPE = "\x1b]0;owned\x07\x1b[31m"


def test_safe_shows_control_characters():
    assert safe(ESCAPE).plain == "\\x1b]0;owned\\x07\\x1b[31m"
    assert line("a\n\n  b\tc  d").plain == "a b c  d"


def test_a_percentage_of_nothing_is_a_dash():
    assert (percent(None), percent(0.5)) == ("-", "50.0 %")


@pytest.mark.slow
def test_an_error_shows_a_hostile_name(earsim):
    result = earsim("validate", f"{ESCAPE}.yaml")
    assert result.exit_code == 2
    assert "\x1b" not in result.stderr
    assert "\\x1b" in result.stderr


def test_a_finding_shows_a_hostile_file_name(earsim, here):
    (here / "folder").mkdir()
    (here / "folder" / "\x1b[2Jx.yaml").write_text("{")
    result = earsim("validate", "folder")
    assert result.exit_code == 1
    assert "\x1b" not in result.stdout
    assert "\\x1b[2Jx.yaml" in result.stdout


def test_a_recorded_command_is_shown_as_it_reads(earsim, scene):
    earsim("run", f"{scene}/light", "--policy", "walkthrough", "--out", "run")
    earsim("export-log", "run", "--to", "trajectories", "--out", "files")
    (path,) = (scene.parent / "files").rglob("*.jsonl")
    lines = [json.loads(text) for text in path.read_text().splitlines()]
    lines[1]["outcomes"][0]["command"] = ESCAPE
    path.write_text("".join(f"{json.dumps(record)}\n" for record in lines))
    result = earsim("replay", path, "--suite", scene)
    assert result.exit_code == 1
    assert "\x1b" not in result.stdout


@pytest.mark.slow
def test_markup_in_names_is_text(earsim, scene):
    shown = earsim("list", scene).stdout + earsim("show", f"{scene}/light").stdout
    assert "[bold]lamp[/bold]" in shown
    assert "Lamp :skull:" in shown


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_no_color_is_respected(monkeypatch, capsys, no_color, coloured):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color:
        monkeypatch.setenv("NO_COLOR", no_color)
    Screen().say(safe("red", "red"))
    assert ("\x1b[31m" in capsys.readouterr().out) is coloured
