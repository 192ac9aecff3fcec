"""What agents are told of numbers that move is what looking at everything anew would tell them."""

from __future__ import annotations

import json
import pickle
from hashlib import sha256
from random import Random

import pytest

from earsim import Engine, Episode
from earsim.envs.graph_rows import GraphLayout, GraphRows
from earsim.processes import clock
from earsim.render.graph import observed_graph
from earsim.world.digest import digest
from earsim.world.live import shown
from tests.processes.looking import look_at_everything
from tests.processes.small_worlds import (
    SCENES,
    episode,
    heat,
    of_any_verb,
    on_a_counter,
    scenario,
    thing,
)

_HERE = thing("here", "kitchen", kind="furniture", mass_kg=20.0)
_BOX = thing("crate", "kitchen", kind="item", mass_kg=1.0, container={}, states={"is_open": True})


def _played(name, agents, knowledge):
    """A scene, with a meter for temperatures and a crate that hides what is in it."""
    meter = thing("meter", "kitchen", senses={"temperature_c": 2, "charge_percent": 0})
    specs = on_a_counter([*SCENES[name](), meter, {**_BOX}])
    return scenario([*specs, {**_HERE}], agents=agents, knowledge=knowledge)


FORMS = ("full", "delta", "help", "noticed", "graph", "arrays", "admissible")


def _shown(episode, rows):
    """Everything that every agent is told now, in every form."""
    told = {}
    for agent in episode.agents:
        rows[agent].write(episode.world, agent)
        arrays = [sha256(array.tobytes()).hexdigest() for array in rows[agent].arrays.values()]
        forms = (
            episode.full(agent),
            episode.changes(agent),
            episode.help(agent),
            episode.noticed(agent),
            json.dumps(observed_graph(episode.world, agent), sort_keys=True),
            arrays,
            episode.admissible(agent),
        )
        told |= {(agent, form): text for form, text in zip(FORMS, forms, strict=True)}
    return told


def _rows(episode):
    return {agent: GraphRows.empty(LAYOUT) for agent in episode.agents}


def _command(rng, episode, agent):
    kind = rng.random()
    if kind < 0.2:
        return f"WAIT {rng.choice([1, 2, 3, 7, 30, 200])}"
    if kind < 0.25:
        return "GRAB nothing"
    offered = [c for c in episode.admissible(agent) if not c.startswith("DONE")]
    return of_any_verb(rng, offered)


DECISIONS = 40
LAYOUT = GraphLayout(64, ("temperature_c", "charge_percent", "content_l", "mass_kg"), None)

CASES = [
    *((name, 1, "shared") for name in SCENES),
    *((name, 2, "shared") for name in ("kettle", "tanks", "battery")),
    *((name, 2, "own") for name in ("kettle", "icebox", "plate", "laundry", "battery")),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "agents", "knowledge"), CASES)
def test_all_forms_are_as_if_everything_were_looked_at(name, agents, knowledge, monkeypatch):
    engine = Engine(_played(name, agents, knowledge))
    quick, plain = (Episode(engine, budget=10**6) for _ in range(2))
    rows = [_rows(quick), _rows(plain)]
    rng = Random(f"{name} {agents} {knowledge}")
    for decision in range(DECISIONS):
        commands = {a: _command(rng, quick, a) if decision else "EXPLORE" for a in quick.agents}
        quick.step(commands)
        with monkeypatch.context() as patched:
            patched.setattr(clock, "see_numbers", look_at_everything)
            plain.step(commands)
        told = _shown(quick, rows[0])
        _are_alike(told, _shown(plain, rows[1]), (decision, commands))
        assert quick.world.readings == plain.world.readings
        assert digest(quick.world) == digest(plain.world)
        if decision % 9 == 4:
            anew = pickle.loads(pickle.dumps(quick))  # nothing but the state is kept
            _are_alike(told, _shown(anew, _rows(anew)), (decision, "anew"), but="delta")
            quick, plain = rng.choice([quick, anew, quick.fork()]), plain.fork()
            rows = [_rows(quick), _rows(plain)]
            _are_alike(_shown(quick, rows[0]), _shown(plain, rows[1]), (decision, "gone back"))


def _are_alike(one, other, when, but=""):
    for who, text in one.items():
        assert who[1] == but or other[who] == text, (when, who)


def test_a_number_below_zero_that_falls_is_seen_to_fall():
    """Every second it shows what it is, though nobody does anything but wait."""
    rooms = [{"id": "kitchen", "temperature_c": -30.0}]
    cold = thing("pack", "kitchen", heat(100.0, conductance_wpk=5.0), temperature_c=-5.0)
    played = episode(scenario([cold], rooms=rooms))
    told = []
    for _ in range(20):
        played.step({"ada": "WAIT 1"})
        told.append(played.world.readings["pack"]["temperature_c"].value)
        now = played.world.timeline.value("pack", "temperature_c")
        assert told[-1] == shown("temperature_c", now)
    assert len(set(told)) > 10
