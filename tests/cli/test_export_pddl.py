"""`earsim export-pddl`: the files it writes, and plans it takes back."""

import json

import pytest

PLAN = """\
(explore-room hall)
(goto-piece chest)
(turn_on lamp)
; cost = 3 (unit cost)
"""


def test_the_files(earsim, scene, here):
    assert earsim("export-pddl", f"{scene}/light", "--out", "task").exit_code == 0
    written = {path.name: path.read_text(encoding="utf-8") for path in (here / "task").iterdir()}
    assert sorted(written) == ["commands.json", "domain.pddl", "problem.pddl"]
    assert "(:domain physical)" in written["problem.pddl"]
    assert "(:action turn_on" in written["domain.pddl"]
    commands = json.loads(written["commands.json"])
    assert commands["scenario"] == "hut/light"
    assert commands["actions"]["put-on"] == "PLACE {0} on {1}"
    assert commands["objects"]["lamp"] == "lamp"


def test_another_ruleset(earsim, scene, here):
    earsim("export-pddl", f"{scene}/light", "--ruleset", "ear-bench")
    assert "(domain ear-bench)" in (here / "pddl" / "domain.pddl").read_text(encoding="utf-8")


def test_a_plan_that_wins(earsim, scene, here):
    (here / "sas_plan").write_text(PLAN, encoding="utf-8")
    result = earsim("export-pddl", f"{scene}/light", "--read-plan", "sas_plan")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "   1  EXPLORE",
        "   2  GOTO chest",
        "   3  TURN_ON lamp",
        "The goal is reached, after 3 commands.",
    ]
    assert not (here / "pddl").exists()


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        ("(explore-room hall)", "The goal is NOT reached, after 1 command."),
        ("(turn_on lamp)", "   1  TURN_ON lamp  REFUSED (undiscovered)"),
    ],
)
def test_a_plan_that_does_not_win(earsim, scene, here, plan, told):
    (here / "sas_plan").write_text(plan, encoding="utf-8")
    result = earsim("export-pddl", f"{scene}/light", "--read-plan", "sas_plan")
    assert result.exit_code == 1
    assert told in result.stdout.splitlines()


def test_a_plan_of_another_task(earsim, scene, here):
    (here / "sas_plan").write_text("(fly-to moon)", encoding="utf-8")
    result = earsim("export-pddl", f"{scene}/light", "--read-plan", "sas_plan")
    assert result.exit_code == 2
    assert "sas_plan:1: no action 'fly-to'" in result.stderr


def test_a_team(earsim, scene, here):
    result = earsim("export-pddl", f"{scene}/carry")
    assert result.exit_code == 2
    assert "hut/carry cannot be exported: it has 2 agents, not one" in result.stderr
    assert not (here / "pddl").exists()
