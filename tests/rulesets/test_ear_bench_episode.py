"""Episodes of `ear-bench`: EAR-Bench 5.2 (one agent), 5.3 (centralised), 5.4 (modes), 6.6."""

from collections.abc import Callable
from typing import Any

import pytest

from earsim.actions.decision import Decision
from earsim.actions.outcome import Reason, Status
from earsim.episode import Episode
from earsim.world import digest
from tests.conformance.reference_counts import ReferenceCounts
from tests.conformance.task_modes import TaskMode, TaskPlayed, combined, play_tasks
from tests.rulesets.conftest import scenario

Play = Callable[..., Episode]

CABINET_OPEN = {"all": [{"has_state": {"object": "cabinet", "state": "is_open", "equals": True}}]}
CABINET_SHUT = {"all": [{"has_state": {"object": "cabinet", "state": "is_open", "equals": False}}]}


def say(episode: Episode, *commands: str) -> Decision:
    """One decision: a command per agent, in file order."""
    return episode.step(dict(zip(episode.agents, commands, strict=False)))


def statuses(decision: Decision) -> list[str]:
    return [outcome.status.value for outcome in decision.outcomes.values()]


# -- 5.2: one agent ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", ["EXPLORE", "GOTO ghost", "GRAB cup", "", "FLY", "PARSE_FAILED"]
)
def test_each_command_costs_one_decision_whatever_becomes_of_it(alone: Play, command: str):
    episode = alone()
    say(episode, command)
    assert episode.decisions == 1


def test_no_decision_takes_any_time(alone: Play, team: Play):
    for episode, commands in ((alone(), ("EXPLORE",)), (team(), ("EXPLORE", "GOTO cup"))):
        assert say(episode, *commands).elapsed_s == 0
        assert say(episode, "FLY").elapsed_s == 0
        assert episode.elapsed_s == 0


def test_blanks_around_what_could_not_be_read_do_not_matter(team: Play):
    episode = team()
    decision = say(episode, "EXPLORE", "PARSE_FAILED ")
    assert (decision.status, decision.executed) == (Status.FAILURE, ())
    assert not episode.world.known["agent_1"]


def test_looking_around_lists_what_exploring_finds(team: Play):
    episode = team()
    say(episode, "EXPLORE", "GOTO cup")
    say(episode, "LOOK", "GRAB cup")
    decision = say(episode, "LOOK", "LOOK")
    for outcome in decision.outcomes.values():
        assert set(outcome.facts["seen"]) == episode.world.known["agent_1"]
    assert "Cup" in episode.feedback("agent_1")


@pytest.mark.parametrize("team_first", ["agent_1", "agent_2"])
def test_commands_are_carried_out_in_the_order_of_the_mapping(team: Play, team_first: str):
    episode = team()
    say(episode, "EXPLORE", "LOOK")
    say(episode, "GOTO cup", "GOTO cup")
    order = sorted(episode.agents, key=lambda agent: agent != team_first)
    episode.step(dict.fromkeys(order, "GRAB cup"))
    assert episode.world.location["cup"].holder == team_first


def test_an_empty_command_in_a_team_fails_alone(team: Play):
    decision = say(team(), "EXPLORE", "")
    first, second = decision.outcomes.values()
    assert first.accepted
    assert (second.status, second.reason) == (Status.FAILURE, Reason.BLANK_COMMAND)


def test_a_reply_without_text_fails_and_costs_a_decision(alone: Play):
    episode = alone()
    before = digest(episode.world)
    decision = episode.step(None)
    assert (decision.status, decision.outcomes, decision.executed) == (Status.FAILURE, {}, ())
    assert (episode.decisions, digest(episode.world)) == (1, before)


def test_the_limit_is_35_decisions(alone: Play):
    episode = alone()
    for _ in range(34):
        say(episode, "LOOK")
    assert not episode.truncated
    say(episode, "LOOK")
    assert (episode.decisions, episode.truncated, episode.over) == (35, True, False)


def test_a_task_may_set_another_limit(alone: Play):
    episode = alone(budget=2)
    say(episode, "LOOK")
    say(episode, "LOOK")
    assert episode.truncated


