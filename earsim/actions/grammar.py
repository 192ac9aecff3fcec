"""How commands are written: text to call, call to canonical text, call to JSON and its schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from earsim.actions.verb import Call, Verb

_ID = {"type": "string", "pattern": r"^\w+$"}
_SLOTS: Mapping[str, dict[str, Any]] = {
    "target": {**_ID, "description": "id of the object or room"},
    "message": {"type": "string", "description": "what to say"},
    "relation": {"type": "string", "enum": ["in", "on"]},
    "destination": {**_ID, "description": "id of the place to put it"},
    "actors": {
        "type": "array",
        "items": _ID,
        "minItems": 1,
        "description": "ids of all agents that act together",
    },
}

Parse = Callable[[Verb, str], Call | None]


@dataclass(frozen=True, slots=True)
class Grammar:
    """The two equal forms of a command.

    Attributes:
        parse: text to call; None when the text does not fit.
        form: canonical text, slots in braces, such as `PLACE {target} {relation} {destination}`.
        required: slots that must be present.
        optional: slots that may be left out.
        exact: a text that begins with the verb but does not fit is no command of it at all.
    """

    parse: Parse
    form: str
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    exact: bool = False

    def text(self, call: Call) -> str:
        """The canonical text of a call."""
        text = call.verb.name
        if call.actors:
            text = f"{text} {','.join(call.actors)}"
        if call.target:
            text = f"{text} {call.target}"
        return f"{text} {call.relation} {call.destination}" if call.destination else text

    def json_schema(self, verb: Verb) -> dict[str, Any]:
        """The schema of the structured form, for tool-calling models."""
        slots = (*self.required, *self.optional)
        return {
            "type": "object",
            "description": verb.says,
            "properties": {
                "verb": {"const": verb.name},
                **{slot: dict(_SLOTS[slot]) for slot in slots},
            },
            "required": ["verb", *self.required],
            "additionalProperties": False,
        }

    def from_json(self, verb: Verb, value: Mapping[str, Any]) -> str | None:
        """The text a structured command stands for; None when it does not fit the schema."""
        slots = (*self.required, *self.optional)
        if set(value) - {"verb", *slots} or any(slot not in value for slot in self.required):
            return None
        if not all(_fits(slot, value[slot]) for slot in slots if slot in value):
            return None
        call = Call(
            verb,
            target=value.get("target", value.get("message", "")),
            relation=value.get("relation", ""),
            destination=value.get("destination", ""),
            actors=tuple(value.get("actors", ())),
        )
        return self.text(call)


def _fits(slot: str, value: Any) -> bool:
    if slot == "actors":
        return isinstance(value, list) and bool(value) and all(_is_word(name) for name in value)
    if slot == "relation":
        return value in ("in", "on")
    if slot == "message":
        return isinstance(value, str) and bool(value.strip())
    return _is_word(value)


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"\w+", value) is not None


def pattern(regex: str, *, relation_as_typed: bool = False) -> Parse:
    """A grammar given by one regular expression over the text; groups are named like the slots.

    The case of ASCII letters does not matter. `re.IGNORECASE` also takes a long s for an s and a
    dotless i for an i, which are other letters here.
    """
    compiled = re.compile(regex, re.IGNORECASE)

    def parse(verb: Verb, text: str) -> Call | None:
        match = compiled.match(text)
        if match is None or not text.split(maxsplit=1)[0].isascii():
            return None
        found = {slot: value for slot, value in match.groupdict().items() if value is not None}
        actors = found.pop("actors", "")
        if "relation" in found and not relation_as_typed:
            found["relation"] = found["relation"].lower()
            if not found["relation"].isascii():
                return None
        return Call(verb, **found, actors=tuple(filter(None, actors.split(","))))

    return parse
