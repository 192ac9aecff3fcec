"""The state machine agent on the six-box ocean, with replies by script."""

import asyncio
import json

import pytest

from earsim import Engine, Episode, open_suite
from earsim.envs.policy import PolicyContext, observations_of
from earsim.errors import UsageError
from earsim_agents.science.statemachine.policies import StateMachinePolicy
from earsim_agents.science.statemachine.script import scripted_analyst
from earsim_agents.science.statemachine.state import MOVES, OceanState, TriedSetting
from earsim_agents.scripted_server.client import ScriptedClient
from earsim_agents.scripted_server.script import BAD_REPLIES

TASK = "ocean_office/freshwater_from_the_north"


class Replies:
    """Replies of the router in order, and one for each other role; keeps the prompts."""

    def __init__(self, *routes, **roles):
        self.routes = list(routes)
        self.roles = {
            "question": '{"next": "route", "goal": "a threshold"}',
            "logic": '{"next": "route"}',
            "analysis": '{"code": "print(1)"}',
            "summary": '{"answers": {"freshwater": 759375}}',
            **roles,
        }
        self.asked = []
        self.systems = []

    def __call__(self, role, messages):
        self.asked.append((role, messages[-1]["content"]))
        self.systems.append((role, messages[0]["content"]))
        if role == "router":
            return self.routes.pop(0) if self.routes else '{"next": "summary"}'
        return self.roles[role]


def tool(**changed):
    return json.dumps({"next": "tool", "tool_input": changed})


def played(replies, task=TASK, budget=150, **options):
    scenario = open_suite("laboratory").load(task) if isinstance(task, str) else task
    episode = Episode(Engine(scenario), end_on="done", budget=budget)
    policy = StateMachinePolicy(client=ScriptedClient(replies), model="m", **options)
    policy.reset(PolicyContext.of(episode))
    calls = []

    async def work():
        while not (episode.over or episode.truncated):
            episode.step(await policy.act(observations_of(episode)))
            calls.extend(policy.take_calls())

    asyncio.run(work())
    return episode, policy.state, calls


def moves(state):
    return [(move.step, move.next) for move in state.trace if move.allowed]


@pytest.mark.slow
def test_runs_fill_the_typed_state_and_the_answer_is_given():
    replies = Replies(tool(), tool(F_nA=900000), tool(F_nA=675000))
    episode, state, calls = played(replies)
    assert episode.success
    assert [run.changed for run in state.tried] == [{}, {"F_nA": 900000}, {"F_nA": 675000}]
    assert (state.atlantic_state, state.pacific_state) == (3, 2)
    assert state.bracket == {"F_nA": (675000, 900000)}
    assert state.answers == {"freshwater": 759375}
    assert {call.role for call in calls} == {"question", "router", "summary"}
    assert moves(state)[:3] == [("question", "route"), ("route", "tool"), ("tool", "route")]
    assert moves(state)[-1] == ("summary", "end")


def test_every_move_is_one_of_the_table():
    _, state, _ = played(scripted_analyst(1))
    assert all(following in MOVES[step] for step, following in moves(state))


def test_settings_of_a_run_are_those_of_the_start_but_for_what_it_changes():
    episode, _, _ = played(Replies(tool(F_nA=900000), tool(F_s=2000000)))
    second = list(episode.world.timeline.lab.runs.values())[1]
    assert second.settings["F_nA"] == 450000
    assert second.settings["F_s"] == 2000000


def test_a_bound_is_a_signal_and_no_run():
    replies = Replies(tool(), tool(F_nA=9e9), tool(F_nA=900000))
    episode, state, _ = played(replies)
    assert len(episode.world.timeline.lab.runs) == 2
    assert state.failures == 1
    assert len(state.tried) == 2
    told = [text for role, text in replies.asked if role == "router"]
    assert '"error":"' in told[2]
    assert "0 to 4e+06 m3/s" in told[2].partition("State:")[2]
    assert '"error":""' in told[3]


def test_an_illegal_move_is_recorded_and_asked_once_more():
    replies = Replies('{"next": "end"}', tool())
    _, state, _ = played(replies)
    assert [(m.step, m.next) for m in state.trace if not m.allowed] == [("route", "end")]
    assert len(state.tried) == 1
    replies = Replies('{"next": "end"}', '{"next": "question"}')
    _, state, _ = played(replies)
    assert [m.next for m in state.trace if not m.allowed] == ["end", "question"]
    assert ("route", "summary") in moves(state)


