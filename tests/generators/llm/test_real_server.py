"""A real model of random weights behind a real server: garbage comes in, reasons come out."""

import pytest

from tests.agents.test_real_server import served, server, transformers
from tests.generators.llm.rig import lines

__all__ = ["served", "server", "transformers"]

pytestmark = [pytest.mark.slow, pytest.mark.torch]


def test_garbage_is_set_aside_with_reasons(earsim, here, served):
    url, model = served
    words = ("generate-llm", "--model", model, "--base-url", url, "--n", 2, "--repairs", 1)
    made = earsim(*words, "--option", "max_tokens=60", "--jobs", 1, "--out", "mine")
    assert made.exit_code == 1, made.output
    assert "no scenario was kept" in made.stderr
    rejected = lines(here / "mine" / "log" / "rejected.jsonl")
    assert [(line["stage"], line["flaw"]) for line in rejected] == [("concept", "unreadable")] * 2
    assert all(line["findings"] and line["answer"] for line in rejected)
    (usage,) = lines(here / "mine" / "log" / "usage.jsonl")
    assert (usage["answers"], usage["repairs"]) == (4, 2)
    assert usage["completion_tokens"] <= 4 * 60
    again = earsim(*words, "--option", "max_tokens=60", "--jobs", 1, "--out", "mine")
    assert again.exit_code == 1
    assert lines(here / "mine" / "log" / "rejected.jsonl") == rejected
