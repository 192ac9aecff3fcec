"""Prompt files: checked when they are loaded, safe when they are filled in."""

import pytest

from earsim.errors import FileError, UsageError
from earsim_agents.prompts import FOLDER, INPUTS, PromptFile, prompt_of
from earsim_agents.settings import ModelSettings
from tests.agents.rig import ALONE, TEAM, played, scenario

STYLES = ("chat", "compact", "compact-chat", "paper")
PROMPT = """\
---
id: mine
version: 3
blocks:
  system: [reply_form]
  user: [task]
---
--- system
Obey. {{ reply_form }}
--- user
Do: {{ task }}
"""


def load(tmp_path, text, style="paper"):
    path = tmp_path / "mine.md"
    path.write_text(text, encoding="utf-8")
    return PromptFile.load(path, INPUTS[style])


def test_a_prompt_is_named_after_what_it_says(tmp_path):
    name = load(tmp_path, PROMPT).name
    assert name.startswith("mine@3:")
    assert load(tmp_path, PROMPT.replace("Obey", "Obey!")).name != name


@pytest.mark.parametrize("style", STYLES)
def test_the_prompts_that_come_along_are_good(style):
    assert prompt_of(ModelSettings(model="m", style=style)).name.startswith(f"{style}@2:")


def test_every_prompt_that_comes_along_is_a_style():
    assert {path.stem for path in FOLDER.glob("*.md")} == set(STYLES)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("{{ task }}", "{{ taks }}"), "uses 'taks', which it does not declare"),
        (("{{ task }}", ""), "declares 'task' and never uses it"),
        (("user: [task]", "user: [tusk]"), "there is no input 'tusk' for it; did you mean 'task'?"),
        (("--- user", "--- usher"), "this style has no such block"),
        (("--- user\nDo: {{ task }}\n", ""), "the block or its declaration is missing"),
        (("{{ task }}", "{{ task "), "no template"),
        (("version: 3", "version: three"), "version"),
        (("---\nid", "id"), "no front matter"),
        (("version: 3", "version: 3\ncolour: red"), "colour"),
    ],
)
def test_what_is_wrong_in_a_prompt_file_is_told(tmp_path, change, expected):
    with pytest.raises(FileError, match=r".*") as caught:
        load(tmp_path, PROMPT.replace(*change))
    assert expected in str(caught.value)


def test_a_template_cannot_leave_its_sandbox(tmp_path):
    prompt = load(tmp_path, PROMPT.replace("{{ task }}", "{{ task.__class__.__mro__ }}"))
    with pytest.raises(Exception, match="unsafe"):
        prompt.render("user", {"task": "x"})


def test_text_that_comes_in_is_never_a_template(tmp_path):
    prompt = load(tmp_path, PROMPT)
    evil = "{{ 7 * 7 }} {% raw %} {# none #} <b>&amp;"
    assert prompt.render("user", {"task": evil}) == f"Do: {evil}"


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("kind", ["centralized", "decentralized"])
def test_the_system_message_is_the_same_for_every_task(style, kind):
    first = played(kind, TEAM, style=style).calls[0]
    other_id = "old_exchange/two_levers"
    assert len(scenario(other_id).agents) > 1
    other = played(kind, other_id, style=style).calls[0]
    assert first.request["messages"][0] == other.request["messages"][0]
    assert first.request["messages"][1] != other.request["messages"][1]


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
def test_knowledge_and_team_change_the_system_message(style):
    texts = {
        played(kind, scenario_id, style=style, knowledge=knowledge)
        .calls[0]
        .request["messages"][0]["content"]
        for kind, scenario_id in (("llm", ALONE), ("centralized", TEAM), ("decentralized", TEAM))
        for knowledge in ("explore", "global")
    }
    assert len(texts) == 6


def test_a_prompt_of_ones_own_is_used(tmp_path):
    load(tmp_path, PROMPT)
    found = played("llm", ALONE, style="paper", prompt=str(tmp_path / "mine.md"))
    assert found.calls[0].request["messages"][1]["content"].startswith("Do: Put the guest book")
    assert found.memory["prompt"].startswith("mine@3:")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"modle": "x"}, "modle"),
        ({"history": "last-3"}, "history"),
        ({"style": "paper", "history": "some"}, "history"),
        ({"base_url": "ftp://there"}, "base_url"),
        ({"base_url": "http://me:secret@there/v1"}, "api_key_env"),
        ({"base_url": "http://there/v1?key=secret"}, "api_key_env"),
        ({"base_url": ["http://a/v1", "http://a/v1"]}, "twice"),
        ({"temperature": -1}, "temperature"),
        ({"temperature": float("nan")}, "temperature"),
        ({"extra_body": {"messages": []}}, "extra_body"),
        ({"grammar": "loose"}, "grammar"),
    ],
)
def test_settings_that_make_no_sense_are_refused(options, expected):
    with pytest.raises(UsageError, match=expected) as caught:
        ModelSettings.of(**{"model": "m", **options})
    assert "secret" not in str(caught.value)


def test_all_sampling_parameters_are_sent():
    sent = played("llm", ALONE, temperature=0.5, top_k=7, stop=["\n\n"]).calls[0].request
    assert set(sent) == {
        *("model", "messages", "temperature", "top_p", "max_tokens", "presence_penalty"),
        *("frequency_penalty", "n", "stream", "seed", "stop", "top_k"),
    }
    assert (sent["temperature"], sent["top_k"], sent["stop"]) == (0.5, 7, ["\n\n"])
