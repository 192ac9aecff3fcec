"""From pydantic's errors to findings that a person can act on."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from earsim import ids
from earsim.errors import Finding, did_you_mean, near_misses
from earsim.schema.files.document import Document, Path, show_path
from earsim.schema.files.vocabulary import known_keys
from earsim.schema.lookup import FILE_NAME

_SILENT = frozenset({"default_factory_not_called"})
"""Errors that only follow from another one."""

_PREFIXES = ("Input should be ", "Value should have ", "String should have ", "Tuple should have ")


def findings_of(
    error: ValidationError, document: Document, model: type[BaseModel]
) -> list[Finding]:
    """One finding per error, in the order of the file."""
    details = error.errors(include_url=False)
    findings = [
        _finding(detail, document, model)
        for detail in details
        if detail["type"] not in _SILENT and not _follows(detail, details)
    ]
    return list(dict.fromkeys(findings))


def _follows(detail: ErrorDetails, details: list[ErrorDetails]) -> bool:
    """Whether a list is too short only because what stands in it was refused."""
    depth = len(detail["loc"])
    return detail["type"] == "too_short" and any(
        len(other["loc"]) > depth and other["loc"][:depth] == detail["loc"] for other in details
    )


def _finding(detail: ErrorDetails, document: Document, model: type[BaseModel]) -> Finding:
    path = _path_in_file(detail, document.value)
    reason, expected = _words(detail, path, model)
    place = ids.printable(show_path(path))
    return Finding(document.source, place, reason, expected, document.line(path))


def _path_in_file(detail: ErrorDetails, value: Any) -> Path:
    """The error's location without what is not in the file: union tags, names of our fields."""
    path: list[str | int] = []
    loc = detail["loc"]
    for position, part in enumerate(loc):
        if _holds(value, part):
            if _is_tag(value, part, loc[position + 1 : position + 2]):
                continue
            value = value[part]
        elif not (position == len(loc) - 1 and detail["type"] == "missing"):
            continue
        path.append(part)
    return tuple(path)


def _is_tag(value: Any, part: str | int, following: tuple[int | str, ...]) -> bool:
    """Whether a part is the tag of a union: what follows lies beside it, not below it."""
    return any(_holds(value, after) and not _holds(value[part], after) for after in following)


def _holds(value: object, part: str | int) -> bool:
    if isinstance(value, dict):
        return part in value
    return isinstance(value, list) and isinstance(part, int) and part < len(value)


def _words(detail: ErrorDetails, path: Path, model: type[BaseModel]) -> tuple[str, str]:
    """What was found, and what was expected."""
    context = detail.get("ctx", {})
    match detail["type"]:
        case "problem":
            return ids.printable(str(context["reason"])), ids.printable(str(context["expected"]))
        case "bool_type":
            return show_value(detail["input"]), "expected true or false"
        case "missing":
            return "missing", "this key is required"
        case "extra_forbidden":
            return _unknown_key(path, model, detail["loc"])
        case "unknown_tag":
            return _unknown_tag(detail["input"], context)
        case "string_pattern_mismatch":
            return show_value(detail["input"]), _pattern_words(str(context["pattern"]))
        case "literal_error" | "enum":
            return show_value(detail["input"]), _choice_words(detail["input"], context)
        case "value_error" if not path:  # about the whole, of which nobody wants to see a part
            return ids.printable(str(context["error"])), ""
    return show_value(detail["input"]), _message_words(detail["msg"])


def _unknown_key(path: Path, model: type[BaseModel], loc: tuple[int | str, ...]) -> tuple[str, str]:
    known = known_keys(model, loc[:-1])
    near = near_misses(str(path[-1] if path else loc[-1]), known)
    return "unknown key", did_you_mean(near) or f"known keys: {', '.join(known)}"


def _unknown_tag(value: object, context: dict[str, Any]) -> tuple[str, str]:
    keys = str(context["keys"]).split(", ")
    found = [str(key) for key in value] if isinstance(value, dict) else []
    near = [hit for key in found for hit in near_misses(key, keys)]
    hint = did_you_mean(near) or f"expected one key of: {', '.join(keys)}"
    return f"not a {context['what']}: {show_value(value)}", hint


def _pattern_words(pattern: str) -> str:
    if pattern == ids.ID_PATTERN:
        return "expected an id: ASCII letters, digits and _"
    if pattern == ids.REF_PATTERN:
        return "expected an id or $name"
    if pattern == ids.SCENARIO_ID_PATTERN:
        return "expected a scenario id: words of letters, digits, _ . - between slashes"
    if pattern == ids.SUITE_NAME_PATTERN:
        return "expected the name of a suite: letters, digits, _ . and -"
    if pattern == FILE_NAME:
        return "expected the name of a file beside the scene, such as room.texts.jsonl"
    if pattern == ids.MODEL_ID_PATTERN:
        return "expected a model and its version, such as maglev/1"
    return "expected text without control characters"


def _choice_words(value: object, context: dict[str, Any]) -> str:
    expected = str(context["expected"])
    choices = [word.strip("' ") for word in expected.replace(" or ", ",").split(",")]
    near = near_misses(value, choices) if isinstance(value, str) else ()
    return did_you_mean(near) or f"expected {expected}"


def _message_words(message: str) -> str:
    for prefix in _PREFIXES:
        if message.startswith(prefix):
            return f"expected {message.removeprefix(prefix)}"
    return message


def show_value(value: object) -> str:
    """A value found in a file, short and printable."""
    text = ids.printable(repr(value)).replace("\n", " ")
    return text if len(text) <= 60 else f"{text[:57]}..."
