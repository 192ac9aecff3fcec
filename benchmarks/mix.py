"""The commands that are measured: drawn once at random, then given again and again.

About two in three are accepted, and of these more than one in five take or put something; the rest
are the mistakes that policies make: things out of reach, elsewhere, unknown, in the wrong state.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random

from earsim import Episode, Outcome

SHARES = {"take_or_put": 19, "approach": 18, "walk": 10, "change": 9, "explore": 5, "look": 4}
"""Commands to be accepted, in percent; what is left is refused."""

LEAST_ACCEPTED = 0.6
LEAST_TAKE_OR_PUT = 0.2

_KINDS = {"GRAB": "take_or_put", "PLACE": "take_or_put", "EXPLORE": "explore", "LOOK": "look"}
_UNUSED = ("DONE", "WAIT", "RELEASE", "CORP_", "GIVE")
"""Those that end, do little, or take a partner that random commands do not have."""


@dataclass
class Mix:
    """A recorded sequence of decisions, one command per agent each, and what became of them."""

    decisions: list[dict[str, str]] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    accepted: int = 0
    commands: int = 0
    take_or_put: int = 0

    @property
    def accepted_share(self) -> float:
        """Of all commands."""
        return self.accepted / self.commands

    @property
    def take_or_put_share(self) -> float:
        """Of the accepted commands."""
        return self.take_or_put / self.accepted

    def check(self) -> None:
        """Refuse to measure refusals or standing still."""
        assert self.accepted_share >= LEAST_ACCEPTED, self.accepted_share
        assert self.take_or_put_share >= LEAST_TAKE_OR_PUT, self.take_or_put_share

    def add(self, outcomes: dict[str, Outcome], rooms: set[str]) -> None:
        """Note a decision that was taken."""
        self.decisions.append({agent: outcome.command for agent, outcome in outcomes.items()})
        kinds = [kind_of(outcome, rooms) for outcome in outcomes.values()]
        self.kinds.append(kinds[0])
        self.commands += len(kinds)
        self.accepted += sum(kind != "refused" for kind in kinds)
        self.take_or_put += kinds.count("take_or_put")


def kind_of(outcome: Outcome, rooms: set[str]) -> str:
    """The kind of a command that was carried out, or `refused`."""
    return kind_of_text(outcome.command, rooms) if outcome.accepted else "refused"


def kind_of_text(command: str, rooms: set[str]) -> str:
    """The kind of a canonical command."""
    verb, _, target = command.partition(" ")
    if verb == "GOTO":
        return "walk" if target in rooms else "approach"
    return _KINDS.get(verb, "change")


def record(
    episode: Episode, decisions: int, *, rooms: list[str], length: int, seed: int = 1
) -> Mix:
    """Play episodes of `length` decisions at random; agents walk in `rooms` only."""
    rng = Random(seed)
    mix = Mix()
    every_room = set(episode.engine.blueprint.rooms)
    shut = every_room.difference(rooms)
    for number in range(decisions):
        if number % length == 0:
            episode.restart()
        commands = {agent: _command(rng, episode, agent, shut) for agent in episode.agents}
        mix.add(dict(episode.step(commands).outcomes), every_room)
    return mix


def _command(rng: Random, episode: Episode, agent: str, shut: set[str]) -> str:
    offered = episode.admissible(agent)
    wanted = rng.choices([*SHARES, "refused"], [*SHARES.values(), 100 - sum(SHARES.values())])[0]
    if wanted == "refused":
        return _mistake(rng, episode, offered)
    by_kind: dict[str, list[str]] = {}
    team = episode.world.agents.values()
    given = {f"GRAB {node}" for state in team for node in state.inventory}  # by a colleague
    for command in offered:
        if command in given or command.startswith(_UNUSED):
            continue
        if command.rpartition(" ")[2] not in shut:
            kind = kind_of_text(command, set(episode.engine.blueprint.rooms))
            by_kind.setdefault(kind, []).append(command)
    return rng.choice(by_kind.get(wanted) or by_kind.get("approach") or by_kind["explore"])


def _mistake(rng: Random, episode: Episode, offered: tuple[str, ...]) -> str:
    """Something that will be refused."""
    things = list(episode.engine.blueprint.things)
    forms = (
        "GRAB {0}",
        "GOTO {0}",
        "OPEN {0}",
        "TURN_ON {0}",
        "PLACE {0} in {1}",
        "PLACE {0} on {1}",
    )
    while True:
        command = rng.choice(forms).format(*rng.sample(things, 2))
        if command not in offered:
            return command


def shares(kinds: list[str]) -> dict[str, float]:
    """How often each kind occurs."""
    return {kind: count / len(kinds) for kind, count in Counter(kinds).most_common()}
