"""What a launcher says, and hears."""

from __future__ import annotations

import json
import os


def read_line(control: int) -> bytes:
    """A line from a socket; the process ends if the socket does before."""
    line = b""
    while not line.endswith(b"\n"):
        part = os.read(control, 65536)
        if not part:
            os._exit(125)
        line += part
    return line


def read_all(file: int) -> bytes:
    """All that comes until nobody holds the other end."""
    found = b""
    while part := os.read(file, 4096):
        found += part
    return found


def tell(control: int, **said: object) -> None:
    """Send a line of JSON.

    Raises:
        OSError: Nobody hears it.
    """
    os.write(control, json.dumps(said).encode() + b"\n")


def sentence(error: BaseException) -> str:
    """An error in one line."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(getattr(error, "strerror", None) or error) or type(error).__name__
