"""The infos of a vector environment, taken apart again.

Gymnasium merges the infos of all environments into one dictionary of arrays, with a mask `_key`
beside every `key`, and does so again inside dictionaries: there masks stand among ids of agents.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np


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
