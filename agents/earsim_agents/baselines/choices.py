"""Ways to choose among lookalikes without understanding what was asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random

from earsim.world import World
from earsim_agents.baselines.lexicon import Lexicon
from earsim_agents.baselines.noun_phrases import Unreadable

Choice = Callable[[Sequence[str], World, str, Random], Sequence[str]]
"""Some of the candidates, by what is perceived of them, the instruction, and chance."""


def _all(nodes: Sequence[str], world: World, text: str, rng: Random) -> Sequence[str]:
    return nodes


def _random(nodes: Sequence[str], world: World, text: str, rng: Random) -> Sequence[str]:
    return [rng.choice(nodes)]


def _first(nodes: Sequence[str], world: World, text: str, rng: Random) -> Sequence[str]:
    return nodes[:1]


def _last(nodes: Sequence[str], world: World, text: str, rng: Random) -> Sequence[str]:
    return nodes[-1:]


def _heaviest(nodes: Sequence[str], world: World, text: str, rng: Random) -> Sequence[str]:
    return [max(nodes, key=lambda node: world.blueprint.things[node].mass_kg)]


def _lightest(nodes: Sequence[str], world: World, text: str, rng: Random) -> Sequence[str]:
    return [min(nodes, key=lambda node: world.blueprint.things[node].mass_kg)]


def _for_the_team(nodes: Sequence[str], world: World, text: str, rng: Random) -> Sequence[str]:
    """What the team can lift and nobody can alone, by chance if there are several or none."""
    limits = [body.max_mass_kg for body in world.blueprint.bodies.values()]
    masses = {node: world.blueprint.things[node].mass_kg for node in nodes}
    fit = [node for node in nodes if max(limits) < masses[node] <= sum(limits)]
    return [rng.choice(fit or nodes)]


def _overlap(nodes: Sequence[str], world: World, text: str, rng: Random) -> Sequence[str]:
    """What has most words of the instruction in its traits and its place."""
    said = set(re.findall(r"[\w']+", text.casefold()))

    def words(node: str) -> set[str]:
        thing, place = world.blueprint.things[node], world.location.get(node)
        told = [str(value) for value in thing.attributes.values()]
        told += [state for state, value in world.states.get(node, {}).items() if value is True]
        told += [
            world.blueprint.name(id) for id in (world.room_of(node), place and place.holder) if id
        ]
        return set(re.findall(r"[a-z0-9']+", " ".join(told).casefold().replace("_", " ")))

    most = max(len(words(node) & said) for node in nodes)
    return [rng.choice([node for node in nodes if len(words(node) & said) == most])]


CHOICES: Mapping[str, Choice] = {
    "all": _all,
    "random": _random,
    "first": _first,
    "last": _last,
    "heaviest": _heaviest,
    "lightest": _lightest,
    "for_the_team": _for_the_team,
    "overlap": _overlap,
}
"""By name. Where nothing leaks, all but `all` win as often as `random` does."""


def candidates(noun: str, lexicon: Lexicon) -> Sequence[str]:
    """What a noun may mean, the rest of its phrase left out, in the order of ids.

    That is whatever is loose where the noun names nothing, as in `the thing that is on the rack`.

    Raises:
        Unreadable: Nothing such has been perceived.
    """
    named = lexicon.called(noun) or lexicon.loose
    found = [node for node in named if not lexicon.is_door(node)]
    if not found:
        raise Unreadable(noun)
    return found
