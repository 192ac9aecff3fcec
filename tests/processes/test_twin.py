"""The laws beside steps of a hundredth of a second, over random commands."""

from __future__ import annotations

from random import Random

import pytest

from earsim.world import World
from earsim.world.timeline import FLOOR
from tests.processes import naive as twin
from tests.processes.naive import Naive
from tests.processes.small_worlds import SCENES, episode, scene

AGREE = 1e-3
"""Of the value, or of one where that is greater ..."""
RANGES = {"temperature_c": 10.0, "charge_percent": 100.0, "melted_percent": 100.0}
"""... or of this."""

MOST_S = 150
_PLAYED = ("LOOK", "DONE", "EXPLORE", "SAY", "UNTIL", "WAIT 600")


def differences(world: World, naive: Naive) -> list[tuple[object, ...]]:
    """Where the two do not agree: what, the law's value, the other's."""
    timeline = world.timeline
    found = []
    for node, name in timeline.laws:
        value = timeline.value(node, name)
        place = twin.FLOOR if node == FLOOR else node
        liquid = name in twin.KGPL
        other = naive.grams[place].get(name, 0.0) if liquid else naive.value(place, name)
        scale = max(RANGES.get(name, 1.0), abs(value), abs(other))
        if abs(value - other) > AGREE * scale:
            found.append((node, name, value, other))
    for node, states in naive.states.items():
        if world.states[node] != states:
            found.append((node, dict(world.states[node]), states))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", SCENES)
def test_laws_agree_with_small_steps(name, seed):
    played = scene(name)
    law, naive = episode(played), Naive(played)
    rng = Random(f"{name} {seed}")
    naive.pass_time(law.world.clock)
    while law.world.clock < MOST_S:
        offered = [c for c in law.admissible("ada") if not any(word in c for word in _PLAYED)]
        command = rng.choice([c for c in offered if "GOTO" not in c or rng.random() < 0.4])
        decision = law.step({"ada": command})
        assert decision.outcomes["ada"].accepted
        naive.near_by = law.world.agents["ada"].focus
        naive.obey("ada", command)
        naive.pass_time(decision.elapsed_s)
        assert not differences(law.world, naive), (command, law.world.clock)
