"""Requests to end: SIGTERM and SIGHUP are taken as Ctrl-C is, so that everything is tidied up."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

STOP_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""What `timeout`, a cluster's scheduler or a terminal that goes away sends."""


class Stopped(KeyboardInterrupt):
    """The process was asked to end by a signal other than that of Ctrl-C.

    Attributes:
        number: of the signal.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(signal.Signals(number).name)


def exit_code(interrupt: KeyboardInterrupt) -> int:
    """What a shell expects of a process that a signal has ended: 130, 143 or 129."""
    return 128 + (interrupt.number if isinstance(interrupt, Stopped) else signal.SIGINT)


def stop(number: int, frame: FrameType | None = None) -> None:
    """Handler of a signal that asks to end.

    Raises:
        Stopped: Always.
    """
    raise Stopped(number)


@contextmanager
def stoppable() -> Iterator[None]:
    """Raise `Stopped` for the signals within; those that somebody has decided about stay so.

    For the main thread of a program: `nohup` goes on ignoring SIGHUP.
    """
    taken = [each for each in STOP_SIGNALS if signal.getsignal(each) is signal.SIG_DFL]
    for each in taken:
        signal.signal(each, stop)
    try:
        yield
    finally:
        for each in taken:
            signal.signal(each, signal.SIG_DFL)


@contextmanager
def held() -> Iterator[None]:
    """Signals that would raise within are raised at the end; for what must not be left half done.

    Only the main thread is ever interrupted; elsewhere nothing is held.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    handlers = {each: signal.getsignal(each) for each in (signal.SIGINT, *STOP_SIGNALS)}
    raising = {each: handler for each, handler in handlers.items() if callable(handler)}
    for each in raising:
        signal.signal(each, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        for each, handler in raising.items():
            signal.signal(each, handler)
        for number in came[:1]:
            signal.raise_signal(number)


class SignalHeard(KeyboardInterrupt):
    """Ends a block that signals may end at once, see `ended_at_once`; `hearing` is told as well."""


_block = threading.local()
"""`ends` while this thread is in a block that signals may end at once."""


@contextmanager
def hearing(heard: Callable[[KeyboardInterrupt], object]) -> Iterator[None]:
    """Tell of the first signal that would raise, in place of raising; a second one raises.

    For whoever runs an event loop, which must not be torn apart between two steps. Where somebody
    else has decided what a signal does, it stays so; nothing is raised outside the main thread.

    Args:
        heard: told at any moment, in the middle of a step too.
    """
    raising = {signal.SIGINT: signal.default_int_handler, **dict.fromkeys(STOP_SIGNALS, stop)}
    is_main = threading.current_thread() is threading.main_thread()
    taken = {
        each: how for each, how in raising.items() if is_main and signal.getsignal(each) is how
    }

    def hear(number: int, frame: FrameType | None) -> None:
        for each, how in taken.items():
            signal.signal(each, how)
        heard(KeyboardInterrupt() if number == signal.SIGINT else Stopped(number))
        if getattr(_block, "ends", False):
            raise SignalHeard

    for each in taken:
        signal.signal(each, hear)
    try:
        yield
    finally:
        for each, how in taken.items():
            signal.signal(each, how)


@contextmanager
def ended_at_once() -> Iterator[None]:
    """A block that may be left at any point: a signal that is heard raises `SignalHeard` in it."""
    _block.ends = True
    try:
        yield
    finally:
        _block.ends = False
