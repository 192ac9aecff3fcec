"""Options that take one of a few words: all are in the help, and no other is taken."""

from typing import get_args

import pytest

from earsim.cli import main
from earsim.schema.choices import EndOn, Grammar, Knowledge, Style, Voices

OPTIONS = [
    (("eval",), "--style", Style),
    (("eval",), "--knowledge", Knowledge),
    (("eval",), "--end-on", EndOn),
    (("run",), "--end-on", EndOn),
    (("export-sft", "starter", "--out", "data"), "--style", Style),
    (("export-sft", "starter", "--out", "data"), "--knowledge", Knowledge),
    (("export-sft", "starter", "--out", "data"), "--role", Voices),
    (("export-sft", "starter", "--out", "data"), "--grammar", Grammar),
    (("train", "eval", "runs/tiny", "--suite", "starter"), "--style", Style),
    (("train", "eval", "runs/tiny", "--suite", "starter"), "--knowledge", Knowledge),
    (("train", "eval", "runs/tiny", "--suite", "starter"), "--role", Voices),
]
each_option = pytest.mark.parametrize(("command", "option", "choices"), OPTIONS)


@pytest.mark.slow
@each_option
def test_help_tells_what_can_be_chosen(earsim, monkeypatch, command, option, choices):
    monkeypatch.setenv("COLUMNS", "200")
    shown = earsim(*command, "--help").stdout
    (told,) = (line for line in shown.splitlines() if f" {option} " in line and "│" in line)
    assert "|".join(get_args(choices)) in told


@each_option
def test_another_word_is_refused(earsim, here, command, option, choices):
    result = earsim(*command, option, "neither")
    assert result.exit_code == 2
    said = " ".join(result.stderr.replace("│", "").split())
    assert f"Invalid value for '{option}':" in said
    assert f"'neither' is not one of {', '.join(map(repr, get_args(choices)))}." in said
    assert not list(here.iterdir())


def test_several_words_are_taken(earsim, scene):
    styles = ("--style", "compact", "--style", "paper")
    model = ("--model", "m", "--base-url", "http://127.0.0.1:9/v1")
    result = earsim("eval", *model, "--suite", scene, *styles, "--dry-run")
    assert result.exit_code == 0
    assert "centralized-m-hut-compact-explore" in result.stdout
    assert "centralized-m-hut-paper-explore" in result.stdout


def test_words_that_fit_are_offered(monkeypatch, capsys):
    monkeypatch.setenv("_EARSIM_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "earsim eval --style comp")
    monkeypatch.setenv("COMP_CWORD", "3")
    with pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().out.split() == ["compact", "compact-chat"]
