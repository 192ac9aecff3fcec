"""What became of a command, as its agent is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from earsim.actions.outcome import Outcome
from earsim.render.refusals import refusal
from earsim.render.words.prose import listing, value
from earsim.world import Blueprint

Facts = Mapping[str, Any]


def feedback(outcome: Outcome, blueprint: Blueprint) -> str:
    """One or two sentences in the second person."""
    if outcome.reason is not None:
        return refusal(outcome.reason, outcome.facts, blueprint)
    sentence = _SUCCESSES.get(outcome.verb)
    if sentence is None:
        sentence = _attribute_changed if "attribute" in outcome.facts else _done
    return sentence(outcome.facts, blueprint.name)


def _done(facts: Facts, name: Callable[[str], str]) -> str:
    """For a verb without a sentence of its own."""
    return f"Done: {name(facts['id'])}." if "id" in facts else "Done."


def _went(facts: Facts, name: Callable[[str], str]) -> str:
    if "actors" in facts:
        return f"Together you go to {name(facts.get('room') or facts['id'])}."
    return (
        f"You are in {name(facts['room'])}."
        if "room" in facts
        else f"You are at {name(facts['id'])}."
    )


def _took(facts: Facts, name: Callable[[str], str]) -> str:
    gained = facts.get("gained")
    tool = f" You can now {listing(gained)}." if gained else ""
    return f"You take {name(facts['id'])} from {name(facts['from'])}.{tool}"


def _put(facts: Facts, name: Callable[[str], str]) -> str:
    who = "Together you put" if "actors" in facts else "You put"
    lost = facts.get("lost")
    tool = f" You can no longer {listing(lost)}." if lost else ""
    where = f"{facts['relation'].lower()} {name(facts['destination'])}"
    return f"{who} {name(facts['id'])} {where}.{tool}"


def _looked(facts: Facts, name: Callable[[str], str]) -> str:
    if "room" in facts:
        return f"In {name(facts['room'])} you know of {listing(map(name, facts['seen']))}."
    states = ", ".join(f"{key} {value(state)}" for key, state in facts["states"].items())
    inside = facts.get("contents")
    holds = f" It holds {listing(map(name, inside))}." if inside else ""
    return f"{name(facts['id'])}: {states or 'nothing to change'}.{holds}"


def _explored(facts: Facts, name: Callable[[str], str]) -> str:
    found = len(facts["discovered"])
    if not found:
        return f"You search {name(facts['room'])} and find nothing new."
    return f"You search {name(facts['room'])} and find {found} thing{'s' * (found > 1)}."


def _lifted(facts: Facts, name: Callable[[str], str]) -> str:
    return f"{listing(map(name, facts['actors']))} lift {name(facts['id'])} together."


def _attribute_changed(facts: Facts, name: Callable[[str], str]) -> str:
    together = " together" if "actors" in facts else ""
    return (
        f"{name(facts['id'])}: {facts['attribute']} changes from {value(facts['old'])} "
        f"to {value(facts['new'])}{together}.{_revealed(facts, name)}"
    )


def _revealed(facts: Facts, name: Callable[[str], str]) -> str:
    inside = facts.get("revealed")
    if inside is None:
        return ""
    return f" Inside: {listing(map(name, inside))}."


_SUCCESSES: Mapping[str, Callable[[Facts, Callable[[str], str]], str]] = {
    "GOTO": _went,
    "CORP_GOTO": _went,
    "GRAB": _took,
    "CORP_GRAB": _lifted,
    "PLACE": _put,
    "CORP_PLACE": _put,
    "LOOK": _looked,
    "EXPLORE": _explored,
    "RELEASE": _put,
    "WAIT": lambda facts, name: "You wait.",
    "SAY": lambda facts, name: (
        f"You say: {facts['text']}" + ("" if facts["heard_by"] else " Nobody hears it.")
    ),
    "DONE": lambda facts, name: "You say that the task is done.",
}
