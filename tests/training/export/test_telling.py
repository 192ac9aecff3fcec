"""Rows tell what an evaluated model is asked, byte for byte, and what it should answer."""

from __future__ import annotations

import re
from typing import Any

import pytest

from earsim import Engine
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim_agents.scripted_server import Plans, ServerScript
from earsim_training.export.demonstrations.demonstration import (
    Demonstration,
    DemonstrationTurn,
    demonstrate,
)
from earsim_training.export.relabelling import relabel
from earsim_training.export.settings import DemonstrationSettings, PromptSettings
from tests.agents.rig import KINDS, QUICK, against, play
from tests.training.exported import flat, scenario, scenario_of


def demonstration(tmp_path, task, policy="expert", telling=None, **how) -> Demonstration:
    return demonstrate(
        scenario(tmp_path, task),
        DemonstrationSettings(policy=policy, **how),
        telling or PromptSettings(),
    )


def evaluated(
    played, turns, telling: PromptSettings
) -> list[tuple[str, list[dict[str, str]], str]]:
    """Agent, messages and reply of every call of a policy that follows a plan over HTTP."""
    plan = [dict(turn.commands or {}) for turn in turns]
    script = ServerScript(plans=Plans({Engine(played).instruction: plan}))

    async def work(server) -> Any:
        options = {"style": telling.style, "knowledge": telling.knowledge, **QUICK}
        policy = KINDS[telling.role](model="scripted", base_url=server.url, **options)
        try:
            return await play(policy, played)
        finally:
            await policy.close()

    calls = against(script, work).calls
    return [(call.agent, call.request["messages"], call.reply) for call in calls]


@pytest.mark.parametrize("style", ["paper", "chat", "compact", "compact-chat"])
@pytest.mark.parametrize(
    ("task", "role"),
    [("cup", "centralized"), ("safe", "centralized"), ("safe", "decentralized")],
)
def test_prompts_are_those_of_an_evaluated_policy(tmp_path, style, task, role):
    telling = PromptSettings(style=style, role=role)
    shown = demonstration(tmp_path, task, telling=telling)
    sent = evaluated(shown.scenario, shown.turns, telling)
    told = [(each.agent, each.prompt) for each in relabel(shown, telling).told]
    assert told == [(agent, without_thoughts(messages)) for agent, messages, _ in sent]


def without_thoughts(messages: list[dict[str, str]]) -> list[dict[str, str]]:
    """What is sent shows earlier replies, and those of the scripted server begin with a thought."""
    thought = re.compile(r"Thought: the next step of the plan\.\n( {3})?")
    return [{**each, "content": thought.sub("", each["content"])} for each in messages]


@pytest.mark.parametrize("role", ["centralized", "decentralized"])
def test_replies_name_a_command_for_everybody_who_is_asked(tmp_path, role):
    told = relabel(demonstration(tmp_path, "safe"), PromptSettings(role=role)).told
    assert all(each.taught for each in told)
    if role == "centralized":
        assert {each.agent for each in told} == {""}
        assert all(each.reply.count("Action ") == 2 for each in told)
    else:
        assert {each.agent for each in told} == {"ada", "ben"}
        assert all(each.reply.startswith("Action: ") for each in told)


def test_the_reference_grammar_numbers_its_agents(tmp_path):
    told = relabel(demonstration(tmp_path, "safe"), PromptSettings(grammar="ear-bench")).told
    assert told[0].reply.splitlines()[0].startswith("Agent_1_Action: ")
    assert told[0].reply.splitlines()[1].startswith("Agent_2_Action: ")


def test_what_cannot_be_read_back_or_was_refused_is_not_taught(tmp_path):
    turns = (
        DemonstrationTurn({"ada": "EXPLORE"}),
        DemonstrationTurn({"ada": "GRAB table\nAction: DONE"}),
        DemonstrationTurn(None),
        DemonstrationTurn({"ada": "GRAB moon"}),
        DemonstrationTurn({"ada": "GOTO hall"}),
    )
    shown = Demonstration("x", scenario(tmp_path, "cup"), EpisodeSettings(), turns, "somebody")
    told = relabel(shown, PromptSettings()).told
    assert [each.taught for each in told] == [True, False, False, False, True]
    assert told[4].after_refusal
    assert [each.taught for each in relabel(shown, PromptSettings(), refused=True).told][3]


def thoughts_of(tmp_path, task, **telling) -> dict[str, str]:
    """The line before each command; of equal commands the last one's."""
    told = relabel(demonstration(tmp_path, task), PromptSettings(rationale=True, **telling)).told
    return {each.reply.split("Action: ")[1]: each.reply.split("\n")[0] for each in told}


def test_a_rationale_says_what_is_meant_the_sub_goal_and_what_stands_in_its_way(tmp_path):
    thoughts = thoughts_of(tmp_path, "cup", style="compact")
    before, after = (
        "Thought: cup is not found, table is table",
        "Thought: cup is cup, table is table",
    )
    assert thoughts["EXPLORE"] == f"{before}; look in cellar here"
    assert thoughts["GOTO cellar"] == f"{before}; look in cellar"
    assert thoughts["GOTO hall"] == f"{before}; open chest; chest in hall"
    assert thoughts["GOTO chest"] == f"{before}; open chest; chest here"
    assert thoughts["OPEN chest"] == f"{before}; open chest"
    assert thoughts["GRAB cup"] == f"{after}; bring cup to table"
    assert thoughts["GOTO kitchen"] == f"{after}; put cup on table; table in kitchen"
    assert thoughts["PLACE cup on table"] == f"{after}; put cup on table"
    assert thoughts["DONE"] == f"{after}; what the task asks for is true"


