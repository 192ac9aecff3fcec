"""Attacks tried from within a sandbox, or without one, and what came of each."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from earsim.sandbox.escapes.attacker import Attacker, attacking
from earsim.sandbox.escapes.bait import Laid, laid


class TrialOutcome(StrEnum):
    """What came of an attack.

    Attributes:
        SUCCEEDED: it did what it tried.
        REFUSED: the system answered with an error, or it had no effect.
        ENDED: the attacker, or the process that it left, was ended.
    """

    SUCCEEDED = "succeeded"
    REFUSED = "refused"
    ENDED = "ended"


class EscapeTrial(NamedTuple):
    """An attack that was tried.

    Attributes:
        name: of the attack.
        outcome: what came of it.
        detail: the error, or what was achieved.
    """

    name: str
    outcome: TrialOutcome
    detail: str


LEAVING = ("left_over", "left_over_after_kill", "left_over_by_killing_launcher")
"""Attacks of which matters what outlives them."""


def try_one(name: str, means: Sequence[str] | None) -> EscapeTrial:
    """Try one attack.

    Args:
        name: of a function of `attacks`.
        means: of isolation; None for none at all, as a control.

    Raises:
        SandboxTooWeak: These means do not work here.
    """
    with laid() as bait, attacking((name,), bait, means) as body:
        if name in LEAVING:
            return _left(name, body)
        return _heard(name, body, bait)


def try_all(names: Sequence[str], means: Sequence[str] | None) -> tuple[EscapeTrial, ...]:
    """Try attacks one after another in one body, each in a process of its own.

    Raises:
        SandboxTooWeak: These means do not work here.
    """
    with laid() as bait, attacking(names, bait, means) as body:
        return tuple(_heard(name, body, bait) for name in names)


def _heard(name: str, body: Attacker, bait: Laid) -> EscapeTrial:
    said = body.line()
    if "refused" in said:
        return EscapeTrial(name, TrialOutcome.REFUSED, said["refused"])
    if "ended" in said:
        return EscapeTrial(name, TrialOutcome.ENDED, said["ended"])
    if "done" not in said:
        return EscapeTrial(name, TrialOutcome.ENDED, body.how_it_ended())
    if name == "kill_other" and bait.lives():
        return EscapeTrial(name, TrialOutcome.REFUSED, "the other process lives")
    return EscapeTrial(name, TrialOutcome.SUCCEEDED, said["done"])


def _left(name: str, body: Attacker) -> EscapeTrial:
    said = body.line()
    if said.get("attack") == "ready":
        body.kill()
    if body.leaves_something():
        return EscapeTrial(name, TrialOutcome.SUCCEEDED, "a process outlives it")
    return EscapeTrial(name, TrialOutcome.ENDED, "no process outlives it")
