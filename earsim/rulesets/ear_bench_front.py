"""The front step of `ear-bench`: what happens to raw text before it is parsed (EAR-Bench 3.1)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from earsim.actions.verb import Verb

ALIASES: Mapping[str, str] = MappingProxyType(
    {
        alias: verb
        for verb, aliases in {
            "GOTO": "MOVE_TO MOVETO GO_TO NAVIGATE TRAVEL",
            "GRAB": "PICKUP PICK_UP TAKE GET",
            "PLACE": "PUT DROP SET PUT_DOWN",
            "LOOK": "INSPECT INSPECT_OBJECT EXAMINE CHECK OBSERVE VIEW LOOK_AT",
            "EXPLORE": "SEARCH SCAN INVESTIGATE",  # SCAN shadows the scene's verb: EAR-Bench Q28
            "DONE": "END_TASK FINISH COMPLETE",
        }.items()
        for alias in aliases.split()
    }
)


def bridge(text: str, verbs: Mapping[str, Verb]) -> str:
    """Strip blanks and replace an alias; the words of an aliased command are re-joined."""
    text = text.strip()
    words = text.split()
    verb = ALIASES.get(words[0].upper()) if words else None
    return text if verb is None else " ".join((verb, *words[1:]))


def raw(text: str, verbs: Mapping[str, Verb]) -> str:
    """The command level: the text as it is."""
    return text
