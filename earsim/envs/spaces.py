"""Spaces for text and for structured observations.

`gymnasium.spaces.Text` checks every character of every observation and comes out of an
`AsyncVectorEnv` with shared memory as zeros; these spaces do neither.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from multiprocessing.context import BaseContext
from typing import Any

import numpy as np
from gymnasium.spaces import Space
from gymnasium.vector.utils import (
    create_shared_memory,
    read_from_shared_memory,
    write_to_shared_memory,
)

MAX_BYTES = 1 << 20
"""Largest observation, encoded, that fits through shared memory."""

_LENGTH_BYTES = 8


class TextSpace(Space[str]):
    """Any string."""

    def __init__(self, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(shape=None, dtype=None, seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        """Text has no fixed length."""
        return False

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """A short random string of printable characters."""
        codes = self.np_random.integers(32, 127, size=int(self.np_random.integers(0, 24)))
        return "".join(map(chr, codes))

    def contains(self, x: Any) -> bool:
        """Whether `x` is a string."""
        return isinstance(x, str)

    def to_jsonable(self, sample_n: Iterable[str]) -> list[str]:  # type: ignore[override]
        """Strings are JSON."""
        return list(sample_n)

    def from_jsonable(self, sample_n: list[Any]) -> list[str]:
        """Strings are JSON."""
        return [str(sample) for sample in sample_n]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TextSpace)

    def __hash__(self) -> int:
        return hash(TextSpace)

    def __repr__(self) -> str:
        return "TextSpace()"


class GraphSpace(Space[dict[str, Any]]):
    """A dictionary with the lists `nodes` and `edges`, all of JSON values."""

    def __init__(self, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(shape=None, dtype=None, seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        """A graph has no fixed size."""
        return False

    def sample(self, mask: Any = None, probability: Any = None) -> dict[str, Any]:
        """The empty graph."""
        return {"nodes": [], "edges": []}

    def contains(self, x: Any) -> bool:
        """Whether `x` has the shape of a graph observation."""
        return (
            isinstance(x, Mapping)
            and isinstance(x.get("nodes"), list)
            and isinstance(x.get("edges"), list)
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GraphSpace)

    def __hash__(self) -> int:
        return hash(GraphSpace)

    def __repr__(self) -> str:
        return "GraphSpace()"


@create_shared_memory.register(TextSpace)
@create_shared_memory.register(GraphSpace)
def _create(space: Space[Any], n: int = 1, ctx: BaseContext | None = None) -> Any:
    """One byte buffer per environment: the length, then the encoded observation."""
    assert ctx is not None
    return ctx.Array("B", n * (MAX_BYTES + _LENGTH_BYTES), lock=False)


@write_to_shared_memory.register(TextSpace)
@write_to_shared_memory.register(GraphSpace)
def _write(space: Space[Any], index: int, value: Any, shared_memory: Any) -> None:
    data = (value if isinstance(value, str) else json.dumps(value)).encode("utf-8", "surrogatepass")
    if len(data) > MAX_BYTES:
        raise ValueError(
            f"an observation of {len(data)} bytes does not fit the {MAX_BYTES} bytes of shared "
            "memory; make the vector environment with shared_memory=False"
        )
    start = index * (MAX_BYTES + _LENGTH_BYTES)
    view = memoryview(shared_memory).cast("B")
    view[start : start + _LENGTH_BYTES] = len(data).to_bytes(_LENGTH_BYTES, "little")
    view[start + _LENGTH_BYTES : start + _LENGTH_BYTES + len(data)] = data


def _read(shared_memory: Any, n: int) -> list[str]:
    view = memoryview(shared_memory).cast("B")
    texts = []
    for index in range(n):
        start = index * (MAX_BYTES + _LENGTH_BYTES)
        length = int.from_bytes(view[start : start + _LENGTH_BYTES], "little")
        data = bytes(view[start + _LENGTH_BYTES : start + _LENGTH_BYTES + length])
        texts.append(data.decode("utf-8", "surrogatepass"))
    return texts


@read_from_shared_memory.register(TextSpace)
def _read_text(space: TextSpace, shared_memory: Any, n: int = 1) -> tuple[str, ...]:
    return tuple(_read(shared_memory, n))


@read_from_shared_memory.register(GraphSpace)
def _read_graph(space: GraphSpace, shared_memory: Any, n: int = 1) -> tuple[Any, ...]:
    return tuple(json.loads(text) if text else space.sample() for text in _read(shared_memory, n))
