"""Episodes of policies that ask in roles: a row for each call, and which of them are taught."""

import json
from types import SimpleNamespace

import pytest

from earsim.apparatus.bodies import pool
from earsim.evaluation.runs import players
from earsim.evaluation.runs.evaluation import Evaluation
from earsim.evaluation.runs.sweep import Sweep
from earsim.evaluation.store.database import Store
from earsim_agents.science.design.proposer import propose
from earsim_agents.science.embodied.script import scripted
from earsim_agents.science.statemachine.script import analyst
from earsim_agents.scripted_server.client import ScriptedClient
from tests.training.exported import export, rows

TUNE = "control_lab/tune_for_the_open_day"
GOOD = "CONFIGURE lag_rig topology=pid Kp=2.818 Ki=0.8 Kd=1.886\nRUN lag_rig"
PLAN = {
    "problem_type": "tuning",
    "constraints": [{"name": "s", "result": "settling_s", "op": "<=", "value": 3.0}],
    "subtasks": [{"name": "tune", "steps": ["tune it"]}],
}


@pytest.fixture
def played(monkeypatch, tmp_path):
    """Plays a scenario by a policy whose model is a script; the folder of the run."""

    def play(script, policy, *tasks, **options):
        opened = SimpleNamespace(load=lambda: lambda **_: ScriptedClient(script))
        monkeypatch.setattr(players, "_OPEN_CLIENT", opened)
        run = tmp_path / f"run{len(list(tmp_path.iterdir()))}"
        entrant = {"policy": policy, "options": {"model": "m", **options}}
        sweep = {"models": [entrant], "suites": list(tasks)}
        list(Evaluation(Sweep.model_validate(sweep), run).run())
        return run

    return play


def calls_of(run):
    with Store.open(run, readonly=True) as store:
        return [call for row in store.episodes() for call in store.calls(row.episode)]


def replies(*code, **roles):
    """A model that gives its code replies in order."""
    left = list(code)
    said = {
        "plan": json.dumps(PLAN),
        "perceive": '{"state": "NORMAL"}',
        "reflect": '{"decision": "ACCEPT"}',
        **roles,
    }

    def reply(role, messages):
        return (left.pop(0) if left else "NEXT") if role in ("code", "act") else said[role]

    return reply


def test_each_call_is_a_row_with_prompt_and_reply_as_they_were(played, tmp_path):
    run = played(replies(GOOD), "embodied", TUNE)
    export(run, tmp_path / "out", forms=("decisions", "episodes", "records"))
    found, calls = rows(tmp_path / "out"), calls_of(run)
    assert [row["asked_as"] for row in found] == [call.role for call in calls]
    assert {row["asked_as"] for row in found} == {"plan", "code", "perceive", "reflect"}
    for row, call in zip(found, calls, strict=True):
        assert row["prompt"] == call.request["messages"]
        assert row["completion"] == [{"role": "assistant", "content": call.reply}]
        assert json.loads(row["command"]) == call.parsed
        assert row["success"]
    assert len({row["id"] for row in found}) == len(found)
    assert found[0]["id"].endswith("/0/plan.0")
    assert (found[0]["style"], found[0]["role"], found[0]["prompt_name"]) == ("", "", "")
    conversations = rows(tmp_path / "out", "episodes")
    assert len(conversations) == len(found)
    assert conversations[0]["messages"] == found[0]["prompt"] + found[0]["completion"]


def test_a_reply_that_could_not_be_read_is_asked_before_and_not_taught(played, tmp_path):
    export(played(replies("hm", GOOD), "embodied", TUNE), tmp_path / "out")
    code = [row for row in rows(tmp_path / "out") if row["asked_as"] == "code"]
    assert [row["completion"][0]["content"] for row in code] == [GOOD]
    assert code[0]["prompt"][2] == {"role": "assistant", "content": "hm"}
    [conversation] = [r for r in rows(tmp_path / "out", "episodes") if r["asked_as"] == "code"]
    assert conversation["supervised"] == [False, True]