@pytest.mark.parametrize(
    "command", ["DONE", "done", "NOT DONE", "DONE_TASK", "UNDONE", "GOTO abandoned_house", "done."]
)
def test_any_text_that_contains_done_ends_the_episode_and_claims(alone: Play, command: str):
    episode = alone()
    decision = say(episode, command)
    assert decision.over
    assert decision.claimed
    assert episode.claimed_at == 0


@pytest.mark.parametrize("command", ["FINISH", "COMPLETE", "END_TASK", "D O N E", "LOOK"])
def test_text_without_done_does_not_end_it(alone: Play, command: str):
    decision = say(alone(), command)
    assert not decision.over
    assert not decision.claimed


def test_text_with_done_is_carried_out_before_it_ends(alone: Play):
    episode = alone()
    decision = say(episode, "EXPLORE (done soon)")
    assert statuses(decision) == ["INVALID"]
    assert decision.executed == (("agent_1", "EXPLORE (done soon)"),)


def test_done_at_the_limit_ends_rather_than_truncates(alone: Play):
    episode = alone(budget=1)
    say(episode, "DONE")
    assert (episode.over, episode.truncated) == (True, False)


def test_reaching_the_goal_does_not_end_the_episode(alone: Play):
    episode = alone(CABINET_OPEN)
    say(episode, "EXPLORE")
    say(episode, "OPEN cabinet")
    assert episode.success
    assert not episode.over


def test_a_command_too_long_to_be_read_is_refused(alone: Play, too_long: str):
    episode = alone()
    outcome = say(episode, too_long).outcomes["agent_1"]
    assert (outcome.status, outcome.reason) == (Status.INVALID, Reason.TOO_LONG)
    outcome = say(episode, too_long[:-1]).outcomes["agent_1"]
    assert outcome.reason is Reason.NO_SUCH_TARGET


def test_the_second_agent_stays_idle_where_only_one_is_asked(team: Play):
    episode = team()
    decision = episode.step({"agent_1": "EXPLORE"})
    assert list(decision.outcomes) == ["agent_1"]
    assert episode.world.agents["agent_2"].near == frozenset()


# -- 5.3: the order of handling ------------------------------------------------------------------


def test_1_a_reply_that_could_not_be_parsed_fails_and_nothing_is_executed(team: Play):
    decision = team().step(None)
    assert (decision.status, decision.executed) == (Status.FAILURE, ())


@pytest.mark.parametrize("commands", [("PARSE_FAILED", "EXPLORE"), ("EXPLORE", "PARSE_FAILED")])
def test_1_a_command_that_reads_parse_failed_fails_the_whole_decision(
    team: Play, commands: tuple[str, str]
):
    decision = say(team(), *commands)
    assert (decision.status, decision.executed, decision.claimed) == (Status.FAILURE, (), False)


def test_1_done_beside_parse_failed_still_claims(team: Play):
    decision = say(team(), "PARSE_FAILED", "DONE")
    assert (decision.claimed, decision.over) == (True, False)


@pytest.mark.parametrize(
    ("commands", "over"),
    [(("DONE", "DONE"), True), (("done", "DONE"), False), ((" Done ", "dOnE"), False)],
)
def test_2_both_done_in_any_case_succeeds_and_nothing_is_executed(
    team: Play, commands: tuple[str, str], over: bool
):
    decision = say(team(), *commands)
    assert (decision.status, decision.executed) == (Status.SUCCESS, ())
    assert decision.over is over


@pytest.mark.parametrize("second", ["CORP_GOTO agent_1,agent_2 hall", "CORP_grab agent_1 bench"])
def test_3_differing_joint_verbs_fail_and_nothing_is_executed(team: Play, second: str):
    decision = say(team(), "CORP_GRAB agent_1,agent_2 bench", second)
    assert (decision.status, decision.executed) == (Status.FAILURE, ())
    assert statuses(decision) == ["FAILURE", "FAILURE"]
    assert {outcome.reason for outcome in decision.outcomes.values()} == {Reason.COOP_DISAGREE}


