"""Playing at random: what tests of several folders need to drive an episode through many states."""

from collections.abc import Iterator, Mapping
from itertools import chain, combinations, product
from random import Random

from earsim import Engine, Episode, open_suite
from earsim.actions.verb import Call, Verb, foreseen_objection

SINGLE = ("old_exchange/headset_behind_glass", "crystal_lab/calibrate_the_balance")
TEAM = ("old_exchange/transformer_and_diesel", "boat_shed/engine_and_order_book")
"""Scenarios of our own for one agent, and for two and three."""

STILL_SINGLE = ("server_hall/loose_busbar", "clinic_night_shift/sterilize_the_tray")
STILL_TEAM = ("server_hall/array_into_the_cage", TEAM[1])
"""Likewise, of scenes in which nothing moves by itself: there every form of a command is listed."""

PRODUCTIVE = ("GRAB", "PLACE", "CORP_GRAB", "CORP_PLACE", "EXPLORE", "OPEN", "UNLOCK")


def engine_of(scenario_id: str, ruleset: str = "ear-bench", suite: str = "starter") -> Engine:
    return Engine(open_suite(suite).load(scenario_id), ruleset)


def likely_command(rng: Random, episode: Episode, agent: str) -> str:
    """Something admissible, every other time something that takes the agent further."""
    offered = [command for command in episode.admissible(agent) if command != "DONE"]
    further = [command for command in offered if command.split()[0] in PRODUCTIVE]
    return rng.choice(further if further and rng.random() < 0.5 else offered or ["LOOK"])


def any_command(rng: Random, episode: Episode, agent: str) -> str:
    """One in four times nonsense or something that is likely to be refused."""
    if rng.random() < 0.75:
        return likely_command(rng, episode, agent)
    ids = [*episode.engine.blueprint.rank, "ghost", "", "in", "on", "1", "a,b", "ä"]
    verbs = [*episode.engine.verbs, "JUMP", "", "corp_", "grab", "DONE now", "\x00", "PARSE_FAILED"]
    return " ".join([rng.choice(verbs), *rng.choices(ids, k=rng.randrange(6))])


def any_commands(rng: Random, episode: Episode) -> dict[str, str]:
    return {agent: any_command(rng, episode, agent) for agent in episode.agents}


def play(rng: Random, episode: Episode, decisions: int) -> Iterator[Mapping[str, str]]:
    """Take decisions at random; yields the commands of each after it was taken."""
    for _ in range(decisions):
        commands = any_commands(rng, episode)
        episode.step(commands)
        yield commands


def accepted_calls(episode: Episode, agent: str) -> list[str]:
    """Every canonical command over discovered ids to be listed, found by trying all.

    Those that nothing objects to but what the agent cannot know beforehand.
    """
    world = episode.world
    return sorted(
        call.text()
        for verb in episode.engine.verbs.values()
        for call in canonical_calls(episode, agent, verb)
        if verb.name != "TELL" and foreseen_objection(world, agent, call) is None
    )


def discovered_ids(episode: Episode, agent: str) -> list[str]:
    """What an agent may know of, in file order: rooms, agents, and what it has discovered."""
    blueprint = episode.engine.blueprint
    known = {*blueprint.rooms, *blueprint.bodies, *episode.world.known[agent]}
    return [node for node in blueprint.rank if node in known]


def canonical_calls(episode: Episode, agent: str, verb: Verb) -> Iterator[Call]:
    """Every call of a verb over discovered ids; lists of agents distinct and in file order."""
    return (Call(verb, *slots) for slots in product(*fillings(episode, agent, verb)))


def some_calls(rng: Random, episode: Episode, agent: str, verb: Verb, count: int) -> list[Call]:
    """As many of them, drawn at random; none where there are none."""
    offered = fillings(episode, agent, verb)
    if not all(offered):
        return []
    return [Call(verb, *map(rng.choice, offered)) for _ in range(count)]


Fillings = tuple[list[str], list[str], list[str], list[tuple[str, ...]]]


def fillings(episode: Episode, agent: str, verb: Verb) -> Fillings:
    """Targets, relations, destinations and lists of agents of the calls of a verb."""
    slots = {*verb.grammar.required, *verb.grammar.optional}
    if "message" in slots:
        return [], [], [], []  # free text: there is no list of it
    if verb.name == "EXPLORE":
        slots.clear()  # the canonical form leaves out the room: it can only be the own one
    ids = discovered_ids(episode, agent)
    targets = ids if "target" in verb.grammar.required else ["", *ids] if slots else [""]
    relations = ["in", "on"] if "relation" in slots else [""]
    destinations = ids if {"destination", "receiver"}.intersection(slots) else [""]
    return targets, relations, destinations, teams(episode.agents) if "actors" in slots else [()]


def teams(agents: tuple[str, ...]) -> list[tuple[str, ...]]:
    sizes = range(1, len(agents) + 1)
    return list(chain.from_iterable(combinations(agents, size) for size in sizes))
