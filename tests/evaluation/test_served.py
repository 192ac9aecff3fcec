"""Evaluating over HTTP, against a server that is scripted to answer, to fail and to vanish."""

import json
import threading
import time
from pathlib import Path

import pytest

from earsim.errors import ServerFault, UsageError
from earsim.evaluation.runs.evaluation import Evaluation
from earsim.evaluation.runs.sweep import Sweep
from earsim.evaluation.store.database import Store
from earsim.viewer.episode import episode_data
from earsim.viewer.run import Run
from earsim_agents.scripted_server import Plans, ServerScript
from tests.evaluation.conftest import serving
from tests.evaluation.contents import HOW_IT_CAME, contents

QUICK = {"attempts": 3, "backoff_s": 0.01, "max_backoff_s": 0.05, "timeout_s": 20}


def sweep(hut, url, policy="centralized", **changes):
    model = {"policy": policy, "name": "it", "options": {"model": "scripted", "base_url": url}}
    model["options"] |= QUICK | changes.pop("options", {})
    return Sweep.model_validate({"models": [model], "suites": [str(hut)], **changes})


def script(hut, **changes):
    return ServerScript(plans=Plans.of_suite(str(hut)), **changes)


def outcomes(run):
    with Store.open(run, readonly=True) as store:
        return [row.outcome for row in store.episodes()]


def calls(run):
    with Store.open(run, readonly=True) as store:
        return [call for row in store.episodes() for call in store.calls(row.episode)]


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["centralized", "decentralized"])
@pytest.mark.parametrize("style", ["chat", "paper"])
def test_a_plan_is_followed_and_everything_kept(hut, here, policy, style):
    with serving(script(hut)) as server:
        list(Evaluation(sweep(hut, server.url, policy, styles=[style]), "run").run())
        assert outcomes("run") == ["success", "success"]
        assert len(calls("run")) == server.requests
    for call in calls("run"):
        assert call.request["messages"][0]["role"] == "system"
        assert (call.model_reported, call.finish_reason) == ("scripted", "stop")
        assert call.prompt_tokens and call.completion_tokens  # noqa: PT018
        assert call.parsed


@pytest.mark.parametrize("policy", ["centralized", "decentralized"])
def test_a_typed_memory_is_kept_with_the_decisions_and_shown(hut, here, policy):
    asked = {"options": {"state": "checked"}}
    with serving(script(hut)) as server:
        list(Evaluation(sweep(hut, server.url, policy, **asked), "run").run())
    (row, _) = Run("run").rows()
    states = episode_data(Run("run"), row.episode)["states"]
    assert [each["decision"] for each in states] == list(range(row.decisions))
    last = states[-1]["state"]
    last = last["agents"]["eva"] if policy == "decentralized" else last
    assert [(m["next"], m["allowed"]) for m in last["trace"]][-1] == ("finish", True)
    assert states[-1]["kind"] == ("TeamState" if policy == "decentralized" else "TaskState")
    manifest = json.loads(Path("run/manifest.json").read_text("utf-8"))
    assert '"policy_options": {"state": "checked"}' in json.dumps(manifest)


def test_without_a_memory_neither_states_nor_options_are_kept(hut, here):
    with serving(script(hut)) as server:
        list(Evaluation(sweep(hut, server.url), "run").run())
    (row, _) = Run("run").rows()
    assert episode_data(Run("run"), row.episode)["states"] == []
    assert "policy_options" not in Path("run/manifest.json").read_text("utf-8")


@pytest.mark.slow
def test_two_runs_give_identical_databases(hut, here):
    for name in ("one", "two"):
        with serving(script(hut, badly=0.2)) as server:
            url = server.url
            asked = sweep(hut, url, repeats=6, styles=["chat", "paper"], in_flight=8)
            list(Evaluation(asked, name).run())
    one, two = (contents(Path(name), without={"server"}) for name in ("one", "two"))
    assert one == two
    assert len(one["episodes"]) == 24


@pytest.mark.slow
def test_failures_of_the_server_change_nothing_but_attempts(hut, here):
    options = {"attempts": 30}
    for name, faults in (("calm", {}), ("rough", {"error": 0.2, "cut": 0.1, "broken_json": 0.1})):
        with serving(script(hut, faults=faults)) as server:
            list(Evaluation(sweep(hut, server.url, repeats=3, options=options), name).run())
    same = {"server", "attempts"}
    assert contents(Path("calm"), without=same) == contents(Path("rough"), without=same)
    assert max(call.attempts for call in calls("rough")) > 1


@pytest.mark.slow
def test_a_server_that_vanishes_and_comes_back(hut, here):
    def leave(server, loop_stop):
        while server.requests < 40:
            time.sleep(0.001)
        loop_stop()

    with serving(script(hut)) as server:
        list(Evaluation(sweep(hut, server.url, repeats=20), "whole").run())
    with serving(script(hut, latency_ms=5)) as server:
        stop = threading.Thread(target=leave, args=(server, server.leave), daemon=True)
        stop.start()
        with pytest.raises(ServerFault, match=r"the server of it does not answer: http"):
            list(Evaluation(sweep(hut, server.url, repeats=20, in_flight=4), "torn").run())
        stop.join()
        asked_before = server.requests
    assert set(outcomes("torn")) <= {"success"}
    with serving(script(hut)) as server:
        list(Evaluation(sweep(hut, server.url, repeats=20), "torn").run())
        asked_after = server.requests
    hidden = {"server", *HOW_IT_CAME}
    assert contents(Path("torn"), without=hidden) == contents(Path("whole"), without=hidden)
    # What was answered and kept before is not asked again; a few answers may have been cut off.
    assert asked_before + asked_after <= len(calls("whole")) + 8
    assert any(call.from_cache for call in calls("torn"))


@pytest.mark.parametrize(
    ("tokens", "endings"),
    [
        (700, {("no_room_to_begin", "no_measurement")}),
        (1_200, {("context_overflow", "failure"), ("done", "success")}),
    ],
)
def test_a_context_that_overflows_later_is_a_failure_and_at_once_no_measurement(
    hut, here, tokens, endings
):
    with serving(script(hut, max_model_len=tokens)) as server:
        list(Evaluation(sweep(hut, server.url, options={"max_tokens": 50}), "run").run())
    with Store.open("run", readonly=True) as store:
        assert {(row.termination, row.outcome) for row in store.episodes()} == endings


def test_a_context_that_the_longest_reply_fills_stops_the_run(hut, here):
    with serving(script(hut, max_model_len=4_096)) as server:
        with pytest.raises(UsageError, match=r"max_tokens=4,096 leaves no room .* max_tokens=1024"):
            list(Evaluation(sweep(hut, server.url), "run").run())
        assert server.requests == 0


def test_a_key_is_nowhere_in_the_folder(hut, here, monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-very-secret-1234")
    with serving(script(hut, key="sk-very-secret-1234")) as server:
        asked = sweep(hut, server.url, options={"api_key_env": "MY_KEY"})
        list(Evaluation(asked, "run").run())
    assert outcomes("run") == ["success", "success"]
    assert not [path for path in Path("run").iterdir() if b"very-secret" in path.read_bytes()]
