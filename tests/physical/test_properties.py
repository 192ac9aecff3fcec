"""What holds in `physical` whatever anybody does."""

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from earsim import Engine, Episode, open_suite
from earsim.actions.decision import Decision
from earsim.schema import AgentSpec, Door, Scenario, Task
from earsim.schema.files.load import load_scene
from earsim.world import World, digest
from earsim.world.containment import closed_around
from earsim.world.digest import facts
from earsim.world.loads import total_mass
from tests.golden.transcript import SCENES
from tests.invariants import check_invariants
from tests.physical.generated import Chatter, generated_scenario

SEEDS = range(25)
STARTER = ("lake_station/ready_for_coring", "boat_shed/engine_and_order_book")


@cache
def engines() -> tuple[tuple[int, Engine], ...]:
    starter = open_suite("starter")
    return (
        *((seed, Engine(generated_scenario(seed))) for seed in SEEDS),
        *((seed, Engine(starter.load(name))) for seed, name in enumerate(STARTER)),
    )


def playing(decisions: int = 30) -> Iterator[tuple[Engine, World, Random, dict[str, str]]]:
    """Worlds in many states, each with commands that somebody might give next."""
    for seed, engine in engines():
        rng = Random(seed)
        world, chatter = engine.start(), Chatter(rng, engine)
        for _ in range(decisions):
            commands = chatter.commands(world)
            yield engine, world, rng, commands
            engine.step(world, commands)


def has_talked(decision: Decision) -> bool:
    """Whether anybody said or told something, by a command or beside one."""
    done = [*decision.outcomes.values(), *decision.messages.values()]
    return any(outcome.verb in ("SAY", "TELL") for outcome in done)


def in_sight(world: World, room: str) -> set[str]:
    """Things and doors that somebody in a room could see."""
    things = {n for n in world.location if world.room_of(n) == room and not closed_around(world, n)}
    return things | {door.id for door in world.blueprint.doors.values() if room in door.between}


# -- matter --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_everything_is_in_one_place_and_weighs_once():
    for engine, world, _, _ in playing():
        check_invariants(world)
        outermost = [n for n, place in world.location.items() if place.holder not in world.location]
        whole = sum(thing.mass_kg for thing in engine.blueprint.things.values())
        assert sum(total_mass(world, node) for node in outermost) == pytest.approx(whole)


@pytest.mark.slow
def test_loads_are_what_is_in_hand_and_stay_within_the_limits():
    held = shared = 0
    for _, world, _, _ in playing():
        for agent_id, agent in world.agents.items():
            body = world.blueprint.bodies[agent_id]
            lifted = [node for node in agent.inventory if node not in world.blueprint.wheeled]
            carried = sum(total_mass(world, node) for node in lifted)
            held += len(agent.inventory)
            assert agent.load == pytest.approx(carried)
            assert agent.load <= body.max_mass_kg + 1e-6
            assert len(agent.inventory) + (agent.carrying is not None) <= body.hands
        for node, team in world.carriers.items():
            bodies = world.blueprint.bodies
            free = sum(bodies[a].max_mass_kg - world.agents[a].load for a in team)
            assert len(team) > 1
            assert total_mass(world, node) <= free + 1e-6
            assert len({world.agents[agent].room for agent in team}) == 1
            shared += 1
    assert held > 100
    assert shared


@pytest.mark.slow
def test_nobody_moves_alone_what_is_heavier_than_its_limit():
    for seed, engine in engines():
        world, chatter = engine.start(), Chatter(Random(seed), engine)
        actor, *others = world.agents
        engine.step(world, dict.fromkeys(others, "DONE"))
        limit = engine.blueprint.bodies[actor].max_mass_kg
        things = engine.blueprint.things
        heavy = [n for n, thing in things.items() if thing.mass_kg > limit and thing.wheels is None]
        for _ in range(60):
            engine.step(world, {actor: chatter.commands(world).get(actor, "EXPLORE")})
            for node in heavy:
                assert world.location[node] == engine.blueprint.location[node]


