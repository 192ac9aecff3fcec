"""Tools: for what can be changed in the scene, and for what more will come."""

from __future__ import annotations

from earsim_generators.scenes.builder import SceneBuilder

_SHARE = 0.12
"""Which part of the objects of a scene is tools, kept for them as far as there is space."""


def place_tools(stage: SceneBuilder) -> None:
    """Add tools, first those for states that things of the scene are in now."""
    count = max(1, min(round(_SHARE * stage.knobs.objects), stage.left() // 2))
    for verb in _wanted(stage):
        if count <= 0:
            return
        if verb in stage.tool_verbs:
            continue
        tools = stage.setting.stock.providers[verb]
        unused = (tool for tool in tools if tool.id not in stage.used)
        count -= any(stage.add_one(tool) for tool in stage.drawn(unused))


def _wanted(stage: SceneBuilder) -> list[str]:
    """Verbs that take a tool: those that could be used now first, in random order."""
    found = {
        (state, value) for thing in stage.setting.things for state, value in thing.states.items()
    }
    verbs = [verb for verb in stage.drawn(stage.setting.stock.verbs) if verb.requires_tool]
    verbs.sort(key=lambda verb: (verb.attribute, verb.value) not in found)
    return [verb.name for verb in verbs]


def states_for_tools(stage: SceneBuilder) -> set[str]:
    """States that can be changed with the tools of the scene."""
    tools = stage.tool_verbs
    return {verb.attribute for verb in stage.setting.stock.verbs if verb.name in tools}
