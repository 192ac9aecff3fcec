"""The manual of an apparatus as a model reads it: settings, channels, results, events, prices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from earsim.apparatus.events import SYSTEM_EVENTS
from earsim.apparatus.model import ModelOutput
from earsim.apparatus.parameter import Parameter, Settings
from earsim.prose import number
from earsim.prose import value as shown
from earsim.world.lab import Rig

COUNTS = ("runs", "completed_runs", "stopped_runs")
"""What constraints can be about beside results and channels: runs of the episode so far."""


def manual(rigs: Mapping[str, Rig], settings: Mapping[str, Settings]) -> str:
    """The documentation of some apparatus.

    Args:
        rigs: by id.
        settings: as they are now.
    """
    return "\n\n".join("\n".join(_lines(id, rig, settings[id])) for id, rig in rigs.items())


def _lines(id: str, rig: Rig, now: Settings) -> Iterator[str]:
    model = rig.model
    yield f"## {id}: {model.title} ({model.id})"
    yield "Settings that can be changed:"
    for parameter in rig.parameters:
        yield f"- {parameter.name}: {_parameter(parameter)}; now {shown(now[parameter.name])}"
    fixed = [name for name in now if name not in {each.name for each in rig.parameters}]
    if fixed:
        yield f"Fixed: {', '.join(f'{name} {shown(now[name])}' for name in fixed)}"
    yield from _outputs("Channels of its readings, while it runs:", model.channels_of(now))
    yield from _outputs("Results of a run that comes to its end:", model.quantities)
    yield "Events:"
    for event in model.events:
        yield f"- {event} ({SYSTEM_EVENTS.get(event, 'error')})"
    yield from _price(rig, now)


def _parameter(parameter: Parameter) -> str:
    if parameter.choices:
        return f"{parameter.says}; one of {', '.join(parameter.choices)}"
    kind = "whole number" if parameter.integer else "number"
    multiple = f", multiple of {parameter.multiple_of}" if parameter.multiple_of > 1 else ""
    unit = f" {parameter.unit}" if parameter.unit else ""
    bounds = f"{number(parameter.low)} to {number(parameter.high)}{unit}"
    return f"{parameter.says}; {kind}{multiple}, {bounds}"


def _outputs(head: str, outputs: Sequence[ModelOutput]) -> Iterator[str]:
    yield head
    for each in outputs:
        yield f"- {each.name}{f' ({each.unit})' if each.unit else ''}: {each.says}"


def _price(rig: Rig, now: Settings) -> Iterator[str]:
    price, expected = rig.price, rig.model.expected(now)
    if expected.allowance is not None:
        seconds = expected.allowance / (rig.model.rate or 1.0)
        yield f"A run with the settings as they are takes {number(seconds)} s."
    told: Mapping[str, float] = {
        "euros a run": price.eur_per_run,
        **{f"euros a run of {name}": each for name, each in price.eur_per.items()},
        "euros an hour": price.eur_per_h,
        "euros a million cell updates": price.eur_per_mflop,
        "kWh an hour": price.kwh_per_h,
    }
    if any(told.values()):
        yield f"Price: {', '.join(f'{number(n)} {what}' for what, n in told.items() if n)}."
