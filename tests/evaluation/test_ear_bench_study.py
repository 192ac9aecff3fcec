"""What can be decided about an instruction and its goal, and what is left alone."""

import pytest

from docs.studies.ear_bench_audit.agreement import AgreementVerdict, Aspect, claims
from docs.studies.ear_bench_audit.clauses import ClauseKind, clauses
from docs.studies.ear_bench_audit.phrases import NameMention, SceneNames
from earsim.engine import Engine
from earsim.schema import Scenario, SceneFile, parse
from earsim.suites import open_suite

OFFICE = """\
schema: earsim.scene/1
id: office
rooms: [{id: main_lab, name: Main Lab}, {id: market_place, name: Market Place}]
objects:
  - {id: oak_desk_1, name: Oak Desk, kind: furniture, in: main_lab, mass_kg: 40, container: {},
     size_m: [2, 1, 1], attributes: {material: oak}}
  - {id: steel_desk_1, name: Steel Desk, kind: furniture, in: main_lab, mass_kg: 60,
     size_m: [1, 1, 1], attributes: {material: steel}}
  - {id: cup_1, name: Red Cup, kind: item, on: oak_desk_1, mass_kg: 0.3, states: {is_dirty: true},
     attributes: {color: red}}
  - {id: cup_2, name: Red Cup, kind: item, on: steel_desk_1, mass_kg: 0.4, states: {is_wet: true},
     attributes: {color: red}}
  - {id: jug_1, name: Jug, kind: item, on: oak_desk_1, mass_kg: 0.4, attributes: {color: red},
     states: {is_dirty: true, is_broken: true, is_paired: false, is_drilled: false}}
  - {id: blue_pen_1, name: Blue Pen, kind: item, on: oak_desk_1, mass_kg: 0.2,
     attributes: {color: blue}}
  - {id: drill_1, name: Drill, kind: item, in: main_lab, mass_kg: 3, provides: [drill]}
tasks:
  - {id: do, category: direct_command, agents: [{id: ada, max_mass_kg: 20}], goal: GOAL,
     instruction: "INSTRUCTION"}
"""

MOVED = "{at: {object: cup_1, place: 'on:oak_desk_1'}}"
AGREES, AMBIGUOUS, DISAGREES = AgreementVerdict


def engine(instruction: str, goal: str = MOVED) -> Engine:
    found = parse(OFFICE.replace("GOAL", goal).replace("INSTRUCTION", instruction))
    assert isinstance(found, SceneFile), found
    scenario: Scenario = found.scenarios()[0]
    return Engine(scenario)


def verdicts(instruction: str, goal: str = MOVED) -> dict[Aspect, AgreementVerdict]:
    return {claim.aspect: claim.verdict for claim in claims(engine(instruction, goal))}


def in_state(thing: str, state: str, value: str = "true") -> str:
    return f"{{has_state: {{object: {thing}, state: {state}, equals: {value}}}}}"


# -- names ---------------------------------------------------------------------------------------


def test_the_longest_name_goes_first_and_ids_are_exact():
    names = SceneNames(engine("-").blueprint)
    assert names.items("the red cup on oak_desk_1, a cup") == [
        "the",
        NameMention(("red", "cup"), ("cup_1", "cup_2"), exact=False),
        "on",
        NameMention(("oak", "desk", "1"), ("oak_desk_1",), exact=True),
        ",",
        "a",
        NameMention(("cup",), ("cup_1", "cup_2"), exact=False),
    ]


def test_apostrophes_and_hyphens_do_not_matter():
    names = SceneNames(engine("-").blueprint)
    assert names.items("market-place's Jug's")[0] == "market"
    assert names.items("Market-Place")[0] == NameMention(
        ("market", "place"), ("market_place",), exact=False
    )


# -- clauses -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("Use the drill_1 to drill the jug_1.", [ClauseKind.LEAD, ClauseKind.CHANGE]),
        ("Use the drill to drill the jug_1.", [ClauseKind.LEAD, ClauseKind.CHANGE]),
        ("Find the cup_1 and place it on the oak_desk_1.", [ClauseKind.SEEK, ClauseKind.MOVE]),
        ("Have both cooperate to turn on the jug_1.", [ClauseKind.LEAD, ClauseKind.CHANGE]),
        ("Turn it off and then close it.", [ClauseKind.CHANGE, ClauseKind.CHANGE]),
        ("Pump up the jug_1.", [ClauseKind.OTHER]),
        ("Place the cup with the label on the desk.", [ClauseKind.MOVE]),
        ("Fix the jug_1.", [ClauseKind.OTHER]),
        ("the end", []),
    ],
)
def test_verbs_stand_where_verbs_stand(instruction: str, expected: list[ClauseKind]):
    items = SceneNames(engine("-").blueprint).items(instruction)
    assert [clause.kind for clause in clauses(items)] == expected


