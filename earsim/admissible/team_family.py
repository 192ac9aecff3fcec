"""Joint verbs: which teams can do what, asked once per thing, once per agent and once per team."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from earsim.actions.verb import Call, Check, Reads, Test, Verb
from earsim.admissible.family import Candidate, Family, by_kind
from earsim.world import World


class TeamCandidates(NamedTuple):
    """One joint command that may be tried by any of some teams: the thing is asked once.

    Attributes:
        call: what it stands for, without actors.
        tests: those about the thing.
        each: those about the thing and one agent.
        solos: the call for every agent alone, by the agent's bit.
        members: the candidates by team, as bits; their tests are those about a whole team.
    """

    call: Call
    tests: tuple[Test, ...]
    each: tuple[Test, ...]
    solos: tuple[tuple[int, Call], ...]
    members: tuple[tuple[int, Candidate], ...]


_USABLE_KEPT = 1024
_RESTRICTED_KEPT = 16_384
_MEMBERS_KEPT = 50_000
"""Commands of teams that one family keeps; eight agents have 255 teams."""

TeamMasks = Mapping[str, frozenset[int]]
"""By verb, the teams that can use it at all, as bits."""


class TeamFamily(Family[TeamCandidates, TeamMasks]):
    """Joint verbs. Of a thing it is asked once what a whole team would need, and once per agent.

    What depends on the agents alone (where they are, what they carry) is asked once per team.
    """

    def __init__(self, verbs: Iterable[Verb], settled: Reads = Reads.SCENE) -> None:
        super().__init__(verbs, settled)
        self._grouped = {verb.name: _group(verb, settled | Reads.KNOWLEDGE) for verb in self.verbs}
        self._usable: dict[tuple[object, ...], TeamMasks] = {}
        self._made_once: dict[tuple[str, ...], TeamCandidates | None] = {}
        self._members_kept = 0
        self._restricted: dict[
            tuple[int, frozenset[int]], tuple[TeamCandidates, TeamCandidates | None]
        ] = {}

    def usable(self, world: World, agent_id: str) -> TeamMasks:
        """The teams that can use each verb at all: kept, for it depends on the agents alone."""
        states = [(a.room, a.inventory, a.carrying, a.idle) for a in world.agents.values()]
        key = agent_id, *states
        found = self._usable.get(key)
        if found is None:
            if len(self._usable) >= _USABLE_KEPT:
                self._usable.clear()
            found = self._usable[key] = self._find_usable(world, agent_id)
        return found

    def _find_usable(self, world: World, agent_id: str) -> TeamMasks:
        willing = self._willing(world, agent_id)
        agents = tuple(world.agents)
        found: dict[str, frozenset[int]] = {}
        by_tests: dict[tuple[object, ...], frozenset[int]] = {}
        for verb in self.verbs:
            if verb.name in willing and verb.teams is not None:
                tests = self._grouped[verb.name]
                key = verb.teams, tests.alone, tests.team_alone
                if key not in by_tests:
                    teams = verb.teams(agents, agent_id)
                    by_tests[key] = frozenset(_able_teams(world, agent_id, verb, teams, tests))
                found[verb.name] = by_tests[key]
        return found

    def restrict(
        self, proposals: tuple[TeamCandidates, ...], usable: TeamMasks
    ) -> tuple[TeamCandidates, ...]:
        """The proposals with those teams only that can use the verb at all."""
        found = []
        for group in proposals:
            masks = usable.get(group.call.verb.name)
            if masks:
                known = self._restricted.get((id(group), masks))
                kept = known[1] if known and known[0] is group else self._restrict(group, masks)
                if kept is not None:
                    found.append(kept)
        return tuple(found)

    def _restrict(self, group: TeamCandidates, masks: frozenset[int]) -> TeamCandidates | None:
        """The group with some of its teams; kept, with the group, so that its id stays its own."""
        members = tuple([member for member in group.members if member[0] in masks])
        kept = group._replace(members=members) if members else None
        if len(members) == len(group.members):
            kept = group
        if len(self._restricted) >= _RESTRICTED_KEPT:
            self._restricted.clear()
        self._restricted[id(group), masks] = group, kept
        return kept

    def passing(
        self, world: World, agent_id: str, proposals: Iterable[TeamCandidates]
    ) -> tuple[str, ...]:
        """The commands to which nothing objects but perhaps the load."""
        return tuple(
            [
                candidate.text
                for group in proposals
                for candidate in _working_teams(world, agent_id, group)
            ]
        )

    def unloaded(
        self, world: World, agent_id: str, node: str, usable: TeamMasks
    ) -> Sequence[Candidate]:
        """Of the usable verbs and teams: they change no more often than all else."""
        proposals = self.restrict(self.about(world, agent_id, node), usable)
        found: list[Candidate] = []
        for group in proposals:
            found += _working_teams(world, agent_id, group)
        return found

    def _made(
        self, world: World, agent_id: str, verb: Verb, calls: Iterable[Call]
    ) -> Iterator[TeamCandidates]:
        for call in calls:
            key = agent_id, verb.name, call.target, call.relation, call.destination
            if key not in self._made_once:
                self._keep(key, self._make(world, agent_id, call))
            found = self._made_once[key]
            if found is not None:
                yield found

    def _keep(self, key: tuple[str, ...], found: TeamCandidates | None) -> None:
        if self._members_kept > _MEMBERS_KEPT:
            self._made_once.clear()
            self._members_kept = 0
        self._made_once[key] = found
        self._members_kept += 0 if found is None else len(found.members)

    def _make(self, world: World, agent_id: str, call: Call) -> TeamCandidates | None:
        """The proposal of a call; None where it can never work."""
        verb, tests = call.verb, self._grouped[call.verb.name]
        assert verb.teams is not None, "every verb of the family is joint"
        if any(test(world, agent_id, call) is not None for test in tests.settled):
            return None
        bits = _bits(world)
        members = []
        for team in verb.teams(tuple(world.agents), agent_id):
            together = call.given_by(team)
            if all(test(world, agent_id, together) is None for test in tests.team_settled):
                candidate = Candidate(together.text(), together, tests.team, tests.load)
                members.append((sum(bits[actor] for actor in team), candidate))
        if not members:
            return None
        solos = _solos(call, bits)
        return TeamCandidates(call, tests.thing, tests.each, solos, tuple(members))


def _bits(world: World) -> dict[str, int]:
    return {agent: 1 << index for index, agent in enumerate(world.agents)}


def _solos(call: Call, bits: Mapping[str, int]) -> tuple[tuple[int, Call], ...]:
    """The call for every agent alone."""
    return tuple([(bit, call.given_by((actor,))) for actor, bit in bits.items()])


def _able_teams(
    world: World, agent_id: str, verb: Verb, teams: Iterable[tuple[str, ...]], tests: _TeamTests
) -> Iterator[int]:
    """The teams that can use a verb whatever it is about, as bits."""
    bits = _bits(world)
    able = _able_alone(world, agent_id, _solos(Call(verb), bits), tests.alone)
    for team in teams:
        mask = sum([bits[actor] for actor in team])
        if mask & able == mask:
            call = Call(verb, actors=team)
            if all(test(world, agent_id, call) is None for test in tests.team_alone):
                yield mask


def _working_teams(world: World, agent_id: str, group: TeamCandidates) -> Sequence[Candidate]:
    """The members of a group to which nothing objects but perhaps the load."""
    call, tests, each, solos, members = group
    for test in tests:
        if test(world, agent_id, call) is not None:
            return ()
    able = _able_alone(world, agent_id, solos, each) if each else -1
    if not able:
        return ()
    found = []
    for mask, candidate in members:
        if mask & able == mask:
            for test in candidate.tests:
                if test(world, agent_id, candidate.call) is not None:
                    break
            else:
                found.append(candidate)
    return found


def _able_alone(
    world: World, agent_id: str, solos: Iterable[tuple[int, Call]], tests: Iterable[Test]
) -> int:
    """The agents to each of whom none of the tests objects, as bits."""
    able = 0
    for bit, solo in solos:
        for test in tests:
            if test(world, agent_id, solo) is not None:
                break
        else:
            able |= bit
    return able


class _TeamTests(NamedTuple):
    """The tests of a joint verb by what they are about, those about the giver left out.

    Attributes:
        settled: once, when a command is first proposed, whoever takes part.
        team_settled: likewise, for each team.
        alone: about each agent by itself and no thing.
        team_alone: about a whole team and no thing.
        thing: about the thing, whoever takes part.
        each: about the thing and each agent by itself.
        team: about the thing and a whole team.
        load: about the load of a team.
    """

    settled: tuple[Test, ...]
    team_settled: tuple[Test, ...]
    alone: tuple[Test, ...]
    team_alone: tuple[Test, ...]
    thing: tuple[Test, ...]
    each: tuple[Test, ...]
    team: tuple[Test, ...]
    load: tuple[Test, ...]


def _group(verb: Verb, settled: Reads) -> _TeamTests:
    def kind(rule: Check) -> str:
        in_team = "actors" in rule.touches
        if Reads.LOAD in rule.reads:
            return "load"
        if rule.reads in settled:
            return "team_settled" if in_team else "settled"
        if rule.touches == ("actors",):
            return "alone" if rule.each else "team_alone"
        if not rule.touches:
            return ""
        return "thing" if not in_team else "each" if rule.each else "team"

    return _TeamTests(**by_kind(verb, _TeamTests._fields, kind))
