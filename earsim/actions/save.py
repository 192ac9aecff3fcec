"""SAVE: put a text as a file into the folder of a workstation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from earsim.actions.apparatus import lab_of, put_lab
from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.verb import Call, Facts, Reads, check
from earsim.apparatus.bodies.transcript import Saved
from earsim.world import World
from earsim.world.lab import SavedFile

GRAMMAR = Grammar.with_text("SAVE {target} {file} {content}")

MOST_FILES = 100

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")


@check(Reason.BAD_NAME, touches=())
def name_is_allowed(world: World, agent: str, call: Call) -> Refusal | None:
    """The name is one of a file in the folder itself."""
    if _NAME.fullmatch(call.destination):
        return None
    return Refusal(Reason.BAD_NAME, {"id": call.target, "name": call.destination[:100]})


@check(Reason.FOLDER_FULL, reads=Reads.THING)
def has_room(world: World, agent: str, call: Call) -> Refusal | None:
    """Not too many texts were saved there."""
    if len(lab_of(world).files.get(call.target, ())) < MOST_FILES:
        return None
    return Refusal(Reason.FOLDER_FULL, {"id": call.target, "limit": MOST_FILES})


def save(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """The file is there for code that is executed from now on; one of that name is replaced."""
    lab = lab_of(world)
    begun = sum(run.apparatus == call.target for run in lab.runs.values())
    new = SavedFile(begun, Saved(call.destination, call.details))
    files = (*lab.files.get(call.target, ()), new)
    put_lab(world, lab._replace(files={**lab.files, call.target: files}))
    world.touch(call.target)
    return {"id": call.target, "file": call.destination, "chars": len(call.details)}


def saved(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "You save tools.py on Workstation: 120 characters"."""
    count = facts["chars"]
    return (
        f"You save {facts['file']} on {name(facts['id'])}: {count} character{'s' * (count != 1)}."
    )
