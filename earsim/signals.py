"""Requests to end: SIGTERM and SIGHUP are taken as Ctrl-C is, so that everything is tidied up."""

from __future__ import annotations

import signal
from collections.abc import Iterator
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
