"""The oracle as a player: from anywhere, with as few new plans as possible, and to an end."""

from random import Random

import pytest

from earsim.engine import Engine
from earsim.episode import Episode
from earsim.planner import Plan, plan
from earsim.planner.acting import subgoals
from earsim.planner.acting.oracle import Oracle, label
from tests.planner.small_worlds import scenario_of
from tests.playing import SINGLE, any_commands, engine_of

RULESETS = ("physical", "ear-bench")
PAIR = "boat_shed/keelson_to_the_bench"
ADA = {"id": "ada", "max_mass_kg": 10, "hands": 2}
LAMP = {"id": "lamp", "in": "attic", "kind": "item", "mass_kg": 1, "states": {"is_on": False}}
ON = {"has_state": {"object": "lamp", "state": "is_on"}}


def lamp(goal=ON, **changes):
    return Engine(scenario_of("physical", ["hall", "attic"], [LAMP | changes], [ADA], goal))


def end(player, episode):
    """Let an oracle play to the end."""
    while not (episode.over or episode.truncated):
        episode.step(player.decide(episode.world))
    assert episode.over
    return episode


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("scenario", [*SINGLE, PAIR])
def test_it_takes_as_long_as_its_plan_then_says_done(scenario, ruleset):
    engine = engine_of(scenario, ruleset)
    found = plan(engine)
    player = Oracle(engine)
    episode = end(player, Episode(engine))
    assert episode.success
    assert episode.decisions == len(found) + 1
    assert player.ended == "reached"


def test_it_plans_once_where_nothing_comes_between():
    player = Oracle(lamp())
    end(player, Episode(lamp()))
    assert player.plans == 1


def test_it_plans_anew_when_somebody_else_acts():
    episode, player = Episode(lamp()), Oracle(lamp())
    episode.step(player.decide(episode.world))
    episode.step({"ada": "GOTO hall"})
    assert end(player, episode).success
    assert player.plans == 2


@pytest.mark.parametrize(
    ("engine", "ended"),
    [
        (lamp(states={}), "no_such_state"),
        (lamp({"inside_room": {"object": "lamp", "room": "hall"}}, mass_kg=50), "too_heavy"),
        (lamp({"all": []}), "reached"),
    ],
)
def test_it_says_why_it_stops(engine, ended):
    player = Oracle(engine)
    assert player.decide(engine.start()) == {"ada": "DONE"}
    assert player.ended == ended


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("scenario", [*SINGLE, PAIR])
def test_it_goes_on_from_wherever_others_have_left_off(scenario, ruleset, seed):
    engine = engine_of(scenario, ruleset)
    rng, episode = Random(seed), Episode(engine, budget=400)
    for _ in range(30):
        commands = any_commands(rng, episode)
        if not any("DONE" in text.upper() for text in commands.values()):
            episode.step(commands)
    if isinstance(plan(engine, episode.world, nodes=5_000), Plan):
        assert end(Oracle(engine), episode).success


def test_a_label_is_what_it_would_do():
    engine = engine_of(SINGLE[0], "physical")
    world = engine.start()
    before = world.copy()
    assert label(engine, world) == Oracle(engine).decide(before)


def test_who_has_said_done_is_asked_for_nothing():
    engine = engine_of(PAIR, "physical")
    first, *others = engine.blueprint.bodies
    world = engine.start()
    engine.step(world, {first: "DONE"})
    assert set(label(engine, world)) <= set(others)


# -- one part at a time ----------------------------------------------------------------------------

TWO_LAMPS = [LAMP, {**LAMP, "id": "torch", "in": "hall"}]
BOTH_ON = {"all": [ON, {"has_state": {"object": "torch", "state": "is_on"}}]}


def test_a_goal_too_large_for_a_search_is_reached_part_by_part():
    engine = Engine(scenario_of("physical", ["hall", "attic"], TWO_LAMPS, [ADA], BOTH_ON))
    whole = plan(engine)
    assert not isinstance(plan(engine, nodes=5), Plan)
    step = subgoals.next_subgoal(engine, engine.start(), agents=["ada"], nodes=5)
    assert isinstance(step.found, Plan)
    assert len(step.found) < len(whole)
    assert not step.is_whole
    assert end(Oracle(engine, nodes=5), Episode(engine)).success


def test_an_order_is_kept_part_by_part():
    lamp_on, torch_on = BOTH_ON["all"]
    order = {"before": {"first": lamp_on, "then": torch_on}}  # the torch is nearer
    goal = {"all": [lamp_on, torch_on, order]}
    engine = Engine(scenario_of("physical", ["hall", "attic"], TWO_LAMPS, [ADA], goal))
    assert not isinstance(plan(engine, nodes=10), Plan)
    step = subgoals.next_subgoal(engine, engine.start(), agents=["ada"], nodes=10)
    assert not step.is_whole
    assert end(Oracle(engine, nodes=10), Episode(engine)).success


def test_of_many_ways_the_nearest_is_gone_part_by_part():
    count = {
        "count": {
            "equals": 3,
            "among": {"name": "Lamp"},
            "goal": {"has_state": {"object": "$each", "state": "is_on"}},
        }
    }
    lamps = [
        {**LAMP, "id": f"lamp_{n}", "name": "Lamp", "in": room}
        for n, room in enumerate(("hall", "attic", "hall", "attic"))
    ]
    engine = Engine(scenario_of("physical", ["hall", "attic"], lamps, [ADA], count))
    assert not isinstance(plan(engine, nodes=10), Plan)
    assert end(Oracle(engine, nodes=10), Episode(engine)).success


def lamps_on(number, rooms, **bounds):
    """So many lamps, and a goal that counts those that are on."""
    lamps = [
        {**LAMP, "id": f"lamp_{n}", "name": "Lamp", "in": rooms[n % len(rooms)]}
        for n in range(number)
    ]
    is_on = {"has_state": {"object": "$each", "state": "is_on"}}
    return lamps, {"count": {**bounds, "among": {"name": "Lamp"}, "goal": is_on}}


def test_so_many_of_those_that_are_too_many_to_list_and_no_more():
    lamps, goal = lamps_on(8, ("hall", "attic"), equals=3)
    engine = Engine(scenario_of("physical", ["hall", "attic"], lamps, [ADA], goal))
    world = engine.start()
    step = subgoals.next_subgoal(engine, world, agents=["ada"], nodes=100)
    assert isinstance(step.found, Plan)
    for decision in step.found.decisions:
        engine.step(world, decision)
    assert engine.task.goal.holds(world)
    assert sum(world.states[lamp["id"]]["is_on"] for lamp in lamps) == 3


def test_what_is_not_planned_with_is_kept():
    lamps, few = lamps_on(8, ("hall",), at_most=3)
    goal = {"all": [few, {"inside_room": {"object": "lamp_0", "room": "attic"}}]}
    engine = Engine(scenario_of("physical", ["hall", "attic"], lamps, [ADA], goal))
    world = engine.start()
    parts = subgoals.Parts.of(engine, world, guided=False)
    assert (len(parts.done), len(parts.kept), len(parts.left)) == (0, 1, 1)
    for number, is_kept in ((3, True), (4, False)):
        turned = [f"{said} lamp_{n}" for n in range(number) for said in ("GOTO", "TURN_ON")]
        decisions = tuple({"ada": said} for said in ("EXPLORE", *turned))
        found = Plan(decisions, least=False, bound=1, commands=len(decisions), nodes=1)
        assert parts.leads_on(engine, world, found, ["ada"]) is is_kept
