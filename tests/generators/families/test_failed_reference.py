"""Errands that refer to nothing, or to either of two: what changes in a task, and what is right."""

from itertools import islice
from random import Random

import pytest

from earsim.certificates.validation import check_scenario
from earsim.engine import Engine
from earsim.episode import Episode
from earsim.goals.selectors import matching, value_of
from earsim.planner.proofs.certificate import certify
from earsim.schema import At
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.schema.scenario import SceneFile
from earsim_generators.families import FAMILIES
from earsim_generators.families.compared_errand import ErrandRequest
from earsim_generators.families.failed_reference import with_failed_reference, with_harmless_tie
from earsim_generators.suites import GenerationSettings
from earsim_generators.suites.job import CLAIMS, SceneJob, quotas_of
from tests.generators.families.goods import numbers_compared

FAMILY = {"told": 4, "drying": 2}
"""With how many errands."""


def documents(family: str, seed: int, claim: str):
    """A task that can be done, and that which is to be declined, if it has an errand for that."""
    document, errands = with_errands(family, seed)
    return document, with_failed_reference(document, errands, claim, Random(seed))


def with_errands(family: str, seed: int):
    """A task that can be done, and its errands."""
    errands = ErrandRequest(FAMILY[family])
    return FAMILIES[family](Random(seed), "easy", errands), errands.each


def pairs(family: str, claim: str, count: int):
    """So many of both."""
    drawn = (documents(family, seed, claim) for seed in range(10 * count))
    return islice((pair for pair in drawn if pair[1] is not None), count)


def scenarios(family: str, claim: str, count: int):
    """Both as scenarios, and the selector of the errand that fails."""
    for pair in pairs(family, claim, count):
        former, declined = (
            validated(Document("drawn", each), SceneFile).scenarios()[0] for each in pair
        )
        (name,) = former.task.select.keys() - declined.task.select.keys()
        yield former, declined, former.task.select[name]


def ranked(scenario, selector):
    """The things that meet a filter and their numbers, best first; the rank that is asked for."""
    world = Engine(scenario).start()
    told = getattr(selector, "rank", None)
    largest = getattr(selector, "largest", None)
    number = told.of if told else largest or selector.smallest
    is_descending = told.order == "largest" if told else largest is not None
    found = [(value_of(world, node, number), node) for node in matching(selector.among, world, {})]
    return sorted(found, reverse=is_descending), told.k if told else 1


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("family", FAMILY)
def test_only_numbers_of_the_things_alike_and_of_their_gauge_differ(family, claim):
    for documents_of in pairs(family, claim, 12):
        former, declined = (document["tasks"][0] for document in documents_of)
        told = ("instruction", "agents", "budget")
        assert [former[key] for key in told] == [declined[key] for key in told]
        (name,) = former["select"].keys() - declined["select"].keys()
        assert {**declined["select"], name: former["select"][name]} == former["select"]
        assert len(declined["goal"]["all"]) == len(former["goal"]["all"])
        among = former["select"][name]["among"]
        gauge = among.get("more_than", among.get("less_than"))["object"]
        changed, keys = set(), set()
        objects = (document["objects"] for document in documents_of)
        for before, after in zip(*objects, strict=True):
            if before != after:
                changed.add(before["id"] if before["id"] == gauge else before["name"])
                keys |= {key for key in before if before[key] != after[key]}
        assert changed == {gauge, among["name"]}
        assert keys.isdisjoint(("id", "name", "kind", "on"))


@pytest.mark.parametrize("family", FAMILY)
def test_of_the_things_some_are_above_the_gauge_and_some_below(family):
    """Whatever is right to report, and with a harmless tie; some of these would change that."""
    for seed in range(50):
        document, errands = with_errands(family, seed)
        select = document["tasks"][0]["select"]
        declined = [with_failed_reference(document, errands, c, Random(seed)) for c in CLAIMS]
        tied = with_harmless_tie(document, errands, Random(seed))
        for changed in (document, tied, *filter(None, declined)):
            for numbers, gauge in numbers_compared(select, changed["objects"]):
                assert min(numbers) < gauge < max(numbers)


def test_what_nothing_but_the_only_comparison_could_rule_out_is_not_made_impossible():
    """Some of the things are above the gauge and some below: the first of either is there."""
    none, some = 0, 0
    for seed in range(40):
        errands = ErrandRequest(1)
        document = FAMILIES["told"](Random(seed), "easy", errands)
        (errand,) = errands.each
        declined = with_failed_reference(document, errands.each, "impossible", Random(seed))
        if len(errand.choice.sides) == errand.choice.rank == 1:
            assert declined is None
            none += 1
        else:
            some += declined is not None
    assert none
    assert some


