"""The fast ruleset and the naive one, written from the specification, agree step for step."""

from random import Random

import pytest

from earsim import Engine, open_suite
from earsim.schema import Scenario
from tests.physical.compare import Pair
from tests.physical.generated import Chatter, generated_scenario

DECISIONS = 40
STARTER = [s.id for s in open_suite("starter") if Engine(s).blueprint.live is None]


def play(scenario: Scenario, seed: int, decisions: int = DECISIONS) -> int:
    """Random decisions in both; the number of commands given."""
    pair = Pair(scenario)
    chatter = Chatter(Random(seed), pair.engine)
    given = 0
    for _ in range(decisions):
        commands = chatter.commands(pair.world)
        pair.decide(commands)
        given += len(commands)
    return given


@pytest.mark.parametrize("seed", range(45))
def test_in_small_random_scenes(seed):
    play(generated_scenario(seed), seed)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("part", range(10))
def test_over_a_hundred_thousand_commands(part):
    seeds = iter(range(1000 * (part + 1), 1000 * (part + 2)))
    given = 0
    for scenario_id in STARTER[part::10]:
        given += play(open_suite("starter").load(scenario_id), next(seeds), decisions=100)
    while given < 10_000:
        seed = next(seeds)
        given += play(generated_scenario(seed), seed)
