"""Spaces for text and for structured observations.

`gymnasium.spaces.Text` checks every character of every observation and comes out of an
`AsyncVectorEnv` with shared memory as zeros; these spaces do neither.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from multiprocessing.context import BaseContext
from typing import Any, overload

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
_SLOT_BYTES = _LENGTH_BYTES + MAX_BYTES
_ENCODING = ("utf-8", "surrogatepass")


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

    def to_jsonable(self, sample_n: Iterable[str]) -> list[str]:
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
    return ctx.Array("B", n * _SLOT_BYTES, lock=False)


@write_to_shared_memory.register(TextSpace)
@write_to_shared_memory.register(GraphSpace)
def _write(space: Space[Any], index: int, value: Any, shared_memory: Any) -> None:
    data = (value if isinstance(value, str) else json.dumps(value)).encode(*_ENCODING)
    if len(data) > MAX_BYTES:
        raise ValueError(
            f"an observation of {len(data)} bytes does not fit the {MAX_BYTES} bytes of shared "
            "memory; make the vector environment with shared_memory=False"
        )
    start = index * _SLOT_BYTES
    text = start + _LENGTH_BYTES
    view = memoryview(shared_memory).cast("B")
    view[start:text] = len(data).to_bytes(_LENGTH_BYTES, "little")
    view[text : text + len(data)] = data


class SharedObservations(Sequence[Any]):
    """A view of one observation per environment that lie in shared memory.

    `AsyncVectorEnv` reads shared memory once, when it is made, and from then on copies what it read
    then (Gymnasium 1.4.0). So what it is given must look afresh whenever it is used; a deep copy is
    a plain tuple of the observations of that moment.
    """

    def __init__(self, memory: Any, count: int, decode: Callable[[str], Any]) -> None:
        """View `count` observations; `decode` makes one from its text, which may be empty."""
        self._bytes = memoryview(memory).cast("B")
        self._count = count
        self._decode = decode

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Any, ...]: ...
    def __getitem__(self, index: int | slice) -> Any:
        found = range(self._count)[index]
        return self._at(found) if isinstance(found, int) else tuple(map(self._at, found))

    def _at(self, index: int) -> Any:
        start = index * _SLOT_BYTES
        text = start + _LENGTH_BYTES
        length = int.from_bytes(self._bytes[start:text], "little")
        return self._decode(bytes(self._bytes[text : text + length]).decode(*_ENCODING))

    def __deepcopy__(self, memo: dict[int, Any]) -> tuple[Any, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        return f"SharedObservations({tuple(self)!r})"


@read_from_shared_memory.register(TextSpace)
def _read_text(space: TextSpace, shared_memory: Any, n: int = 1) -> SharedObservations:
    return SharedObservations(shared_memory, n, str)


@read_from_shared_memory.register(GraphSpace)
def _read_graph(space: GraphSpace, shared_memory: Any, n: int = 1) -> SharedObservations:
    return SharedObservations(
        shared_memory, n, lambda text: json.loads(text) if text else space.sample()
    )
