"""What the text of a command stands for: the table of forms in the specification of `physical`."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Any, NamedTuple

MAX_COMMAND = 4096


class Refused(Exception):
    """A rule objects, for this reason."""


class Command(NamedTuple):
    """A command that was understood."""

    verb: str
    target: str = ""
    relation: str = ""
    place: str = ""
    number: str = ""


def understand(verbs: Container[str], text: str) -> Command:
    """The command that a text stands for."""
    if len(text) > MAX_COMMAND:
        raise Refused("too_long")
    if not text:
        raise Refused("blank_command")
    verb, _, rest = text.partition(" ")
    verb = verb.upper()
    if verb not in verbs:
        raise Refused("unknown_verb")
    if verb == "SAY":
        return Command(verb, target=rest) if rest else _malformed()
    words = rest.split()
    if not all(re.fullmatch(r"\w+", word) for word in words):
        _malformed()
    return _filled(Command(verb), words)


def _filled(command: Command, words: list[str]) -> Command:
    verb, count = command.verb, len(words)
    if verb in ("PLACE", "CORP_PLACE") and count == 3 and words[1].lower() in ("in", "on"):
        return command._replace(target=words[0], relation=words[1].lower(), place=words[2])
    if verb == "MEASURE" and count == 2:
        return command._replace(target=words[0], number=words[1])
    if verb == "GIVE" and count == 2:
        return command._replace(target=words[0], place=words[1])
    if verb == "PLACE" and count == 1:  # understood, and refused for want of a place
        return command._replace(target=words[0])
    bare, optional = ("WAIT", "DONE"), ("EXPLORE", "LOOK")
    least, most = (0, 0) if verb in bare else (0, 1) if verb in optional else (1, 1)
    if verb in ("PLACE", "CORP_PLACE", "GIVE") or not least <= count <= most:
        _malformed()
    return command._replace(target=words[0] if words else "")


def _malformed() -> Any:
    raise Refused("bad_format")
