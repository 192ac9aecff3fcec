"""What help on CONFIGURE, RUN and SUBMIT tells: names, and the values that they may have."""

from __future__ import annotations

from collections.abc import Iterator

from earsim.actions.configure import settings_of
from earsim.actions.verb import Verb
from earsim.apparatus.lookup import usage
from earsim.apparatus.parameter import Parameter, Value
from earsim.apparatus.wet_bench.pool import described
from earsim.prose import number, value
from earsim.world import World
from earsim.world.belief import view
from earsim.world.scope import near_scope


def values_told(world: World, agent: str, verb: Verb) -> Iterator[str]:
    """The settings of apparatus near, or the questions of the task; nothing for other verbs."""
    live, timeline = world.blueprint.live, world.timeline
    if live is None or timeline is None:
        return
    if "operation" in verb.grammar.optional:
        yield from _actions_told(world, agent)
    if "settings" not in verb.grammar.required:
        return
    if "target" not in verb.grammar.required:
        questions = () if timeline.lab is None else timeline.lab.questions
        yield from (f"  {name}=NUMBER or a word" for name in questions)
        if not questions:
            yield "The task asks nothing."
        return
    near = near_scope(world, agent)
    seen = view(world, agent)
    for node, rig in live.rigs.items():
        if node in near and node in seen.known[agent]:
            now = settings_of(world, node)
            yield f"{world.blueprint.named(node)}:"
            yield from (
                f"  {_setting(parameter, now[parameter.name])}" for parameter in rig.parameters
            )


def _actions_told(world: World, agent: str) -> Iterator[str]:
    """The actions of benches and libraries near."""
    live, near = world.blueprint.live, near_scope(world, agent)
    known = view(world, agent).known[agent]
    if live is None:
        return
    for node, actions in live.actions.items():
        if node in near and node in known:
            yield f"{world.blueprint.named(node)}:"
            for action in actions.values():
                says = f"; {action.says}" if action.says else ""
                told = usage if node in live.lookups else described
                yield f"  {told(action)}{says}"


def words_of_values(world: World, apparatus: str) -> dict[str, tuple[str, ...]]:
    """The settings of an apparatus, or the questions of the task, each with its words if any."""
    live, timeline = world.blueprint.live, world.timeline
    if apparatus:
        rig = None if live is None else live.rigs.get(apparatus)
        return {} if rig is None else {each.name: each.choices for each in rig.parameters}
    lab = None if timeline is None else timeline.lab
    return {} if lab is None else dict.fromkeys(lab.questions, ())


def _setting(parameter: Parameter, now: Value) -> str:
    """`Kp 5 (0 to 25): proportional gain`."""
    if parameter.choices:
        allowed = ", ".join(parameter.choices)
    else:
        unit = f" {parameter.unit}" if parameter.unit else ""
        allowed = f"{number(parameter.low)} to {number(parameter.high)}{unit}"
    return f"{parameter.name} {value(now)} ({allowed}): {parameter.says}"
