"""How a state or an attribute is said of a thing: dirty, not charged, whose owner is Omar."""

from __future__ import annotations

from typing import Any, NamedTuple

from earsim.prose import value

_LOOKS = ("color", "colour", "material", "shape", "pattern", "condition")
"""Attributes whose value stands before the noun: a red box, an oak table."""

_PARTICLES = ("on", "off", "in", "up", "out")
_OF_ITSELF = ("ed", "en")  # turned on, written on: the thing itself is; engine on: a part of it is
_NEGATED = {"is": "is not", "has": "has no", "can": "cannot"}


class TraitPhrase(NamedTuple):
    """A trait in the one form that suits it; the others are empty.

    Attributes:
        adjective: stands before the noun.
        that: follows "that", its verb first.
        whose: follows "whose".
    """

    adjective: str = ""
    that: str = ""
    whose: str = ""


def state_words(state: str, what: Any) -> TraitPhrase:
    """`dirty`, `is not charged`, `is on`, `engine is not on`, `mode is slow`."""
    if not isinstance(what, bool):
        return TraitPhrase(whose=f"{_spaced(state)} is {value(what)}")
    verb, _, rest = state.partition("_")
    if verb not in _NEGATED or not rest:
        verb, rest = "is", state
    part, _, condition = rest.rpartition("_")
    if verb == "is" and part and _is_noun(part, condition):
        return TraitPhrase(whose=f"{_spaced(part)} {'is' if what else 'is not'} {condition}")
    if verb == "is" and what and not part and condition not in _PARTICLES:
        return TraitPhrase(adjective=condition)
    return TraitPhrase(that=f"{verb if what else _NEGATED[verb]} {_spaced(rest)}")


def attribute_words(attribute: str, what: Any) -> TraitPhrase:
    """`red`, `fragile`, `is not fragile`, `owner is Mrs Oyelaran`."""
    name = _spaced(attribute)
    if isinstance(what, bool):
        return TraitPhrase(adjective=name) if what else TraitPhrase(that=f"is not {name}")
    said = value(what)
    if attribute in _LOOKS and said[:1].islower():
        return TraitPhrase(adjective=said)
    return TraitPhrase(whose=f"{name} is {said}")


def _is_noun(part: str, condition: str) -> bool:
    return condition not in ("in", "up", "out") and not part.endswith(_OF_ITSELF)


def _spaced(name: str) -> str:
    return name.replace("_", " ")
