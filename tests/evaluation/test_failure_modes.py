"""Each failure mode from an episode that shows it, and from one that does not."""

from typing import Any

import pytest

from earsim.evaluation.metrics.evidence import Change, Evidence, replayed
from earsim.evaluation.metrics.failure import MODES, UNEXPLAINED, Failed, modes_of, signs_of
from earsim.evaluation.runs.recorder import begin, is_over, result_of, take
from earsim.evaluation.store.rows import EpisodeRow, StepRow
from earsim.schema import OutcomeRecord, Scenario, parse
from earsim.schema.records.episode_settings import EpisodeSettings
from tests.evaluation.runs import outcome, row

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
  - id: cannot
    category: direct_command
    agents: [{id: eva, max_mass_kg: 20}]
    instruction: Bring the anvil to the shed.
    budget: 12
    goal: {inside_room: {object: anvil, room: shed}}
    right_claim: impossible
  - id: keep
    category: direct_command
    agents: [{id: eva, max_mass_kg: 20}]
    instruction: Light the lamp for a minute, and do not light the torch.
    budget: 12
    goal:
      all:
        - {never: {has_state: {object: torch, state: is_on}}}
        - {held_for: {goal: {has_state: {object: lamp, state: is_on}}, seconds: 10}}
        - {clock: {at_most: 3600}}
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
    told = row_of(scenario, termination=result_of(live).termination)
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
ALONE = {"eva": "CORP_GRAB anvil", "tom": "EXPLORE"}

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
    "wrong_claim": played("cannot", "EXPLORE", "GOTO anvil", "REPORT unclear"),
    UNEXPLAINED: played("light", *SEEN, "TURN_ON lamp"),
}


def test_every_mode_is_shown():
    assert set(SHOWN) == {*(mode.id for mode in MODES), UNEXPLAINED}


@pytest.mark.parametrize("mode", SHOWN)
def test_the_main_mode_is_the_one_that_was_played(mode):
    assert modes_of(SHOWN[mode])[0] == mode


SIGNS = {
    "invalid_format": [
        (2, "a reply that could not be read"),
        (3, "please switch it on (unknown_verb)"),
        (4, "a reply that could not be read"),
    ],
    "repeated_failing_command": [(k, "TURN_OFF lamp (attr_precondition)") for k in (2, 3, 4)],
    "exploration_deficit": [(None, "lamp was never found")],
    "missing_tool": [(None, "nobody ever held what can clean"), (2, "CLEAN lamp (no_ability)")],
    "premature_collaboration": [(2, "CORP_GRAB anvil (partner_missing)")],
    "missed_collaboration": [(None, "no joint command was ever given")],
    "wrong_object": [(2, "TURN_ON torch")],
    "lost_subgoal": [(3, "lamp: it held until here")],
    "gave_up": [(3, "DONE")],
    "wrong_claim": [(2, "REPORT unclear")],
    UNEXPLAINED: [],
}


@pytest.mark.parametrize("mode", SHOWN)
def test_a_mode_tells_what_its_rule_rests_on(mode):
    assert [*map(tuple, signs_of(SHOWN[mode])[mode])] == SIGNS[mode]


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


# -- single rules, from what was recorded --------------------------------------------------------

NOTHING = Evidence((), frozenset(), frozenset(), frozenset(), {}, ())
BY_ID = {mode.id: mode.rule for mode in MODES}


def recorded(*decisions: list[OutcomeRecord] | None, **changes: Any) -> Failed:
    """A failure with these outcomes, of which a replay shows nothing."""
    steps = [
        StepRow("e", number, None if told is None else {"eva": "X"}, tuple(told or ()), "d", 0.0)
        for number, told in enumerate(decisions)
    ]
    return Failed(row(**changes), steps, NOTHING)


@pytest.mark.parametrize("reason", ["unknown_verb", "bad_format", "blank_command", "too_long"])
def test_half_of_the_commands_unusable_is_a_failure_of_format(reason: str):
    good, bad = [outcome("EXPLORE")], [outcome("EXPLORE"), outcome("FLY", reason, agent="tom")]
    fits = BY_ID["invalid_format"]
    assert fits(recorded(good, bad))
    assert fits(recorded(good, None))
    assert not fits(recorded(good, good, bad))
    assert not fits(recorded(good, [outcome("GRAB cup", "not_near")]))
    assert not fits(recorded())
    assert fits(recorded(termination="parse_failure"))


