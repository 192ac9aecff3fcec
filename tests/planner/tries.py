"""Every canonical command that an agent could give, and which of them are accepted now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, permutations
from typing import NamedTuple

from earsim.actions.verb import Call, joint_objection, objection
from earsim.engine import Engine
from earsim.planner.result import CommandClass
from earsim.schema.verb_table import verb_table
from earsim.world import World

SILENT = frozenset({"LOOK", "WAIT", "SAY", "DONE"})
"""Verbs left out: they change nothing that others ask for; but DONE does, which ends it all."""


class Try(NamedTuple):
    """A command that an agent could give, and the call it stands for."""

    agent: str
    text: str
    call: Call


class Tries:
    """The commands of some agents of a scenario, over every id of the scene.

    Args:
        engine: the rules.
        actors: who may act, and take part in what is joint.
        command_class: which commands of `ear-bench` to try.
        hands_empty: also try to put down what nobody has in hand, which no rules of ours allow.
    """

    def __init__(
        self,
        engine: Engine,
        actors: Sequence[str],
        command_class: CommandClass,
        *,
        hands_empty: bool = False,
    ) -> None:
        self._engine = engine
        self._actors = actors
        self._nodes = list(engine.blueprint.ids())
        self._published = engine.ruleset.name == "ear-bench"
        self.plain = self._published and command_class is CommandClass.PLAIN
        self._hands_empty = hands_empty
        self._placing: dict[tuple[str, str], list[Try]] = {}
        self._about_ids = {agent: self._read(agent, self._texts_about_ids()) for agent in actors}
        if self._published:
            joint = list(self._joint_texts())
            self._joint = {agent: self._read(agent, joint) for agent in actors}
        else:
            together = [*self._together(), *self._handovers()]
            self._joint = {a: [one for one in together if one.agent == a] for a in actors}

    def singles(self, world: World, agent: str) -> Iterator[Try]:
        """Accepted commands that an agent gives for itself."""
        yield from self._accepted(world, self._about_ids[agent])
        yield from self._accepted(world, self._putting_down(world, agent))

    def joint(self, world: World, agent: str) -> Iterator[Try]:
        """Accepted joint commands that an agent gives."""
        return self._accepted(world, self._joint[agent])

    def _accepted(self, world: World, tries: Iterable[Try]) -> Iterator[Try]:
        for one in tries:
            if one.call.verb.name == "CORP_PLACE" and not self._is_carried(world, one.call):
                continue
            if one.call.actors and not self._published:
                refused = joint_objection(world, one.call.actors, one.call) is not None
            else:
                refused = objection(world, one.agent, one.call) is not None
            if not refused and (not self.plain or is_plain(world, one.call)):
                yield one

    def _is_carried(self, world: World, call: Call) -> bool:
        carrying = (world.agents[actor].carrying for actor in call.actors)
        return self._hands_empty or all(node == call.target for node in carrying)

    # -- texts ---------------------------------------------------------------------------------

    def _texts_about_ids(self) -> Iterator[str]:
        yield "EXPLORE"
        for node in self._nodes:
            yield f"GOTO {node}"
            yield f"GRAB {node}"
        for ability in self._engine.blueprint.abilities:
            for node in self._with_attribute(ability):
                yield f"{ability.upper()} {node}"

    def _putting_down(self, world: World, agent: str) -> Iterator[Try]:
        state = world.agents[agent]
        in_hand = (*state.inventory, *((state.carrying,) if state.carrying else ()))
        for held in world.location if self._hands_empty else in_hand:
            if (agent, held) not in self._placing:
                texts = [f"RELEASE {held}", *self._placements(f"PLACE {held}")]
                self._placing[agent, held] = self._read(agent, texts)
            yield from self._placing[agent, held]

    def _placements(self, start: str) -> Iterator[str]:
        capitals = self._published and not self.plain and start.startswith("PLACE")
        for relation in ("in", "on", "IN", "ON") if capitals else ("in", "on"):
            for node in self._nodes:
                yield f"{start} {relation} {node}"

    def _joint_texts(self) -> Iterator[str]:
        for team in self._teams():
            names = ",".join(team)
            for node in self._nodes:
                yield f"CORP_GRAB {names} {node}"
                yield f"CORP_GOTO {names} {node}"
            for ability in self._engine.blueprint.abilities:
                for node in self._with_attribute(ability):
                    yield f"CORP_{ability.upper()} {names} {node}"
            for thing in self._engine.blueprint.things:
                yield from self._placements(f"CORP_PLACE {names} {thing}")

    def _together(self) -> Iterator[Try]:
        """What teams may give in `physical`, where joint commands name nobody."""
        blueprint = self._engine.blueprint
        several = [node for node, thing in blueprint.things.items() if thing.people > 1]
        for team in self._teams():
            texts = [f"{verb} {n}" for n in self._nodes for verb in ("CORP_GRAB", "CORP_GOTO")]
            for thing in blueprint.things:
                texts += self._placements(f"CORP_PLACE {thing}")
            for ability in blueprint.abilities:
                nodes = [node for node in self._with_attribute(ability) if node in several]
                texts += [f"{ability.upper()} {node}" for node in nodes]
            for one in self._read(team[0], texts):
                yield one._replace(call=one.call.given_by(team))

    def _handovers(self) -> Iterator[Try]:
        """What one may give to another, who says GRAB."""
        for giver, receiver in permutations(self._actors, 2):
            texts = [f"GIVE {thing} {receiver}" for thing in self._engine.blueprint.things]
            for one in self._read(giver, texts):
                yield one._replace(call=one.call.given_by((giver, receiver)))

    def _teams(self) -> Iterator[tuple[str, ...]]:
        """Groups that may act jointly: any, or only all agents, and those more than one."""
        everybody = tuple(self._engine.blueprint.bodies)
        if self.plain:
            return iter([everybody] if tuple(self._actors) == everybody != everybody[:1] else [])
        sizes = range(1 if self._published else 2, len(self._actors) + 1)
        return chain.from_iterable(combinations(self._actors, size) for size in sizes)

    def _with_attribute(self, ability: str) -> Iterator[str]:
        """Nodes that have what an attribute verb changes."""
        blueprint, attribute = self._engine.blueprint, verb_table()[ability].attribute
        for node, states in blueprint.states.items():
            thing = blueprint.things.get(node)
            if attribute in states or (thing is not None and attribute in thing.attributes):
                yield node

    def _read(self, agent: str, texts: Iterable[str]) -> list[Try]:
        calls = [(text, self._engine.parse(text)) for text in texts]
        return [Try(agent, text, call) for text, call in calls if isinstance(call, Call)]


def is_plain(world: World, call: Call) -> bool:
    """Whether the prompts of `ear-bench` speak of a command that its rules accept.

    What is joint, all agents do, being in one room, and about what has been discovered. Nothing is
    put in or on what somebody holds.
    """
    if call.destination and _is_in_hands(world, call.destination):
        return False
    if not call.verb.joint:
        return True
    team = world.agents
    rooms = world.blueprint.rooms
    known = next(iter(world.known.values()))
    about = [node for node in (call.target, call.destination) if node and node not in rooms]
    if set(call.actors) != set(team) or not known.issuperset(about):
        return False
    where = {agent.room for agent in team.values()}
    return len(where) == 1 and (not call.destination or world.room_of(call.destination) in where)


def _is_in_hands(world: World, node: str) -> bool:
    while node in world.location:
        node = world.location[node].holder
    return node in world.agents
