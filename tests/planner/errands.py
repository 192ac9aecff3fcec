"""Work for other processes. Each imports this module, so it imports little itself."""

import os
import signal
import threading
import time
from multiprocessing.connection import Connection
from typing import Any


def double(number: int) -> int:
    time.sleep(0.01 * (number % 3))
    return 2 * number


def vanish(number: int) -> None:
    os._exit(9)


def large(number: int) -> bytes:
    """More than a pipe holds."""
    return bytes(400_000)


def refuse(number: int) -> bytes:
    if number == 3:
        raise ValueError("not three")
    return large(number)


def die_while_writing(number: int) -> bytes:
    """The third result is half written when its process is killed."""
    if number == 3:
        Connection._send = _half  # type: ignore[attr-defined]
    return large(number)


def _half(self: Connection, buffer: Any, write: Any = None) -> None:
    os.write(self.fileno(), bytes(buffer[:50_000]))
    os.kill(os.getpid(), signal.SIGKILL)


class Odd(Exception):
    """It cannot be copied from what it says of itself."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def odd(number: int) -> None:
    raise Odd(number, number)


def unsendable(number: int) -> Any:
    return threading.Lock()


def squares(number: int) -> Any:
    yield from (each * each for each in range(number))


def pids(number: int) -> int:
    time.sleep(0.2)
    return os.getpid()


def sleep(seconds: float) -> None:
    time.sleep(seconds)
