"""Joint commands, which several agents give together: the one place that knows their prefix."""

from __future__ import annotations

PREFIX = "CORP_"


def is_joint(command: str) -> bool:
    """Whether a command, or the name of a verb, is a joint one; the case does not matter."""
    return command[: len(PREFIX)].upper() == PREFIX


def joint(verb: str) -> str:
    """The joint form of a verb's name."""
    return PREFIX + verb


def single(verb: str) -> str:
    """The name of a verb without the prefix."""
    return verb[len(PREFIX) :] if is_joint(verb) else verb
