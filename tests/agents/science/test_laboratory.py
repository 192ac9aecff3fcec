"""Plays in a laboratory: runs read like function calls, models are asked by role in between."""

import asyncio

from pydantic import BaseModel

from earsim import Engine, open_suite
from earsim.actions.outcome import Reason
from earsim.apparatus.operation import Failure, OperationStatus
from earsim.apparatus.payload import CodeEvent, ModelStateUpdate, OperationFailed
from earsim.envs.policy import PolicyContext, observations_of
from earsim.episode import Episode
from earsim_agents.science.laboratory import Laboratory
from earsim_agents.science.play import ask
from earsim_agents.science.play_policy import AskingPolicy, ScriptPolicy
from earsim_agents.scripted_server.client import ScriptedClient

TUNED = {"topology": "pid", "Kp": 2.818, "Ki": 0.8, "Kd": 1.886}


def episode_of(task):
    engine = Engine(open_suite("laboratory").load(f"control_lab/{task}"))
    return Episode(engine, end_on="done", budget=60)


def played(policy, episode):
    policy.reset(PolicyContext.of(episode))
    while not (episode.over or episode.truncated):
        episode.step(dict(policy.act(observations_of(episode))))
    return episode


class Tuner(ScriptPolicy):
    def play(self, context, observations):
        self.lab = Laboratory(observations)
        yield from self.lab.run("lag_rig", {"Kp": 1000})
        yield from self.lab.run("lag_rig", TUNED)
        yield from self.lab.rest()


def test_runs_are_got_ready_configured_and_read():
    policy = Tuner()
    episode = played(policy, episode_of("tune_for_the_open_day"))
    assert episode.success
    refused, tuned = policy.lab.reports
    assert refused.refusal.reason is Reason.OUT_OF_BOUNDS
    assert refused.refusal.facts["high"] == 25
    assert tuned.completed
    assert tuned.settings["Kp"] == 2.818
    assert round(tuned.results["settling_s"], 3) == 2.351


class Watcher(ScriptPolicy):
    def play(self, context, observations):
        lab = self.lab = Laboratory(observations)
        self.before = lab.named()
        yield from lab.begin("lag_rig", {"topology": "pid", "Kp": 12, "Ki": 8, "Kd": 0})
        while not any(isinstance(e.payload, CodeEvent) for e in lab.stream("lag_rig")):
            yield from lab.wait("lag_rig", seconds=1)
        self.seen = lab.stream("lag_rig")
        self.trial = yield from lab.stop("lag_rig")
        self.after = lab.stream("lag_rig")


def test_a_run_is_watched_by_its_messages_and_stopped():
    policy = Watcher()
    played(policy, episode_of("stop_it_in_time"))
    assert policy.before == ("lag_rig",)
    event = next(e.payload for e in policy.seen if isinstance(e.payload, CodeEvent))
    readings = [e.payload for e in policy.seen if isinstance(e.payload, ModelStateUpdate)]
    assert event.event == "diverging"
    assert round(readings[-1].t, 1) < 9
    assert policy.trial.status is OperationStatus.FAILED
    assert isinstance(policy.after[-1].payload, OperationFailed)
    assert policy.after[-1].payload.reason is Failure.HALTED


class Gains(BaseModel):
    asked: int = 0


class Adviser(AskingPolicy):
    def play(self, context, observations):
        lab = Laboratory(observations)
        self.state = Gains()
        reply = yield from ask("plan", "You tune rigs.", "which Kp?")
        self.state.asked += 1
        yield from lab.run("lag_rig", {**TUNED, "Kp": float(reply)})


def test_a_model_is_asked_in_a_role_and_the_typed_memory_told():
    episode = episode_of("tune_for_the_open_day")
    client = ScriptedClient(lambda role, messages: "3.5" if role == "plan" else "")
    policy = Adviser(client=client, model="m")
    policy.reset(PolicyContext.of(episode))
    assert policy.memory is None

    async def play():
        calls = []
        while not (episode.over or episode.truncated):
            episode.step(await policy.act(observations_of(episode)))
            calls += policy.take_calls()
        return calls

    (call,) = asyncio.run(play())
    assert (call.role, call.reply, call.decision) == ("plan", "3.5", 0)
    assert policy.memory == {"asked": 1}
    run = episode.world.timeline.lab.last("lag_rig")
    assert run.settings["Kp"] == 3.5
