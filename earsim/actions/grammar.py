"""The grammar of a verb: from text or JSON to the slots of a command, and the JSON schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

from earsim.pickled import Frozen

_ID = {"type": "string", "pattern": r"^\w+$"}
CLAIMS = ("impossible", "unclear")
"""What can be reported of a task."""

_SLOTS: Mapping[str, dict[str, Any]] = {
    "target": {**_ID, "description": "id of the object or room"},
    "message": {"type": "string", "description": "what to say"},
    "claim": {"type": "string", "enum": [*CLAIMS], "description": "what the task is"},
    "relation": {"type": "string", "enum": ["in", "on"]},
    "destination": {**_ID, "description": "id of the place to put it"},
    "property": {**_ID, "description": "name of a number, such as temperature_c"},
    "receiver": {**_ID, "description": "id of the agent who takes it"},
    "mark": {**_ID, "description": "name of a mark on the vessel, to fill it up to there"},
    "seconds": {"type": "integer", "minimum": 1, "description": "how long to wait"},
    "page": {"type": "integer", "minimum": 1, "description": "page of the log"},
    "operation": {**_ID, "description": "name of an action of the bench"},
    "settings": {
        "type": "object",
        "description": "values by name",
        "minProperties": 1,
        "additionalProperties": {"type": ["number", "string"]},
    },
    "code": {"type": "string", "description": "code to execute, line breaks and all"},
    "file": {"type": "string", "description": "name of the file"},
    "content": {"type": "string", "description": "what the file is to hold"},
    "actors": {
        "type": "array",
        "items": _ID,
        "minItems": 1,
        "description": "ids of all agents that act together",
    },
}


_TOO_LONG = 10**300
"""Whole numbers from here on are refused: Python refuses to write those of thousands of digits."""

_DESTINATIONS = ("destination", "property", "receiver", "seconds", "page", "file", "operation")
_RELATIONS = ("relation", "mark")
_TARGETS = ("target", "message", "claim")
"""What the slots are called in commands of different verbs."""


class Slots(NamedTuple):
    """What a command says beside its verb. Slots a verb does not have are empty.

    Attributes:
        target: the object, room, door or free text it is about.
        relation: `in` or `on`, as typed; of pouring, the mark.
        destination: where something is to go, or to whom; of a measurement, the name of the
            number; of waiting, the seconds or the state; of a bench, the action.
        actors: the agents a joint command lists, as typed.
        details: settings, as `name=value` with blanks between; of a workstation code or a text,
            untouched.
    """

    target: str = ""
    relation: str = ""
    destination: str = ""
    actors: tuple[str, ...] = ()
    details: str = ""


Parse = Callable[[str], Slots | None]
"""From a text that begins with the verb to its slots; None when the text does not fit."""


_TEXT: Mapping[str, str] = {
    "target": r"(?P<target>\w+)",
    "message": r"(?P<target>.+)",
    "claim": rf"(?P<target>{'|'.join(CLAIMS)})",
    "relation": r"(?P<relation>on|in)",
    "destination": r"(?P<destination>\w+)",
    "property": r"(?P<destination>\w+)",
    "receiver": r"(?P<destination>\w+)",
    "mark": r"(?P<mark>\w+)",
    "seconds": r"(?P<seconds>[0-9]+)",
    "page": r"(?P<page>[0-9]+)",
    "operation": r"(?P<operation>\w+)",
    "settings": r"(?P<settings>\w+=[^\s=]+(?:\s+\w+=[^\s=]+)*)",
    "actors": r"(?P<actors>\w+(?:\s*,\s*\w+)*)",
}
_FIELDS = {"message": "target", "claim": "target", "mark": "relation"}
_FIELDS |= dict.fromkeys(
    ("property", "receiver", "seconds", "page", "file", "operation"), "destination"
)
_FIELDS |= dict.fromkeys(("settings", "code", "content"), "details")
_NAMES: Mapping[str, str] = {"target": r"\w+", "file": r"\S+"}
"""What stands before the text of a verbatim command."""

_SLOT = re.compile(r"\{(\w+)\}")
_BRACKETS = re.compile(r"\[([^]]*)\]")
_TOKEN = re.compile(r"\[|\]|\||\{(?P<slot>\w+)\}|(?P<name>\w+)")


@dataclass(frozen=True, slots=True)
class Grammar(Frozen):
    """The two equal forms of a command.

    Attributes:
        parse: the text form.
        form: canonical text, slots in braces, such as `PLACE {target} {relation} {destination}`;
            begins with the name of the verb.
        required: slots that must be present.
        optional: slots that may be left out.
        exact: a text that begins with the verb but does not fit is no command of it at all.
        template: the form with its words, where it has words between the slots; else empty.
        verbatim: its last slot is a text of any form that is taken as it is: what follows the
            first line break, or else the slots before it.
    """

    parse: Parse
    form: str
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    exact: bool = False
    template: str = ""
    verbatim: bool = False

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

        In brackets there may be a choice. The case of ASCII letters does not matter.

        Args:
            form: such as `LOOK [{target}]`.
            required: slots that the structured form must have; those outside brackets by default.
            shown: the form as people read it, where it is not `form` without its brackets.
            exact: see the attribute; blanks around such a command do not matter.
            relation_as_typed: `IN` stays `IN`; the name of a mark stays as it is.
            actors: another regular expression for the list of agents.
        """
        regex = ""
        outside: list[str] = []
        inside: list[str] = []
        in_brackets = False
        for token in _TOKEN.finditer(form):
            slot, name = token["slot"], token["name"]
            if name:
                regex += rf"\s+{name}" if regex else name
            elif slot:
                (inside if in_brackets else outside).append(slot)
                given = actors if slot == "actors" else None
                regex += rf"\s+{_TEXT[slot] if given is None else f'(?P<actors>{given})'}"
            else:
                in_brackets = token[0] != "]"
                regex += {"[": "(?:", "]": ")?"}.get(token[0], "|")
        if required is None:
            required = tuple(outside)
        blanks = r"\s*" if exact else ""
        return cls(
            _pattern(f"^{blanks}{regex}{blanks}$", relation_as_typed=relation_as_typed),
            re.sub(r"[][]", "", form) if shown is None else shown,
            required,
            tuple([slot for slot in inside if slot not in required]),
            exact,
            form if "{settings}" in form or _has_words(form) else "",
        )

    @classmethod
    def with_text(cls, form: str) -> Grammar:
        """A grammar whose last slot is a text of any form.

        Args:
            form: such as `EXEC {target} {code}`.
        """
        slots = tuple(_SLOT.findall(form))
        names = [rf"[ \t]+(?P<{_FIELDS.get(slot, slot)}>{_NAMES[slot]})" for slot in slots[:-1]]
        text = r"(?:[ \t]*\r?\n|[ \t]+(?![ \t]))(?P<details>.*\S.*)"
        regex = rf"(?s:\s*{form.split()[0]}{''.join(names)}{text})"
        return cls(_pattern(regex), form, slots, template=form, verbatim=True)

    def text(self, slots: Slots) -> str:
        """The canonical text of a command with words between its slots."""
        if self.verbatim:
            names = " ".join(filter(None, (self.name, slots.target, slots.destination)))
            return f"{names}\n{slots.details}"
        return _text(self.template, slots)

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
        if sum(name in value for name in _DESTINATIONS) > 1:
            return None
        found = Slots(
            target=next((value[name] for name in _TARGETS if name in value), ""),
            relation=next((value[name] for name in _RELATIONS if name in value), ""),
            destination=str(next((value[name] for name in _DESTINATIONS if name in value), "")),
            actors=tuple(value.get("actors", ())),
            details=" ".join(f"{k}={v}" for k, v in value.get("settings", {}).items()),
        )
        if self.verbatim:
            found = found._replace(details=value[self.required[-1]])
        if self.template and self.parse(self.text(found)) != found:
            return None  # one slot of a choice without the other
        return found


