"""Which bodies act on each other does not depend on the order of the file."""

from collections.abc import Sequence
from itertools import permutations

from earsim.processes.clock import Unwatched, begin, elapse
from earsim.world import Blueprint, Physics, World
from earsim.world.numbers import number_of
from tests.processes.small_worlds import Spec, heat, scenario, thing

STACK = (
    thing("hob", "kitchen", heat(900.0, area_m2=0.04), temperature_c=90.0),
    thing("pan", "hob", heat(500.0, area_m2=0.03), temperature_c=60.0),
    thing("lid", "pan", heat(80.0, area_m2=0.02), temperature_c=25.0),
)


def after_a_minute(objects: Sequence[Spec]) -> dict[str, float | None]:
    made = scenario(list(objects))
    world = World(Blueprint.compile(made.scene, made.agents), Physics())
    begin(world, Unwatched())
    elapse(world, 60, Unwatched())
    return {each: number_of(world, each, "temperature_c") for each in ("hob", "pan", "lid")}


def test_a_stack_cools_alike_in_whatever_order_it_is_listed() -> None:
    first = after_a_minute(STACK)
    for order in permutations(STACK):
        assert after_a_minute(order) == first