def test_3_of_two_joint_commands_only_the_first_runs_once_and_both_get_its_result(team: Play):
    episode = team()
    decision = say(episode, "CORP_GOTO agent_1,agent_2 hall", "CORP_GOTO agent_2 attic")
    assert decision.executed == (("agent_1", "CORP_GOTO agent_1,agent_2 hall"),)
    assert decision.outcomes["agent_1"] is decision.outcomes["agent_2"]
    assert [agent.room for agent in episode.world.agents.values()] == ["hall", "hall"]


def test_4_agent_2_sees_the_effects_of_agent_1(team: Play):
    decision = say(team(), "EXPLORE", "GOTO cup")
    assert statuses(decision) == ["SUCCESS", "SUCCESS"]
    assert [agent for agent, _ in decision.executed] == ["agent_1", "agent_2"]


def test_4_agent_1_does_not_see_the_effects_of_agent_2(team: Play):
    assert statuses(say(team(), "GOTO cup", "EXPLORE")) == ["INVALID", "SUCCESS"]


def test_4_done_by_one_is_a_success_that_does_nothing(team: Play):
    decision = say(team(), "DONE", "EXPLORE")
    assert statuses(decision) == ["SUCCESS", "SUCCESS"]
    assert decision.executed == (("agent_2", "EXPLORE"),)


def test_4_a_lone_joint_command_runs_normally(team: Play):
    episode = team()
    decision = say(episode, "CORP_GRAB agent_1,agent_2 bench", "DONE")
    assert decision.status is Status.SUCCESS
    assert [agent.carrying for agent in episode.world.agents.values()] == ["bench", "bench"]


def test_lower_case_joint_commands_run_twice_and_the_second_is_refused(team: Play):
    decision = say(team(), *["corp_grab agent_1,agent_2 bench"] * 2)
    assert len(decision.executed) == 2
    assert statuses(decision) == ["SUCCESS", "INVALID"]


def test_blanks_around_commands_do_not_matter(team: Play):
    assert statuses(say(team(), "  EXPLORE ", "\tGOTO cup\n")) == ["SUCCESS", "SUCCESS"]


# -- 5.3: the overall status ---------------------------------------------------------------------

FAILS = "GRAB cup"  # not near
REFUSED = "GOTO ghost"
WORKS = "LOOK"
JOINT_WORKS = "CORP_GOTO agent_1,agent_2 hall"
JOINT_FAILS = "CORP_GOTO agent_1,agent_2 table"
JOINT_REFUSED = "CORP_GRAB agent_1,agent_2 cup"
COOPERATES = "CORP_CLOSE agent_1,agent_2 jar"


@pytest.mark.parametrize(
    ("commands", "overall"),
    [
        # no joint command: any failure, else any refusal, else success
        ((WORKS, WORKS), Status.SUCCESS),
        ((WORKS, REFUSED), Status.INVALID),
        ((REFUSED, WORKS), Status.INVALID),
        ((FAILS, WORKS), Status.FAILURE),
        ((REFUSED, FAILS), Status.FAILURE),
        # with one: any success will do if nothing failed
        ((JOINT_WORKS, WORKS), Status.SUCCESS),
        ((JOINT_WORKS, REFUSED), Status.SUCCESS),
        ((JOINT_REFUSED, WORKS), Status.SUCCESS),
        ((FAILS, JOINT_WORKS), Status.FAILURE),
        ((JOINT_FAILS, WORKS), Status.FAILURE),
        ((JOINT_REFUSED, REFUSED), Status.INVALID),
        ((JOINT_REFUSED, JOINT_REFUSED), Status.INVALID),
        ((JOINT_FAILS, JOINT_FAILS), Status.FAILURE),
        # a joint change of an attribute makes it a success whatever the other did
        ((FAILS, COOPERATES), Status.SUCCESS),
        ((COOPERATES, REFUSED), Status.SUCCESS),
        # lower case is no joint command here
        ((JOINT_WORKS.lower(), REFUSED), Status.INVALID),
    ],
)
def test_overall_status(team: Play, commands: tuple[str, str], overall: Status):
    episode = team()
    episode.step({"agent_1": "EXPLORE"})
    assert say(episode, *commands).status is overall


