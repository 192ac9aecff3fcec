"""Goals on one line: `at cup on shelf and not held jug`."""

from __future__ import annotations

from typing import Any

from tests.planner.small_worlds import Data

_VALUES: dict[str, Any] = {"true": True, "false": False}


def goal_of(text: str) -> Data:
    """The goal of a line: facts joined by `and` or `or`; `nothing` is never true, `anything` is.

    Facts are `at <thing> in|on <holder>`, `place <thing> <text>`, `inside <thing> <room>`, `held
    <thing> [<agent>]`, `state <thing> <state> <value>`, `marked <thing> <state>` (it was changed
    jointly), `jointly <thing> <state> <value>` (both), `number <thing> <of> <bound> <value>`, and
    `not` before any of them.
    """
    if text in ("nothing", "anything"):
        return {"any" if text == "nothing" else "all": []}
    for joint, key in ((" or ", "any"), (" and ", "all")):
        if joint in text:
            return {key: [goal_of(part) for part in text.split(joint)]}
    return fact_of(*text.split())


def fact_of(kind: str, *words: str) -> Data:
    """One fact of such a line."""
    match kind, words:
        case "not", _:
            return {"not": fact_of(*words)}
        case "at", (thing, relation, holder):
            return {"at": {"object": thing, relation: holder}}
        case "place", (thing, place):
            return {"at": {"object": thing, "place": place}}
        case "inside", (thing, room):
            return {"inside_room": {"object": thing, "room": room}}
        case "held", (thing, *agent):
            return {"held_by": {"object": thing, "agent": next(iter(agent), None)}}
        case "state", (thing, state, value):
            return {"has_state": {"object": thing, "state": state, "equals": _VALUES[value]}}
        case "marked", (thing, state):
            return {"done_jointly": {"object": thing, "state": state}}
        case "jointly", (thing, state, value):
            return {"all": [fact_of("state", thing, state, value), fact_of("marked", thing, state)]}
        case "number", (thing, name, bound, value):
            return {"quantity": {"object": thing, "of": name, bound: float(value)}}
    raise ValueError(f"no fact: {kind} {' '.join(words)}")