# -- refusals ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_messages_move_nothing_and_take_no_time():
    said = 0
    for engine, world, _, commands in playing(60):
        silent = {agent: text.strip().partition("\n")[0] for agent, text in commands.items()}
        if len(world.agents) < 2 or silent == commands or world.beliefs:
            continue  # where each has a picture of its own, what is told can be named
        one, other = world.copy(), world.copy()
        said += any(each.accepted for each in engine.step(one, commands).messages.values())
        engine.step(other, silent)
        one.messages = other.messages
        assert digest(one) == digest(other)
    assert said > 20


@pytest.mark.slow
def test_a_refusal_leaves_the_digest_unchanged():
    refused = 0
    for engine, world, _, commands in playing():
        for agent, text in commands.items():
            twin = world.copy()
            decision = engine.step(twin, {agent: text})
            done = [*decision.outcomes.values(), *decision.messages.values()]
            if not any(outcome.accepted for outcome in done):
                refused += bool(decision.outcomes)
                assert digest(twin) == digest(world)
    assert refused > 100


# -- knowing -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_knowledge_grows_by_perception_and_by_what_is_said():
    learned = 0
    for engine, world, _, commands in playing():
        shared = engine.scenario.knowledge == "shared"
        for agent, text in commands.items():
            after = world.copy()
            decision = engine.step(after, {agent: text})
            told_of = (*decision.outcomes.values(), *decision.messages.values())
            accepted = any(outcome.accepted for outcome in told_of)
            said = has_talked(decision)
            for witness in world.agents:
                new = after.known[witness] - world.known[witness]
                seers = world.agents if shared else (witness,)
                seen = {n for a in seers for n in in_sight(after, after.agents[a].room)}
                on_the_way = new & set(world.blueprint.doors)
                told = world.known[agent] if said and not shared else set()
                assert new <= seen | on_the_way | told
                assert accepted or not new
                assert world.known[witness] <= after.known[witness]
                learned += len(new)
            assert not shared or len(set(after.known.values())) == 1
    assert learned > 100


@pytest.mark.slow
def test_pictures_do_not_change_by_what_happens_in_other_rooms():
    compared = 0
    for engine, world, _, commands in playing(40):
        for agent, text in commands.items():
            after = world.copy()
            decision = engine.step(after, {agent: text})
            if has_talked(decision):
                continue
            actors = decision.outcomes.keys() & world.agents.keys()
            rooms = {moment.agents[actor].room for moment in (world, after) for actor in actors}
            for door in world.blueprint.doors.values():
                if world.states[door.id] != after.states[door.id]:
                    rooms |= set(door.between)
            for witness in world.beliefs:
                if world.agents[witness].room in rooms:
                    continue
                compared += 1
                assert facts(after.beliefs[witness]) == facts(world.beliefs[witness])
                assert after.known[witness] == world.known[witness]
    assert compared > 100


@pytest.mark.slow
def test_what_is_seen_is_believed():
    seen = 0
    for _, world, _, _ in playing():
        for agent_id, belief in world.beliefs.items():
            room = world.agents[agent_id].room
            for node in in_sight(world, room) & world.known[agent_id]:
                if node in world.location:
                    assert belief.location[node] == world.location[node]
                assert belief.states[node] == world.states[node]
                seen += 1
            assert set(belief.location) <= world.known[agent_id] & set(world.location)
    assert seen > 100


@pytest.mark.slow
def test_pictures_allow_and_forbid_nothing():
    """They decide which way a walk takes, and nothing else."""
    compared = 0
    for engine, world, _, commands in playing(40):
        if not world.beliefs:
            continue
        without = world.copy()
        without.beliefs = {}
        walks = any(text.upper().split()[:1] == ["GOTO"] for text in commands.values())
        decisions = [engine.step(each, commands) for each in (world.copy(), without)]
        one, other = ({a: o.reason for a, o in d.outcomes.items()} for d in decisions)
        assert walks or one == other
        compared += not walks
    assert compared > 100


