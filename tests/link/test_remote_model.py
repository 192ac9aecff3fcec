"""Models elsewhere: as good as those here, whatever they do, and wherever the world is."""

import copy
import json
import pickle
import re
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

import pytest

from earsim import Engine, Episode
from earsim.apparatus.levitation import LEVITATION
from earsim.apparatus.message import from_json
from earsim.apparatus.payload import ErrorReport
from earsim.apparatus.registry import MODELS
from earsim.envs.observation import full_text
from earsim.errors import FileError, ReplayMismatch, UsageError
from earsim.evaluation.replay import verify
from earsim.evaluation.runs import recorder
from earsim.evaluation.runs.external import machine_fault
from earsim.evaluation.termination import Ending
from earsim.link.linked_episode import LinkedEpisode
from earsim.link.model_server import ModelSession, serve_model
from earsim.link.remote.addresses import addresses, wall_s
from earsim.link.remote.description import described
from earsim.link.remote.model import remote_model
from earsim.link.remote.pool import MOST_LIVE, REMOTE_POOL
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim.world.digest import digest
from tests.link.playing import TOKEN, client, laboratory, served

ROOT = Path(__file__).resolve().parents[2]
ECHO = {"model": "echo/1", "settings": {"k": 2.0}}
TO_THE_RIG = ("EXPLORE", "GOTO rig", "RUN rig")


@pytest.fixture(autouse=True)
def _alone(monkeypatch):
    monkeypatch.delenv("EARSIM_MODELS", raising=False)
    monkeypatch.setenv("EARSIM_MODEL_TOKEN", TOKEN)
    yield
    REMOTE_POOL.close()


@contextmanager
def outside(monkeypatch, model, *command):
    """A program that offers a model; it ends with the test."""
    process = subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    try:
        address = process.stdout.readline().split()[1]
        monkeypatch.setenv("EARSIM_MODELS", f"{model}={address}")
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def echo(monkeypatch, fault="none"):
    return outside(monkeypatch, "echo/1", "-m", "tests.link.outside", fault)


def burner(monkeypatch):
    return outside(monkeypatch, "burner/1", "examples/outside_model.py", "--port", "0")


def episode(apparatus=ECHO, commands=TO_THE_RIG):
    found = Episode(Engine(laboratory(apparatus=apparatus)))
    for command in commands:
        found.step({"ada": command})
    return found


def last_run(played):
    return list(played.world.timeline.lab.runs.values())[-1]


# -- a model that works ----------------------------------------------------------------------------


def test_the_example_is_played_like_any_model(monkeypatch):
    with burner(monkeypatch):
        played = episode({"model": "burner/1"}, (*TO_THE_RIG, "WAIT 60", "WAIT UNTIL rig done"))
    run = last_run(played)
    assert played.success
    assert run.results == {"boils_at": 404.0}
    assert run.events[-1].name == "boiling"
    assert len(run.samples) == 404


@pytest.mark.parametrize("apart", ["in process", "apart"])
def test_byte_for_byte_what_the_same_model_gives_here(monkeypatch, apart):
    class Elsewhere(type(LEVITATION)):
        id = "elsewhere/1"

    ready, found = threading.Event(), []

    def tell(port, token):
        found.append(port)
        ready.set()

    options = {"token": TOKEN, "tell": tell}
    threading.Thread(target=serve_model, args=(Elsewhere(),), kwargs=options, daemon=True).start()
    assert ready.wait(10)
    monkeypatch.setenv("EARSIM_MODELS", f"elsewhere/1=ws://127.0.0.1:{found[0]}")
    waits = ("WAIT 10",) * 3 if apart == "apart" else ("WAIT 30",)
    commands = (*TO_THE_RIG, *waits, "WAIT UNTIL rig done")
    here, there = (
        episode({"model": model, "show": ["z"]}, commands)
        for model in ("levitation/1", "elsewhere/1")
    )
    assert last_run(here).samples == last_run(there).samples != ()
    assert last_run(here).events == last_run(there).events
    assert last_run(here).results == last_run(there).results
    assert digest(here.world) == digest(there.world)


def test_how_waiting_is_cut_does_not_matter(monkeypatch):
    with echo(monkeypatch):
        whole = episode(commands=(*TO_THE_RIG, "WAIT 60"))
        REMOTE_POOL.close()
        parts = episode(commands=(*TO_THE_RIG, *["WAIT 10"] * 6))
    assert last_run(whole) == last_run(parts)
    assert digest(whole.world) == digest(parts.world)


def test_a_copy_goes_on_alike_and_asks_for_nothing_twice(monkeypatch):
    with echo(monkeypatch) as process:
        played = episode(commands=(*TO_THE_RIG, "WAIT 10"))
        other = copy.deepcopy(played)
        played.step({"ada": "WAIT UNTIL rig done"})
        process.kill()
        other.step({"ada": "WAIT UNTIL rig done"})
    assert last_run(played).results == last_run(other).results == {"sum": 60.0}