# -- 5.3: end and claim --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("commands", "claimed", "over"),
    [
        (("DONE", "DONE"), True, True),
        (("DONE now", "DONE_x"), True, True),
        (("DONE", "LOOK"), True, False),
        (("LOOK", "done"), True, False),
        (("done", "done"), True, False),
        (("DONE", "done"), True, False),
        (("FINISH", "FINISH"), False, False),
        (("GOTO abandoned_house", "LOOK"), True, False),
        (("NOT DONE", "DONE"), True, False),
        (("LOOK", "LOOK"), False, False),
    ],
)
def test_both_must_say_done_in_upper_case_but_one_in_any_case_claims(
    team: Play, commands: tuple[str, str], claimed: bool, over: bool
):
    decision = say(team(), *commands)
    assert (decision.claimed, decision.over) == (claimed, over)


def test_commands_that_end_it_are_carried_out_first(team: Play):
    decision = say(team(), "DONE now", "DONE_x")
    assert statuses(decision) == ["INVALID", "INVALID"]
    assert len(decision.executed) == 2


# -- 5.4: modes of tasks -------------------------------------------------------------------------


PLUM_IN_HAND = {"at": {"object": "plum", "place": "agent_1"}}
NEVER: dict[str, Any] = {"any": []}


def scripted(*scripts: tuple[str, ...]) -> Callable[[Episode], dict[str, str]]:
    """One agent that gives the next line of the next script; each ends where it says DONE."""
    lines = iter([line for script in scripts for line in script])
    return lambda episode: {episode.agents[0]: next(lines, "LOOK")}


def modes(
    mode: TaskMode, goals: list[dict[str, Any]], *scripts: tuple[str, ...]
) -> list[TaskPlayed]:
    tasks = [scenario(goal, ("agent_1",), instruction=f"Task {i}.") for i, goal in enumerate(goals)]
    return list(play_tasks(tasks, scripted(*scripts), mode))


OPENED = ("EXPLORE", "OPEN cabinet", "DONE")


def test_independent_each_task_has_a_fresh_world():
    first, second = modes(TaskMode.INDEPENDENT, [CABINET_OPEN] * 2, OPENED, OPENED)
    assert first.tally.completed
    assert second.tally.completed
    assert second.tally.completed_at == 1  # not before it was opened once more


def test_independent_stops_at_the_first_task_without_a_claim():
    played = modes(TaskMode.INDEPENDENT, [CABINET_OPEN, CABINET_OPEN], ("LOOK",) * 35)
    assert len(played) == 1


def test_a_claim_goes_on_to_the_next_task_even_if_it_is_false():
    played = modes(TaskMode.INDEPENDENT, [NEVER, CABINET_OPEN], ("DONE",), OPENED)
    assert [task.tally.completed for task in played] == [False, True]


def test_sequential_tasks_follow_each_other_in_one_world():
    first, second = modes(TaskMode.SEQUENTIAL, [CABINET_OPEN] * 2, OPENED, ("DONE",))
    assert (first.tally.completed_at, second.tally.completed_at) == (1, 0)
    assert second.episode.world.known["agent_1"]  # what was discovered stays so


def test_sequential_stops_at_the_first_task_without_a_claim():
    assert len(modes(TaskMode.SEQUENTIAL, [NEVER, CABINET_OPEN], ("LOOK",) * 35)) == 1


def test_combined_is_one_instruction_with_all_tasks_numbered():
    first, second = modes(TaskMode.COMBINED, [CABINET_OPEN, PLUM_IN_HAND], OPENED)
    assert first.episode is second.episode
    assert first.episode.engine.instruction == "1. Task 0.\n2. Task 1."


def test_combined_judges_every_task_by_itself():
    undone = ("EXPLORE", "OPEN cabinet", "CLOSE cabinet", "GOTO plum", "GRAB plum", "DONE")
    first, second = modes(TaskMode.COMBINED, [CABINET_OPEN, PLUM_IN_HAND], undone)
    assert (first.tally.completed_at, second.tally.completed_at) == (1, 4)


