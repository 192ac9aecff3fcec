"""Conditions over time by hand: what is remembered from moment to moment, and when it is met."""

from types import SimpleNamespace

import pytest

from earsim.goals.over_time import (
    LATE,
    MET,
    VIOLATED,
    Monitor,
    before,
    by,
    clock_at_most,
    held_for,
    never,
    remembers,
)

pytestmark = pytest.mark.stand_ins


def moment(second, **facts):
    timeline = SimpleNamespace(now_ms=round(second * 1000), monitors={})
    return SimpleNamespace(clock=second, timeline=timeline, **facts)


def hot(world):
    return world.hot


def wet(world):
    return world.wet


def memories(note, moments):
    """What is remembered after each moment."""
    memory, found = None, []
    for world in moments:
        memory = note(memory, world)
        found.append(memory)
    return found


@pytest.mark.parametrize(
    ("seen", "met_at"),
    [
        ([(0, True), (4.999, True), (5, True)], 2),
        ([(0, True), (4.999, True)], None),
        ([(0, False), (1, True), (5, True), (6, True)], 3),
        ([(0, True), (3, False), (4, True), (8, True), (9, True)], 4),  # a break begins anew
        ([(0, True), (5, False)], 1),  # up to the moment at which it no longer holds
        ([(0, True), (5, True), (6, False), (7, False)], 1),  # and is never undone
        ([(0, False), (9, False)], None),
    ],
)
def test_a_state_is_held_for_so_long_without_a_break(seen, met_at):
    found = memories(held_for(hot, 5.0), [moment(t, hot=holds) for t, holds in seen])
    assert [each == MET for each in found] == [
        met_at is not None and n >= met_at for n in range(len(seen))
    ]


def test_what_broke_off_is_forgotten():
    found = memories(held_for(hot, 5.0), [moment(1, hot=True), moment(2, hot=False)])
    assert found == [1000, None]


def test_never_is_met_until_it_happens_and_violated_ever_after():
    found = memories(never(hot), [moment(n, hot=n == 2) for n in range(4)])
    assert found == [MET, MET, VIOLATED, VIOLATED]


@pytest.mark.parametrize(
    ("seen", "met"),
    [
        (["hot", "wet"], True),
        (["hot", "", "wet"], True),
        (["hot", "wet", "wet hot", ""], True),
        (["wet", "hot", "wet"], False),
        (["wet hot", "wet"], False),  # at once is not before
        (["hot", ""], False),
        (["", ""], False),
    ],
)
def test_one_comes_before_the_other(seen, met):
    moments = [moment(n, hot="hot" in now, wet="wet" in now) for n, now in enumerate(seen)]
    assert (memories(before(hot, wet), moments)[-1] == MET) is met


@pytest.mark.parametrize(
    ("seen", "remembered"),
    [
        ([(0, False), (5, True)], [None, MET]),
        ([(0, True), (9, False)], [MET, MET]),
        ([(0, False), (5.001, True), (6, True)], [None, LATE, LATE]),
    ],
)
def test_what_is_to_be_in_time_is_late_after_it(seen, remembered):
    assert memories(by(hot, 5.0), [moment(t, hot=holds) for t, holds in seen]) == remembered


def test_the_clock_may_show_the_bound():
    assert [clock_at_most(60.0)(moment(t)) for t in (0, 60.0, 60.001)] == [True, True, False]


def test_a_monitor_keeps_its_memory_in_the_world_under_its_number():
    world = moment(0, hot=False, wet=True)
    assert not remembers(1, MET, world)
    Monitor(1, never(hot)).look(world)
    Monitor(2, never(wet)).look(world)
    assert world.timeline.monitors == {1: MET, 2: VIOLATED}
    world.hot = True
    Monitor(1, never(hot)).look(world)
    assert remembers(1, VIOLATED, world)
    assert not remembers(1, MET, world)
    assert not remembers(1, None, SimpleNamespace(timeline=None))
