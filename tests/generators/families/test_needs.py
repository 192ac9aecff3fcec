"""Needed things: one of several rivals, which nothing but what it is needed for tells apart."""

from collections import Counter
from random import Random

import pytest

from earsim.certificates.validation import check_scenario
from earsim.engine import Engine
from earsim.episode import Episode
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.schema.scenario import SceneFile
from earsim_generators.families import FAMILIES
from earsim_generators.families.compared_errand import ErrandRequest
from earsim_generators.families.goods import heads_of
from earsim_generators.families.rivals import RIVALS, kinds_by_name, rivals

HAND_CARRIED_KG = 25.0
"""What an agent of a family can carry."""


def drawn(seed, level="easy", needed=3):
    """A scenario of the family, and the things that are needed in it."""
    request = ErrandRequest(1, needed)
    document = FAMILIES["needs"](Random(seed), level, request)
    (scenario,) = validated(Document("drawn", document), SceneFile).scenarios()
    return scenario, request.drawn.needed


def won(scenario, commands):
    """Whether the goal holds after these."""
    episode = Episode(Engine(scenario), end_on="goal")
    (agent,) = episode.agents
    for command in commands:
        if not (episode.over or episode.truncated):
            episode.step({agent: command})
    return episode.success


def test_rivals_are_different_things_of_the_catalogue_that_one_can_carry():
    for names in rivals():
        assert len({*names}) == len(names) > RIVALS
        assert all(kinds_by_name()[name][0].mass_kg.high <= HAND_CARRIED_KG for name in names)
    assert len({frozenset(names) for names in rivals()}) == len(rivals())
    assert len({name for names in rivals() for name in names}) > 300


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_a_task_is_sound_and_can_be_done(level):
    for seed in range(3):
        scenario, needed = drawn(seed, level)
        assert list(check_scenario(scenario)) == []
        assert len(needed) == 3
        assert won(scenario, scenario.task.walkthrough)


@pytest.mark.parametrize("family", ["told", "flow"])
def test_things_may_be_needed_beside_what_other_families_are_about(family):
    request = ErrandRequest(2, needed=2)
    document = FAMILIES[family](Random(1), "easy", request)
    (scenario,) = validated(Document("drawn", document), SceneFile).scenarios()
    assert list(check_scenario(scenario)) == []
    assert len(request.drawn.needed) == 2


def test_with_a_rival_beside_it_the_goal_does_not_hold():
    scenario, needed = drawn(0)
    for each in needed:
        for rival in each.others:
            beside = [
                thing.model_copy(update={"on": each.table}) if thing.id == rival else thing
                for thing in scenario.scene.objects
            ]
            scene = scenario.scene.model_copy(update={"objects": tuple(beside)})
            spoilt = scenario.model_copy(update={"scene": scene})
            assert not won(spoilt, scenario.task.walkthrough)


def test_it_does_not_lie_where_it_is_needed_and_each_of_its_set_is_as_often_meant():
    places = Counter()
    for seed in range(150):
        scenario, needed = drawn(seed)
        where = {thing.id: thing.on for thing in scenario.scene.objects}
        for each in needed:
            assert where[each.thing] != each.table
            assert len(each.rivals) == RIVALS
            assert {*each.others} == {r for r in each.rivals if where[r] != each.table}
            places[sorted([each.thing, *each.rivals]).index(each.thing)] += 1
    expected = places.total() / (1 + RIVALS)
    assert sum((n - expected) ** 2 / expected for n in places.values()) < 13.3  # chi2, p = 0.01


def test_no_two_sets_of_a_scene_have_a_kind_or_a_word_in_common():
    for seed in range(30):
        scenario, needed = drawn(seed, "hard")
        names = {thing.id: thing.name for thing in scenario.scene.objects}
        sets = [{names[node] for node in (each.thing, *each.rivals)} for each in needed]
        others = {*names.values()}.difference(*sets)
        words = [{word for name in each for word in heads_of(name)} for each in sets]
        kinds = [kinds_of(each) for each in sets]
        for place, own in enumerate(words):
            assert own.isdisjoint(set().union(*words[:place], *words[place + 1 :]))
            assert own.isdisjoint(word for name in others for word in heads_of(name))
            assert kinds[place].isdisjoint(set().union(*kinds[:place], *kinds[place + 1 :]))
            assert kinds[place].isdisjoint(kinds_of(others))
        assert any(len(others.intersection(each)) > RIVALS for each in rivals())


def kinds_of(names):
    """Ids of all kinds of things that are called so."""
    return {kind.id for name in names for kind in kinds_by_name().get(name, ())}


def test_the_order_of_things_tells_nothing():
    for seed in range(5):
        scenario, _ = drawn(seed)
        ids = [thing.id for thing in scenario.scene.objects]
        assert ids == sorted(ids)


def test_the_grammar_names_what_is_needed():
    scenario, needed = drawn(4)
    told = Engine(scenario).instruction
    names = {thing.id: thing.name for thing in scenario.scene.objects}
    for each in needed:
        assert (
            f"The {names[each.thing].lower()} is needed on the {names[each.table].lower()}" in told
        )
