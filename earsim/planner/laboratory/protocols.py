"""Protocols at a wet bench, as commands: what of a reference is left, and how a step is given."""

from __future__ import annotations

from collections.abc import Sequence

from earsim.apparatus.parameter import SettingProblem, Settings, Value
from earsim.apparatus.protocol import Step, instances
from earsim.apparatus.wet_bench.pool import Action
from earsim.prose import value as shown


def remaining(done: Sequence[Step], reference: Sequence[Step]) -> list[Step]:
    """The steps of a reference that were not performed yet, in its order."""
    seen = set(instances(step.action for step in done))
    wanted = instances(step.action for step in reference)
    return [step for instance, step in zip(wanted, reference, strict=True) if instance not in seen]


def step_command(node: str, action: Action, step: Step) -> str | None:
    """The command that performs a step; None where a parameter can have no such value.

    What the reference says nothing of has the least value that it can have, or its default.
    """
    given = {name: str(value).replace(" ", "") for name, value in step.parameters.items()}
    read = action.read(given)
    if isinstance(read, SettingProblem):
        return None
    defaults = {p.name: p.default for p in action.parameters}
    return action_command(node, action, {**defaults, **read})


def action_command(node: str, action: Action, settings: Settings) -> str:
    """`RUN gene_bench heat_shock temperature=42 time=45`."""
    named = [f"{p.name}={_said(settings[p.name])}" for p in action.parameters]
    return " ".join(("RUN", node, action.name, *named))


def _said(value: Value) -> str:
    """A value with all its digits."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return shown(value) if isinstance(value, bool) else str(value)