def test_a_rationale_says_nothing_of_what_is_meant_where_things_have_to_be_compared(tmp_path):
    home = flat(tmp_path)
    text = (home / "flat.yaml").read_text(encoding="utf-8")
    goal = "goal: {all: [{at: {object: cup, on: table}}]}"
    selected = "select: {best: {only: {in: chest}}}\n    goal: {at: {object: $best, on: table}}"
    assert goal in text
    (home / "flat.yaml").write_text(text.replace(goal, selected), encoding="utf-8")
    shown = demonstrate(
        scenario_of(home, "cup"), DemonstrationSettings(policy="expert"), PromptSettings()
    )
    told = relabel(shown, PromptSettings(rationale=True, style="compact")).told
    assert told
    assert not any(" is cup" in each.reply or "not found" in each.reply for each in told)


def test_a_rationale_names_the_door_and_the_room_where_one_has_to_be_in_the_end(tmp_path):
    home = flat(tmp_path)
    text = (home / "flat.yaml").read_text(encoding="utf-8")
    text = text.replace("connects: [hall]}", "}").replace(
        "objects:",
        "doors: [{id: hatch, between: [kitchen, hall], states: {is_open: false}}]\nobjects:",
        1,
    )
    goal = "{inside_room: {object: rag, room: hall}}"
    text = text.replace("{at: {object: cup, on: table}}", goal)
    text = text.replace("Put the cup on the table.", "Bring the rag to the hall.")
    (home / "flat.yaml").write_text(text, encoding="utf-8")
    played = scenario_of(home, "cup")
    shown = demonstrate(played, DemonstrationSettings(policy="expert"), PromptSettings())
    told = relabel(shown, PromptSettings(rationale=True, style="compact")).told
    thoughts = {each.reply.split("Action: ")[1]: each.reply.split("\n")[0] for each in told}
    assert thoughts["GOTO hatch"] == "Thought: rag is not found; look in hall behind hatch here"
    assert thoughts["OPEN hatch"] == "Thought: rag is not found; look in hall behind hatch here"
    assert thoughts["GOTO hall"] == "Thought: rag is rag; bring rag to hall"


def test_a_door_that_the_task_is_about_is_a_sub_goal(tmp_path):
    home = flat(tmp_path)
    text = (home / "flat.yaml").read_text(encoding="utf-8")
    for now, then in ((False, "Open"), (True, "Close")):
        door = f"{{id: hatch, between: [kitchen, hall], states: {{is_open: {str(now).lower()}}}}}"
        changed = text.replace("objects:", f"doors: [{door}]\nobjects:", 1)
        changed = changed.replace("connects: [hall]}", "}")
        goal = f"{{has_state: {{object: hatch, state: is_open, equals: {str(not now).lower()}}}}}"
        changed = changed.replace("{at: {object: cup, on: table}}", goal)
        changed = changed.replace("Put the cup on the table.", f"{then} the hatch.")
        (home / "flat.yaml").write_text(changed, encoding="utf-8")
        shown = demonstrate(
            scenario_of(home, "cup"), DemonstrationSettings(policy="oracle"), PromptSettings()
        )
        told = relabel(shown, PromptSettings(rationale=True, style="compact")).told
        replies = [each.reply for each in told]
        assert f"Thought: {then.lower()} hatch\nAction: {then.upper()} hatch" in replies


def test_a_rationale_names_tools_and_limits(tmp_path):
    told = relabel(demonstration(tmp_path, "wash"), PromptSettings(rationale=True)).told
    assert any(
        each.reply.startswith("Thought: cup is cup; clean cup; rag can clean") for each in told
    )
    team = relabel(demonstration(tmp_path, "safe"), PromptSettings(rationale=True)).told
    assert any("70 kg is more than 40 kg" in each.reply for each in team)


@pytest.mark.parametrize("policy", ["oracle", "expert"])
@pytest.mark.parametrize("task", ["cup", "safe"])
def test_a_rationale_names_nothing_that_is_not_known_yet(tmp_path, policy, task):
    shown = demonstration(tmp_path, task, policy)
    instruction = Engine(shown.scenario).instruction
    told = relabel(shown, PromptSettings(rationale=True)).told
    assert told
    for each in told:
        known = "".join(message["content"] for message in each.prompt)
        for thing in ("cup", "rag", "safe", "chest", "table"):
            words = each.reply.split("\n")[0]
            if f" {thing} is not found" in words:  # the task's word for it, and not an id
                assert f" {thing}" in instruction
                words = words.replace(f" {thing} is not found", "")
            if f" {thing}" in words:
                assert f"({thing}" in known or f"{thing} " in known


def test_stray_commands_are_played_and_never_taught(tmp_path):
    shown = demonstration(tmp_path, "cup", perturb=0.5, seed=3)
    strays = [number for number, turn in enumerate(shown.turns) if turn.stray]
    told = relabel(shown, PromptSettings(style="compact")).told
    assert strays
    assert all(told[number].taught is False for number in strays)
    assert sum(each.taught for each in told) == len(shown.turns) - len(strays)
    assert any(each.after_refusal and each.taught for each in told)


def test_a_demonstrator_recovers_from_what_leads_it_astray(tmp_path):
    found = [
        relabel(demonstration(tmp_path, "cup", policy, perturb=0.3, seed=seed), PromptSettings())
        for policy in ("oracle", "expert")
        for seed in range(6)
    ]
    assert sum(each.success for each in found) >= 11  # the budget may run out


def test_without_strays_nothing_is_drawn(tmp_path):
    assert demonstration(tmp_path, "cup", seed=1).turns == demonstration(tmp_path, "cup").turns
