"""`earsim apparatus`: the simulations that objects of a scene can have, and one run of one."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from earsim.apparatus.lookup import LookUpModel, usage
from earsim.apparatus.model import Advanced, Model
from earsim.apparatus.parameter import Parameter, SettingProblem, Settings, Value, defaults
from earsim.apparatus.registry import MODELS
from earsim.cli.screen import Screen, examples, row, table
from earsim.errors import UsageError, near_misses
from earsim.prose import number, value
from earsim.render.refusals import wrong_value

EXAMPLES = examples(
    "earsim apparatus",
    "earsim apparatus maglev/1",
    "earsim apparatus maglev/1 --run Kp=2.818 Ki=0.8 Kd=1.886 topology=pid",
    "earsim apparatus euler1d/1 --run n=128 --json",
)


def command(
    model: Annotated[
        str | None, typer.Argument(help="A model with its version; all are listed without one.")
    ] = None,
    changes: Annotated[
        list[str] | None, typer.Argument(help="With --run, settings as NAME=VALUE.")
    ] = None,
    run: Annotated[
        bool, typer.Option("--run", help="Run it to its end and show the results.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write the run as JSON.")] = False,
) -> None:
    """Show the models of apparatus: settings with bounds, channels, events, results; run one."""
    screen = Screen()
    if model is None and (run or as_json):
        raise UsageError("a run is of a model: earsim apparatus maglev/1 --run")
    if as_json and not run:
        raise UsageError(f"--json is for a run: earsim apparatus {model} --run --json")
    if model is None:
        _list(screen)
    elif run:
        _run(screen, MODELS[model], changes or [], as_json=as_json)
    elif changes:
        raise UsageError(f"settings are for a run: earsim apparatus {model} --run {changes[0]} ...")
    else:
        _show(screen, MODELS[model])


def _list(screen: Screen) -> None:
    shown = table("model", "what", "settings", "results", "pace", whole=("model",))
    for name, model in MODELS.items():
        pace = "seconds" if model.rate is None else f"{number(model.rate)} units/s"
        row(shown, name, model.title, len(model.parameters), len(model.quantities), pace)
    screen.print(shown)


def _show(screen: Screen, model: Model) -> None:
    screen.say(f"{model.id}: {model.title}")
    if isinstance(model, LookUpModel):
        _operations(screen, model)
    if model.parameters:
        settings = table("setting", "default", "bounds", "unit", "what", whole=("setting",))
        for p in model.parameters:
            row(settings, p.name, value(p.default), _bounds(p), p.unit, p.says)
        screen.print(settings)
    for title, outputs in (("channel", model.channels), ("result", model.quantities)):
        if not outputs:
            continue
        shown = table(title, "unit", "what", whole=(title,))
        for output in outputs:
            row(shown, output.name, output.unit, output.says)
        screen.print(shown)
    screen.say(f"events: {', '.join(model.events)}")


def _operations(screen: Screen, model: LookUpModel) -> None:
    shown = table("operation", "command", "seconds", "what", whole=("operation", "command"))
    for action in model.actions.values():
        command = f"RUN THING {usage(action)}"
        row(shown, action.name, command, value(action.duration_s({})), action.says)
    screen.print(shown)


def _bounds(parameter: Parameter) -> str:
    if parameter.choices:
        return ", ".join(parameter.choices)
    least = ">" if parameter.above_low else ""
    multiple = f", multiples of {parameter.multiple_of}" if parameter.multiple_of > 1 else ""
    kind = "whole, " if parameter.integer else ""
    return f"{kind}{least}{number(parameter.low)} to {number(parameter.high)}{multiple}"


def _run(screen: Screen, model: Model, changes: list[str], *, as_json: bool) -> None:
    settings = {**defaults(model.parameters), **_read(model, changes)}
    started = time.process_time()
    progress = model.advance(model.start(settings), math.inf)
    results = model.results(progress.state)
    seconds = time.process_time() - started
    if as_json:
        typer.echo(json.dumps(_as_json(model, settings, progress, results), indent=2))
        return
    shown = table("result", "value", "unit", "what", whole=("result",))
    for quantity in model.quantities:
        found = results.get(quantity.name)
        row(
            shown,
            quantity.name,
            "-" if found is None else value(found),
            quantity.unit,
            quantity.says,
        )
    screen.print(shown)
    for event in progress.events:
        screen.say(f"t {number(event.t)}: {event.severity.value} {event.name}")
    end = f"failed: {progress.failed}" if progress.failed else "completed"
    units = "" if model.rate is None else f"{number(progress.spent)} cost units, "
    screen.say(f"{end}; {units}{seconds:.3f} s of CPU time")


def _as_json(
    model: Model,
    settings: Settings,
    progress: Advanced,
    results: Mapping[str, Value | None],
) -> dict[str, Any]:
    channels = [channel.name for channel in model.channels_of(settings)]
    return {
        "model": model.id,
        "settings": dict(settings),
        "failed": progress.failed,
        "spent": progress.spent,
        "results": dict(results),
        "channels": channels,
        "samples": [[s.t, *map(_finite, s.values)] for s in progress.samples],
        "events": [
            {"t": e.t, "name": e.name, "severity": e.severity.value, "facts": dict(e.facts)}
            for e in progress.events
        ],
    }


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _read(model: Model, changes: list[str]) -> dict[str, Value]:
    return dict(_each(model, changes))


def _each(model: Model, changes: list[str]) -> Iterator[tuple[str, Value]]:
    known = {parameter.name: parameter for parameter in model.parameters}
    for change in changes:
        name, equals, text = change.partition("=")
        if not equals or name not in known:
            near = ", ".join(near_misses(name, known)) or ", ".join(known)
            raise UsageError(
                f"{model.id}: {change!r} is no NAME=VALUE of a setting; there is {near}"
            )
        read = known[name].read(text)
        if isinstance(read, SettingProblem):
            raise UsageError(f"{model.id}: {wrong_value(read)}")
        yield name, read