@pytest.mark.parametrize(("agents", "limit"), [(("agent_1",), 400), (("agent_1", "agent_2"), 300)])
def test_combined_has_the_limit_of_a_whole_run(agents: tuple[str, ...], limit: int):
    assert combined([scenario(NEVER, agents)]).task.budget == limit


@pytest.mark.parametrize("mode", list(TaskMode))
def test_one_task_is_the_same_in_every_mode(mode: TaskMode):
    (played,) = modes(mode, [CABINET_OPEN], OPENED)
    assert played.tally.reference_row()["actual_completion_step"] == 1


# -- 5.1 and 6.6: who looks when -----------------------------------------------------------------


def test_a_task_once_complete_stays_complete(alone: Play):
    episode = alone(CABINET_OPEN)
    for command in ("EXPLORE", "OPEN cabinet", "CLOSE cabinet"):
        say(episode, command)
    assert (episode.verdict.now, episode.success, episode.verdict.since) == (False, True, 1)


def test_what_one_agent_does_and_the_other_undoes_in_one_decision_is_not_seen(team: Play):
    episode = team(CABINET_OPEN)
    episode.step({"agent_1": "EXPLORE"})
    decision = say(episode, "OPEN cabinet", "CLOSE cabinet")
    assert statuses(decision) == ["SUCCESS", "SUCCESS"]
    assert not episode.success


def test_a_goal_that_is_true_before_any_command_counts_from_the_first_decision(alone: Play):
    episode = alone(CABINET_SHUT)
    assert (episode.verdict.now, episode.success) == (True, False)
    say(episode, "FLY")
    assert (episode.success, episode.verdict.since) == (True, 0)


# -- 5.5: the row of a task ----------------------------------------------------------------------


def counted(episode: Episode, *decisions: str | None) -> dict[str, object]:
    tally = ReferenceCounts()
    for command in decisions:
        decision = episode.step(None if command is None else {"agent_1": command})
        tally.count(decision, holds=episode.verdict.now, answered=command is not None)
    return tally.reference_row()


def test_row_of_a_task_that_was_completed_and_claimed(alone: Play):
    row = counted(alone(CABINET_OPEN), "EXPLORE", "OPEN cabinet", "GRAB cup", "FLY", "DONE")
    assert row == {
        "total_steps": 5,
        "model_claimed_done": True,
        "subtask_completed": True,
        "actual_completion_step": 1,
        "done_command_step": 4,
        "true_positive": True,
        "false_positive": False,
        "true_negative": False,
        "false_negative": False,
        "status": "completed",
        "successful_steps": 3,
        "failed_steps": 2,
        "command_success_rate": 0.6,
        "llm_interactions": 5,
    }


@pytest.mark.parametrize(
    ("commands", "figure"),
    [
        (("EXPLORE", "OPEN cabinet"), "false_negative"),
        (("DONE",), "false_positive"),
        (("LOOK",), "true_negative"),
    ],
)
def test_claim_times_truth(alone: Play, commands: tuple[str, ...], figure: str):
    row = counted(alone(CABINET_OPEN), *commands)
    figures = ("true_positive", "false_positive", "true_negative", "false_negative")
    assert [name for name in figures if row[name]] == [figure]


def test_what_never_happened_is_minus_one(alone: Play):
    row = counted(alone(CABINET_OPEN), "LOOK")
    assert (row["actual_completion_step"], row["done_command_step"]) == (-1, -1)
    assert row["status"] == "failed"


def test_replies_without_text_are_counted_once_a_text_came(alone: Play):
    row = counted(alone(), None, None, "LOOK", None)
    assert (row["total_steps"], row["llm_interactions"]) == (4, 2)
    assert row["successful_steps"] == 1


@pytest.mark.parametrize(("steps", "status"), [(49, "failed"), (50, "timeout")])
def test_timeout_is_hard_wired_to_50(alone: Play, steps: int, status: str):  # Q33
    assert counted(alone(), *["LOOK"] * steps)["status"] == status


def test_no_decision_at_all_has_a_row_too():
    row = ReferenceCounts().reference_row()
    assert (row["total_steps"], row["command_success_rate"], row["status"]) == (0, 0.0, "failed")
