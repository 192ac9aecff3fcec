"""The embodied agent on the control rig, with replies by script: what each module is good for."""

import asyncio
import json
from functools import partial
from itertools import pairwise

import pytest

from benchmarks.embodied import ROWS, TASKS, play
from earsim import Engine, Episode, open_suite
from earsim.apparatus.model import ShownSample
from earsim.envs.policy import PolicyContext, observations_of
from earsim_agents.replies.record import UnreadableReply, json_reply
from earsim_agents.science.embodied.plan import Constraint, ProblemPlan
from earsim_agents.science.embodied.policies import CodeActPolicy, DirectPolicy, EmbodiedPolicy
from earsim_agents.science.embodied.reflection import KnownValues, verify
from earsim_agents.science.embodied.script import faulty, scripted
from earsim_agents.scripted_server.client import ScriptedClient
from earsim_agents.scripted_server.script import BAD_REPLIES

PLAN = {
    "problem_type": "tuning",
    "constraints": [
        {"name": "settling", "result": "settling_s", "op": "<=", "value": 3.0},
        {"name": "overshoot", "result": "overshoot_percent", "op": "<=", "value": 10.0},
        {"name": "error", "result": "steady_error", "op": "<=", "value": 0.001},
    ],
    "subtasks": [{"name": "tune", "steps": ["tune it"]}],
}
GOOD = "CONFIGURE lag_rig topology=pid Kp=2.818 Ki=0.8 Kd=1.886\nRUN lag_rig"
DIVERGING = "CONFIGURE lag_rig topology=pid Kp=12 Ki=8 Kd=0\nRUN lag_rig"
P_ALONE = "CONFIGURE lag_rig topology=p Kp=5\nRUN lag_rig"


class Replies:
    """Replies in order for the generator, and one for each other role; keeps the prompts."""

    def __init__(self, *code, **roles):
        self.code = list(code)
        self.roles = {
            "plan": json.dumps(PLAN),
            "perceive": '{"state": "NORMAL"}',
            "reflect": '{"decision": "LOCAL_ADJUST"}',
            **roles,
        }
        self.asked = []

    def __call__(self, role, messages):
        self.asked.append((role, messages[-1]["content"]))
        if role in ("code", "act"):
            return self.code.pop(0) if self.code else "NEXT"
        found = self.roles[role]
        return found(messages[-1]["content"]) if callable(found) else found


def played(
    replies, kind=EmbodiedPolicy, task="tune_for_the_open_day", scene="control_lab", **options
):
    engine = Engine(open_suite("laboratory").load(f"{scene}/{task}"))
    episode = Episode(engine, end_on="done", budget=120)
    policy = kind(client=ScriptedClient(replies), model="m", **options)
    policy.reset(PolicyContext.of(episode))
    calls = []

    async def work():
        while not (episode.over or episode.truncated):
            episode.step(await policy.act(observations_of(episode)))
            calls.extend(policy.take_calls())

    asyncio.run(work())
    return episode, policy.state, calls


def runs(episode):
    return list(episode.world.timeline.lab.runs.values())


def planned(*constraints, **more):
    return json.dumps({**PLAN, "constraints": list(constraints), **more})


def accept(told):
    met = "All constraints are met" in told
    return json.dumps({"decision": "ACCEPT" if met else "LOCAL_ADJUST"})


STABLE = {"name": "stable", "result": "stable", "op": "==", "value": True}


def test_a_run_that_diverges_is_stopped_and_the_same_step_repaired():
    replies = Replies(DIVERGING, GOOD, plan=planned(STABLE), reflect=accept)
    episode, state, _ = played(replies)
    first, second = runs(episode)
    assert first.message == "stopped"
    assert 7.1 <= first.samples[-1].t <= 12.0
    assert second.results["settling_s"] == pytest.approx(2.351)
    assert episode.success
    assert (state.stops, state.hot_fixes, state.replans, state.turns) == (1, 1, 0, 2)
    assert state.attempts[0].events == ("diverging",)
    assert state.ended == "accepted"


