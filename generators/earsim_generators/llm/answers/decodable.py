"""JSON Schemas as decoders under constraints can use them.

They say less than the validator checks: what decoders support poorly (bounds of numbers, lengths,
patterns of keys) is left out, because a schema that a server refuses helps nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from earsim import ids

Schema = dict[str, Any]

_BOUNDED = {
    pattern: pattern.replace("+", "{1,64}") for pattern in (ids.ID_PATTERN, ids.REF_PATTERN)
}
"""Everything has an end: a weak model would go on with one word until its tokens are used up."""

_PLAIN = r"[^\x00-\x1f\x7f\"\\<>`]"
"""A character of text as it is read: what decoders would have to escape is none."""

_SHORT, _LINE = 200, 80
"""Texts that a file limits to so many characters are held to fewer; longer ones only to an end.

Decoders that count to hundreds are slow to prepare, and xgrammar 0.2 fails at it.
"""
_POORLY_SUPPORTED = frozenset(
    {"$schema", "title", "description", "default", "minimum", "maximum", "exclusiveMinimum"}
    | {"exclusiveMaximum", "minLength", "propertyNames"}
)
_SCALAR = {"anyOf": [{"type": kind} for kind in ("string", "number", "boolean")]}
_NAMED = ("properties", "patternProperties", "$defs")
"""Keywords whose keys are names, not keywords."""


def decodable(schema: Schema) -> Schema:
    """A schema without what decoders cannot use, and without definitions that nothing uses."""
    slim: Schema = _stripped(schema)
    defs = slim.pop("$defs", {})
    used: dict[str, Any] = {}
    waiting = list(_references(slim))
    while waiting:
        name = waiting.pop()
        if name not in used:
            used[name] = defs[name]
            waiting += _references(defs[name])
    return {**slim, "$defs": {name: used[name] for name in defs if name in used}} if used else slim


def _stripped(value: Any) -> Any:
    if isinstance(value, list):
        return [_stripped(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept: Schema = {}
    for key, item in value.items():
        if key in _NAMED:
            kept[key] = {name: _stripped(inner) for name, inner in item.items()}
        elif key not in _POORLY_SUPPORTED:
            # The branches of ours exclude each other, and decoders know only the weaker keyword.
            kept["anyOf" if key == "oneOf" else key] = _stripped(item)
    if kept.get("type") == "string":
        _bound(kept)
    return _without_patterns(kept)


def _bound(text: Schema) -> None:
    """A string by its pattern, if that is one of an id, or else as a plain text with an end."""
    pattern, length = text.pop("pattern", None), text.pop("maxLength", None)
    if pattern in _BOUNDED:
        text["pattern"] = _BOUNDED[pattern]
    elif "enum" not in text and "const" not in text:
        short = length is not None and length <= _SHORT
        text["pattern"] = f"^{_PLAIN}{{1,{_LINE}}}$" if short else f"^{_PLAIN}+$"


def _without_patterns(schema: Schema) -> Schema:
    """Keys by pattern as any other key: patterns of keys apply to declared keys too.

    ``size_m`` looks like a length in metres and is three of them; a decoder that takes the pattern
    at its word refuses it. Where any value may stand, one without an inside is enough.
    """
    patterns = schema.pop("patternProperties", None)
    if patterns:
        (schema["additionalProperties"],) = patterns.values()
    if schema.get("additionalProperties") is True:
        schema["additionalProperties"] = _stripped(_SCALAR)
    return schema


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _references(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key == "$ref":
                yield item.rpartition("/")[2]
            else:
                yield from _references(item)
