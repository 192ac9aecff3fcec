"""Every scene is what was asked for, and in the words that were asked for."""

import pytest

from earsim.schema import Scene, to_data
from tests.generators.scenes.rig import kinds_of, objects_of


def test_the_numbers_asked_for_are_met(cases):
    for domain, parameters, made in cases:
        scene = made.scene
        assert scene.domain == domain.id
        assert len(scene.rooms) == parameters.rooms
        assert len(scene.objects) == parameters.objects
        assert len(scene.doors) == parameters.doors
        assert [door.states["is_locked"] for door in scene.doors].count(
            True
        ) == parameters.locked_doors
        assert len(made.lookalikes) == parameters.lookalikes
        for group in made.lookalikes:
            assert parameters.group_sizes.least <= len(group) <= parameters.group_sizes.most


def test_scenes_pass_their_own_schema_when_written_and_read(cases):
    for case in cases:
        assert Scene.model_validate(to_data(case.made.scene)) == case.made.scene


def test_all_kinds_are_known(cases):
    for case in cases:
        assert list(case.made.kinds) == [thing.id for thing in case.made.scene.objects]
        kinds_of(case)


@pytest.mark.parametrize("vocabulary", ["common", "held_out"])
def test_names_are_of_the_vocabulary(all_cases, vocabulary):
    for case in all_cases:
        if case.parameters.vocabulary != vocabulary:
            continue
        for id, kind in kinds_of(case).items():
            names = kind.names if vocabulary == "common" else kind.held_out_names
            assert objects_of(case)[id].name in names


def test_distractors_are_of_the_families_of_the_groups(all_cases):
    with_family = 0
    for case in all_cases:
        kinds = kinds_of(case)
        groups = {kinds[group[0]].family for group in case.made.lookalikes} - {None}
        alone = set(kinds) - {id for group in case.made.lookalikes for id in group}
        with_family += any(kinds[id].family in groups for id in alone if kinds[id].family)
    assert with_family >= 0.9 * len(all_cases)


def test_rooms_have_names_of_their_own(all_cases):
    for case in all_cases:
        names = [room.name for room in case.made.scene.rooms]
        assert len(set(names)) == len(names)
        assert all(room.area_m2 for room in case.made.scene.rooms)
