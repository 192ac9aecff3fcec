"""Playing episodes and asking single questions, against scripted servers in the same process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple

from earsim import Engine, Episode, Scenario, open_suite
from earsim.envs.policy import PolicyContext, observations_of
from earsim.schema import parse
from earsim.schema.records.model_call import ModelCall
from earsim_agents.baselines.lexicon import Lexicon
from earsim_agents.centralized import CentralizedPolicy
from earsim_agents.client import open_client
from earsim_agents.client.client import Exchange
from earsim_agents.client.request import ChatRequest
from earsim_agents.decentralized import DecentralizedPolicy
from earsim_agents.llm import LLMPolicy
from earsim_agents.model_policy import ModelPolicy
from earsim_agents.scripted_server import Plans, ScriptedServer, ServerScript
from earsim_agents.settings import ModelSettings

KINDS: dict[str, type[ModelPolicy]] = {
    "llm": LLMPolicy,
    "centralized": CentralizedPolicy,
    "decentralized": DecentralizedPolicy,
}
ALONE = "bicycle_workshop/guest_book_to_the_bench"
TEAM = "bicycle_workshop/compressor_to_the_yard"
HELLO = [{"role": "system", "content": "x"}, {"role": "user", "content": "Turn 1 of 3."}]
QUICK: dict[str, Any] = {"backoff_s": 0.001, "max_backoff_s": 0.01}


class Played(NamedTuple):
    episode: Episode
    calls: list[ModelCall]
    memory: Any


def scenario(scenario_id: str) -> Scenario:
    return open_suite("starter").load(scenario_id)


def walkthroughs(*scenario_ids: str) -> Plans:
    """What wins these scenarios."""
    plans = {}
    for scenario_id in scenario_ids:
        played = scenario(scenario_id)
        plans[Engine(played).instruction] = played.task.walkthrough
    return Plans(plans)


async def play(
    policy: ModelPolicy, played: Scenario, *, seed: int = 0, turns: int | None = None
) -> Played:
    """One episode, or its first turns."""
    episode = Episode(Engine(played), discovered=policy.settings.knowledge == "global")
    policy.reset(PolicyContext.of(episode, seed))
    calls: list[ModelCall] = []
    while not (episode.over or episode.truncated or episode.decisions == turns):
        try:
            commands = await policy.act(observations_of(episode))
        finally:
            calls += policy.take_calls()
        episode.step(commands)
    return Played(episode, calls, policy.memory)


def against(
    script: ServerScript, work: Callable[[ScriptedServer], Coroutine[Any, Any, Any]]
) -> Any:
    """Do something while a scripted server runs."""

    async def run() -> Any:
        async with ScriptedServer(script) as server:
            return await asyncio.wait_for(work(server), 60)

    return asyncio.run(run())


def played(
    kind: str,
    scenario_id: str,
    script: ServerScript | None = None,
    *,
    seed: int = 0,
    **options: Any,
) -> Played:
    """An episode with a policy of its own, against a server that knows the walkthrough."""

    async def work(server: ScriptedServer) -> Played:
        settings = {"model": "scripted", "base_url": server.url, **QUICK, **options}
        policy = KINDS[kind](**settings)
        try:
            return await play(policy, scenario(scenario_id), seed=seed)
        finally:
            await policy.close()

    found: Played = against(script or ServerScript(plans=walkthroughs(scenario_id)), work)
    return found


# -- single questions -----------------------------------------------------------------------------


def settings_for(server: ScriptedServer, **options: Any) -> ModelSettings:
    return ModelSettings.of(**{"model": "scripted", "base_url": server.url, **QUICK, **options})


async def ask(
    server: ScriptedServer, *, number: int = 0, episode: str = "e", **options: Any
) -> Exchange:
    """One request over a client of its own."""
    settings = settings_for(server, **options)
    client = open_client(**settings.model_dump())
    try:
        request = ChatRequest.of({**settings.parameters(), "messages": HELLO, "seed": number})
        return await client.ask(request, settings, episode=episode, seed=number)
    finally:
        await client.close()


async def ask_for_another(server: ScriptedServer) -> Exchange:
    """The same, for a model that the server does not have."""
    settings = settings_for(server).model_copy(update={"model": "other"})
    async with open_client(model="other") as client:
        request = ChatRequest.of({**settings.parameters(), "messages": HELLO})
        return await client.ask(request, settings, episode="e", seed=0)


def all_seen(scene: str) -> Lexicon:
    """What a player calls the things of a scene, all of which it has perceived."""
    (scenario,) = parse(scene).scenarios()
    engine = Engine(scenario)
    return Lexicon(engine.start(), engine.blueprint.things)