def _has_words(form: str) -> bool:
    """Whether there are words beside the verb."""
    return sum(bool(token["name"]) for token in _TOKEN.finditer(form)) > 1


def _fits(slot: str, value: Any) -> bool:
    if slot == "actors":
        return isinstance(value, list) and bool(value) and all(_is_word(name) for name in value)
    if slot == "claim":
        return value in CLAIMS
    if slot == "relation":
        return value in ("in", "on")
    if slot == "settings":
        return isinstance(value, dict) and bool(value) and all(map(_is_setting, value.items()))
    if slot in ("seconds", "page"):
        return type(value) is int and 1 <= value < _TOO_LONG
    if slot in ("message", "code", "content"):
        return isinstance(value, str) and bool(value.strip())
    if slot == "file":
        return isinstance(value, str) and re.fullmatch(_NAMES[slot], value) is not None
    return _is_word(value)


def _is_setting(item: tuple[Any, Any]) -> bool:
    """A name, and a number or word without blanks."""
    name, value = item
    if not _is_word(name) or isinstance(value, bool) or not isinstance(value, int | float | str):
        return False
    if isinstance(value, int) and abs(value) >= _TOO_LONG:
        return False
    return re.fullmatch(r"[^\s=]+", str(value)) is not None


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"\w+", value) is not None


def _pattern(regex: str, *, relation_as_typed: bool = False) -> Parse:
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
    groups = match.groupdict().items()
    found = {_FIELDS.get(slot, slot): value for slot, value in groups if value is not None}
    actors = found.pop("actors", "")
    if "relation" in found and not relation_as_typed:
        found["relation"] = found["relation"].lower()
        if not found["relation"].isascii():
            return None
    return Slots(**found, actors=tuple(filter(None, actors.split(","))))


@lru_cache(maxsize=4096)
def _text(template: str, slots: Slots) -> str:
    values = {slot: getattr(slots, _FIELDS.get(slot, slot)) for slot in _SLOTS}

    def filled(part: str) -> str:
        return _SLOT.sub(lambda match: values[match[1]], part)

    def chosen(match: re.Match[str]) -> str:
        """The longest choice that there are values for."""
        choices = [
            each for each in match[1].split("|") if all(map(values.get, _SLOT.findall(each)))
        ]
        return filled(max(choices, key=len, default=""))

    return " ".join(filled(_BRACKETS.sub(chosen, template)).split())
