"""Tasks to be declined: in the words of other kinds, proved, and played by `expert`."""

from random import Random

import pytest

from earsim.certificates.validation import check_scenario
from earsim.goals.selectors import matching
from earsim.schema.goal import CountOf
from earsim.schema.selector import Filter
from earsim_generators.conditions import ConditionDraft, expert_play, within_budget
from earsim_generators.conditions.declining import (
    DECLINING,
    AmbiguousDraft,
    TooHeavyDraft,
    impossible,
    too_many,
    unclear,
)
from tests.generators.tasks import rig

RULESET = "physical"


@pytest.fixture(scope="module")
def index():
    return rig.index("clinic", "conditions")


def drafts(index, kind, tries=40):
    """What a kind of draft makes of one scene."""
    for seed in range(tries):
        yield kind(index, Random(seed), RULESET)


def test_the_second_or_the_first_thing_is_too_heavy_and_no_other(index):
    seen = set()
    for draft in drafts(index, TooHeavyDraft):
        references = [draft.thing() for _ in range(3)]
        nodes = [draft.builder.node(each) for each in references if each is not None]
        heavy = [index.things[node].mass_kg > draft.agent.max_mass_kg for node in nodes]
        if len(nodes) == 3:
            assert sum(heavy[:2]) == 1
            assert not heavy[2]
            seen.add(heavy.index(True))
    assert seen == {0, 1}


@pytest.mark.slow
def test_ambiguous_words_fit_what_is_meant_and_something_else(index):
    named = described = 0
    for draft in drafts(index, AmbiguousDraft):
        references = [draft.thing(), draft.thing()]
        if not draft.readings or None in references:
            continue
        meant, *others = draft.readings
        among = draft.ambiguous[meant]
        assert meant in references
        assert others
        assert set(matching(among, index.world, {})) == set(draft.readings)
        assert all(map(draft.builder.is_portable, draft.readings))
        phrase = draft.wording.mention(meant).full
        assert "the only" not in phrase
        if among.name is not None:
            assert phrase == f"the {index.naming.noun(meant).one}"
            named += 1
        else:
            described += 1
    assert named > 3
    assert described > 3


def test_more_are_asked_for_than_there_are_and_no_verb_makes_more():
    numbers = set()
    for number in range(6):
        index = rig.index("warehouse", "declined", number)
        for task in filter(None, map(too_many, drafts(index, ConditionDraft, 10))):
            wanted, *others = task.goal.all
            assert isinstance(wanted, CountOf)
            among = wanted.count.among
            assert not among.has_state
            assert wanted.count.equals == len(matching(among, index.world, {})) + 1
            assert all(part.count.equals == 0 for part in others)
            numbers.add(wanted.count.equals)
    assert numbers == {2, 3}


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "claim"), [(impossible, "impossible"), (unclear, "unclear")])
def test_the_expert_declines_what_is_to_be_declined(index, kind, claim):
    made = [task for draft in drafts(index, ConditionDraft, 4) if (task := kind(draft))]
    assert made
    for task in made[:2]:
        assert (task.right_claim, bool(task.other_readings)) == (claim, claim == "unclear")
        assert (task.walkthrough, task.shortcuts) == ((), ())
        play = expert_play(task.scenario(index.scene, RULESET, "declined"))
        assert play.won
        assert list(play.commands[-1].values()) == [f"REPORT {claim}"]


WORDS = {
    "count": "count",
    "exactly": "exactly",
    "order": "before",
    "apart": "never",
    "one_trip": "trips",
    "deadline": "by",
}
"""What is in the goals of a kind and of no other."""


@pytest.mark.slow
@pytest.mark.parametrize("name", DECLINING)
def test_each_kind_is_declined_for_its_reason_in_the_words_of_another(name):
    claim, _, words = name.partition("_")
    index, task = next(
        (index, task)
        for index in (rig.index("workshop", "declined", number) for number in range(20))
        for draft in drafts(index, ConditionDraft, 3)
        if (task := DECLINING[name](draft))
    )
    assert task.right_claim == claim
    assert f'"{WORDS[words]}":' in task.goal.model_dump_json(by_alias=True)
    budgeted = within_budget(task.scenario(index.scene, RULESET, "declined"))
    assert budgeted is not None
    assert list(check_scenario(budgeted.scenario)) == []


def test_the_readings_differ_in_one_thing(index):
    task = next(task for draft in drafts(index, ConditionDraft) if (task := unclear(draft)))
    told = {goal.model_dump_json() for goal in (task.goal, *task.other_readings)}
    assert len(told) == 1 + len(task.other_readings)


@pytest.mark.slow
def test_an_unclear_task_speaks_of_no_thing_twice():
    """Of a thing by its name, and then of it among those that a description fits."""
    indexes = (rig.index("warehouse", "declined", number) for number in range(6))
    found = [
        task
        for index in indexes
        for draft in drafts(index, ConditionDraft, 30)
        if (task := DECLINING["unclear_one_trip"](draft))
    ]
    assert len(found) > 50
    for goal in (goal for task in found for goal in (task.goal, *task.other_readings)):
        assert len({each.inside_room.object for each in goal.all[:2]}) == 2


def test_a_name_that_fits_other_things_too_is_not_left_alone(index):
    draft = AmbiguousDraft(index, Random(0), RULESET)
    for node, thing in index.things.items():
        if Filter(name=thing.name) in draft.words(node):
            fitting = index.naming.fitting(thing.name)
            assert {index.things[other].name for other in fitting} == {thing.name}