# -- claims --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        (
            "Place the cup_1 on the oak_desk_1.",
            {Aspect.TARGET: AGREES, Aspect.DESTINATION: AGREES, Aspect.RELATION: AGREES},
        ),
        (
            "Place the red cup in the oak desk.",
            {Aspect.TARGET: AMBIGUOUS, Aspect.DESTINATION: AGREES, Aspect.RELATION: DISAGREES},
        ),
        (
            "Move the cup_2 to the main_lab.",
            {Aspect.TARGET: DISAGREES, Aspect.DESTINATION: DISAGREES},
        ),
        ("Find the jug and place it on the shelf.", {Aspect.TARGET: DISAGREES}),
        ("Place the cup with a crack on the oak desk.", {}),
        ("Place the cup_1 on the oak desk in the main lab.", {Aspect.TARGET: AGREES}),
        ("Set the cup_1 down somewhere.", {}),
    ],
)
def test_where_something_has_to_go(instruction: str, expected: dict[Aspect, AgreementVerdict]):
    assert verdicts(instruction) == expected


@pytest.mark.parametrize(
    ("instruction", "goal", "expected"),
    [
        (
            "Clean the jug_1.",
            in_state("jug_1", "is_dirty", "false"),
            {Aspect.TARGET: AGREES, Aspect.STATE: AGREES, Aspect.COMPLETE: AGREES},
        ),
        # "re-pair" and "drill_1" are words for other states only to who looks inside words
        ("Repair the jug_1.", in_state("jug_1", "is_paired"), {Aspect.STATE: DISAGREES}),
        (
            "Repair the jug_1 using the drill_1.",
            in_state("jug_1", "is_drilled"),
            {Aspect.STATE: DISAGREES},
        ),
        ("Fix the jug_1.", in_state("jug_1", "is_paired"), {}),
        ("Leave the jug_1 paired, and clean it.", in_state("jug_1", "is_paired"), {}),
        (
            "Clean the jug_1 and then dry it.",
            in_state("jug_1", "is_dirty", "false"),
            {Aspect.TARGET: AGREES, Aspect.STATE: AGREES, Aspect.COMPLETE: DISAGREES},
        ),
        (
            "Clean the jug_1 and place it on the oak_desk_1.",
            in_state("jug_1", "is_dirty", "false"),
            {Aspect.TARGET: AGREES, Aspect.STATE: AGREES, Aspect.COMPLETE: DISAGREES},
        ),
        (
            "Clean the cup_1.",
            in_state("jug_1", "is_dirty", "false"),
            {Aspect.TARGET: DISAGREES, Aspect.STATE: AGREES},
        ),
        (
            "Clean the jug_1 and retrieve the cup_1.",
            in_state("jug_1", "is_dirty", "false"),
            {Aspect.TARGET: AGREES, Aspect.STATE: AGREES},
        ),
        (
            "Clean the cup_1 and the jug_1.",
            in_state("jug_1", "is_dirty", "false"),
            {Aspect.STATE: AGREES, Aspect.COMPLETE: AGREES},
        ),
    ],
)
def test_what_has_to_change(instruction: str, goal: str, expected: dict[Aspect, AgreementVerdict]):
    assert verdicts(instruction, goal) == expected


@pytest.mark.parametrize(
    ("phrase", "target", "expected"),
    [
        ("heaviest cup", "cup_2", AGREES),
        ("heaviest cup", "cup_1", DISAGREES),
        ("lightest cup", "cup_1", AGREES),
        ("heaviest, red item", "jug_1", AMBIGUOUS),
        ("heaviest red item on the oak_desk_1", "jug_1", AGREES),
        ("heaviest red item on the oak_desk_1", "blue_pen_1", DISAGREES),
        ("heaviest red item on the oak_desk_1", "cup_2", DISAGREES),
        ("largest desk", "oak_desk_1", AGREES),
        ("heaviest furniture", "oak_desk_1", DISAGREES),
        # what is not agreed on by all readings, or not understood, is left alone
        ("heaviest item in the main_lab", "drill_1", None),
        ("largest cup", "cup_1", None),
        ("oldest cup", "cup_1", None),
        ("heaviest cup beside the jug", "cup_2", None),
        ("heaviest cup that is wet", "cup_2", None),
    ],
)
def test_superlatives(phrase: str, target: str, expected: AgreementVerdict | None):
    goal = f"{{at: {{object: {target}, place: ':market_place'}}}}"
    found = verdicts(f"Find the {phrase} and place it in the market_place.", goal)
    assert found.get(Aspect.SUPERLATIVE) is expected


def test_a_destination_is_no_candidate_and_limits_nothing():
    goal = "{at: {object: cup_2, place: 'on:oak_desk_1'}}"
    assert verdicts("Place the heaviest cup on the oak_desk_1.", goal)[Aspect.SUPERLATIVE] is AGREES
    goal = "{at: {object: oak_desk_1, place: 'on:steel_desk_1'}}"
    found = verdicts("Find the heaviest desk and place it on the steel_desk_1.", goal)
    assert found[Aspect.SUPERLATIVE] is AGREES


def test_goals_that_are_no_plain_conjunction_are_left_alone():
    assert verdicts("Place the cup_1 on the oak_desk_1.", f"{{any: [{MOVED}]}}") == {}
    assert verdicts("Place the cup_1 on the oak_desk_1.", f"{{not: {MOVED}}}") == {}


def test_nothing_is_held_against_the_scenes_that_are_shipped():
    found = [
        (scenario.id, claim)
        for scenario in open_suite("starter")
        for claim in claims(Engine(scenario))
        if claim.verdict is not AGREES
    ]
    assert found == []
