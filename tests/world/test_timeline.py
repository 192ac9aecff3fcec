"""Live values: numbers as laws of time, their next edges, and what a timeline begins with."""

import pytest

from earsim.dynamics import Constant, Linear
from earsim.world.timeline import NEVER_MS, Arrival, Timeline

KEY = ("tank", "content_l")


def arrival(at_ms: int, target: float = 5.0) -> Arrival:
    return Arrival(at_ms, 0, KEY, target, True)


def test_nothing_has_happened_when_time_begins():
    begun = Timeline()
    assert (begun.now_ms, begun.seen_at, begun.anchors) == (0, 0, 0)
    assert begun.settled == -1, "unlike every stamp"
    assert (begun.stamps, begun.lab, begun.next_ms) == (None, None, NEVER_MS)
    assert (begun.links, begun.streams, begun.bodies, begun.events) == ((), (), (), ())
    assert begun.gone == frozenset()
    for name in ("laws", "contents", "monitors", "unseen", "in_view", "looks", "wired", "edges"):
        assert getattr(begun, name) == {}, name


def test_a_number_follows_its_law_from_the_moment_it_is_given_it():
    timeline = Timeline()
    timeline.now_ms = 1500
    timeline.anchor(*KEY, Linear(2.0, 0.5))
    timeline.now_ms = 3500
    assert timeline.value(*KEY) == 3.0
    timeline.set(*KEY, 1.0)
    assert timeline.laws[KEY] == (Constant(1.0), 3500)
    timeline.now_ms = 9000
    assert timeline.value(*KEY) == 1.0
    assert timeline.anchors == 2


def test_the_next_moment_is_that_of_the_first_edge():
    timeline = Timeline()
    timeline.set_edge(KEY, arrival(700))
    assert timeline.next_ms == 700
    timeline.set_edge(("can", "content_l"), arrival(300))
    timeline.set_edge(("jug", "content_l"), None)
    assert timeline.next_ms == 300
    timeline.forget_edge(("can", "content_l"))
    assert timeline.next_ms == 700
    timeline.anchor(*KEY, Constant(1.0))
    assert timeline.next_ms == NEVER_MS
    timeline.forget_edge(KEY)
    assert timeline.edges == {("jug", "content_l"): None}


def test_a_number_is_due_at_the_value_that_it_comes_to_next():
    timeline = Timeline()
    assert not timeline.is_due(*KEY, 5.0)
    timeline.set_edge(KEY, None)
    assert not timeline.is_due(*KEY, 5.0)
    timeline.set_edge(KEY, arrival(700))
    assert timeline.is_due(*KEY, 5.0)
    assert not timeline.is_due(*KEY, 4.0)


def test_what_is_in_a_vessel_is_counted_by_substance():
    timeline = Timeline()
    timeline.contents = {"tank": ("water", "oil"), "can": ()}
    timeline.set("tank", "water", 250.0)
    timeline.set("tank", "oil", 50.5)
    assert timeline.grams("tank", "oil") == 50.5
    assert timeline.grams("tank", "milk") == 0.0
    assert timeline.grams_in("tank") == pytest.approx(300.5)
    assert timeline.grams_in("can") == 0.0