def test_a_run_that_can_no_longer_meet_a_constraint_is_stopped_at_the_first_look():
    episode, state, calls = played(Replies(DIVERGING, GOOD, reflect=accept))
    first, _ = runs(episode)
    assert first.samples[-1].t == pytest.approx(5.0, abs=1.0)
    assert "settling_s <= 3 can no longer be met" in state.attempts[0].told
    assert "last t 5" in state.attempts[0].told
    assert episode.success
    perceived = [call.decision for call in calls if call.role == "perceive"]
    assert len(perceived) == 5  # of the second run alone


def test_a_run_that_leaves_what_the_plan_expects_is_stopped():
    plan = planned(STABLE, expected=[{"channel": "y", "low": 0.0, "high": 1.2}])
    episode, state, _ = played(Replies(DIVERGING, GOOD, plan=plan, reflect=accept))
    assert runs(episode)[0].message == "stopped"
    assert "outside what is expected: 0 <= y <= 1.2" in state.attempts[0].told


def test_constraints_of_the_outcome_stop_no_run_of_an_earlier_step_or_of_the_last_turn():
    steps = json.dumps({**PLAN, "subtasks": [{"name": "tune", "steps": ["try it", "tune it"]}]})
    episode, _, _ = played(Replies(P_ALONE, GOOD, plan=steps, reflect=accept))
    assert [run.message for run in runs(episode)] == ["", ""]
    episode, state, _ = played(Replies(*[P_ALONE] * 5), reflection="off")
    assert [run.message for run in runs(episode)] == ["stopped"] * 4 + [""]
    assert state.ended == "first outcome"


def test_the_model_perceives_whenever_there_is_something_new():
    seen = []

    def perceive(told):
        seen.append(told.rpartition("t ")[2].partition(":")[0])
        return '{"state": "NORMAL"}'

    played(Replies(GOOD, perceive=perceive, reflect=accept))
    assert seen == ["5", "10", "15", "20", "25"]


def test_what_the_model_perceives_stops_a_run():
    told = iter(["NORMAL", "NORMAL", "ERROR"])

    def perceive(_):
        return json.dumps({"state": next(told, "NORMAL"), "why": "it creeps"})

    episode, state, _ = played(Replies(GOOD, GOOD, perceive=perceive, reflect=accept))
    assert runs(episode)[0].samples[-1].t == pytest.approx(16.0, abs=1.0)
    assert "it was stopped: it creeps" in state.attempts[0].told
    assert state.stops == 1


@pytest.mark.slow
def test_code_is_watched_and_stopped_too_and_its_numbers_are_kept():
    code = "EXEC workstation\n```\nfor k in range(40):\n    print(f'INTERMEDIATE: k={k}')\n```"
    short = "EXEC workstation\n```\nprint(k)\nresult = 1\nprint('result = 1')\n```"

    def perceive(told):
        return json.dumps({"state": "WARNING" if "k=9" in told else "NORMAL"})

    plan = planned({"name": "r", "result": "result", "op": "==", "value": 1.0})
    replies = Replies(code, short, plan=plan, perceive=perceive, reflect=accept)
    episode, state, _ = played(replies, task="the_first_twelve", scene="numerics_room")
    first, second = runs(episode)
    assert first.message == "stopped"
    assert 10 <= len(first.state.lines) <= 12
    assert second.state.lines[0].text.isdecimal()  # the workspace has survived
    assert state.attempts[0].outcome == "failed"
    assert state.ended == "accepted"


def test_counts_answers_and_missing_runs_are_checked_and_the_rest_left_to_the_model():
    runs_made = {"name": "runs", "result": "runs", "op": "<=", "value": 0.0}
    strange = {"name": "odd", "result": "beauty", "op": ">=", "value": 1.0}
    told = []

    def reflect(text):
        told.append(text.rpartition("\n\n")[2])
        return '{"decision": "ACCEPT"}'

    _, state, _ = played(Replies(GOOD, plan=planned(runs_made, strange), reflect=reflect))
    assert told[0] == "Not met: runs <= 0 (it is 1). Left to you: beauty >= 1."
    assert state.unmet == ("runs <= 0 (it is 1)",)
    _, state, _ = played(Replies(GOOD, plan=planned(strange), reflect=reflect))
    assert told[-1] == "All constraints that can be checked are met. Left to you: beauty >= 1."
    assert (state.unknown, state.ended) == (("beauty >= 1",), "accepted")
    _, state, _ = played(Replies("NEXT", plan=planned(STABLE), reflect=reflect))
    assert state.unmet == ("stable == True (it is None)",)


