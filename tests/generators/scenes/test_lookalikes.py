"""Groups of one name: apart from each other, and told apart by numbers alone."""

from collections import Counter
from itertools import pairwise

import pytest

from earsim.schema import SceneObject
from earsim_generators.scenes.attributes import MASS_GAP
from tests.generators.scenes.rig import Case, objects_of, room_of


@pytest.mark.slow
def test_lookalikes_share_a_name_that_nothing_else_has(cases):
    for case in cases:
        named = Counter(thing.name for thing in case.made.scene.objects)
        for group in case.made.lookalikes:
            names = {objects_of(case)[id].name for id in group}
            assert len(names) == 1
            assert named[names.pop()] == len(group)


@pytest.mark.slow
def test_lookalikes_lie_apart(cases):
    for case in cases:
        objects = objects_of(case)
        for group in case.made.lookalikes:
            rooms = {room_of(case.made.scene, objects[id]) for id in group}
            assert len(rooms) >= min(2, case.parameters.rooms)


def test_lookalikes_differ_in_as_many_numbers_as_asked(cases):
    for case in cases:
        for group in case.made.lookalikes:
            things = [objects_of(case)[id] for id in group]
            fields = [*things[0].quantities]
            assert len(fields) == case.parameters.numbers - 1
            for thing in things:
                assert [*thing.quantities] == fields
            for field in fields:
                numbers = sorted(thing.quantities[field] for thing in things)
                assert len(set(numbers)) == len(numbers), f"{group}: {field} {numbers}"


def test_no_two_things_of_a_name_tie_in_a_number(all_cases):
    for case in all_cases:
        of_name: dict[str, list[SceneObject]] = {}
        for thing in case.made.scene.objects:
            of_name.setdefault(thing.name, []).append(thing)
        for name, things in of_name.items():
            for field in ("mass_kg", *things[0].quantities):
                numbers = [thing.quantity(field) for thing in things]
                if thing_can_differ(case, things[0]) or field != "mass_kg":
                    assert len(set(numbers)) == len(numbers), f"{name}: {field} {numbers}"


def thing_can_differ(case: Case, thing: SceneObject) -> bool:
    span = case.domain.stock.things[case.made.kinds[thing.id]].mass_kg
    return span.high > 1.2 * span.low


def test_masses_of_lookalikes_are_well_apart(all_cases):
    close = total = 0
    for case in all_cases:
        for group in case.made.lookalikes:
            masses = sorted(objects_of(case)[id].mass_kg for id in group)
            pairs = list(pairwise(masses))
            total += len(pairs)
            close += sum((high - low) / high < MASS_GAP for low, high in pairs)
    assert close <= 0.02 * total


def test_numbers_of_lookalikes_are_well_apart(all_cases):
    """Each lies in the middle half of its own part of the range, up to rounding."""
    for case in all_cases:
        for group in case.made.lookalikes:
            kind = case.domain.stock.things[case.made.kinds[group[0]]]
            for scale in kind.scales:
                numbers = sorted(
                    objects_of(case)[id].quantities.get(scale.field, -1.0) for id in group
                )
                if numbers[0] < 0 or scale.source != "range" or scale.logarithmic:
                    continue
                least = 0.5 * (scale.high - scale.low) / len(group) - 1.01 * scale.step
                assert all(high - low >= least for low, high in pairwise(numbers)), scale.field


def test_ids_within_a_room_do_not_tell_an_order(all_cases):
    lighter_first = Counter()
    for case in all_cases:
        for group in case.made.lookalikes:
            things = [objects_of(case)[id] for id in sorted(group)]
            for one, other in pairwise(things):
                if one.holder == other.holder:
                    lighter_first[one.mass_kg < other.mass_kg] += 1
    assert lighter_first.total() > 60
    assert 0.3 < lighter_first[True] / lighter_first.total() < 0.7


def test_ids_do_not_tell_an_order(all_cases):
    """The first by number of a group is as often the lightest, the middle and the heaviest."""
    ranks = Counter()
    for case in all_cases:
        for group in case.made.lookalikes:
            if len(group) == 4:
                masses = [objects_of(case)[id].mass_kg for id in sorted(group)]
                ranks[sorted(masses).index(masses[0])] += 1
    assert ranks.total() > 60
    assert all(0.1 < ranks[rank] / ranks.total() < 0.42 for rank in range(4)), ranks


def test_groups_are_for_one_for_two_and_for_change(all_cases):
    portable = heavy = changing = 0
    for case in all_cases:
        groups = [[objects_of(case)[id] for id in group] for group in case.made.lookalikes]
        portable += any(all(thing.mass_kg <= 20 for thing in group) for group in groups)
        heavy += any(all(28 <= thing.mass_kg <= 130 for thing in group) for group in groups)
        changing += any(all(thing.states for thing in group) for group in groups)
    assert min(portable, heavy, changing) >= 0.85 * len(all_cases)
