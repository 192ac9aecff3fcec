"""How near a protocol that was performed is to a reference: order of steps, and parameters.

Sequence similarity (SS) counts pairs of steps in the right order; parameter accuracy (PA) counts
parameters that are right. After the dry and wet experiment tasks of SGI, with the order read from
positions in the lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

from earsim.apparatus.amounts import converted, read_amount
from earsim.apparatus.parameter import Value

TOLERANCE = 0.01
"""Share of a reference number by which a number may differ from it."""

_ROUNDING = 1e-9


class Step(NamedTuple):
    """One step of a protocol.

    Attributes:
        action: its name.
        parameters: by name; numbers may be texts with a unit, ``10 min``.
    """

    action: str
    parameters: Mapping[str, Value] = MappingProxyType({})


class Instance(NamedTuple):
    """The n-th time that an action occurs in a protocol, from 1 on."""

    action: str
    occurrence: int


def instances(actions: Iterable[str]) -> list[Instance]:
    """The actions of a protocol told apart by how often each has occurred."""
    seen: dict[str, int] = {}
    found = []
    for action in actions:
        seen[action] = seen.get(action, 0) + 1
        found.append(Instance(action, seen[action]))
    return found


def sequence_similarity(performed: Sequence[str], reference: Sequence[str]) -> float:
    """SS: 1 less the share of discordant pairs, over every instance that either list has.

    A pair is concordant when both lists have both of its instances, in the same order. Of a single
    instance, 1 if both lists have it. Two empty protocols are alike: 1.

    Args:
        performed: names of actions, in order.
        reference: likewise.
    """
    first = {instance: place for place, instance in enumerate(instances(performed))}
    second = {instance: place for place, instance in enumerate(instances(reference))}
    union = sorted(first.keys() | second.keys())
    both = first.keys() & second.keys()
    if len(union) < 2:
        return 1.0 if len(both) == len(union) else 0.0
    concordant = sum(
        (first[a] < first[b]) == (second[a] < second[b])
        for a, b in combinations(sorted(both), 2)
    )  # fmt: skip
    return concordant / (len(union) * (len(union) - 1) // 2)


def parameter_accuracy(performed: Sequence[Step], reference: Sequence[Step]) -> float:
    """PA: the share of the reference's parameters that the same step was performed with.

    The same step is the same occurrence of the same action. Numbers may differ by 1 % after
    conversion of units; parameters beyond those of the reference do not count. A reference without
    parameters leaves nothing to get wrong: 1.
    """
    done = dict(zip(instances(s.action for s in performed), performed, strict=True))
    wanted = zip(instances(s.action for s in reference), reference, strict=True)
    right, total = 0, 0
    for instance, step in wanted:
        found = done[instance].parameters if instance in done else {}
        total += len(step.parameters)
        right += sum(
            name in found and agrees(found[name], value) for name, value in step.parameters.items()
        )
    return right / total if total else 1.0


def agrees(value: Value, wanted: Value) -> bool:
    """Whether a value is the one wanted; a number without a unit is in the unit of the other."""
    if isinstance(value, bool) or isinstance(wanted, bool):
        return value is wanted
    found, target = read_amount(str(value)), read_amount(str(wanted))
    if found is None or target is None:
        return str(value).casefold() == str(wanted).casefold()
    number = converted(found, target.unit) if target.unit else found.value
    if number is None:
        return False
    return abs(number - target.value) <= TOLERANCE * abs(target.value) + _ROUNDING