def _gone_on(pickled):
    played = pickle.loads(pickled)
    played.step({"ada": "WAIT UNTIL rig done"})
    return digest(played.world), last_run(played).message


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["none", "unrepeatable"])
def test_a_pickled_world_goes_on_in_a_worker(monkeypatch, fault):
    with echo(monkeypatch, fault):
        played = episode(commands=(*TO_THE_RIG, "WAIT 15"))
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as workers:
            found, message = workers.submit(_gone_on, pickle.dumps(played)).result(60)
        played.step({"ada": "WAIT UNTIL rig done"})
    if fault == "none":
        assert found == digest(played.world)
    else:
        assert message == "asked again, the model tells something else"


def test_a_served_world_advances_it_without_a_deadlock(monkeypatch):
    with echo(monkeypatch):
        link = LinkedEpisode(Episode(Engine(laboratory(apparatus=ECHO))))
        with served(link) as url, client(url) as lab:
            for command in TO_THE_RIG[:2]:
                lab.do(command)
            run = lab.run("rig")
            lab.do("WAIT UNTIL rig done")
            assert (run.status.value, run.result) == ("completed", {"sum": 60.0})


def test_more_runs_than_a_server_should_have_are_stopped_and_taken_up_again(monkeypatch):
    with echo(monkeypatch):
        model = MODELS["echo/1"]
        states = [model.start({"k": k / 10}) for k in range(MOST_LIVE + 2)]
        states = [model.advance(state, 10.0).state for state in states]
        found = [model.advance(state, 40.0) for state in states]
    assert [(each.done, each.samples[-1].at) for each in found] == [(True, 30.0)] * len(states)


# -- one that does not -----------------------------------------------------------------------------

FAULTS = {
    "hangs": "no answer of the model within 1 s",
    "beats": "no answer of the model within 1 s",
    "dies": "the model is gone",
    "json": "makes no sense",
    "huge": "more than 1048576 bytes",
    "oversized": "the model is gone",
    "binary": "makes no sense",
    "channel": "a reading of y; the channels: x",
    "early": "is of 5, between",
    "late": "is of 1e+06, between",
    "event": "an unknown event boom",
    "facts": "facts of beep that cannot be shown",
    "result": "sum is no number",
    "status": "makes no sense",
    "another": "op_99",
    "error": "it answers with an error: what?",
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_what_goes_wrong_fails_the_run_with_a_reason_and_the_world_goes_on(monkeypatch, fault):
    monkeypatch.setenv("EARSIM_MODEL_WALL_S", "1")
    with echo(monkeypatch, fault):
        played = episode(commands=(*TO_THE_RIG, "WAIT 10"))
        record = recorder.take(played, {"ada": "WAIT 60"})
        run = last_run(played)
        assert FAULTS[fault] in run.message
        assert run.operation.failure == ("timeout" if "within" in run.message else "error")
        assert [each.at for each in run.samples] == [10.0]
        assert run.events[-1].name == "model_fault"
        assert run.results == {"sum": None}
        assert machine_fault(record, played.world) == (Ending.MODEL_FAULT, run.message)
        assert not Ending.MODEL_FAULT.is_measured
        assert f"op_1 failed ({run.message}"[:40] in full_text(played, "ada")
        assert played.step({"ada": "WAIT 10"}) is not None
        assert played.world.clock >= 80


@pytest.mark.slow  # 100,000 messages
def test_a_flood_ends_the_run(monkeypatch):
    with echo(monkeypatch, "flood"):
        played = episode(commands=(*TO_THE_RIG, "WAIT 60"))
    assert "more than 100000 readings" in last_run(played).message


def test_a_run_that_its_model_declares_failed_is_a_measurement(monkeypatch):
    with echo(monkeypatch, "fails"):
        played = episode(commands=TO_THE_RIG)
        record = recorder.take(played, {"ada": "WAIT 60"})
    run = last_run(played)
    assert (run.operation.failure, run.results) == ("error", {"sum": 10.0})
    assert run.message.startswith("the pump")
    assert "\x1b" not in run.message
    assert machine_fault(record, played.world) is None


def test_a_refused_run_fails_with_the_reason(monkeypatch):
    with echo(monkeypatch, "refuses"):
        played = episode(commands=(*TO_THE_RIG, "WAIT 10"))
    assert last_run(played).message == "the model refuses: maintenance"


def test_a_new_run_asks_anew_after_a_fault(monkeypatch):
    with echo(monkeypatch, "dies"):
        played = episode(commands=(*TO_THE_RIG, "WAIT 60"))
        assert "gone" in last_run(played).message
    with echo(monkeypatch):
        for command in ("RUN rig", "WAIT 60"):
            played.step({"ada": command})
        assert last_run(played).results == {"sum": 60.0}


@pytest.mark.parametrize(
    ("fault", "says"),
    [("parameter", "it is no value of its own parameter"), ("other", "it is other/1, not echo/1")],
)
def test_a_description_that_makes_no_sense_is_told_at_once(monkeypatch, fault, says):
    with echo(monkeypatch, fault), pytest.raises(UsageError, match=says):
        MODELS["echo/1"]


# -- attaching -------------------------------------------------------------------------------------


def test_a_wrong_token_is_told(monkeypatch):
    with burner(monkeypatch):
        monkeypatch.setenv("EARSIM_MODEL_TOKEN", "another-token-entirely")
        with pytest.raises(UsageError, match="wrong token"):
            MODELS["burner/1"]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("burner/1", "is not like"),
        ("burner=ws://127.0.0.1:1", "is not like"),
        ("burner/1=http://127.0.0.1:1", "is not like"),
        ("burner/1=ws://a:1,burner/1=ws://b:1", "stands twice"),
    ],
)
def test_addresses_that_make_no_sense_are_refused(monkeypatch, given, says):
    monkeypatch.setenv("EARSIM_MODELS", given)
    with pytest.raises(UsageError, match=says):
        addresses()


