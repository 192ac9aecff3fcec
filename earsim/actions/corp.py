"""The grammar of joint carrying in `ear-bench`: plain words, others ignored (EAR-Bench 3.10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from earsim.actions.grammar import Grammar, Slots
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.verb import Call, check
from earsim.world import World


def _words(text: str) -> Slots | None:
    words = text.split()
    if len(words) < 3:
        return None
    return Slots(words[2], actors=tuple(words[1].split(",")))


def _words_with_place(text: str) -> Slots | None:
    words = text.split()
    if len(words) < 5 or words[3] not in ("in", "on"):
        return None
    return Slots(words[2], words[3], words[4], tuple(words[1].split(",")))


GRAB_GRAMMAR = Grammar(_words, "CORP_GRAB {actors} {target}", ("actors", "target"))
GOTO_GRAMMAR = Grammar(_words, "CORP_GOTO {actors} {target}", ("actors", "target"))
PLACE_GRAMMAR = Grammar(
    _words_with_place,
    "CORP_PLACE {actors} {target} {relation} {destination}",
    ("actors", "target", "relation", "destination"),
)


@check(Reason.COOP_MOVE_FAILED, touches=("target", "actors"))
def is_room(world: World, agent: str, call: Call) -> Refusal | None:
    """A team walks to rooms only (EAR-Bench Q12)."""
    if call.target in world.blueprint.rooms:
        return None
    return Refusal(Reason.COOP_MOVE_FAILED, {"id": call.target, "agent": call.actors[0]})


def walk_all(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """Move everybody listed, asked or not (EAR-Bench Q11); what they carry stays where it is."""
    for actor in call.actors:
        world.walk(actor, call.target)
        near = frozenset((*world.agents[actor].inventory, call.target))
        world.stand_at(actor, near, call.target)
    return {"room": call.target, "actors": list(call.actors)}
