"""REPORT: end the episode with the claim that the task cannot be done, or can be read in two ways.

Only where a scenario says which claim is right is there such a verb.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from earsim.actions.grammar import CLAIMS, Grammar
from earsim.actions.verb import Call, Facts, Verb
from earsim.world import World

GRAMMAR = Grammar.of("REPORT {claim}")

_WORDS = {"impossible": "cannot be done", "unclear": "can be read in more than one way"}


def every_claim(world: World, agent: str, verb: Verb) -> Iterator[Call]:
    """Both claims."""
    for claim in CLAIMS:
        yield Call(verb, claim)


def report(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """The claim stands for the whole team; of several in one decision the first does."""
    claim = call.target.lower()
    world.claim = world.claim or claim
    world.agents[agent].idle = True
    world.touch(agent)
    return {"claim": claim}


def reported(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "You report that the task cannot be done"."""
    return f"You report that the task {_WORDS[facts['claim']]}."