@pytest.mark.parametrize("given", ["nan", "inf", "-1", "0", "soon"])
def test_a_limit_of_time_is_a_positive_number(monkeypatch, given):
    monkeypatch.setenv("EARSIM_MODEL_WALL_S", given)
    with pytest.raises(UsageError, match="no positive number"):
        wall_s()


def test_nobody_at_the_address_is_told_with_the_address(monkeypatch):
    monkeypatch.setenv("EARSIM_MODELS", "burner/1=ws://127.0.0.1:9")
    assert "burner/1" in MODELS
    assert list(MODELS)[-1] == "burner/1"
    with pytest.raises(UsageError, match=re.escape("burner/1 at ws://127.0.0.1:9")):
        MODELS["burner/1"]


def test_an_attached_model_replaces_none_that_is_here(monkeypatch):
    monkeypatch.setenv("EARSIM_MODELS", "levitation/1=ws://127.0.0.1:9")
    assert "levitation/1" in addresses()
    assert MODELS["levitation/1"] is LEVITATION
    assert list(MODELS).count("levitation/1") == 1


# -- records ---------------------------------------------------------------------------------------


def recorded(played_commands):
    settings = EpisodeSettings()
    played = recorder.begin(laboratory(apparatus=ECHO), settings)
    steps = [recorder.take(played, {"ada": command}) for command in played_commands]
    found = recorder.trajectory_of(played, steps, settings, policy="test", termination="stop")
    return type(found).model_validate(json.loads(json.dumps(found.model_dump(mode="json"))))


def test_a_record_is_replayed_without_asking_for_its_runs(monkeypatch):
    with echo(monkeypatch) as process:
        found = recorded((*TO_THE_RIG, "WAIT 15", "STOP rig", "RUN rig", "WAIT UNTIL rig done"))
        scenario = laboratory(apparatus=ECHO)
        process.kill()
        assert verify(found, scenario, source="r").decisions == 7
        found.extra["remote_runs"][-1]["told"][0]["values"] = [3.0]
        with pytest.raises(ReplayMismatch):
            verify(found, scenario, source="r")
        found.extra["remote_runs"][0]["told"][0]["at"] = "soon"
        with pytest.raises(FileError):
            verify(found, scenario, source="r")


def test_a_rerun_asks_again(monkeypatch):
    with echo(monkeypatch):
        found = recorded((*TO_THE_RIG, "WAIT 15"))
        assert verify(found, laboratory(apparatus=ECHO), source="r", rerun=True).decisions == 4
    with echo(monkeypatch, "unrepeatable"), pytest.raises(ReplayMismatch):
        verify(found, laboratory(apparatus=ECHO), source="r", rerun=True)


# -- the other end ---------------------------------------------------------------------------------


def test_a_model_is_what_it_says_of_itself():
    for id in ("levitation/1", "heat1d/1", "sixbox/1", "forecaster/1", "tipgan/1"):
        here, there = MODELS[id], remote_model(described(MODELS[id]))
        for field in ("id", "title", "parameters", "channels", "quantities", "rate"):
            assert getattr(there, field) == getattr(here, field)
        assert there.events == (*here.events, "model_fault")
        assert type(pickle.loads(pickle.dumps(there))).id == id


def test_messages_that_make_no_sense_are_answered_with_errors_and_change_nothing():
    session = ModelSession(LEVITATION)
    opening = {"id": "w_1", "type": "session_init", "payload": {"protocol": 1, "who": "w"},
               "timestamp": 0.0, "session_id": "s", "operation_id": None, "status": None,
               "correlation_id": None}  # fmt: skip
    asked = {"operation_type": "run", "parameters": {"kp": -1e9}}
    run = {**opening, "id": "w_2", "type": "operation_request", "payload": asked,
           "operation_id": "op_1", "status": "pending"}  # fmt: skip
    for text in ("", "[]", " " * (1 << 21), json.dumps(run)):
        (answer,) = session.receive(text)
        assert isinstance(from_json(answer).payload, ErrorReport)
    assert from_json(session.receive(json.dumps(opening))[0]).correlation_id == "w_1"
    (refused,) = session.receive(json.dumps(run))
    assert from_json(refused).payload.reason in ("out_of_bounds", "unknown_setting")
