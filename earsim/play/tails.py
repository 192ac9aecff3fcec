"""What stands behind a thing in what people type: settings, a page, a number's name."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping

from earsim.actions.verb import Verb

_EQUALS = re.compile(r"\s*=\s*")


def split_tail(verb: Verb, rest: str, is_named: Callable[[str], bool]) -> tuple[str, str]:
    """The words for a thing, and what follows them as a command has it; empty where nothing does.

    Args:
        verb: decides what may follow: `CONFIGURE rig Kp=2`, `READ rig 2`, `RUN bench spin`.
        rest: what was typed behind the verb.
        is_named: tells whether words stand for one thing.
    """
    slots = {*verb.grammar.required, *verb.grammar.optional}
    if "operation" in slots:
        thing, settings = _before_settings(_EQUALS.sub("=", rest))
        thing, operation = (thing, "") if is_named(thing) else _first_words(thing, is_named)
        return thing, f"{operation} {_without_blanks(settings)}".strip()
    if "settings" in slots:
        return _before_settings(_EQUALS.sub("=", rest))
    if slots & {"page", "property"} and not is_named(rest):
        return _last_word(rest, is_named, digits="page" in slots)
    return rest, ""


def _before_settings(rest: str) -> tuple[str, str]:
    """`lag rig Kp=2 Ki=1` in two."""
    words = rest.split()
    first = next((i for i, word in enumerate(words) if "=" in word), len(words))
    return " ".join(words[:first]), " ".join(words[first:])


def _without_blanks(settings: str) -> str:
    """`query=melting_of_tin time=45s` for `query=melting of tin time=45 s`."""
    found = list[str]()
    for word in settings.split():
        if "=" in word:
            found.append(word)
        else:
            is_number = found[-1].partition("=")[2].replace(".", "", 1).isdecimal()
            found[-1] += f"{'' if is_number else '_'}{word}"
    return " ".join(found)


def _first_words(rest: str, is_named: Callable[[str], bool]) -> tuple[str, str]:
    """`figure board` and `show`, where the longest beginning that names a thing ends there."""
    words = rest.split()
    for end in range(len(words) - 1, 0, -1):
        if words[end].isidentifier() and is_named(" ".join(words[:end])):
            return " ".join(words[:end]), " ".join(words[end:])
    return rest, ""


def spelt(tail: str, values: Mapping[str, Container[str]]) -> str:
    """`Kp=2 topology=pid` for `kp=2 TOPOLOGY=PID`: people need not mind capitals.

    Args:
        tail: settings or answers as typed.
        values: the words that each name may have as its value, none where it takes a number.
    """
    return " ".join(_spelt(*pair.partition("=")[::2], values) for pair in tail.split())


def _spelt(name: str, text: str, values: Mapping[str, Container[str]]) -> str:
    alike = [known for known in values if known.casefold() == name.casefold()]
    if name not in values and len(alike) == 1:
        name = alike[0]
    small = text.casefold()
    return f"{name}={small if small in values.get(name, ()) else text}"


def _last_word(rest: str, is_named: Callable[[str], bool], *, digits: bool) -> tuple[str, str]:
    """`rig 2` or `vaccine box temperature_c`, where what stands before the last word is a thing."""
    thing, _, last = rest.rpartition(" ")
    fits = last.isdigit() if digits else last.isidentifier()
    return (thing, last) if fits and is_named(thing) else (rest, "")
