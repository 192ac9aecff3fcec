"""The expert finds what it needs, relies on nothing that it has not seen, and comes to an end."""

from __future__ import annotations

import json
from random import Random

import pytest

from earsim.engine import Engine
from earsim.episode import Episode
from earsim.planner import Plan, plan
from earsim.planner.acting.expert import Expert, label
from earsim.planner.acting.exploration_memory import ExplorationMemory
from earsim.planner.acting.oracle import Oracle
from earsim.planner.acting.urgency import most_urgent
from earsim.planner.proofs.ablation import grounded
from earsim.schema import SceneFile, parse
from earsim.suites import open_suite
from tests.planner.perceiving import decisions, elsewhere, knowledge
from tests.planner.small_goals import picked_goal, random_goal
from tests.planner.small_worlds import small_world, with_goal
from tests.playing import SINGLE, any_commands, engine_of

HOUSE = """\
schema: earsim.scene/1
id: house
perceived_by: {mass_kg: seen}
rooms:
  - {id: hall, name: Hall, connects: [parlour, attic]}
  - {id: parlour, name: Parlour}
  - {id: attic, name: Attic}
  - {id: vault, name: Vault}
doors:
  - {id: vault_door, between: [hall, vault], key: iron_key,
     states: {is_open: false, is_locked: true}}
objects:
  - {id: table, name: Table, kind: furniture, in: hall, mass_kg: 30}
  - {id: cup_a, name: Cup, kind: item, on: table, mass_kg: 0.2}
  - {id: cup_b, name: Cup, kind: item, in: parlour, mass_kg: 0.3}
  - {id: chest, name: Chest, kind: furniture, in: parlour, mass_kg: 8, container: {},
     states: {is_open: false}}
  - {id: tray, name: Tray, kind: item, in: chest, mass_kg: 1, container: {}}
  - {id: cup_c, name: Cup, kind: item, in: tray, mass_kg: 0.5}
  - {id: iron_key, name: Iron key, kind: item, in: tray, mass_kg: 0.1}
  - {id: anvil, name: Anvil, kind: item, in: chest, mass_kg: 9}
  - {id: press, name: Press, kind: furniture, in: parlour, mass_kg: 60}
  - {id: crown, name: Crown, kind: item, in: vault, mass_kg: 2}
abilities: [open, close, lock, unlock]
tasks:
  - {id: do, category: direct_command, agents: AGENTS, select: SELECT, goal: GOAL,
     instruction: Do it.}
"""

ONE = "[{id: ada, max_mass_kg: 10, hands: 2}]"
TWO = "[{id: ada, max_mass_kg: 10, hands: 2}, {id: bo, max_mass_kg: 10, hands: 2}]"
ON_TABLE = "{at: {object: $it, on: table}}"


def engine(goal: str, *, select: str = "{}", agents: str = ONE, labelled: bool = True) -> Engine:
    """A task in the house, in which things may say what they weigh."""
    house = HOUSE if labelled else HOUSE.replace("perceived_by: {mass_kg: seen}", "")
    text = house.replace("GOAL", goal).replace("SELECT", select).replace("AGENTS", agents)
    found = parse(text)
    assert isinstance(found, SceneFile)
    return Engine(found.scenarios()[0])


def played(engine: Engine, *, left: int | None = None) -> tuple[Episode, Expert, list[str]]:
    """An episode of one agent, or of a team whose first agent's commands are told."""
    episode, expert = Episode(engine, budget=80), Expert(engine)
    told = []
    while not (episode.over or episode.truncated):
        if episode.last is not None:
            expert.note(episode.last, episode.world)
        time = None if left is None else left - episode.decisions
        decision = expert.decide(episode.world, left=time)
        told.append(decision.get("ada", ""))
        episode.step(decision)
    assert episode.over
    return episode, expert, told


def test_what_nobody_knows_is_not_on_a_table_in_plain_sight():
    done = "{at: {object: cup_b, on: table}}, {not: {any: [{at: {object: cup_c, on: table}}]}}"
    episode, _, told = played(engine(f"{{all: [{done}]}}"))
    assert episode.success
    assert "OPEN chest" not in told


def test_what_nobody_knows_may_be_in_a_box_in_a_room_that_it_must_not_be_in():
    episode, _, told = played(engine("{not: {inside_room: {object: cup_c, room: parlour}}}"))
    assert episode.success
    assert "OPEN chest" in told


# -- what it takes in hand -------------------------------------------------------------------------


