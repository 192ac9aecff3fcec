"""The long texts of requests, each kept once and compressed.

An episode sends the same words again and again: rules, task, all that was said before. Written out
for each call they would be most of a run's memory and of its disk.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable
from typing import Any

LONG = 160
"""Texts of at least so many characters are kept apart."""

_MARK = "$text"


class BlobStore:
    """Long texts by a key that is made from them.

    Attributes:
        bodies: compressed texts by key, ready to be stored.
    """

    __slots__ = ("bodies",)

    def __init__(self) -> None:
        self.bodies: dict[str, bytes] = {}

    def pack(self, value: Any) -> Any:
        """A JSON value with a mark in place of each long text."""
        if isinstance(value, str):
            return {_MARK: self._keep(value)} if len(value) >= LONG else value
        if isinstance(value, dict):
            return {
                # most of what a request holds is short and stays as it is
                key: item if isinstance(item, str) and len(item) < LONG else self.pack(item)
                for key, item in value.items()
            }
        if isinstance(value, (list, tuple)):
            return [self.pack(item) for item in value]
        return value

    def _keep(self, text: str) -> str:
        data = text.encode("utf-8", "surrogatepass")
        key = hashlib.sha256(data).hexdigest()[:32]
        if key not in self.bodies:
            self.bodies[key] = zlib.compress(data, 1)
        return key


def unpack(value: Any, body: Callable[[str], bytes]) -> Any:
    """What was packed; `body` gives the compressed text of a key."""
    if isinstance(value, dict):
        if value.keys() == {_MARK}:
            return zlib.decompress(body(value[_MARK])).decode("utf-8", "surrogatepass")
        return {key: unpack(item, body) for key, item in value.items()}
    if isinstance(value, list):
        return [unpack(item, body) for item in value]
    return value