def test_what_the_world_refused_is_taught_only_if_asked_for(played, tmp_path):
    refused = "CONFIGURE lag_rig Kp=1000\nRUN lag_rig"
    run = played(replies(refused, GOOD), "embodied", TUNE)
    export(run, tmp_path / "a")
    export(run, tmp_path / "b", choosing={"refused": True})
    taught = [
        [r["completion"][0]["content"] for r in rows(tmp_path / name) if r["asked_as"] == "code"]
        for name in "ab"
    ]
    assert taught == [[GOOD], [refused, GOOD]]
    after = {row["completion"][0]["content"]: row["after_refusal"] for row in rows(tmp_path / "b")}
    assert after[GOOD]
    assert not after[refused]


def test_failures_are_left_out_unless_asked_for(played, tmp_path):
    run = played(replies("NEXT"), "direct", TUNE)
    assert export(run, tmp_path / "a").left == {"goal not reached": 1}
    export(run, tmp_path / "b", choosing={"failures": True})
    [row] = rows(tmp_path / "b")
    assert (row["asked_as"], row["success"], row["policy"]) == ("act", False, "m")


@pytest.mark.parametrize(
    ("policy", "script", "task", "options", "roles"),
    [
        ("codeact", scripted(3), TUNE, {}, {"act"}),
        ("direct", replies(GOOD), TUNE, {}, {"act"}),
        ("embodied", scripted(3), TUNE, {"perception": "off"}, {"plan", "code", "reflect"}),
        ("statemachine", analyst, "ocean_office/freshwater_from_the_north", {},
         {"question", "router", "summary"}),
        ("caed", propose, "heat_bay/good_to_a_percent", {"iterations": 2}, {"propose"}),
    ],
)  # fmt: skip
def test_every_policy_that_asks_in_roles_has_rows(
    policy, script, task, options, roles, played, tmp_path
):
    run = played(script, policy, task, **options)
    export(run, tmp_path / "out", choosing={"failures": True, "duplicates": True, "refused": True})
    found = rows(tmp_path / "out")
    assert {row["asked_as"] for row in found} == roles
    assert len(found) == sum(call.parsed is not None for call in calls_of(run))


def test_an_illegal_move_is_not_taught(played, tmp_path):
    moves = iter(["analysis", "summary"])

    def reply(role, messages):
        if role == "question":
            return json.dumps({"next": next(moves)})
        return '{"answers": {}}'

    run = played(reply, "statemachine", "ocean_office/freshwater_from_the_north")
    export(run, tmp_path / "out", choosing={"failures": True})
    said = [r["completion"][0]["content"] for r in rows(tmp_path / "out")]
    assert '{"next": "analysis"}' not in said
    assert '{"next": "summary"}' in said


def test_no_code_of_agents_is_executed(played, tmp_path, monkeypatch):
    code = "EXEC workstation\n```\nprint('result = 3.2953')\n```\nSUBMIT t=3.2953"
    run = played(replies(code), "direct", "numerics_room/nearly_four")
    monkeypatch.setattr(pool, "_interpreter", None)
    pool.POOL.close()
    export(run, tmp_path / "roles")
    [row] = rows(tmp_path / "roles")
    assert row["completion"][0]["content"] == code


def test_a_chat_about_code_is_told_from_the_record(tmp_path, monkeypatch):
    from tests.recorded import play_run

    run = play_run(tmp_path / "run", "numerics_room/nearly_four", "walkthrough")
    monkeypatch.setattr(pool, "_interpreter", None)
    pool.POOL.close()
    tally = export(run, tmp_path / "out")
    assert not tally.problems
    told = [row["prompt"][-1]["content"] for row in rows(tmp_path / "out")]
    assert any("result 3.29527" in text or "result = 3.29527" in text for text in told)
