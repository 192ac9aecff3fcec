"""What became of a command, as its agent is told."""

from __future__ import annotations

from collections.abc import Mapping

from earsim.actions.outcome import Outcome
from earsim.actions.verb import Verb
from earsim.render.refusals import refusal
from earsim.world import Blueprint


def feedback(outcome: Outcome, blueprint: Blueprint, verbs: Mapping[str, Verb]) -> str:
    """One or two sentences in the second person."""
    if outcome.reason is not None:
        return refusal(outcome.reason, outcome.facts, blueprint)
    return verbs[outcome.verb].tells(outcome.facts, blueprint.name)