def test_three_refusals_in_a_row_are_those_of_one_agent_for_one_reason():
    fits = BY_ID["repeated_failing_command"]
    grab, other = outcome("GRAB cup", "not_near"), outcome("GRAB cup", "hands_full")
    assert fits(recorded([grab], [grab], [outcome("GRAB cup ", "not_near")]))
    assert not fits(recorded([grab], [grab]))
    assert not fits(recorded([grab], [grab], [other]))
    assert not fits(recorded([grab], [grab], [outcome("GRAB cup", "not_near", agent="tom")]))
    toms = outcome("GRAB cup", "not_near", agent="tom")
    assert fits(recorded([grab, toms], [grab], [grab]))
    assert not fits(recorded(*[[outcome("GRAB cup")]] * 3))
    assert not fits(recorded([grab], [grab], [outcome("GRAB cup")], [grab], [grab]))


@pytest.mark.parametrize("reason", ["no_ability", "no_key"])
def test_what_was_refused_without_a_tool_and_done_later_is_not_missing(reason: str):
    fits = BY_ID["missing_tool"]

    def on(thing: str, command: str, why: str | None = None) -> OutcomeRecord:
        return outcome(command, why).model_copy(update={"facts": {"id": thing}})

    refused, done = on("box", "UNLOCK box", reason), on("box", "UNLOCK box")
    assert fits(recorded([refused]))
    assert not fits(recorded([refused], [done]))
    assert not fits(recorded([refused], [on("box", "CORP_UNLOCK eva,tom box")]))
    assert fits(recorded([done], [refused]))
    assert fits(recorded([refused], [on("safe", "UNLOCK safe")]))
    assert fits(recorded([refused], [on("box", "OPEN box")]))
    assert fits(recorded([refused], [on("box", "UNLOCK box", "not_near")]))
    assert not fits(recorded([on("box", "UNLOCK box", "not_near")]))


TEAM = {"category": "implicit_collaboration"}
NOT_READY = (
    *("partner_missing", "coop_agent_elsewhere"),
    *("coop_not_carrying", "coop_move_failed", "coop_disagree", "undiscovered", "wrong_room"),
    *("not_near", "hands_full", "no_ability"),
)


@pytest.mark.parametrize("reason", NOT_READY)
def test_a_joint_command_before_all_were_ready_is_premature(reason: str):
    fits = BY_ID["premature_collaboration"]
    early, late = outcome("CORP_GRAB anvil", reason), outcome("CORP_GRAB anvil", "overweight")
    assert fits(recorded([early], **TEAM))
    assert fits(recorded([early], [late], **TEAM))
    assert not fits(recorded([late], [early], **TEAM))
    assert not fits(recorded([early], [outcome("CORP_GRAB anvil")], **TEAM))
    assert not fits(recorded([outcome("GRAB anvil", reason)], **TEAM))
    assert not fits(recorded([early]))


def test_a_joint_command_is_one_whoever_recognised_it():
    fits = BY_ID["missed_collaboration"]
    unread = outcome(" corp_grab anvil", "bad_format").model_copy(update={"verb": None})
    assert not fits(recorded([unread], **TEAM))
    assert fits(recorded([outcome("GRAB anvil")], **TEAM))
    assert fits(recorded(**TEAM))
    assert not fits(recorded([outcome("GRAB anvil")]))
    assert not fits(recorded([outcome("GRAB anvil")], category="unknown"))


# -- what a part of a goal asks for --------------------------------------------------------------


@pytest.mark.parametrize(
    ("goal", "objects", "moved", "changes"),
    [
        ("{at: {object: lamp, on: bench}}", "lamp bench", {"lamp": "bench"}, []),
        ("{at: {object: lamp, in: yard}}", "lamp yard", {"lamp": "yard"}, []),
        ("{at: {object: lamp, place: 'on:bench'}}", "lamp bench", {"lamp": "bench"}, []),
        ("{at: {object: lamp, place: ''}}", "lamp", {}, []),
        ("{inside_room: {object: lamp, room: shed}}", "lamp shed", {"lamp": "shed"}, []),
        ("{held_by: {object: lamp}}", "lamp", {}, []),
        ("{has_state: {object: lamp, state: is_on}}", "lamp", {}, [("lamp", "is_on", True)]),
        ("{has_state: {object: lamp, state: is_on, equals: null}}", "lamp", {}, []),
        ("{done_jointly: {object: lamp, state: is_on}}", "lamp", {}, [("lamp", "is_on", None)]),
        ("{not: {at: {object: lamp, on: bench}}}", "", {}, []),
    ],
)
def test_what_a_part_of_the_goal_speaks_of(goal: str, objects: str, moved: Any, changes: Any):
    lit, brought = "{has_state: {object: lamp, state: is_on}}", "{object: lamp, room: shed}"
    task = SHED.replace(f"all: [{lit}, {{inside_room: {brought}}}]", f"all: [{goal}]")
    assert task != SHED
    (scenario, *_) = parse(task).scenarios()  # type: ignore[union-attr]
    evidence = replayed(row_of(scenario), [], scenario)
    assert evidence is not None
    (part,) = evidence.parts
    assert part.objects == tuple(objects.split())
    assert dict(part.moved) == moved
    assert list(part.changes) == changes