def told_by(player: type[Expert] | type[Oracle], engine: Engine) -> list[dict[str, str]]:
    """Every decision of a player who has the world to itself."""
    episode, one, told = Episode(engine, budget=80), player(engine), []
    while not (episode.over or episode.truncated):
        told.append(dict(one.decide(episode.world)))
        episode.step(told[-1])
    assert episode.over
    return told


@pytest.mark.slow
@pytest.mark.parametrize("team", [ONE, TWO])
@pytest.mark.parametrize(
    "goal",
    [
        "{inside_room: {object: press_cloth, room: attic}}",
        "{not: {inside_room: {object: press_cloth, room: parlour}}}",
    ],
)
def test_the_thing_is_carried_and_not_what_it_lies_on(goal, team):
    board = """\
  - {id: board, name: Board, kind: furniture, in: parlour, mass_kg: 3}
  - {id: press_cloth, name: Press cloth, kind: item, on: board, mass_kg: 0.2}
abilities:"""
    text = HOUSE.replace("abilities:", board).replace("SELECT", "{}")
    found = parse(text.replace("GOAL", goal).replace("AGENTS", team))
    assert isinstance(found, SceneFile)
    rules = Engine(found.scenarios()[0])
    shortest, made = plan(rules), plan(rules, innermost=True)
    assert isinstance(shortest, Plan)
    assert isinstance(made, Plan)
    assert made.least
    assert len(made) == len(shortest)
    for told in (made.decisions, told_by(Expert, rules), told_by(Oracle, rules)):
        said = [command for decision in told for command in decision.values()]
        assert [command for command in said if command.startswith("GRAB")] == ["GRAB press_cloth"]


# -- looking for what the task means ---------------------------------------------------------------


def test_it_looks_no_further_than_it_must():
    episode, _, told = played(engine("{held_by: {object: cup_b, agent: ada}}"))
    assert episode.success
    assert told == ["EXPLORE", "GOTO parlour", "EXPLORE", "GOTO cup_b", "GRAB cup_b", "DONE"]


def test_the_largest_is_not_known_before_all_is_seen():
    heaviest = "{it: {largest: mass_kg, among: {name: Cup}}}"
    episode, _, told = played(engine(ON_TABLE, select=heaviest))
    assert episode.success
    assert "PLACE cup_c on table" in told
    assert "OPEN chest" in told
    assert "OPEN vault_door" in told  # there might have been a heavier one


def test_a_selector_that_names_a_room_is_answered_there():
    heaviest = "{it: {smallest: mass_kg, among: {name: Cup, inside_room: hall}}}"
    episode, _, told = played(engine("{held_by: {object: $it, agent: ada}}", select=heaviest))
    assert episode.success
    assert told == ["EXPLORE", "GOTO table", "GRAB cup_a", "DONE"]


def test_the_only_one_is_known_when_it_is_seen():
    only = "{it: {only: {name: Cup, at_most: {mass_kg: 0.25}}}}"
    episode, _, told = played(engine("{held_by: {object: $it, agent: ada}}", select=only))
    assert episode.success
    assert "GOTO parlour" not in told


def test_a_selector_is_answered_by_where_things_were_at_first():
    heaviest = "{it: {largest: mass_kg, among: {name: Cup, inside_room: parlour}}}"
    rules = engine(ON_TABLE, select=heaviest)
    episode, expert = Episode(rules), Expert(rules)
    carried_off = [
        "GOTO parlour", "EXPLORE", "GOTO chest", "OPEN chest", "EXPLORE", "GRAB cup_c",
        "GOTO attic", "RELEASE cup_c", "GOTO hall", "EXPLORE",
    ]  # fmt: skip
    for command in carried_off:
        taken = episode.step({"ada": command})
        assert taken.outcomes["ada"].accepted
        expert.note(taken, episode.world)
    assert expert.decide(episode.world) == {"ada": "GOTO attic"}


def test_when_time_runs_out_the_best_guess_is_acted_upon():
    heaviest = "{it: {largest: mass_kg, among: {name: Cup}}}"
    episode, _, told = played(engine(ON_TABLE, select=heaviest), left=9)
    assert "PLACE cup_b on table" in told
    assert episode.decisions <= 9


def test_two_go_to_two_rooms():
    episode, _, _ = played(engine("{held_by: {object: crown}}", agents=TWO))
    assert episode.success
    rules = engine("{held_by: {object: crown}}", agents=TWO)
    world = rules.start()
    exploration_memory = ExplorationMemory()
    exploration_memory.explored["hall"] = None
    assert label(rules, world, exploration_memory) == {"ada": "GOTO parlour", "bo": "GOTO attic"}