def told_of(replies, role):
    """What a role was told of the state, the last time."""
    text = [text for asked, text in replies.asked if asked == role][-1]
    return json.loads(text.partition("State: ")[2].partition("\n")[0])


@pytest.mark.parametrize("records", ["on", "off"])
def test_the_summary_sees_what_the_last_tool_call_was_given(records):
    replies = Replies(tool(), tool(F_nA=900000), '{"next": "logic"}', '{"next": "summary"}')
    played(replies, records=records)
    assert told_of(replies, "summary")["tool_input"] == {"F_nA": 900000}


@pytest.mark.parametrize("loop", [tool(F_nA=9e9), '{"next": "logic"}'])
def test_an_endless_loop_ends_in_a_summary(loop):
    _, state, _ = played(Replies(tool(), *[loop] * 100))
    assert moves(state)[-1] == ("summary", "end")
    assert all(following in MOVES[step] for step, following in moves(state))
    assert state.answers == {"freshwater": 759375}
    assert len(state.trace) <= 63


def test_decisions_are_left_for_the_summary():
    runs = [tool(F_nA=900000 + at) for at in range(40)]
    episode, state, _ = played(Replies(*runs), budget=24)
    assert not episode.truncated
    assert state.answers == {"freshwater": 759375}


def test_a_refused_call_stands_until_the_next_call_whatever_comes_between():
    replies = Replies(tool(), tool(F_nA=9e9), '{"next": "analysis"}', '{"next": "end"}')
    played(replies)
    told = told_of(replies, "summary")
    assert told["tool_input"] == {"F_nA": 9e9}
    assert "0 to 4e+06 m3/s" in told["error"]
    assert len(told["tried"]) == 1


def test_another_call_clears_the_error_of_the_one_before():
    replies = Replies(tool(F_nA=9e9), tool(M_ek=9e9))
    played(replies)
    assert "F_nA" not in told_of(replies, "summary")["error"]
    assert "M_ek" in told_of(replies, "summary")["error"]
    replies = Replies(tool(F_nA=9e9), tool(F_nA=900000))
    played(replies)
    assert told_of(replies, "summary")["error"] == ""


def test_a_corrected_choice_is_no_error_any_more():
    replies = Replies('{"next": "end"}', '{"next": "logic"}')
    _, state, _ = played(replies)
    assert told_of(replies, "logic")["error"] == ""
    assert [move.signal for move in state.trace if move.step == "logic"] == ["no result yet"]
    replies = Replies("???", '{"next": "logic"}')
    played(replies)
    assert told_of(replies, "logic")["error"] == ""


def test_analysis_without_a_workstation_is_a_signal():
    replies = Replies('{"next": "analysis"}')
    _, state, _ = played(replies)
    assert "no workstation" in replies.asked[2][1]
    assert ("analysis", "route") in moves(state)


def test_without_records_the_state_is_as_published():
    replies = Replies(tool(), tool(F_nA=900000))
    _, state, _ = played(replies, records="off")
    assert state.tried == []
    assert all("tried" not in told and "Bracket" not in told for _, told in replies.asked)
    assert '"atlantic_state":1' in replies.asked[-1][1]


def test_the_stateless_baseline_is_told_the_last_result_alone():
    replies = Replies(tool(), tool(F_nA=900000), tool(F_nA=9e9))
    _, _, _ = played(replies, state="string")
    told = [text.partition("\n\nLast result: ")[2] for role, text in replies.asked]
    assert told[1] == "no result yet"
    assert told[3].startswith("{'F_nA': 900000}: regime_A 1")
    assert "regime" not in told[4]
    assert all("State:" not in text for _, text in replies.asked)


def test_the_stateless_baseline_stops_after_twenty_failures():
    _, state, _ = played(Replies(*[tool(F_nA=9e9)] * 40), state="string")
    assert state.failures == 20
    assert state.answers == {}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_records_are_worth_something_to_the_scripted_analyst(seed):
    won = [played(scripted_analyst(seed), **options)[0].success
           for options in ({}, {"state": "string"})]  # fmt: skip
    assert won == [True, False]


@pytest.mark.parametrize("reply", BAD_REPLIES)
def test_replies_of_any_kind_end_in_an_episode(reply):
    roles = dict.fromkeys(("question", "logic", "analysis", "summary"), reply)
    assert played(Replies(reply, reply, **roles))[0].over
    assert played(Replies(reply, reply))[0].over


def test_a_scene_without_the_ocean_is_refused():
    with pytest.raises(UsageError, match="has no sixbox/1"):
        played(Replies(), task="control_lab/run_it_as_it_stands")


