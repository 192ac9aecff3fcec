"""What lines of output say: readings, states of a model, and results."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence

from earsim.apparatus.bodies.transcript import OutputLine
from earsim.apparatus.parameter import Value, read_number

_INTERMEDIATE = re.compile(r"INTERMEDIATE: *(\w{1,64}) *= *(\S+)\s*", re.ASCII)
_STATE = re.compile(r"STATE: *(\{.*\})\s*")
_RESULT = re.compile(r"result *= *(\S.{0,63}?)\s*", re.ASCII)
_MOST_NAMES = 64


def reading(line: OutputLine) -> Mapping[str, float]:
    """The numbers of an ``INTERMEDIATE: name=value`` or a ``STATE: {json}`` line, by name.

    Empty for any other line; what is no finite number is left out.
    """
    if line.stream != "stdout":
        return {}
    match = _INTERMEDIATE.fullmatch(line.text)
    if match is not None:
        number = read_number(match[2])
        return {} if number is None or math.isinf(number) else {match[1]: number}
    match = _STATE.fullmatch(line.text)
    return {} if match is None else _state(match[1])


def _state(text: str) -> dict[str, float]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    numbers = {}
    for name, value in list(found.items())[:_MOST_NAMES] if isinstance(found, dict) else ():
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and abs(value) < math.inf and re.fullmatch(r"\w{1,64}", name):
            numbers[name] = float(value)
    return numbers


def result(lines: Sequence[OutputLine]) -> Value | None:
    """The number, else the word, of the last line ``result = value``; None without any."""
    for line in reversed(lines):
        match = _RESULT.fullmatch(line.text) if line.stream == "stdout" else None
        if match is not None:
            number = read_number(match[1])
            return match[1] if number is None or math.isinf(number) else number
    return None


def display(lines: Sequence[OutputLine]) -> dict[str, float]:
    """The newest number of every name that was read, by name."""
    found: dict[str, float] = {}
    for line in lines:
        found |= reading(line)
    return found