@pytest.mark.parametrize(
    ("value", "verbs"),
    [(True, {"turn_on"}), (False, {"turn_off"}), (None, {"turn_on", "turn_off"})],
)
def test_what_brings_a_change_about(value: bool | None, verbs: set[str]):
    assert {verb.name for verb in Change("lamp", "is_on", value).verbs} == verbs


def test_a_replay_watches_every_decision():
    evidence = SHOWN["lost_subgoal"].evidence
    assert [(part.was_true, part.is_true) for part in evidence.parts] == [
        (True, False),
        (False, False),
    ]
    assert evidence.known >= {"lamp", "torch", "bench", "anvil"}
    assert "rag" not in evidence.known
    assert evidence.discoverable == {"bench", "lamp", "torch", "rag", "anvil"}
    assert evidence.providers == {"clean": ("rag",)}
    assert [outcome.verb for _, outcome in evidence.accepted] == [
        *("EXPLORE", "GOTO", "TURN_ON", "TURN_OFF")
    ]
    assert evidence.held_abilities == frozenset()
    held = played("clean", *SEEN, "GOTO shed", "EXPLORE", "GOTO rag", "GRAB rag", "RELEASE rag")
    assert held.evidence.held_abilities == {"clean"}


def test_doors_can_be_known_and_two_things_give_one_ability():
    more = "doors: [{id: gate, between: [yard, shed], states: {is_open: true}}]\nobjects:\n"
    more += "  - {id: mop, kind: item, in: shed, mass_kg: 1, provides: [clean]}"
    (scenario, *_) = parse(SHED.replace("objects:", more)).scenarios()  # type: ignore[union-attr]
    evidence = replayed(row_of(scenario), [], scenario)
    assert evidence is not None
    assert {"gate", "lamp"} <= evidence.discoverable
    assert evidence.providers == {"clean": ("mop", "rag")}


@pytest.mark.parametrize("seen", [{"knowledge": "global"}, {"extra": {"observability": "full"}}])
def test_who_knew_everything_from_the_start_lacked_no_exploration(seen: dict[str, Any]):
    scenario = SCENARIOS["clean"]
    knew = replayed(row_of(scenario, **seen), [], scenario)
    assert knew is not None
    assert knew.known >= {"lamp", "rag"}
    told = replayed(row_of(scenario), [], scenario)
    assert told is not None
    assert "lamp" not in told.known


def test_what_was_placed_where_another_thing_belongs_is_the_wrong_object():
    to_shed = ("GRAB torch", "GOTO shed", "RELEASE torch")
    released = played("light", "EXPLORE", "GOTO torch", *to_shed)
    assert "wrong_object" not in modes_of(released), "only PLACE says where"
    placed = played("light", "EXPLORE", "GOTO torch", *to_shed[:-1], "PLACE torch in shed")
    assert "wrong_object" in modes_of(placed)
    elsewhere = played("light", "EXPLORE", "GOTO torch", "GRAB torch", "PLACE torch on bench")
    assert "wrong_object" not in modes_of(elsewhere)
    right = played("light", *SEEN, "GRAB lamp", "GOTO shed", "PLACE lamp in shed")
    assert "wrong_object" not in modes_of(right)


def test_parts_over_time_are_those_of_the_whole_goal():
    """Each remembers its own condition; what must never be names nothing to be done."""
    failed = played("keep", "EXPLORE", "GOTO lamp", "TURN_ON lamp", "WAIT", "TURN_ON torch", "DONE")
    never, kept, clock = failed.evidence.parts
    assert (never.was_true, never.is_true, never.objects) == (True, False, ())
    assert (kept.was_true, kept.is_true, kept.objects) == (True, True, ("lamp",))
    assert kept.changes == (Change("lamp", "is_on", True),)
    assert (clock.is_true, clock.objects) == (True, ())
