"""The grammar of a verb: from text or JSON to the slots of a command, and the JSON schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple

_ID = {"type": "string", "pattern": r"^\w+$"}
_SLOTS: Mapping[str, dict[str, Any]] = {
    "target": {**_ID, "description": "id of the object or room"},
    "message": {"type": "string", "description": "what to say"},
    "relation": {"type": "string", "enum": ["in", "on"]},
    "destination": {**_ID, "description": "id of the place to put it"},
    "property": {**_ID, "description": "name of a number, such as temperature_c"},
    "receiver": {**_ID, "description": "id of the agent who takes it"},
    "actors": {
        "type": "array",
        "items": _ID,
        "minItems": 1,
        "description": "ids of all agents that act together",
    },
}


_DESTINATIONS = ("destination", "property", "receiver")
"""What the slot is called in commands of different verbs."""


class Slots(NamedTuple):
    """What a command says beside its verb. Slots a verb does not have are empty.

    Attributes:
        target: the object, room, door or free text it is about.
        relation: `in` or `on`, as typed.
        destination: where something is to go, or to whom; of a measurement, the name of the
            number.
        actors: the agents a joint command lists, as typed.
    """

    target: str = ""
    relation: str = ""
    destination: str = ""
    actors: tuple[str, ...] = ()


Parse = Callable[[str], Slots | None]
"""From a text that begins with the verb to its slots; None when the text does not fit."""


_TEXT: Mapping[str, str] = {
    "target": r"(?P<target>\w+)",
    "message": r"(?P<target>.+)",
    "relation": r"(?P<relation>on|in)",
    "destination": r"(?P<destination>\w+)",
    "property": r"(?P<destination>\w+)",
    "receiver": r"(?P<destination>\w+)",
    "actors": r"(?P<actors>\w+(?:\s*,\s*\w+)*)",
}
_TOKEN = re.compile(r"\[|\]|\{(?P<slot>\w+)\}|(?P<name>\w+)")


@dataclass(frozen=True, slots=True)
class Grammar:
    """The two equal forms of a command.

    Attributes:
        parse: the text form.
        form: canonical text, slots in braces, such as `PLACE {target} {relation} {destination}`;
            begins with the name of the verb.
        required: slots that must be present.
        optional: slots that may be left out.
        exact: a text that begins with the verb but does not fit is no command of it at all.
    """

    parse: Parse
    form: str
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    exact: bool = False

    @property
    def name(self) -> str:
        """The name of the verb."""
        return self.form.split(maxsplit=1)[0]

    @classmethod
    def of(
        cls,
        form: str,
        *,
        required: tuple[str, ...] | None = None,
        shown: str | None = None,
        exact: bool = False,
        relation_as_typed: bool = False,
        actors: str | None = None,
    ) -> Grammar:
        """A grammar from its form; what stands in brackets may be left out of the text.

        The case of ASCII letters does not matter.

        Args:
            form: such as `LOOK [{target}]`.
            required: slots that the structured form must have; those outside brackets by default.
            shown: the form as people read it, where it is not `form` without its brackets.
            exact: see the attribute; blanks around such a command do not matter.
            relation_as_typed: `IN` stays `IN`.
            actors: another regular expression for the list of agents.
        """
        regex = ""
        outside: list[str] = []
        inside: list[str] = []
        in_brackets = False
        for token in _TOKEN.finditer(form):
            slot, name = token["slot"], token["name"]
            if name:
                regex += name
            elif slot:
                (inside if in_brackets else outside).append(slot)
                given = actors if slot == "actors" else None
                regex += rf"\s+{_TEXT[slot] if given is None else f'(?P<actors>{given})'}"
            else:
                in_brackets = token[0] == "["
                regex += "(?:" if in_brackets else ")?"
        if required is None:
            required = tuple(outside)
        blanks = r"\s*" if exact else ""
        return cls(
            _pattern(f"^{blanks}{regex}{blanks}$", relation_as_typed=relation_as_typed),
            re.sub(r"[][]", "", form) if shown is None else shown,
            required,
            tuple([slot for slot in inside if slot not in required]),
            exact,
        )

    def schemas(self) -> dict[str, dict[str, Any]]:
        """The JSON schema of every slot."""
        return {slot: dict(_SLOTS[slot]) for slot in (*self.required, *self.optional)}

    def from_json(self, value: Mapping[str, Any]) -> Slots | None:
        """The slots of a structured command; None when it does not fit the schema."""
        slots = (*self.required, *self.optional)
        if set(value) - {"verb", *slots} or any(slot not in value for slot in self.required):
            return None
        if not all(_fits(slot, value[slot]) for slot in slots if slot in value):
            return None
        return Slots(
            target=value.get("target", value.get("message", "")),
            relation=value.get("relation", ""),
            destination=next((value[name] for name in _DESTINATIONS if name in value), ""),
            actors=tuple(value.get("actors", ())),
        )


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


def _pattern(regex: str, *, relation_as_typed: bool) -> Parse:
    """A parser given by one regular expression over the text; groups are named like the slots.

    `re.IGNORECASE` also takes a long s for an s and a dotless i for an i, which are other letters
    here.
    """
    return partial(_match, regex, relation_as_typed)


@cache
def _compiled(regex: str) -> re.Pattern[str]:
    """When a command of its verb is first read: most verbs of a scene are never given."""
    return re.compile(regex, re.IGNORECASE)


def _match(regex: str, relation_as_typed: bool, text: str) -> Slots | None:
    match = _compiled(regex).match(text)
    if match is None or not text.split(maxsplit=1)[0].isascii():
        return None
    found = {slot: value for slot, value in match.groupdict().items() if value is not None}
    actors = found.pop("actors", "")
    if "relation" in found and not relation_as_typed:
        found["relation"] = found["relation"].lower()
        if not found["relation"].isascii():
            return None
    return Slots(**found, actors=tuple(filter(None, actors.split(","))))