# -- what is in the way ----------------------------------------------------------------------------


def test_keys_are_found_and_used():
    episode, expert, told = played(engine("{held_by: {object: crown, agent: ada}}"))
    assert episode.success
    assert expert.ended == "reached"
    assert told.index("OPEN chest") < told.index("GRAB iron_key") < told.index("UNLOCK vault_door")


def test_what_is_heavier_than_it_looks_is_unpacked():
    episode, _, told = played(engine("{inside_room: {object: chest, room: attic}}"))
    assert episode.success
    assert told.count("GRAB chest") == 2
    assert told.index("GRAB chest") < told.index("OPEN chest") < told.index("GRAB anvil")


def test_what_turned_out_too_heavy_is_unpacked_where_nothing_is_labelled():
    rules = engine("{inside_room: {object: chest, room: attic}}", labelled=False)
    episode, _, told = played(rules)
    assert episode.success
    assert told.index("GRAB chest") < told.index("OPEN chest") < told.index("GRAB anvil")


@pytest.mark.parametrize(
    ("goal", "ended"),
    [
        ("{at: {object: press, on: table}}", "too_heavy"),
        (
            "{all: [{inside_room: {object: cup_a, room: attic}}, {held_by: {object: press}}]}",
            "too_heavy",
        ),
        ("{has_state: {object: table, state: is_dirty, equals: false}}", "no_such_state"),
    ],
)
def test_where_nothing_helps_it_says_so_and_stops(goal, ended):
    episode, expert, told = played(engine(goal))
    assert not episode.success
    assert told[-1] == "DONE"
    assert expert.ended.startswith(ended)
    assert json.loads(json.dumps(expert.memory)) == expert.memory


# -- labels ----------------------------------------------------------------------------------------


def test_a_label_needs_no_history_where_things_stand():
    rules = engine("{held_by: {object: cup_b, agent: ada}}")
    world = rules.start()
    for command in ("EXPLORE", "GOTO parlour"):
        assert label(rules, world) == {"ada": command}
        rules.step(world, {"ada": command})


def test_an_empty_room_is_remembered():
    rules = engine("{held_by: {object: crown, agent: ada}}")
    world, exploration_memory = rules.start(), ExplorationMemory()
    rules.step(world, {"ada": "GOTO attic"})
    expert = Expert(rules, exploration_memory)
    expert.note(rules.step(world, {"ada": "EXPLORE"}), world)
    assert label(rules, world) == {"ada": "EXPLORE"}
    assert label(rules, world, exploration_memory) == {"ada": "GOTO hall"}


# -- everywhere ------------------------------------------------------------------------------------

RULESETS = ("physical", "ear-bench")
PAIR = "boat_shed/keelson_to_the_bench"
SCENARIOS = (*SINGLE, PAIR)


def names_in(decision):
    return {word for text in decision.values() for word in text.replace(",", " ").split()[1:]}


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_it_wins_and_names_only_what_is_discovered(scenario, ruleset):
    engine = engine_of(scenario, ruleset)
    free = {*engine.blueprint.rooms, *engine.blueprint.bodies, "in", "on"}
    for episode, decision in decisions(engine):
        known = free.union(*episode.world.known.values())
        assert names_in(decision) <= known
    assert episode.success


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_is_unseen_decides_nothing(scenario, ruleset, seed):
    """In two worlds that a team cannot tell apart yet it does the same."""
    rng = Random(seed)
    engine = engine_of(scenario, ruleset)
    unseen = {*engine.blueprint.rooms, *engine.blueprint.things}
    steps = rng.randrange(1, 7)
    for (episode, _), _ in zip(decisions(engine), range(steps), strict=False):
        unseen -= {agent.room for agent in episode.world.agents.values()}
        unseen = unseen.difference(*episode.world.known.values())
    # What its selectors pick is to stay picked, wherever that is now.
    task = grounded(engine).task
    settled_one = engine.scenario.model_copy(update={"task": task})
    engine = Engine(settled_one, ruleset)
    twin = Engine(elsewhere(settled_one, rng, unseen), ruleset)
    same = 0
    for (one, here), (other, there) in zip(decisions(engine), decisions(twin), strict=False):
        if knowledge(engine, one.world) != knowledge(twin, other.world):
            break
        assert here == there
        same += 1
    assert same >= steps


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 2])
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_it_goes_on_from_wherever_others_have_left_off(scenario, ruleset, seed):
    engine = engine_of(scenario, ruleset)
    rng, episode, expert = Random(seed), Episode(engine, budget=400), Expert(engine)
    for _ in range(40):
        commands = any_commands(rng, episode)
        if not any("DONE" in text.upper() for text in commands.values()):
            expert.note(episode.step(commands), episode.world)
    can_be_won = isinstance(plan(engine, episode.world, nodes=5_000), Plan)
    while not (episode.over or episode.truncated):
        expert.note(episode.step(expert.decide(episode.world)), episode.world)
    assert episode.over
    assert episode.success or not can_be_won


