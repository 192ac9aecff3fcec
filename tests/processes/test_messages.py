"""Runs of a world as messages: a tracker takes all of them, in order."""

import json

import pytest

from earsim.apparatus.message import from_json
from earsim.apparatus.operation import OperationStatus
from earsim.apparatus.tracker import Rejection, Tracker
from earsim.engine import Engine
from earsim.episode import Episode
from earsim.processes.messages import HeardOfRun, heard_all, messages, news_of
from earsim.schema.scenario import SceneFile
from earsim.world.lab import LabRun


def episode(model: str = "maglev/1", **settings: object) -> Episode:
    rig = {"id": "rig", "kind": "furniture", "in": "lab", "mass_kg": 40.0}
    rig |= {"apparatus": {"model": model, "settings": settings}}
    goal = {"operation": {"apparatus": "rig"}}
    task = {"id": "run", "category": "direct_command", "instruction": "Run it.", "goal": goal}
    task |= {"agents": [{"id": "ada", "max_mass_kg": 20.0}]}
    scene = {"id": "lab", "rooms": [{"id": "lab"}], "objects": [rig], "tasks": [task]}
    (scenario,) = SceneFile.model_validate(scene).scenarios()
    return Episode(Engine(scenario))


def give(played: Episode, *commands: str) -> None:
    for command in commands:
        outcome = played.step({"ada": command}).outcomes["ada"]
        assert outcome.accepted, (command, outcome.reason)


@pytest.mark.parametrize("end", ["completed", "halted", "running"])
def test_a_tracker_takes_every_message(end: str):
    played = episode(Kp=12.0, Ki=8.0, topology="pid")
    give(played, "EXPLORE", "GOTO rig", "RUN rig", "WAIT UNTIL rig done")
    if end == "halted":
        give(played, "STOP rig")
    elif end == "completed":
        give(played, "WAIT 60", "RUN rig", "WAIT 60")
    tracker = Tracker("world")
    for message in messages(played.world, "world"):
        assert from_json(message.envelope.to_json()) == message.envelope
        taken = tracker.take(message.envelope, message.direction)
        assert not isinstance(taken, Rejection), (message.envelope, taken)
        tracker = taken
    for run in played.world.timeline.lab.runs.values():
        assert tracker.operations[run.operation.id].status is run.operation.status


def test_messages_tell_readings_events_and_results():
    played = episode(Kp=2.818, Ki=0.8, Kd=1.886, topology="pid")
    give(played, "EXPLORE", "GOTO rig", "RUN rig", "WAIT 60")
    told = [json.loads(message.envelope.to_json()) for message in messages(played.world, "world")]
    kinds = [each["type"] for each in told]
    assert kinds[:3] == ["operation_request", "operation_ack", "operation_start"]
    assert kinds.count("model_state_update") == 301
    assert told[-1]["type"] == "operation_complete"
    assert told[-1]["payload"]["result"]["settling_s"] == 2.351
    assert told[-1]["status"] == OperationStatus.COMPLETED
    assert [each["timestamp"] for each in told] == sorted(each["timestamp"] for each in told)


@pytest.mark.parametrize("end", ["completed", "running"])
def test_who_was_told_all_hears_only_what_comes_after(end: str):
    played = episode(Kp=2.818, Ki=0.8, Kd=1.886, topology="pid")
    give(played, "EXPLORE", "GOTO rig", "RUN rig")
    (node,) = played.engine.blueprint.live.rigs
    rig = played.engine.blueprint.live.rigs[node]

    def run() -> LabRun:
        (only,) = played.world.timeline.lab.runs.values()
        return only

    first = news_of(run(), rig, HeardOfRun())
    assert [news.status for news in first[:2]] == [
        OperationStatus.ACKNOWLEDGED,
        OperationStatus.STARTED,
    ]
    heard = heard_all(run())
    assert news_of(run(), rig, heard) == []
    give(played, "WAIT 60" if end == "completed" else "WAIT 1")
    later = news_of(run(), rig, heard)
    assert [news.clock for news in first + later] == sorted(news.clock for news in first + later)
    assert len(first + later) == len(news_of(run(), rig, HeardOfRun()))
    assert (later[-1].status is OperationStatus.COMPLETED) is (end == "completed")
    assert news_of(run(), rig, heard_all(run())) == []
