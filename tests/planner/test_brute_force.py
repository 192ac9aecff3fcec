"""The planner and brute force agree: on plans, on their lengths, on what is impossible."""

from __future__ import annotations

import pytest

from earsim.engine import Engine
from earsim.planner import CommandClass, Knowledge
from tests.planner.agreement import Question, Setting
from tests.planner.brute_force import Commands, Space, bare
from tests.planner.keys import full_key, state_key
from tests.planner.small_worlds import RULESETS

ANY = CommandClass.ANY
GLOBAL = Knowledge.GLOBAL

ALONE = [
    Setting("physical"),
    Setting("physical", knowledge=GLOBAL),
    Setting("physical", walked=6),
    Setting("physical", knowledge=GLOBAL, walked=6),
    Setting("ear-bench"),
    Setting("ear-bench", knowledge=GLOBAL),
    Setting("ear-bench", walked=6),
    Setting("ear-bench", command_class=ANY),
    Setting("ear-bench", command_class=ANY, knowledge=GLOBAL, walked=4),
]
TEAMS = [
    Setting("physical", team=2, objects=5),
    Setting("physical", team=2, objects=5, knowledge=GLOBAL, walked=6),
    Setting("physical", team=2, objects=5, acting=1),
    Setting("physical", team=2, objects=5, counts="commands"),
    Setting("physical", team=2, objects=5, counts="commands", walked=6),
    Setting("physical", team=3, objects=4),
    Setting("physical", team=3, objects=4, knowledge=GLOBAL, walked=6),
    Setting("ear-bench", team=2, objects=5),
    Setting("ear-bench", team=2, objects=5, knowledge=GLOBAL, walked=6),
    Setting("ear-bench", team=2, objects=5, acting=1),
    Setting("ear-bench", team=2, objects=5, counts="commands"),
    Setting("ear-bench", team=2, objects=4, command_class=ANY),
    Setting("ear-bench", team=2, objects=4, command_class=ANY, walked=4),
    Setting("ear-bench", team=2, objects=4, command_class=ANY, counts="commands"),
    Setting("ear-bench", team=3, objects=4),
]


def check(setting: Setting, seed: int, *, states: int, goals: int) -> None:
    """Ask about as many goals again; three agents have many more decisions in every state."""
    question = Question.at_random(setting, seed, states // 6 if setting.team > 2 else states)
    for asked in question.goals(seed, picked=goals, random=goals):
        complaint = asked.complaint()
        assert complaint is None, f"seed {seed}: {complaint}"


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("setting", ALONE, ids=str)
def test_alone(setting, seed):
    check(setting, seed, states=500, goals=4)


@pytest.mark.parametrize("seed", range(1))
@pytest.mark.parametrize("setting", TEAMS, ids=str)
def test_in_teams(setting, seed):
    check(setting, seed, states=200, goals=4)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("setting", ALONE, ids=str)
def test_alone_more_widely(setting):
    for seed in (2, 3, *range(100, 130)):
        check(setting, seed, states=2000, goals=6)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("setting", TEAMS, ids=str)
def test_in_teams_more_widely(setting):
    for seed in (1, 2, *range(100, 112)):
        check(setting, seed, states=900, goals=5)


# -- brute force itself --------------------------------------------------------------------------


@pytest.mark.parametrize("setting", [ALONE[0], ALONE[4], ALONE[7], *TEAMS], ids=str)
def test_its_ways_are_real_decisions(setting):
    question = Question.at_random(setting, 3, 150 if setting.team < 3 else 40)
    engine = Engine(question.scenario)
    for index in range(0, len(question.space.worlds), 9):
        world = bare(question.world(engine))
        for decision in question.space.way_to(index):
            engine.step(world, _said_by_all(engine, decision))
        assert state_key(world) == state_key(question.space.worlds[index])


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("team", [1, 2])
def test_what_it_leaves_out_of_a_state_does_not_matter(ruleset, team):
    setting = Setting(ruleset, team=team, objects=4)
    depths = []
    for seed in range(3):
        question = Question.at_random(setting, seed, 1)
        engine = Engine(question.scenario)
        brute, start = setting.brute_force(engine), bare(question.world(engine))
        short = brute.explore(start, states=60)
        full = brute.explore(start, states=120, key=full_key)
        depths.append(min(short.complete, full.complete))
        assert _nearest(short, depths[-1]) == _nearest(full, depths[-1])
    assert max(depths) > 1


def _nearest(space: Space, depth: int) -> set[object]:
    """States within some number of decisions, as far as they matter, each at its depth."""
    found: dict[object, int] = {}
    for world, at in zip(space.worlds, space.depths, strict=True):
        found.setdefault(state_key(world), at)
    return {(key, at) for key, at in found.items() if at <= depth}


def _said_by_all(engine: Engine, decision: Commands) -> Commands:
    """The decision with something for every agent to say, where the ruleset asks for that."""
    if not engine.ruleset.everybody_speaks:
        return decision
    return {agent: decision.get(agent, "LOOK") for agent in engine.blueprint.bodies}