@pytest.mark.parametrize("family", FAMILY)
def test_fewer_things_are_so_than_the_rank_counts(family):
    ranks = set()
    for _, declined, selector in scenarios(family, "impossible", 20):
        order, rank = ranked(declined, selector)
        assert len(order) == rank - 1
        ranks.add(rank)
        assert declined.task.right_claim == "impossible"
        assert list(check_scenario(declined)) == []
    assert 2 in ranks


@pytest.mark.parametrize("family", FAMILY)
def test_two_things_have_the_rank_and_each_is_a_reading(family):
    for _, declined, selector in scenarios(family, "unclear", 20):
        order, rank = ranked(declined, selector)
        numbers = [number for number, _ in order]
        assert numbers[rank] == numbers[rank - 1]
        assert numbers.count(numbers[rank]) == 2
        two = [{node} for _, node in order[rank - 1 : rank + 1]]
        readings = (declined.task.goal, *declined.task.other_readings)
        meant = [brought(goal) & set.union(*two) for goal in readings]
        assert meant in (two, two[::-1])
        assert list(check_scenario(declined)) == []


def brought(goal):
    """What has to be on something in the end."""
    return {part.at.object for part in goal.all if isinstance(part, At)}


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("family", FAMILY)
def test_the_claim_is_proved_and_wins_and_no_other_does(family, claim):
    """Of drying no search finds a plan; the author's serves both readings."""
    ((_, declined, _),) = scenarios(family, claim, 1)
    proof = certify(declined, nodes=2_000)
    assert (proof.claim.claim, proof.claim.shown.value) == (claim, "proved")
    for said in (*CLAIMS, "done"):
        episode = Episode(Engine(declined))
        first = episode.agents[0]
        command = "DONE" if said == "done" else f"REPORT {said}"
        while not (episode.over or episode.truncated):
            episode.step(dict.fromkeys(episode.agents, "DONE") | {first: command})
        assert episode.success is (said == claim)


def test_half_of_what_is_to_be_declined_is_impossible_and_half_unclear():
    settings = GenerationSettings(preset="talk_errands_declined", n=4)
    assert [quota.condition for quota in quotas_of(settings)] == [*CLAIMS]
    assert [SceneJob(settings, None, number).claim for number in range(4)] == [*CLAIMS] * 2
    ordinary = GenerationSettings(preset="talk_errands", n=4)
    assert {SceneJob(ordinary, None, number).claim for number in range(4)} == {""}


@pytest.mark.parametrize("family", FAMILY)
def test_a_harmless_tie_changes_one_number_and_not_what_is_meant(family):
    ties = 0
    for seed in range(20):
        document, errands = with_errands(family, seed)
        tied = with_harmless_tie(document, errands, Random(seed))
        (task,), (former,) = tied["tasks"], document["tasks"]
        assert task == former
        pairs = [*zip(document["objects"], tied["objects"], strict=True)]
        changed = [(a, b) for a, b in pairs if a != b]
        answers = [
            validated(Document("drawn", each), SceneFile).scenarios()[0]
            for each in (document, tied)
        ]
        assert len({tuple(Engine(each).task.answer.items()) for each in answers}) == 1
        assert len(changed) <= 1
        for before, after in changed:
            (key,) = (key for key in before if before[key] != after[key])
            alike = [each[key] for each in tied["objects"] if each["name"] == after["name"]]
            assert alike.count(after[key]) == 2
            ties += 1
    assert ties > 10


def test_where_two_had_a_number_in_common_two_others_do_when_nothing_is_meant():
    kept = 0
    for seed in range(40):
        errands = ErrandRequest(1)
        document = FAMILIES["told"](Random(seed), "easy", errands)
        (errand,) = errands.each
        tied = with_harmless_tie(document, errands.each, Random(seed))
        declined = with_failed_reference(tied, errands.each, "impossible", Random(seed))
        if declined is None:
            continue
        key = errand.goods.numbers[errand.choice.by]
        ties = [
            len(numbers) - len({*numbers})
            for each in (tied, declined)
            if (numbers := [o[key] for o in each["objects"] if o["name"] == errand.goods.name])
        ]
        assert ties[0] >= ties[1]
        kept += ties == [1, 1]
    assert kept > 5