def check_small_world(ruleset, team, seed):
    """In a tiny world full of obstacles: whatever a short search can win, the expert wins."""
    scenario = small_world(seed, ruleset, agents=team)
    rng, episode = Random(seed), Episode(Engine(scenario), budget=1_000)
    start = episode.world.copy()
    for _ in range(40):
        commands = any_commands(rng, episode)
        if not any("DONE" in text.upper() for text in commands.values()):
            episode.step(commands)
    goals = [picked_goal(rng, start, episode.world) for _ in range(2)]
    for goal in (*goals, random_goal(rng, start)):
        engine = Engine(with_goal(scenario, goal))
        *_, (last, _) = decisions(engine)
        carried = last.success and bool(last.world.carriers)  # nobody says DONE with a load
        assert last.over or carried
        assert last.success or not isinstance(plan(engine, nodes=1_000), Plan), goal


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("team", [1, 2])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_it_wins_whatever_can_be_won(ruleset, team, seed):
    check_small_world(ruleset, team, seed)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(4, 60))
@pytest.mark.parametrize("team", [1, 2, 3])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_it_wins_whatever_can_be_won_more_widely(ruleset, team, seed):
    check_small_world(ruleset, team, seed)


@pytest.mark.slow
def test_it_wins_every_task_of_our_own_in_time():
    for scenario in open_suite("starter"):
        engine = Engine(scenario)
        *_, (episode, _) = decisions(engine, limit=engine.budget)
        assert episode.success, scenario.id


# -- deadlines -------------------------------------------------------------------------------------

CUP_AWAY = "{inside_room: {object: cup_a, room: attic}}"
ANVIL_AWAY = "{inside_room: {object: anvil, room: hall}}"
IN_TIME = f"{{by: {{goal: {CUP_AWAY}, seconds: 40.0}}}}"


def test_what_is_due_first_is_done_first():
    rules = engine(f"{{all: [{ANVIL_AWAY}, {CUP_AWAY}, {IN_TIME}]}}")
    episode, expert, told = played(rules)
    assert (episode.success, expert.ended) == (True, "reached")
    assert told.index("GRAB cup_a") < told.index("OPEN chest") < told.index("GRAB anvil")


def urgent(goal: str, *commands: str) -> object:
    rules = engine(goal)
    world = rules.start()
    for said in commands:
        rules.step(world, {"ada": said})
    return most_urgent(rules, world).goal.model_dump(by_alias=True, exclude_none=True)


def as_goal(text: str) -> object:
    return engine(text).scenario.task.goal.model_dump(by_alias=True, exclude_none=True)


def test_of_two_deadlines_the_earlier_comes_first_and_then_the_rest():
    late = f"{{by: {{goal: {ANVIL_AWAY}, seconds: 90.0}}}}"
    goal = f"{{all: [{ANVIL_AWAY}, {late}, {IN_TIME}]}}"
    carry = ("EXPLORE", "GOTO cup_a", "GRAB cup_a", "GOTO attic")
    assert urgent(goal) == as_goal(CUP_AWAY)
    assert urgent(goal, *carry) == as_goal(ANVIL_AWAY)
    assert urgent(f"{{all: [{ANVIL_AWAY}, {IN_TIME}]}}", *carry) == as_goal(
        f"{{all: [{ANVIL_AWAY}]}}"
    )
    assert urgent(IN_TIME) == as_goal(CUP_AWAY)


def test_a_goal_with_other_conditions_over_time_or_a_missed_deadline_is_left_whole():
    never = f"{{never: {ANVIL_AWAY}}}"
    for goal, commands in (
        (f"{{all: [{CUP_AWAY}, {IN_TIME}, {never}]}}", ()),
        (f"{{all: [{CUP_AWAY}, {IN_TIME}]}}", ("GOTO attic", "GOTO hall") * 8),
        (CUP_AWAY, ()),
    ):
        assert urgent(goal, *commands) == as_goal(goal)
