"""What an agent can do now, verb by verb; tools taken and put down change it (EAR-Bench 6.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from earsim.actions.checks import free_of_lock
from earsim.actions.verb import Verb
from earsim.world import World


def usable_verbs(world: World, agent_id: str, verbs: Mapping[str, Verb]) -> Iterator[Verb]:
    """Verbs whose tool the agent (or a partner, for joint ones) holds and a shared load allows."""
    agent = world.agents[agent_id]
    alone = len(world.agents) == 1
    anyone = {ability for other in world.agents.values() for ability in other.abilities}
    for verb in verbs.values():
        if not verb.advertised or (verb.joint and alone):
            continue
        if agent.carrying is not None and any(rule is free_of_lock for rule, _ in verb.checks):
            continue
        row = verb.attribute
        abilities = anyone if verb.joint else agent.abilities
        if (
            row is None
            or not row.requires_tool
            or row.name in abilities
            or (row.attribute == "is_locked" and _may_hold_key(world, agent_id, team=verb.joint))
        ):
            yield verb


def verbs_in_want_of_a_tool(
    world: World, agent_id: str, verbs: Mapping[str, Verb]
) -> Iterator[Verb]:
    """Verbs of one agent that it cannot use before it holds a tool or key for them."""
    if world.agents[agent_id].carrying is not None:
        return
    usable = {verb.name for verb in usable_verbs(world, agent_id, verbs)}
    for verb in verbs.values():
        row = verb.attribute
        is_single = verb.advertised and not verb.joint and verb.name not in usable
        if is_single and row is not None and row.requires_tool:
            yield verb


def _may_hold_key(world: World, agent_id: str, *, team: bool) -> bool:
    """Whether an agent, or anybody on its team, holds a key, or what may be one for all it knows.

    Where agents perceive, which key fits a lock shows when it is tried.
    """
    agents = world.agents.values() if team else (world.agents[agent_id],)
    held = [node for agent in agents for node in agent.inventory]
    if world.physics.own_knowledge:
        return bool(held)
    return any(node in world.blueprint.keys for node in held)


class ActionHelp:
    """Renders the list of usable verbs; texts are kept by abilities and loads, for all worlds."""

    def __init__(self, verbs: Mapping[str, Verb]) -> None:
        self._verbs = verbs
        self._texts: dict[tuple[object, ...], str] = {}

    def text(self, world: World, agent_id: str) -> str:
        """One line per verb: its form and what it does."""
        if len(world.agents) == 1:
            agent = world.agents[agent_id]
            may_unlock = _may_hold_key(world, agent_id, team=False)
            key: tuple[object, ...] = (agent.abilities, agent.carrying, may_unlock)
        else:
            held = [(a.abilities, a.carrying, a.inventory) for a in world.agents.values()]
            key = (agent_id, *held)
        text = self._texts.get(key)
        if text is None:
            if len(self._texts) > 256:
                self._texts.clear()
            lines = [_line(verb) for verb in usable_verbs(world, agent_id, self._verbs)]
            wanting = verbs_in_want_of_a_tool(world, agent_id, self._verbs)
            if names := ", ".join(verb.name for verb in wanting):
                lines.append(f"With a tool or key for it in hand: {names}")
            text = self._texts[key] = "\n".join(("You can:", *lines))
        return text


def _line(verb: Verb) -> str:
    return f"  {verb.grammar.form.replace('{', '<').replace('}', '>')} - {verb.says}"
