"""Words of tasks with conditions: rooms by what stands in them, forms of one and the same task."""

import re
from random import Random

import pytest

from earsim_generators.conditions import CONDITIONS, ConditionDraft
from earsim_generators.conditions.wording import Delivery, Wording
from earsim_generators.presets import PRESETS
from earsim_generators.tasks.subgoals import Destination
from tests.generators.tasks import rig

LANDMARK = re.compile(r"the place where (.+?) (?:is|are)\b")


@pytest.fixture(scope="module")
def index():
    return rig.index("clinic", "conditions")


def wordings(index, count=30):
    for seed in range(count):
        yield Wording(index.naming, {}, Random(seed), {})


def test_a_landmark_is_furniture_that_stands_in_one_room_alone(index):
    found = 0
    for room in index.blueprint.rooms:
        for landmark in index.naming.landmarks(room):
            alike = [n for n in index.things if index.naming.called(n) == landmark]
            name = index.things[alike[0]].name
            assert [*index.naming.fitting(name)] == alike
            assert index.room_of(alike[0]) == room
            assert index.things[alike[0]].is_furniture
            found += 1
    assert found > 3


def test_a_room_goes_by_its_name_or_by_a_landmark_and_by_one_of_them_throughout(index):
    room = next(room for room in index.blueprint.rooms if index.naming.landmarks(room))
    texts = {mark.text for mark in index.naming.landmarks(room)}
    place, ways = Destination("room", room), set()
    for wording in wordings(index):
        said = [wording.bring("it", place), wording.at(place), wording.bring("it", place)]
        marks = [LANDMARK.search(each) for each in said]
        assert len({None if mark is None else mark[1] for mark in marks}) == 1
        ways.add(marks[0] is not None)
        assert marks[0] is None or marks[0][1] in texts
        assert (index.naming.inside(room) in said[1]) is (marks[0] is None)
    assert ways == {True, False}


def test_what_is_not_a_room_has_no_landmark(index):
    node = next(n for n, thing in index.things.items() if thing.is_furniture)
    if index.naming.called(node) is not None:
        place = Destination("on", node)
        assert not any(LANDMARK.search(w.bring("it", place)) for w in wordings(index))


@pytest.mark.parametrize("kind", PRESETS["conditions"].conditions[:5])
def test_one_task_is_said_in_several_ways(index, kind):
    """The same goal, as different wordings tell it."""
    draft = ConditionDraft(index, Random(2), "physical")
    things = [n for n in index.things if draft.builder.is_portable(n) and index.naming.called(n)]
    rooms = [room for room in index.blueprint.rooms if index.naming.called(room)]
    errands = [
        Delivery(node, node, Destination("room", room))
        for node, room in zip(things, rooms, strict=False)
    ][:3]
    group = draft.lookalikes()
    assert group is not None
    assert kind in CONDITIONS
    noun, place = index.naming.noun(group.members[0]), errands[0].place
    say = {
        "exactly": lambda words: words.exactly(group.among, noun, place),
        "count": lambda words: words.count(group.among, noun, 2, place),
        "order": lambda words: words.order(errands, errands[::-1]),
        "apart": lambda words: words.apart(*errands[:2]),
        "one_trip": lambda words: words.trip(errands[:2], place),
    }[kind]
    assert len({say(words) for words in wordings(index)}) > 8