# -- together ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_refusal_names_nothing_that_its_agent_does_not_know():
    refused = 0
    for engine, world, _, commands in playing(60):
        after = world.copy()
        decision = engine.step(after, commands)
        for agent, outcome in decision.outcomes.items():
            if outcome.accepted or agent not in world.agents:
                continue
            refused += 1
            named = {word for value in outcome.facts.values() for word in _words(value)}
            unknown = (named & world.location.keys()) - after.known[agent]
            assert unknown <= set(_words(outcome.command)), (outcome, world.blueprint.scene_id)
    assert refused > 1_000


def _words(value: object) -> list[str]:
    words = value.split() if isinstance(value, str) else value
    return words if isinstance(words, list) else []


@pytest.mark.slow
def test_nobody_acts_together_without_saying_so():
    joint = handed = 0
    for engine, world, _, commands in playing(150):
        after = world.copy()
        decision = engine.step(after, commands)
        for outcome in decision.outcomes.values():
            if outcome.accepted and len(outcome.actors) > 1:
                joint += 1
                texts = [commands[actor].strip().partition("\n")[0] for actor in outcome.actors]
                calls = [engine.parse(text) for text in texts]
                if calls[0].verb.name == "GIVE":
                    handed += 1
                    assert outcome.actors[1] == calls[0].destination
                    assert (calls[1].verb.name, calls[1].target) == ("GRAB", calls[0].target)
                else:
                    assert len(set(calls)) == 1
        for agent, before in world.agents.items():
            outcome = decision.outcomes.get(agent)
            if outcome is None or outcome.verb in ("WAIT", "DONE"):
                now = after.agents[agent]
                assert (now.room, now.inventory) == (before.room, before.inventory)
                assert before.carrying is not None or now.carrying is None
    assert joint - handed > 15
    assert handed > 15


def test_a_team_is_whoever_can_take_part():
    episode = depot("ada", "bo", "cy")
    episode.step({"ada": "EXPLORE"})
    episode.step({"ada": "GOTO table", "bo": "GOTO table"})
    decision = episode.step(dict.fromkeys(("ada", "bo", "cy"), "CORP_GRAB table"))
    assert decision.outcomes["ada"].actors == decision.outcomes["bo"].actors == ("ada", "bo")
    assert decision.outcomes["cy"].reason == "not_near"
    alone = episode.step({"ada": "CORP_GOTO yard", "bo": "WAIT"}).outcomes["ada"]
    assert (alone.reason, alone.facts["agent"]) == ("partner_missing", "bo")
    for refused in ("DONE", "GOTO yard", "CORP_GRAB cup"):
        assert episode.step({"bo": refused}).outcomes["bo"].reason == "coop_lock"
    assert episode.step({"bo": "RELEASE table"}).outcomes["bo"].accepted
    assert episode.world.agents["ada"].carrying is None


# -- decisions -----------------------------------------------------------------------------------


def depot(
    *agents: str, goal: object = None, knowledge: str = "shared", **limits: object
) -> Episode:
    task = {"id": "task", "category": "direct_command", "instruction": "-"}
    goal = {"any": []} if goal is None else goal
    specs = [{"id": agent, "max_mass_kg": 20, **limits} for agent in agents]
    scenario = Scenario(
        id="depot",
        scene=load_scene(SCENES / "depot.yaml"),
        agents=tuple(AgentSpec.model_validate(spec, by_alias=True) for spec in specs),
        task=Task.model_validate({**task, "goal": goal}),
        knowledge=knowledge,
    )
    return Episode(Engine(scenario))


def test_a_walk_stops_at_the_first_closed_door():
    scene = load_scene(SCENES / "depot.yaml")
    first, second = scene.doors
    doors = [
        {"id": "side_door", "between": ("hall", "store")},
        {"id": "wide_door", "between": ("hall", "store"), "states": {"is_open": True}},
    ]
    doors = [Door.model_validate(door) for door in doors]
    agents = (AgentSpec(id="ada", max_mass_kg=20),)
    task = Task.model_validate(
        {"id": "t", "category": "direct_command", "instruction": "-", "goal": {"any": []}}
    )
    scene = scene.model_copy(update={"doors": (first, *doors, second)})
    engine = Engine(Scenario(id="doors", scene=scene, agents=agents, task=task))
    world = engine.start()
    outcome = engine.step(world, {"ada": "GOTO vault"}).outcomes["ada"]
    assert (outcome.status, outcome.reason) == ("PARTIAL", None)
    assert outcome.facts["stopped_at"] == "vault_door"
    assert (world.agents["ada"].room, world.agents["ada"].focus) == ("store", "vault_door")
    assert outcome.seconds == 12


