"""Each failure mode from an episode that shows it, and from one that does not."""

from typing import Any

import pytest

from earsim.evaluation.metrics.evidence import replayed
from earsim.evaluation.metrics.failure import MODES, UNEXPLAINED, Failed, modes_of
from earsim.evaluation.runs.recorder import begin, is_over, take
from earsim.evaluation.store.rows import EpisodeRow, StepRow
from earsim.evaluation.termination import Ending
from earsim.schema import Scenario, parse
from earsim.schema.records.episode_settings import EpisodeSettings
from tests.evaluation.runs import row

SHED = """\
schema: earsim.scene/1
id: shed
rooms:
  - {id: yard, connects: [shed]}
  - {id: shed}
objects:
  - {id: bench, kind: furniture, in: yard, mass_kg: 40}
  - {id: lamp, kind: item, on: bench, mass_kg: 1, states: {is_on: false, is_dirty: true}}
  - {id: torch, kind: item, on: bench, mass_kg: 1, states: {is_on: false}}
  - {id: rag, kind: item, in: shed, mass_kg: 0.1, provides: [clean]}
  - {id: anvil, kind: item, in: yard, mass_kg: 60}
tasks:
  - id: light
    category: direct_command
    agents: [{id: eva, max_mass_kg: 20}]
    instruction: Light the lamp and bring it to the shed.
    budget: 12
    goal:
      all: [{has_state: {object: lamp, state: is_on}}, {inside_room: {object: lamp, room: shed}}]
  - id: clean
    category: tool_use
    agents: [{id: eva, max_mass_kg: 20}]
    instruction: Clean the lamp.
    budget: 12
    goal: {has_state: {object: lamp, state: is_dirty, equals: false}}
  - id: carry
    category: implicit_collaboration
    agents: [{id: eva, max_mass_kg: 40}, {id: tom, in: shed, max_mass_kg: 40}]
    instruction: Bring the anvil to the shed.
    budget: 12
    goal: {inside_room: {object: anvil, room: shed}}
"""

SCENARIOS = {each.task.id: each for each in parse(SHED).scenarios()}  # type: ignore[union-attr]


def played(task: str, *decisions: dict[str, str] | str | None) -> Failed:
    """An episode with these decisions; a text is Eva's command."""
    scenario: Scenario = SCENARIOS[task]
    live = begin(scenario, EpisodeSettings())
    steps = []
    for each in decisions:
        assert not is_over(live)
        commands = {"eva": each} if isinstance(each, str) else each
        found = take(live, commands)
        steps.append(
            StepRow("e", found.decision, commands, found.outcomes, found.digest, found.clock)
        )
    assert not live.success, "the episode was to fail"
    ending = Ending.DONE if live.over else Ending.BUDGET
    told = row_of(scenario, termination=ending.value)
    evidence = replayed(told, steps, scenario)
    assert evidence is not None
    return Failed(told, steps, evidence)


def row_of(scenario: Scenario, **changes: Any) -> EpisodeRow:
    facts: dict[str, Any] = {
        "scenario_hash": scenario.hash,
        "category": scenario.task.category.value,
        **changes,
    }
    return row(scenario.id, **facts)


SEEN = ("EXPLORE", "GOTO lamp")
BOTH = {"eva": "EXPLORE", "tom": "EXPLORE"}
ALONE = {"eva": "CORP_GRAB eva,tom anvil", "tom": "EXPLORE"}

SHOWN = {
    "invalid_format": played("light", *SEEN, None, "please switch it on", None),
    "repeated_failing_command": played("light", *SEEN, *["TURN_OFF lamp"] * 3),
    "exploration_deficit": played("light", "GOTO shed", "EXPLORE"),
    "missing_tool": played("clean", *SEEN, "CLEAN lamp", "GOTO shed", "EXPLORE"),
    "premature_collaboration": played("carry", BOTH, {"eva": "GOTO anvil"}, ALONE),
    "missed_collaboration": played("carry", BOTH, {"eva": "GOTO anvil"}, {"eva": "GRAB anvil"}),
    "wrong_object": played("light", "EXPLORE", "GOTO torch", "TURN_ON torch"),
    "lost_subgoal": played("light", *SEEN, "TURN_ON lamp", "TURN_OFF lamp"),
    "gave_up": played("light", *SEEN, "TURN_ON lamp", "DONE"),
    UNEXPLAINED: played("light", *SEEN, "TURN_ON lamp"),
}


def test_every_mode_is_shown():
    assert set(SHOWN) == {*(mode.id for mode in MODES), UNEXPLAINED}


@pytest.mark.parametrize("mode", SHOWN)
def test_the_main_mode_is_the_one_that_was_played(mode):
    assert modes_of(SHOWN[mode])[0] == mode


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.id)
def test_every_rule_is_written_down(mode):
    assert mode.doc.endswith(".")


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.id)
def test_no_rule_fits_everything(mode):
    assert not all(mode.rule(failed) for failed in SHOWN.values())


def test_an_explained_failure_is_not_unexplained():
    assert all(UNEXPLAINED not in modes_of(SHOWN[mode.id]) for mode in MODES)


def test_a_command_repeated_after_something_else_is_no_row():
    other = played(
        "light", *SEEN, "TURN_OFF lamp", "TURN_OFF lamp", "LOOK", "TURN_OFF lamp", "TURN_OFF lamp"
    )
    assert "repeated_failing_command" not in modes_of(other)


def test_a_tool_that_was_held_is_not_missing():
    held = played("clean", *SEEN, "CLEAN lamp", "GOTO shed", "EXPLORE", "GOTO rag", "GRAB rag")
    assert "missing_tool" in modes_of(held), "the command was refused and not given again"
    quiet = played("clean", *SEEN, "GOTO shed", "EXPLORE", "GOTO rag", "GRAB rag")
    assert "missing_tool" not in modes_of(quiet)


def test_a_tool_that_nobody_found_is_an_exploration_deficit():
    assert modes_of(played("clean", *SEEN, "CLEAN lamp"))[0] == "exploration_deficit"


def test_one_agent_cannot_miss_a_collaboration():
    assert not {"missed_collaboration", "premature_collaboration"} & {
        mode for id in ("gave_up", "wrong_object", UNEXPLAINED) for mode in modes_of(SHOWN[id])
    }


def test_a_record_that_does_not_replay_is_no_evidence():
    failed = SHOWN["gave_up"]
    scenario = SCENARIOS["light"]
    assert replayed(failed.row, failed.steps[:-2], scenario) is not None
    wrong = [*failed.steps[:-1], failed.steps[-1]._replace(digest="another")]
    assert replayed(failed.row, wrong, scenario) is None
    assert replayed(failed.row._replace(scenario_hash="x"), failed.steps, scenario) is None
    assert replayed(failed.row._replace(ruleset="physical/99"), failed.steps, scenario) is None
    assert replayed(failed.row._replace(ruleset=""), failed.steps, scenario) is None
