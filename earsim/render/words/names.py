"""Names of things inside a sentence: `the oxygen cylinder`, `ward three`, `the Persian rug`."""

from __future__ import annotations

import re

from earsim.world import Blueprint

_PROPER_WORDS = """
African Allen American Arctic Asian Bavarian Belgian Brazilian British Bunsen Chinese Czech Danish
Dutch Egyptian English Erlenmeyer European Finnish French German Greek Indian Irish Italian Japanese
Korean Mexican Moroccan Norwegian Persian Petri Phillips Polish Portuguese Roman Russian Scottish
Spanish Swedish Swiss Turkish Victorian Viennese Welsh
"""
_PROPER = frozenset(_PROPER_WORDS.split())
"""Words with a capital wherever they stand, and that names of things begin with."""

_NUMBERED = re.compile(
    r"\S.* (?:[A-Z]?\d+[A-Za-z]?|[A-Z]|one|two|three|four|five|six|seven|eight|nine|ten)"
)
_CODE = re.compile(r"[A-Z](?:[^a-z]|$)")
_VOWEL = re.compile(r"[aeio]|u(?!ni|s[ae])", re.IGNORECASE)


def noun(name: str) -> str:
    """A name as it stands inside a sentence: in lower case, unless it is a proper name.

    A single given name cannot be told from a noun: scenes write it out where they need it.
    """
    first, *others = name.split()
    if first in _PROPER or _CODE.match(first) or any(map(_is_proper, others)):
        return name
    return name[:1].lower() + name[1:]


def definite(name: str) -> str:
    """A name with its article: `the yard`, but `ward three`, `rack 1` and `Bruno the Dog`."""
    said = noun(name)
    proper = any(map(_is_proper, name.split()[1:]))
    return said if proper or _NUMBERED.fullmatch(name) else f"the {said}"


def indefinite(words: str) -> str:
    """`a charge`, `an oxygen content`."""
    return f"{'an' if _VOWEL.match(words) else 'a'} {words}"


def _is_proper(word: str) -> bool:
    """Whether a word that does not come first is part of a proper name: `Saint`, not `X-ray`."""
    return word[:1].isupper() and word not in _PROPER and not _CODE.match(word)


def whose_knowledge(blueprint: Blueprint, viewer: str) -> str:
    """`as Ada knows it`, of what is shown to one of a team; empty of who is alone."""
    if len(blueprint.bodies) < 2:
        return ""
    is_shared = blueprint.knowledge == "shared"
    return f"as {'the team' if is_shared else blueprint.name(viewer)} knows it"