def test_the_first_in_the_file_gets_the_cup():
    for order in (("ada", "bo"), ("bo", "ada")):
        episode = depot("ada", "bo")
        episode.step(dict.fromkeys(order, "EXPLORE"))
        episode.step(dict.fromkeys(order, "GOTO cup"))
        decision = episode.step(dict.fromkeys(order, "GRAB cup"))
        assert decision.outcomes["ada"].accepted
        assert decision.outcomes["bo"].facts["holder"] == "ada"


@pytest.mark.parametrize(
    ("commands", "stalled"),
    [
        ({"ada": "WAIT", "bo": "WAIT"}, True),
        ({"ada": "WAIT"}, True),
        ({}, True),
        ({"ada": "CORP_GRAB table"}, True),
        ({"ada": "CORP_GRAB table", "bo": "CORP_GRAB crate"}, False),
        ({"ada": "CORP_GRAB table", "bo": "CORP_GRAB table"}, False),
        ({"ada": "WAIT", "bo": "LOOK"}, False),
        ({"ada": "WAIT", "bo": "GRAB cup"}, False),
        ({"ada": "DONE", "bo": "WAIT"}, True),
        ({"ada": "DONE", "bo": "DONE"}, False),
    ],
)
def test_a_stall_is_recognised(commands, stalled):
    episode = depot("ada", "bo")
    episode.step({"ada": "EXPLORE"})
    episode.step(dict.fromkeys(("ada", "bo"), "GOTO table"))
    assert bool(episode.step(commands).stalled) is stalled


def test_one_agent_never_stalls():
    assert depot("ada").step({"ada": "WAIT"}).stalled == ()


def test_both_verdicts_are_recorded():
    episode = depot("ada", goal={"has_state": {"object": "cabinet", "state": "is_open"}})
    for command in ("EXPLORE", "GOTO cabinet", "OPEN cabinet", "CLOSE cabinet", "DONE"):
        episode.step({"ada": command})
    assert episode.over
    assert not episode.success
    assert (episode.verdict.now, episode.verdict.ever, episode.verdict.since) == (False, True, 2)


def test_observations_are_told_from_ones_own_picture():
    episode = depot("ada", "bo", knowledge="own")
    episode.step({"ada": "EXPLORE"})
    episode.step({"ada": "GOTO yard", "bo": "GOTO cup"})
    episode.step({"bo": "GRAB cup"})
    assert "Cup (cup, item), on Table (table)" in episode.full("ada")
    episode.step({"bo": "GOTO store_door"})
    episode.step({"bo": "OPEN store_door"})
    episode.step({"bo": "GOTO store"})
    assert "Cup (cup, item), on Table (table)" in episode.full("ada")
    episode.step({"ada": "GOTO hall"})
    assert "Cup (cup, item), out of sight" in episode.full("ada")
    episode.step({"ada": "GOTO store"})
    assert "Cup (cup, item), held by bo (bo)" in episode.full("ada")


def test_who_looks_around_is_told_its_own_picture():
    episode = depot("ada", "bo", knowledge="own")
    for command in ("EXPLORE", "GOTO cabinet", "OPEN cabinet", "GOTO yard"):
        episode.step({"ada": command})
    for command in ("GOTO cabinet", "GRAB jar", "CLOSE cabinet", "GOTO store_door"):
        episode.step({"bo": command})
    episode.step({"bo": "OPEN store_door"})
    episode.step({"bo": "GOTO store"})
    episode.step({"ada": "GOTO hall"})
    decision = episode.step({"ada": "LOOK"})
    assert "jar" in decision.outcomes["ada"].facts["seen"], "nobody sees through a lid"
