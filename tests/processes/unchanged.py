"""Random episodes as fingerprints: all that agents are told in them, lists and digests included."""

from __future__ import annotations

import hashlib
import json
from random import Random
from typing import Any

from earsim import Engine, Episode
from earsim.schema import Scenario
from earsim.world.digest import facts
from tests.playing import any_commands

DECISIONS = 12


def fingerprint(scenario: Scenario, ruleset: str | None = None, *, seed: int = 0) -> str:
    """Eight hexadecimal digits over a random episode, as it was told decision by decision."""
    episode = Episode(Engine(scenario, ruleset), budget=10**6)
    rng, told = Random(f"{scenario.id} {seed}"), hashlib.blake2b(digest_size=4)

    def hear(text: str) -> None:
        told.update(text.encode("utf-8", "backslashreplace"))
        told.update(b"\0")

    for agent in episode.agents:
        hear(episode.help(agent))
    for _ in range(DECISIONS):
        decision = episode.step(any_commands(rng, episode))
        hear(json.dumps(_loads_as_floats(facts(episode.world)), sort_keys=True, default=list))
        for agent in episode.agents:
            outcome = decision.outcomes.get(agent)
            hear(episode.feedback(agent))
            hear(episode.noticed(agent))
            hear(episode.full(agent))
            hear(episode.changes(agent))
            hear("\n".join(episode.admissible(agent)))
            hear(episode.changed_help(agent))
            if outcome is not None:
                hear(f"{outcome.status} {outcome.reason} {outcome.seconds}")
    return told.hexdigest()


def _loads_as_floats(state: dict[str, Any]) -> dict[str, Any]:
    """Of empty hands the world said 0 or 0.0 then, as it came; it says 0.0 now."""
    for agent in state["agents"].values():
        agent["load"] = float(agent["load"])
    for belief in state["beliefs"].values():
        _loads_as_floats(belief)
    return state
