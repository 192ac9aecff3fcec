"""A fingerprint of a world, for replays and for the promise that a refusal changes nothing."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from earsim.apparatus.bodies.transcript import Piece
from earsim.world.lab import Lab
from earsim.world.reading import SeenNow
from earsim.world.timeline import Timeline
from earsim.world.world import World


def digest(world: World) -> str:
    """Sixteen hexadecimal digits over everything that can change, the clock included.

    Counters of decisions and latched verdicts are not part of the world and not covered. Order of
    insertion does not matter except where it is state: the order of an inventory and of messages.
    """
    text = json.dumps(facts(world), sort_keys=True, separators=(",", ":"), default=repr)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def timeline_facts(timeline: Timeline) -> dict[str, Any]:
    """What time bears on, as plain JSON values; numbers as they are now, in nine digits."""
    return {
        "values": {f"{n}.{name}": f"{timeline.value(n, name):.9g}" for n, name in timeline.laws},
        "links": timeline.links,
        "gone": sorted(timeline.gone),
        "monitors": timeline.monitors,
        "unseen": timeline.unseen,
        **({} if timeline.lab is None else {"lab": _lab_facts(timeline.lab)}),
    }


def _lab_facts(lab: Lab) -> dict[str, Any]:
    """Apparatus as plain JSON values: settings, runs with their newest reading, costs, answers."""
    runs = {
        run.operation.id: [
            run.apparatus,
            run.operation.status.value,
            run.settings,
            run.started_ms,
            run.ended_ms,
            run.spent,
            len(run.samples),
            run.samples[-1:],
            [(event.name, event.t) for event in run.events],
            run.results,
            *([run.state.code, run.state.lines] if isinstance(run.state, Piece) else ()),
        ]
        for run in lab.runs.values()
    }
    return {
        "settings": lab.settings,
        "runs": runs,
        "ledger": lab.ledger,
        "answers": lab.answers,
        "tries": lab.tries,
        **({"files": lab.files} if lab.files else {}),
    }


def _readings(world: World) -> dict[str, Any]:
    """What is known of numbers; since when a number in view has shown its value is nobody's."""
    return {
        node: {name: r.value if isinstance(r, SeenNow) else r for name, r in readings.items()}
        for node, readings in world.readings.items()
    }


def facts(world: World) -> dict[str, Any]:
    """The changeable state as plain JSON values."""
    read: dict[str, Any] = {"readings": _readings(world)} if world.readings else {}
    if any(world.remembered):
        read["remembered"] = world.remembered
    if world.claim:
        read["claim"] = world.claim
    if world.timeline is not None:
        read["timeline"] = timeline_facts(world.timeline)
    return read | {
        "clock": world.clock,
        "location": {node: place.text for node, place in world.location.items()},
        "states": world.states,
        "altered": world.altered,
        "jointly": {node: sorted(marks) for node, marks in world.jointly.items() if marks},
        "known": {agent: sorted(ids) for agent, ids in world.known.items()},
        "carriers": world.carriers,
        "beliefs": {agent: facts(belief) for agent, belief in world.beliefs.items()},
        "messages": world.messages,
        "agents": {
            agent_id: {
                "room": agent.room,
                "inventory": agent.inventory,
                "near": sorted(agent.near),
                "focus": agent.focus,
                "load": round(agent.load, 9),
                "carrying": agent.carrying,
                "idle": agent.idle,
            }
            for agent_id, agent in world.agents.items()
        },
    }
