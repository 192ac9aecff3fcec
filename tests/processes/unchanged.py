"""Random episodes as fingerprints: all that agents are told in them, lists and digests included."""

from __future__ import annotations

import hashlib
from random import Random

from earsim import Engine, Episode, digest
from earsim.schema import Scenario
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
        hear(digest(episode.world))
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
