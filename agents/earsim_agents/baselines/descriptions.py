"""Descriptions: things that are told by what they are for, or by where they lie, without a name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from earsim.schema.verb_table import verb_table
from earsim_agents.baselines.lexicon import Lexicon
from earsim_agents.baselines.verbs import patterns

_USES = (
    re.compile(r"what one would (.+) with"),
    re.compile(r"the thing you need to (.+)"),
    re.compile(r"(?:whatever|something) there is to (.+) with"),
)
_LYING = re.compile(r"(?:what|whatever|the only thing that) is ((?:in|on) .+)")
_THING = re.compile(r"(?P<before>(?:[\w'-]+ ){0,4}?)(?P<noun>things?)(?P<rest>(?: .+)?)")
_MADE_OF = re.compile(r"(?:and )?(?:that )?(?:is|are) made of (.+)")
_WHOSE = re.compile(r"(?:and )?whose ([\w ]+?) (?:is|are) (?!not )(.+)")
_LOOKS = ("color", "colour", "material", "shape", "pattern", "condition")
_WHATEVER = ("things", "something")


def lying(phrase: str) -> str | None:
    """`on the rack` for `what is on the rack`; None for another phrase."""
    match = _LYING.fullmatch(phrase)
    return None if match is None else match[1]


def use(phrase: str, lexicon: Lexicon) -> str | None:
    """The ability that a phrase tells a thing by; None for a phrase of another kind.

    One of those of what has been perceived; the most literal where nothing is for that.
    """
    for form in _USES:
        match = form.fullmatch(phrase)
        if match is not None:
            names, abilities = list(_verbs(match[1])), lexicon.abilities
            return next((name for name in names if name in abilities), names[0])
    return None


def _verbs(said: str) -> Iterator[str]:
    """The verbs that `cut things` may be the words for."""
    for row, pattern in patterns():
        match = pattern.fullmatch(said)
        if match is not None and match[1] in _WHATEVER:
            yield row.name
    words = re.sub(rf"\b(?:{'|'.join(_WHATEVER)})\b ?", "", said).strip()
    yield words.replace(" ", "_") or said
    yield from (name for name in verb_table() if name.split("_")[0] == words.split(" ")[0])


def thing(body: str) -> tuple[str, str, str] | None:
    """Of `aqua thing that is on the rack`: what stands before, the noun, what stands behind."""
    match = _THING.fullmatch(body)
    return None if match is None else (match["before"].strip(), match["noun"], match["rest"])


def look(word: str, nodes: list[str], lexicon: Lexicon) -> tuple[str, str]:
    """The attribute that an adjective tells of things without a name; a colour, if unseen."""
    found = {name: value for name, value in lexicon.attributes(nodes) if _is(value, word)}
    seen = ((name, found[name]) for name in (*_LOOKS, *found) if name in found)
    return next(seen, (_LOOKS[0], word))


def unseen(modifier: str) -> dict[str, str]:
    """The attribute that a modifier tells of a thing that nobody has seen; empty for another."""
    match = _MADE_OF.fullmatch(modifier) or _WHOSE.fullmatch(modifier)
    if match is None:
        return {}
    key, what = ("material", match[1]) if match.re is _MADE_OF else match.groups()
    return {key.replace(" ", "_"): what}


def _is(value: object, word: str) -> bool:
    return isinstance(value, str) and value.casefold() == word
