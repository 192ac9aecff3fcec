"""A request as it goes over the wire: canonical bytes, and the hash that names it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class ChatRequest(NamedTuple):
    """The body of one request.

    Attributes:
        body: as JSON values.
        data: canonical JSON, ASCII: the same body always gives the same bytes.
        hash: SHA-256 of `data`.
    """

    body: dict[str, Any]
    data: bytes
    hash: str

    @classmethod
    def of(cls, body: dict[str, Any]) -> ChatRequest:
        """The request with that body."""
        data = _ENCODE(body).encode("ascii")
        return cls(body, data, hashlib.sha256(data).hexdigest())


_ENCODE = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def draw(*parts: object) -> int:
    """A number below 2^31 that depends on the parts alone, on every machine."""
    text = "\n".join(map(str, parts))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1


def prompt_bytes(messages: Sequence[Mapping[str, str]]) -> int:
    """Size of what the model reads, template aside."""
    return sum(len(message["content"].encode()) for message in messages)
