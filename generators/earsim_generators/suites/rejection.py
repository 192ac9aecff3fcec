"""Reasons why a proposed task is rejected; none is dropped without one."""

from __future__ import annotations

from enum import StrEnum


class RejectionReason(StrEnum):
    """A reason.

    NOTHING_TO_ASK: the scene offers nothing for a task of the category.
    NOT_AS_WISHED: before anything was proved, it was clear that the band would be missed.
    NAMED: the instruction gives away what is to be found out.
    ALREADY_SO: the goal holds at the start.
    NO_PLAN: there is no plan, or none was found.
    NOT_PROVED: what the label promises is not necessary, or was not proved to be.
    TOO_SHORT: it takes fewer decisions than the preset demands.
    TOO_LONG: the plan takes most of the budget.
    OUT_OF_BAND: it is proved, but easier or harder than was asked for.
    DUPLICATE: but for names and places, it has been made before.
    """

    NOTHING_TO_ASK = "nothing_to_ask"
    NOT_AS_WISHED = "not_as_wished"
    NAMED = "named"
    ALREADY_SO = "already_so"
    NO_PLAN = "no_plan"
    NOT_PROVED = "not_proved"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    OUT_OF_BAND = "out_of_band"
    DUPLICATE = "duplicate"
