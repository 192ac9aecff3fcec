"""What people type after verbs with words of their own: waiting, pouring, filling, joining."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from earsim.play.resolving import Doubt, without_article

_JOINS = {
    "POUR": ("INTO", ("into", "in")),
    "FILL": ("FROM", ("from", "at")),
    "CONNECT": ("", ("to", "with", "and")),
    "DISCONNECT": ("", ("from", "and")),
}
"""By verb the word between its two things, and the words that people say there."""

_UNITS = ("s", "sec", "second", "seconds")

Resolve = Callable[[str], str | Doubt]
"""From what somebody calls a thing to its id."""

Turns = Callable[[str], Sequence[str]]
"""The states and marks of a thing, by which one can wait for it."""


def has_clauses(verb: str) -> bool:
    """Whether a verb is followed by two things with a word between them."""
    return verb in _JOINS


def joined(verb: str, rest: str, *, thing: Resolve, place: Resolve, form: str) -> str | Doubt:
    """`kettle INTO cup TO line` for "the kettle into the cup to line".

    Names may hold such a word themselves, so every one of them is tried; where the verb has no word
    between its things, every blank is.
    """
    word, said = _JOINS[verb]
    words, end = _apart(rest.split(), verb)
    doubt = Doubt(f"{verb} what and what? It is written {form}.")
    for i in range(1, len(words)):
        is_word = words[i].casefold() in said
        if not is_word and word:
            continue
        other = place if word else thing  # nothing is joined to a room
        first, second = thing(" ".join(words[:i])), other(" ".join(words[i + is_word :]))
        if isinstance(first, str) and isinstance(second, str):
            return " ".join(filter(None, (first, word, second, *end)))
        if isinstance(first, str) and isinstance(second, Doubt):
            doubt = second
        elif is_word:
            doubt = next(each for each in (first, second) if isinstance(each, Doubt))
    return doubt


def _apart(words: list[str], verb: str) -> tuple[list[str], list[str]]:
    """What stands before `to MARK`, and that."""
    if verb == "POUR" and len(words) > 2 and words[-2].casefold() == "to":
        before = words[:-2]
        if before[-1].casefold() == "up":
            before.pop()
        return before, ["TO", words[-1]]
    return words, []


def waiting(rest: str, *, thing: Resolve, turns: Turns, form: str) -> str | Doubt:
    """`60` for "for 60 seconds", `UNTIL kettle is_boiling` for "until the kettle is boiling"."""
    words = rest.split()
    if words and words[0].casefold() == "for":
        del words[0]
    if len(words) == 2 and words[1].casefold() in _UNITS:
        del words[1]
    if not words:
        return ""
    if len(words) == 1 and words[0].isascii() and words[0].isdigit():
        return words[0]
    if words[0].casefold() != "until":
        return Doubt(f"Wait how long, or for what? It is written {form}.")
    return _until(words[1:], thing, turns, form)


def _until(words: list[str], thing: Resolve, turns: Turns, form: str) -> str | Doubt:
    doubt = Doubt(f"Wait until what? It is written {form}.")
    for i in range(len(words) - 1, 0, -1):
        node = thing(" ".join(words[:i]))
        if isinstance(node, Doubt):
            doubt = node
            continue
        wanted = without_article(" ".join(words[i:])).casefold()
        for turn in turns(node):
            if {wanted, wanted.removeprefix("is ")} & {turn.casefold(), turn.replace("_", " ")}:
                return f"UNTIL {node} {turn}"
        if i == len(words) - 1:
            return f"UNTIL {node} {words[-1]}"  # the world says what is wrong with it
    return doubt
