"""What stands behind a thing in what people type: settings, seconds, a state, a number's name."""

from __future__ import annotations

import re
from collections.abc import Callable

from earsim.actions.verb import Verb

UNTIL = "UNTIL"

_EQUALS = re.compile(r"\s*=\s*")
_SECONDS = re.compile(r"(?:for\s+)?(\d+)\s*(?:s|sec|seconds?)?", re.IGNORECASE)
_UNTIL = re.compile(r"until\s+(.*\S)\s+(\w+)", re.IGNORECASE | re.DOTALL)


def split_tail(verb: Verb, rest: str, is_named: Callable[[str], bool]) -> tuple[str, str]:
    """The words for a thing, and what follows them as a command has it; empty where nothing does.

    Args:
        verb: decides what may follow: `CONFIGURE rig Kp=2`, `WAIT 60`, `WAIT UNTIL rig done`.
        rest: what was typed behind the verb.
        is_named: tells whether words stand for one thing.
    """
    slots = {*verb.grammar.required, *verb.grammar.optional}
    if "settings" in slots:
        return _before_settings(_EQUALS.sub("=", rest))
    if "seconds" in slots:
        return _wait(rest)
    if slots & {"page", "property"} and not is_named(rest):
        return _last_word(rest, is_named, digits="page" in slots)
    return rest, ""


def _before_settings(rest: str) -> tuple[str, str]:
    """`lag rig Kp=2 Ki=1` in two."""
    words = rest.split()
    first = next((i for i, word in enumerate(words) if "=" in word), len(words))
    return " ".join(words[:first]), " ".join(words[first:])


def _wait(rest: str) -> tuple[str, str]:
    """`60`, `for 60 s`, or `until the lag rig done`."""
    seconds, until = _SECONDS.fullmatch(rest), _UNTIL.fullmatch(rest)
    if seconds is not None:
        return "", seconds[1]
    return (rest, "") if until is None else (until[1].removesuffix(" is"), until[2])


def _last_word(rest: str, is_named: Callable[[str], bool], *, digits: bool) -> tuple[str, str]:
    """`rig 2` or `vaccine box temperature_c`, where what stands before the last word is a thing."""
    thing, _, last = rest.rpartition(" ")
    fits = last.isdigit() if digits else last.isidentifier()
    return (thing, last) if fits and is_named(thing) else (rest, "")
