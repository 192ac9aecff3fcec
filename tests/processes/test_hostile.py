"""Every verb of time with every id, nonsense included, and what is listed beside trying all."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule, run_state_machine_as_test

from earsim import Engine, Episode, digest
from earsim.actions.verb import Call, Reach, Verb, foreseen_objection
from earsim.schema import Scenario
from earsim.world.limits import free_for_liquids_l
from earsim.world.live import CONTENT, LiveScene
from earsim.world.loads import total_mass
from tests.playing import any_commands, canonical_calls
from tests.processes.small_worlds import SCENES, of_any_verb, on_a_counter, scenario, thing
from tests.test_state_machine import CHOICE, WorldMachine


def everything(*, agents: int = 2, knowledge: str = "shared") -> Scenario:
    """Things of all kinds, and glue that is used up."""
    specs = [spec for name in ("kettle", "tanks", "battery", "icebox") for spec in SCENES[name]()]
    named = {spec["id"]: spec for spec in specs}
    glue = thing("glue", "kitchen", provides=["repair"], uses_count=2.0)
    chairs = [thing(f"chair_{n}", "kitchen", states={"is_broken": True}) for n in range(2)]
    flasks = {"container": {"capacity_l": 0.5}, "liquids": {"milk": 0.3}}
    flask = thing("flask", "kitchen", **flasks, states={"is_open": False})
    return scenario(
        on_a_counter([*named.values(), glue, *chairs, flask]),
        agents=agents,
        knowledge=knowledge,
        uses_up={"repair": 1},
    )


# -- what holds at all times -----------------------------------------------------------------------


class TimeMachine(WorldMachine):
    """Commands of time and liquids beside the others."""

    def mark(self, choice: int) -> str:
        names = ("half", "line", "is_boiling", "is_low", "ghost", "", "10", "0", "9" * 9, "-1")
        return names[choice % len(names)]

    @rule(who=CHOICE, what=CHOICE, into=CHOICE, mark=CHOICE)
    def pour(self, who, what, into, mark):
        to = f" TO {self.mark(mark)}" if mark % 3 else ""
        self.give({self.agent(who): f"POUR {self.node(what)} INTO {self.node(into)}{to}"})

    @rule(who=CHOICE, what=CHOICE, source=CHOICE)
    def fill(self, who, what, source):
        self.give({self.agent(who): f"FILL {self.node(what)} FROM {self.node(source)}"})

    @rule(who=CHOICE, verb=st.sampled_from(["CONNECT", "DISCONNECT", "EMPTY"]), what=CHOICE,
          to=CHOICE)  # fmt: skip
    def join(self, who, verb, what, to):
        self.give({self.agent(who): f"{verb} {self.node(what)} {self.node(to)}"})

    @rule(who=CHOICE, what=CHOICE, mark=CHOICE)
    def wait(self, who, what, mark):
        until = f"UNTIL {self.node(what)} {self.mark(mark)}" if mark % 2 else self.mark(mark)
        self.give(dict.fromkeys(self.agents, f"WAIT {until}"))

    @invariant()
    def contents_fit(self):
        world = self.episode.world
        for vessel in world.timeline.contents:
            held = world.timeline.value(vessel, CONTENT)
            assert -1e-9 <= held <= free_for_liquids_l(world, vessel) + 1e-9
            weights = [world.timeline.value(vessel, n) for n in world.timeline.contents[vessel]]
            assert all(weight >= -1e-9 for weight in weights)
            own = world.blueprint.things[vessel].mass_kg
            if not world.contents.get(vessel):
                assert total_mass(world, vessel) == pytest.approx(own + sum(weights) / 1000)

    @invariant()
    def links_fit(self):
        world = self.episode.world
        used: dict[tuple[str, str], int] = {}
        for first, second, kind in world.timeline.links:
            assert first != second
            assert {first, second} <= world.location.keys() - world.timeline.gone
            for node in (first, second):
                used[node, kind] = used.get((node, kind), 0) + 1
        for (node, kind), ends in used.items():
            assert ends <= world.blueprint.live.fittings[node][kind]
        pairs = [frozenset(link[:2]) for link in world.timeline.links]
        assert len(set(pairs)) == len(pairs)

    @invariant()
    def what_is_gone_is_nowhere(self):
        world = self.episode.world
        for node in world.timeline.gone:
            assert world.room_of(node) is None
            assert all(node not in agent.inventory for agent in world.agents.values())
            assert all(node not in command.split() for command in self.listed())

    def listed(self) -> Iterator[str]:
        for agent in self.agents:
            yield from self.episode.admissible(agent)


@pytest.mark.slow
@pytest.mark.parametrize("knowledge", ["shared", "own"])
def test_a_world_in_which_time_passes_stays_sound_whatever_is_said(knowledge):
    engine = Engine(everything(knowledge=knowledge))
    run_state_machine_as_test(
        type("Machine", (TimeMachine,), {"engine": engine}),
        settings=settings(
            max_examples=12,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_what_is_used_up_is_nowhere():
    played = Episode(Engine(everything(agents=1)), budget=10**6)
    for command in ("EXPLORE", "GOTO glue", "GRAB glue", "GOTO chair_0", "REPAIR chair_0",
                    "GOTO chair_1", "REPAIR chair_1"):  # fmt: skip
        assert played.step({"ada": command}).outcomes["ada"].accepted, command
    assert played.world.timeline.gone == {"glue"}
    assert played.world.agents["ada"].inventory == ()
    assert played.world.room_of("glue") is None
    assert "REPAIR" not in " ".join(played.admissible("ada"))


# -- refusals --------------------------------------------------------------------------------------


REFUSED = (
    "WAIT 0", "WAIT 3601", "WAIT 99999999999999999999", "WAIT UNTIL ghost is_on",
    "WAIT UNTIL kettle ghost", "WAIT UNTIL kettle is_on", "WAIT UNTIL", "WAIT -1", "WAIT 1.5",
    "POUR kettle INTO kettle", "POUR kettle INTO cup", "POUR pump INTO kettle", "POUR kettle INTO",
    "POUR kettle INTO cup TO ghost", "FILL kettle FROM cup", "FILL pump FROM tap", "EMPTY pump",
    "EMPTY kettle", "CONNECT kettle kettle", "CONNECT lamp hose", "DISCONNECT lamp socket",
    "CONNECT ghost lamp", "FILL tap FROM tap", "POUR ghost INTO kettle",
)  # fmt: skip


@pytest.mark.parametrize("command", REFUSED)
def test_a_refused_command_leaves_the_digest(command):
    played = Episode(Engine(everything(agents=1)), budget=10**6)
    played.step({"ada": "EXPLORE"})
    before = digest(played.world)
    outcome = played.step({"ada": command}).outcomes["ada"]
    assert not outcome.accepted
    assert outcome.seconds == 0
    assert digest(played.world) == before
    assert played.feedback("ada")


# -- lists -----------------------------------------------------------------------------------------


def by_trying_all(played: Episode, agent: str) -> list[str]:
    """The list, found by asking about every command there could be."""
    world, verbs = played.world, played.engine.verbs.values()
    calls = [call for verb in verbs for call in _calls(played, agent, verb)]
    return sorted(c.text() for c in calls if foreseen_objection(world, agent, c) is None)


def _calls(played: Episode, agent: str, verb: Verb) -> Iterator[Call]:
    if verb.name == "TELL":
        return
    if verb.reach is not Reach.ANEW:
        yield from canonical_calls(played, agent, verb)
        return
    known = [n for n in played.world.blueprint.things if n in played.world.known[agent]]
    live = played.world.blueprint.live
    if verb.name == "WAIT":
        yield from (Call(verb, destination=str(seconds)) for seconds in (10, 60, 600))
        marks = [(node, mark.name) for node in known for mark in live.marks.get(node, ())]
        states = [(node, name) for node in known for name in live.turning.get(node, ())]
        yield from (Call(verb, node, "", name) for node, name in {*marks, *states})
    elif verb.name == "EMPTY":
        yield from (Call(verb, node) for node in known)
    else:
        yield from _about_two(live, verb, known)


def _about_two(live: LiveScene, verb: Verb, known: list[str]) -> Iterator[Call]:
    for node, other in permutations(known, 2):
        joins = verb.name in ("CONNECT", "DISCONNECT")
        if joins and known.index(node) > known.index(other):
            continue  # a pair is named in the order of the file
        yield Call(verb, node, "", other)
        if verb.name == "POUR":
            for mark in live.marks.get(other, ()):
                yield Call(verb, node, mark.name, other)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("knowledge", "agents"),
    [("shared", 1), ("own", 2), pytest.param("shared", 2, marks=pytest.mark.slow)],
)
def test_the_list_equals_trying_all(knowledge, agents):
    played = Episode(Engine(everything(agents=agents, knowledge=knowledge)), budget=10**6)
    rng, verbs = Random(f"{knowledge} {agents}"), set()
    for _ in range(90):
        for agent in played.agents:
            listed = list(played.admissible(agent))
            assert listed == by_trying_all(played, agent), played.world.clock
            verbs |= {command.split()[0] for command in listed}
        commands = any_commands(rng, played)
        for agent in played.agents:
            if rng.random() < 0.8:
                commands[agent] = of_any_verb(rng, played.admissible(agent))
        played.step(commands)
    assert {"WAIT", "POUR", "FILL", "EMPTY", "CONNECT"} <= verbs


# -- what is not perceived -------------------------------------------------------------------------


def two_that_differ(rng: Random) -> tuple[Episode, Episode]:
    """The same scene, with other numbers where nobody sees them."""
    specs = [spec for name in ("fridge", "tanks") for spec in SCENES[name]()]
    flasks = {"container": {"capacity_l": 0.9}, "states": {"is_open": False}}
    flask = thing("flask", "kitchen", **flasks, liquids={"milk": 0.3})
    probe = thing("probe", "kitchen", senses={"temperature_c": 1, "charge_percent": 0})
    lamp = SCENES["battery"]()[0] | {"states": {"is_on": True, "is_plugged_in": False}}
    lamp["processes"] = lamp["processes"][:1]
    hidden = {"perceived_by": {"charge_percent": "sensed", "temperature_c": "sensed"}}
    found = []
    for at_c, milk, charge in ((3.0, 0.3, 70.0), (rng.uniform(0, 20), 0.8, rng.uniform(65, 99))):
        changed = [dict(spec) for spec in (*specs, flask, probe, lamp)]
        for spec in changed:
            if spec["id"] in ("vial", "dish"):
                spec["temperature_c"] = at_c
            elif spec["id"] == "flask":
                spec["liquids"] = {"milk": milk}
            elif spec["id"] == "lamp":
                spec["charge_percent"] = charge
        found.append(Episode(Engine(scenario(changed, agents=2, **hidden)), budget=10**6))
    return found[0], found[1]


def test_lists_tell_no_more_of_live_numbers_than_texts():
    compared = differed = 0
    for seed in range(12):
        rng = Random(seed)
        one, other = two_that_differ(rng)
        alike = set(one.agents)
        for _ in range(25):
            for agent in sorted(alike):
                told = [(e.full(agent), e.feedback(agent), e.noticed(agent)) for e in (one, other)]
                if told[0] != told[1]:
                    alike.discard(agent)
                    differed += 1
                    continue
                assert one.admissible(agent) == other.admissible(agent)
                assert one.help(agent) == other.help(agent)
                compared += 1
            if len(alike) < len(one.agents):
                break  # what one knows the other may act upon
            commands = any_commands(rng, one)
            for agent in one.agents:
                if rng.random() < 0.5:
                    commands[agent] = of_any_verb(rng, one.admissible(agent))
            one.step(commands)
            other.step(commands)
    assert compared > 200
    assert differed
