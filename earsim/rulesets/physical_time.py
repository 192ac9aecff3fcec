"""The verbs of `physical` where numbers change by themselves: waiting, liquids, hoses, cables."""

from __future__ import annotations

from functools import cache

from earsim.actions import connect, place, pour, reach, wait
from earsim.actions.checks import free_of_lock, issuer_exists
from earsim.actions.verb import Reach, Verb, failure, invalid
from earsim.rulesets.physical_witness import witnessed
from earsim.world.live import LiveScene

_START = (issuer_exists, reach.awake)


def verbs(live: LiveScene) -> list[Verb]:
    """Those that a scene has a use for."""
    found = [_waiting()]
    if live.vessels:
        found += [_pouring(), _emptying()]
        if live.sources:
            found.append(_filling())
    if live.fittings:
        found += _connecting()
    return found


@cache
def _waiting() -> Verb:
    return Verb(
        wait.TIMED,
        (
            *invalid(*_START, wait.target_is_known),
            *failure(
                wait.is_not_too_long, wait.is_mark_or_state, wait.is_perceived, wait.is_not_so_yet
            ),
        ),
        wait.wait_for,
        says="let time pass: 10 s, so many seconds, or until a state or mark in view has come",
        tells=wait.time_passed,
        fixed=wait.waits,
        calls=wait.waits_for,
        reach=Reach.ANEW,
        seconds=wait.SECONDS,
    )


@cache
def _pouring() -> Verb:
    return Verb(
        pour.POUR,
        (
            *invalid(*_START, reach.is_known, reach.destination_is_known),
            *failure(
                free_of_lock,
                pour.target_is_vessel,
                pour.destination_takes_liquids,
                pour.is_another,
                place.is_held,
                pour.is_open,
                pour.destination_near,
                pour.destination_is_open,
                pour.has_the_mark,
                pour.has_liquid,
                pour.has_room,
                pour.what_is_poured_is_borne,
            ),
        ),
        witnessed(pour.pour),
        says="pour all that fits from a vessel in hand into one near, or up to a mark on that",
        tells=pour.poured,
        calls=pour.pourings,
        reach=Reach.ANEW,
        uses_hands=True,
        seconds=5,
    )


@cache
def _filling() -> Verb:
    return Verb(
        pour.FILL,
        (
            *invalid(*_START, reach.is_known, reach.destination_is_known),
            *failure(
                free_of_lock,
                pour.target_is_vessel,
                pour.destination_is_source,
                reach.in_reach,
                pour.is_open,
                pour.destination_near,
                pour.can_be_filled,
                pour.can_be_held_full,
                pour.what_is_filled_is_borne,
            ),
        ),
        witnessed(pour.fill),
        says="fill a vessel near to the brim from a source near",
        tells=pour.filled,
        calls=pour.fillings,
        reach=Reach.ANEW,
        seconds=5,
    )


@cache
def _emptying() -> Verb:
    return Verb(
        pour.EMPTY,
        (
            *invalid(*_START, reach.is_known),
            *failure(
                free_of_lock, pour.target_is_vessel, place.is_held, pour.is_open, pour.has_liquid
            ),
        ),
        witnessed(pour.empty),
        says="empty a vessel in hand into a drain near, else on the floor",
        tells=pour.emptied,
        calls=pour.emptyings,
        reach=Reach.ANEW,
        uses_hands=True,
        seconds=5,
    )


@cache
def _connecting() -> list[Verb]:
    known = invalid(*_START, reach.is_known, reach.destination_is_known)
    return [
        Verb(
            connect.CONNECT,
            (
                *known,
                *failure(
                    free_of_lock,
                    reach.in_reach,
                    pour.destination_near,
                    connect.not_connected_yet,
                    connect.fits_together,
                ),
            ),
            witnessed(connect.connect),
            says="join two things near by a hose or cable of one of them",
            tells=connect.connected,
            calls=connect.connections,
            reach=Reach.ANEW,
            seconds=5,
        ),
        Verb(
            connect.DISCONNECT,
            (*known, *failure(free_of_lock, connect.one_end_near, connect.is_connected)),
            witnessed(connect.disconnect),
            says="part two things that are joined, of which one is near",
            tells=connect.disconnected,
            calls=connect.joints,
            reach=Reach.ANEW,
            seconds=5,
        ),
    ]
