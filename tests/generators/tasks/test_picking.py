"""Selectors made to order: what they pick, from how many, and what they are made of."""

from collections import Counter
from random import Random

import pytest

from earsim.goals.selectors import matching, pick
from earsim.schema import parse
from earsim.schema.selector import Filter, Largest, Only, Rank, Smallest
from earsim_generators.difficulty import lookalikes
from earsim_generators.tasks import SceneIndex
from earsim_generators.tasks.selectors import SelectorSampler
from tests.generators.tasks.rig import index, indexes


def anything(node, candidates):
    return True


def picked(place, seeds=60, *, fit=anything, **wishes):
    found = [
        SelectorSampler(place, Random(f"pick {seed}")).pick(fit, **wishes) for seed in range(seeds)
    ]
    found = [one for one in found if one is not None]
    assert found
    return found


@pytest.mark.parametrize("conditions", [1, 2])
def test_a_selector_picks_its_answer_and_has_candidates(conditions):
    for place in indexes():
        for one in picked(place, 12, conditions=conditions):
            found = pick(one.selector, place.world, {})
            assert found.answer == one.answer
            assert set(lookalikes(one.selector, place.world)) == set(one.candidates)
            assert len(one.candidates) >= 3
            if not isinstance(one.selector, Only):
                assert len(found.candidates) >= 3


def test_every_construct_occurs():
    found = [one for place in indexes() for c in (1, 2) for one in picked(place, 12, conditions=c)]
    kinds = {type(one.selector) for one in found}
    asked = Counter()
    for one in found:
        among = one.selector.only if isinstance(one.selector, Only) else one.selector.among
        asked.update(among.model_fields_set)
    assert kinds == {Largest, Smallest, Rank, Only}
    named = {"name", "inside_room", "on", "has_state", "attribute", "at_least", "at_most"}
    assert named | {"more_than", "less_than", "not_"} <= asked.keys()


def test_no_candidate_is_the_answer_more_often_than_others():
    place = index("workshop")
    chosen = Counter(one.answer for one in picked(place, 400))
    groups = [group for group in place.groups if sum(chosen[node] for node in group) > 40]
    assert groups
    for group in groups:
        counts = [chosen[node] for node in group]
        expected = sum(counts) / len(group)
        assert sum((count - expected) ** 2 / expected for count in counts) < 5 * len(group)


def test_what_is_to_be_avoided_is_no_candidate():
    place = index("clinic")
    avoid = place.groups[0]
    assert all(set(avoid).isdisjoint(one.candidates) for one in picked(place, avoid=avoid))


def test_neighbours_in_an_order_can_be_told_apart():
    compared = 0
    for place in indexes()[:4]:
        for one in picked(place, 30):
            if isinstance(one.selector, Largest | Smallest | Rank):
                of = (
                    getattr(one.selector, "largest", None)
                    or getattr(one.selector, "smallest", None)
                    or one.selector.rank.of
                )
                values = sorted(place.number(node, of) for node in one.candidates)
                own = place.number(one.answer, of)
                nearest = min(abs(own - value) for value in values if value != own)
                assert nearest > 0.004 * abs(own)
                compared += 1
    assert compared > 20


def test_no_part_is_told_that_changes_nothing():
    """The heaviest of those that are heavier than the anvil is the heaviest of all."""
    compared = 0
    for place in indexes():
        for one in picked(place, 30, conditions=2):
            selector = one.selector
            if isinstance(selector, Only):
                continue
            among, rank = selector.among, getattr(selector, "rank", None)
            of = rank.of if rank else getattr(selector, "largest", None) or selector.smallest
            is_largest = rank.order == "largest" if rank else isinstance(selector, Largest)
            more = among.more_than if is_largest else among.less_than
            assert more is None or more.of != of
            compared += among.more_than is not None or among.less_than is not None
    assert compared > 20


YARD = """\
schema: earsim.scene/1
id: yard
perceived_by: {mass_kg: seen}
rooms: [{id: yard, name: Yard, connects: [shed]}, {id: shed, name: Shed}]
objects:
  - {id: crate_a, name: Crate, kind: item, in: yard, mass_kg: 3, attributes: {colour: red}}
  - {id: crate_b, name: Crate, kind: item, in: yard, mass_kg: 5, attributes: {colour: red}}
  - {id: crate_c, name: Crate, kind: item, in: yard, mass_kg: 7, attributes: {colour: red}}
  - {id: crate_d, name: Crate, kind: item, in: yard, mass_kg: 9, attributes: {colour: blue}}
"""


def test_every_condition_sets_some_apart():
    """The heaviest of the crates in the yard is asked for where there are crates elsewhere."""
    conditions = 0
    for place in (*indexes(), SceneIndex(parse(YARD).scene)):
        for one in picked(place, 20, conditions=2):
            among = one.selector.only if isinstance(one.selector, Only) else one.selector.among
            fit = matching(among, place.world, {})
            asked = {
                field: value for field in among.model_fields_set if (value := getattr(among, field))
            }
            for field in asked.keys() - {"name", "in_", "on"}:
                rest = Filter(**{name: value for name, value in asked.items() if name != field})
                assert len(matching(rest, place.world, {})) > len(fit), (field, among)
                conditions += 1
    assert conditions > 100