def test_options_are_checked():
    with pytest.raises(UsageError, match="typed"):
        StateMachinePolicy(client=ScriptedClient(Replies()), model="m", state="none")


def test_a_bracket_is_the_nearest_pair_of_runs():
    def run(atlantic, **changed):
        return TriedSetting(changed=changed, atlantic=atlantic, pacific=2)

    state = OceanState(tried=[run(3), run(1, a=8.0), run(3, a=2.0), run(3, a=4.0), run(1, a=6.0)])
    assert state.bracket == {"a": (4.0, 6.0)}
    assert OceanState(tried=[run(1, a=8.0)]).bracket == {}


# -- forecasts -------------------------------------------------------------------------------------

FORECAST = "ocean_office/whose_forecast_is_nearer"


def forecast(method, fresh):
    return tool(method=method, horizon=10, F_nA=fresh)


def test_the_router_is_led_to_the_forecaster_and_the_state_keeps_what_it_foretold():
    routes = [forecast(each, fresh) for fresh in (6e5, 8e5) for each in ("persistence", "ar")]
    summary = '{"answers": {"running": "persistence", "stopped": "ar"}}'
    episode, state, _ = played(Replies(*routes, summary=summary), task=FORECAST)
    assert episode.success
    assert [each.changed["method"] for each in state.learner_results] == ["persistence", "ar"] * 2
    assert [round(each.results["error"], 4) for each in state.learner_results] == [
        0.0563, 0.0982, 0.1058, 0.0452,
    ]  # fmt: skip
    assert set(state.learner_results[0].results) == {"error"}
    assert state.learner_result == state.learner_results[-1]
    assert state.tried == []


def test_the_scripted_analyst_compares_both_methods():
    episode, state, _ = played(scripted_analyst(0), task=FORECAST)
    assert episode.success
    assert len(state.learner_results) == 4
    assert state.answers == {"running": "persistence", "stopped": "ar"}


PROPOSALS = "ocean_office/whose_proposals_are_nearer"


@pytest.mark.slow
def test_the_scripted_analyst_compares_proposals_with_even_draws():
    episode, state, _ = played(scripted_analyst(0), task=PROPOSALS)
    assert episode.success
    assert [each.changed for each in state.learner_results] == [
        {"method": "even"}, {"method": "balanced"}, {"method": "uncertain"},
    ]  # fmt: skip
    assert all(set(each.results) == {"distance"} for each in state.learner_results)
    assert state.tried == []


@pytest.mark.slow
def test_of_what_a_task_does_not_speak_of_the_state_keeps_all_results():
    scenario = open_suite("laboratory").load(PROPOSALS)
    task = scenario.task.model_copy(update={"instruction": "Ask {dora}. SUBMIT first=even."})
    _, state, _ = played(Replies(tool(seed=3)), task=scenario.model_copy(update={"task": task}))
    assert state.learner_result is not None
    assert state.learner_result.changed == {"seed": 3}
    assert {"distance", "share_near", "accuracy"} <= set(state.learner_result.results)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"state": "string"}, {"records": "off"}])
def test_without_records_the_scripted_analyst_cannot_compare(options):
    episode, state, _ = played(scripted_analyst(0), task=FORECAST, budget=60, **options)
    assert not episode.success
    assert state.learner_results == []


def test_of_thresholds_nothing_is_told_of_forecasts():
    replies = Replies(tool())
    played(replies)
    assert not any("forecast" in told or "learner" in told for _, told in replies.asked)


def test_a_forecast_that_is_refused_is_a_signal():
    replies = Replies(tool(method="magic"))
    _, state, _ = played(replies, task=FORECAST, budget=60)
    assert state.learner_results == []
    assert state.failures == 1
    assert "magic" in state.error


def test_of_several_models_the_router_names_one():
    text = "Ask {alba} or {cora}. SUBMIT freshwater=NUMBER."
    scenario = open_suite("laboratory").load(TASK)
    asked = scenario.model_copy(
        update={"task": scenario.task.model_copy(update={"instruction": text})}
    )
    routes = [
        json.dumps({"next": "tool", "tool": node, "tool_input": {}})
        for node in ("cora", "alba", "nowhere")
    ]
    replies = Replies(*routes)
    _, state, _ = played(replies, task=asked)
    assert len(state.learner_results) == len(state.tried) == 1
    assert state.failures == 1
    assert "no tool 'nowhere', but alba, cora" in state.error
    told = next(told for role, told in replies.asked if role == "router")
    assert "## alba:" in told
    assert "## cora:" in told
    assert all(("of alba, cora." in told) is (role == "router") for role, told in replies.systems)
