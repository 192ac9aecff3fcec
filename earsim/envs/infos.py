"""The infos of a vector environment, put together and taken apart again.

Gymnasium merges the infos of all environments into one dictionary of arrays, with a mask `_key`
beside every `key`, and does so again inside dictionaries: there masks stand among ids of agents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

_SCALARS = (int, float, bool)


def merge_infos(infos: Sequence[Mapping[str, Any] | None]) -> dict[str, Any]:
    """One dictionary of arrays with masks, equal to the one that Gymnasium makes key by key.

    Args:
        infos: of each environment; None of one that tells nothing.
    """
    count = len(infos)
    first = infos[0]
    merged: dict[str, Any] = {}
    if first is not None and all(info and info.keys() == first.keys() for info in infos):
        mask = np.ones(count, np.bool_)
        for key in first:
            merged[key] = _merged(range(count), [info[key] for info in infos], key, count)  # type: ignore[index]
            merged[f"_{key}"] = mask
        return merged
    for key, rows in _tellers(infos).items():
        mask = np.zeros(count, np.bool_)
        mask[rows] = True
        merged[key] = _merged(rows, [infos[row][key] for row in rows], key, count)  # type: ignore[index]
        merged[f"_{key}"] = mask
    return merged


def _tellers(infos: Sequence[Mapping[str, Any] | None]) -> dict[str, list[int]]:
    """Which environments tell what."""
    found: dict[str, list[int]] = {}
    for row, info in enumerate(infos):
        for key in info or ():
            found.setdefault(key, []).append(row)
    return found


def _merged(rows: Sequence[int], values: Sequence[Any], key: str, count: int) -> Any:
    """The values of one key, in an array of the type of the first."""
    kind = type(values[0])
    array: npt.NDArray[Any]
    if key == "final_obs":
        array = np.full(count, None)
    elif kind in _SCALARS:
        if len(values) == count:
            return np.array(values, kind)
        array = np.zeros(count, kind)
    elif kind is dict:
        nested: list[Mapping[str, Any] | None] = [None] * count
        for row, value in zip(rows, values, strict=True):
            nested[row] = value
        return merge_infos(nested)
    elif issubclass(kind, np.ndarray):
        array = np.zeros((count, *values[0].shape), values[0].dtype)
    else:
        array = np.full(count, None)
    for row, value in zip(rows, values, strict=True):
        array[row] = value
    return array


def join_infos(parts: Sequence[Mapping[str, Any]], sizes: Sequence[int]) -> dict[str, Any]:
    """Merged infos of several batches as those of one.

    Args:
        parts: merged infos, one per batch.
        sizes: how many environments each batch has.
    """
    joined: dict[str, Any] = {}
    for key in dict.fromkeys(key for part in parts for key in part):
        found = [part.get(key) for part in parts]
        example = next(value for value in found if value is not None)
        if isinstance(example, Mapping):
            joined[key] = join_infos([value or {} for value in found], sizes)
            continue
        empty = None if example.dtype == object else 0
        joined[key] = np.concatenate(
            [
                np.full((size, *example.shape[1:]), empty, example.dtype)
                if value is None
                else value
                for value, size in zip(found, sizes, strict=True)
            ]
        )
    return joined


def split_infos(infos: Mapping[str, Any], num_envs: int) -> list[dict[str, Any]]:
    """One info per environment, as the environment gave it.

    Args:
        infos: what `reset` or `step` of a vector environment returned last.
        num_envs: how many environments it has.
    """
    return [_of_one(infos, index) for index in range(num_envs)]


def _of_one(infos: Mapping[str, Any], index: int) -> dict[str, Any]:
    """What carries a mask is a value, and a mask carries none."""
    found: dict[str, Any] = {}
    for key, values in infos.items():
        mask = infos.get(f"_{key}")
        if mask is None or not mask[index]:
            continue
        nested = isinstance(values, Mapping)
        found[key] = _of_one(values, index) if nested else _plain(values[index])
    return found


def _plain(value: Any) -> Any:
    """Numbers as Python has them, as they were before they went into an array."""
    return value.item() if isinstance(value, np.generic) else value