@pytest.mark.slow
def test_what_is_left_to_the_model_is_not_accepted_against_its_word():
    strange = {"name": "odd", "result": "beauty", "op": ">=", "value": 1.0}
    _, state, _ = played(Replies(*[GOOD] * 5, plan=planned(strange)))
    assert state.reviews_failed == 4  # the account pays for four runs


def test_without_perception_the_run_goes_to_its_end_and_costs_more():
    paid = []
    for perception in ("on", "off"):
        replies = Replies(DIVERGING, GOOD, reflect=accept)
        episode, state, _ = played(replies, perception=perception)
        paid.append(episode.world.timeline.lab.booked("eur"))
    assert state.stops == 0
    assert paid[0] < paid[1] - 1


def test_an_error_that_the_structure_cannot_mend_leads_to_another_plan():
    def reflect(told):
        return accept(told) if "steady_error <=" not in told else '{"decision": "GLOBAL_REPLAN"}'

    replies = Replies(P_ALONE, GOOD, reflect=reflect, plan=planned(*PLAN["constraints"][2:]))
    episode, state, calls = played(replies)
    assert runs(episode)[0].results["steady_error"] == pytest.approx(1 / 6, abs=1e-4)
    assert (state.replans, state.turns) == (1, 2)
    assert episode.success
    roles = [call.role for call in calls]
    assert roles.count("plan") == 2
    assert set(roles) >= {"plan", "code", "reflect"}
    assert calls[0].parsed["subtasks"][0]["name"] == "tune"


def test_without_reflection_the_first_outcome_is_final():
    replies = Replies(P_ALONE, GOOD, plan=planned(*PLAN["constraints"][2:]))
    episode, state, calls = played(replies, reflection="off")
    assert len(runs(episode)) == 1
    assert state.ended == "first outcome"
    assert state.unmet
    assert "reflect" not in [call.role for call in calls]


def test_without_reflection_no_error_leads_to_another_plan():
    _, state, calls = played(Replies(*[DIVERGING] * 5), reflection="off")
    assert (state.replans, state.hot_fixes) == (0, 5)
    assert [call.role for call in calls].count("plan") == 1
    _, state, _ = played(Replies(*[DIVERGING] * 5))
    assert state.replans > 0


def test_without_perception_what_failed_is_reflected_on():
    replies = Replies("CONFIGURE lag_rig Kp=1000\nRUN lag_rig", GOOD, reflect=accept)
    _, state, _ = played(replies, perception="off")
    assert state.hot_fixes == 0
    assert any(role == "reflect" and "25" in told for role, told in replies.asked)


def test_without_both_it_has_one_shot():
    episode, state, _ = played(Replies(DIVERGING, GOOD), perception="off", reflection="off")
    assert len(runs(episode)) == 1
    assert state.turns == 1


def test_an_answer_that_looks_suspicious_is_tried_once_more():
    replies = Replies(GOOD, GOOD, reflect='{"decision": "LOCAL_ADJUST", "why": "too good"}')
    _, state, _ = played(replies)
    assert state.reviews_failed == 1
    assert state.ended == "accepted"
    assert any("ReviewFailed" in told for role, told in replies.asked if role == "code")


def test_it_stops_after_five_turns():
    _, state, _ = played(Replies(*[P_ALONE] * 9))
    assert state.turns == 5
    assert state.ended == "turns"


def test_what_the_world_refuses_is_told_and_costs_nothing():
    replies = Replies("CONFIGURE lag_rig Kp=1000\nRUN lag_rig", GOOD, reflect=accept)
    episode, state, _ = played(replies)
    assert state.attempts[0].outcome == "refused"
    assert len(runs(episode)) == 1
    assert episode.success


