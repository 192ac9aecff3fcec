"""`earsim generate-llm`: what it leaves, what it says, how it ends."""

from pathlib import Path

import pytest

from tests.evaluation.conftest import serving
from tests.generators.llm.rig import CATEGORIES, author, lines

SMALL = ("--rooms", 2, "--objects", 6, "--distractors", 1, "--horizon", 3)
MODEL = ("generate-llm", "--model", "scripted", *SMALL, "--jobs", 1)
FEW = (*MODEL, "--n", 1, *(word for name in CATEGORIES for word in ("--category", name)))
QUICK = ("--option", "backoff_s=0.001", "--option", "attempts=2")


@pytest.mark.slow
def test_a_suite_that_the_other_commands_take(earsim):
    with serving(author(repairable=0.5)) as server:
        made = earsim(*FEW, "--base-url", server.url, "--out", "mine", "--price", "1,2")
    assert made.exit_code == 0, made.output
    assert "3 scenarios in mine/suite.jsonl.gz, of which the expert solves 3." in made.stdout
    assert "1 scenes, into mine" in made.stderr
    suite = "mine"
    assert "llm0_00000/tool_use_" in earsim("list", suite).stdout
    checked = earsim("validate", suite)
    assert checked.exit_code == 0
    assert "3 certificates replayed, 0 stale" in checked.stdout
    assert earsim("run", suite, "--policy", "oracle").exit_code == 0
    assert earsim("eval", "--policy", "random", "--suite", suite, "--limit", 1).exit_code == 0
    assert earsim("replay", "mine/expert").exit_code == 0
    assert all(line["cost"] > 0 for line in lines(Path("mine/log/usage.jsonl")))


def test_when_nothing_is_kept_it_says_so(earsim):
    with serving(author(hostile=1.0)) as server:
        made = earsim(*FEW, "--base-url", server.url, "--out", "mine", "--repairs", 1)
    assert made.exit_code == 1
    assert "no scenario was kept" in made.stderr
    assert "1 rejected, with reasons in mine/log/rejected.jsonl" in made.stdout
    assert "of concept, such as: " in made.stdout


def test_when_the_server_is_gone_it_says_so(earsim):
    made = earsim(*FEW, "--base-url", "http://127.0.0.1:9/v1", "--out", "mine", *QUICK)
    assert made.exit_code == 3
    assert "1 scenes are not decided" in made.stderr
    assert "no connection" in made.stderr
    with serving(author()) as server:  # the server may have moved meanwhile
        made = earsim(*FEW, "--base-url", server.url, "--out", "mine", *QUICK)
    assert made.exit_code == 0


def test_a_server_that_refuses_the_request_is_quoted(earsim):
    with serving(author(model="another")) as server:
        made = earsim(*FEW, "--base-url", server.url, "--out", "mine")
    assert made.exit_code == 3
    assert "does not exist" in made.stderr
    assert "--structured none" in made.stderr


def test_a_rehearsal_asks_nobody(earsim, here):
    shown = earsim("generate-llm", "--model", "m", "--dry-run", "--api-key-env", "NO_SUCH_KEY")
    assert shown.exit_code == 0
    assert "# Stage: concept" in shown.stdout
    assert "80 requests if every first answer will do, 240 at most" in shown.stdout
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--option", "temperature"), "expected KEY=VALUE"),
        (("--option", "temprature=1"), "temprature"),
        (("--option", "cache=x"), "has a setting of its own"),
        (("--price", "cheap"), "expected [MODEL=]IN,OUT"),
        (("--price", "1,-2"), "expected [MODEL=]IN,OUT"),
        (("--texts", "missing"), "is no folder"),
        (("--base-url", "ftp://x"), "expected addresses"),
        (("--api-key-env", "NO_SUCH_KEY"), "NO_SUCH_KEY is not set"),
    ],
)
def test_wrong_flags_are_told_before_anything_is_asked(earsim, here, flags, said):
    made = earsim("generate-llm", "--model", "m", *flags)
    assert made.exit_code == 2
    assert said in made.stderr
    assert list(here.iterdir()) == []


def test_keys_are_sent_and_never_kept(earsim, here, monkeypatch):
    monkeypatch.setenv("A_KEY", "sesame-open")
    with serving(author(key="sesame-open")) as server:
        made = earsim(*FEW, "--base-url", server.url, "--api-key-env", "A_KEY", "--out", "mine")
        assert set(server.keys) == {"Bearer sesame-open"}
    assert made.exit_code == 0
    for path in here.rglob("*"):
        assert path.is_dir() or b"sesame" not in path.read_bytes()