def test_prompts_hold_the_manual_and_no_task_id():
    replies = Replies(GOOD, reflect=accept)
    played(replies)
    assert all("tune_for_the_open_day" not in told for _, told in replies.asked)
    assert "settling_s" in replies.asked[0][1]
    assert "0 to 25" in replies.asked[0][1]


def test_codeact_sees_only_ends():
    replies = Replies(DIVERGING, GOOD)
    episode, state, calls = played(replies, CodeActPolicy)
    assert runs(episode)[0].message != "stopped"
    assert episode.success
    assert state.turns == 3
    assert {call.role for call in calls} == {"act"}


def test_direct_answers_once():
    episode, state, calls = played(Replies(GOOD, GOOD), DirectPolicy)
    assert len(runs(episode)) == len(calls) == state.turns == 1
    assert episode.success


@pytest.mark.slow
@pytest.mark.parametrize("reply", BAD_REPLIES)
@pytest.mark.parametrize("kind", [EmbodiedPolicy, CodeActPolicy, DirectPolicy])
def test_replies_of_any_kind_end_in_an_episode(kind, reply):
    replies = Replies(*[reply] * 20, plan=json.dumps(PLAN), perceive=reply, reflect=reply)
    episode, _, _ = played(replies, kind)
    assert episode.over
    assert played(Replies(plan=reply))[1].ended == "no plan"


@pytest.mark.slow
@pytest.mark.parametrize("kind", [EmbodiedPolicy, CodeActPolicy])
def test_the_scripted_engineer_plays_the_same_twice(kind):
    first, second = (played(scripted(3), kind)[1] for _ in range(2))
    assert first == second
    assert first.attempts


# -- readers ---------------------------------------------------------------------------------------


def test_constraints_are_held_against_what_is_known():
    found = [Constraint.model_validate({"name": "n", **c}) for c in (
        {"result": "a", "op": "<", "value": 2.0},
        {"result": "b", "op": "==", "value": True},
        {"result": "c", "op": ">=", "value": 1.0},
        {"result": "y", "op": "<=", "value": 1.2, "after": 1.0},
        {"result": "unknown", "op": ">=", "value": 1.0},
    )]  # fmt: skip
    readings = [ShownSample(0.0, {"y": 9.0}), ShownSample(2.0, {"y": 1.1})]
    good = verify(found, KnownValues({"a": 1.5, "b": True, "c": 1}, readings))
    assert good == (4, (), ("unknown >= 1",))
    assert "All constraints are met." not in str(good)
    bad = verify(
        found, KnownValues({"a": 2, "b": False, "c": None}, [ShownSample(2.0, {"y": 1.3})])
    )
    assert len(bad.unmet) == 4
    assert bad.unmet[3] == "y <= 1.2 from t 1 on (y is 1.3 at t 2)"
    assert verify(found[3:4], KnownValues({}, [ShownSample(0.0, {"y": 9.0})])).unknown == (
        str(found[3]),
    )


@pytest.mark.parametrize("text", ["", "no", "{}", '{"problem_type": 3}', "[1]", "```\n{}\n```"])
def test_a_plan_that_is_none_is_told_why(text):
    with pytest.raises(UnreadableReply):
        json_reply(text, ProblemPlan)


def test_a_plan_may_stand_in_a_fence():
    assert json_reply(f"Here:\n```json\n{json.dumps(PLAN)}\n```", ProblemPlan).steps == ("tune it",)


@pytest.mark.slow
@pytest.mark.parametrize("showing", [0.5, 0.8])
def test_by_score_full_is_above_no_reflection_above_no_perception_above_neither(showing):
    scores = {}
    for name, kind, switches in ROWS[:4]:
        played = [
            play(kind, switches, task, seed, script=partial(faulty, showing=showing))
            for task in TASKS
            for seed in range(20)
        ]
        scores[name] = sum(each.score for each in played) / len(played)
    assert list(scores) == ["embodied", "no reflection", "no perception", "neither"]
    values = list(scores.values())
    assert all(better > worse + 0.02 for better, worse in pairwise(values)), scores
