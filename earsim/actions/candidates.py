"""The commands worth trying, each with the tests that decide whether it works.

What may be tried does not depend on how a world stands, only whether it works. So candidates are
made once, and all worlds of an engine share them. Which tests must be asked again, and when,
follows from what their checks read and touch.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from earsim.actions.verb import Call, Check, Reach, Reads, Test, Verb, no_fixed_calls
from earsim.world import World


class Candidate(NamedTuple):
    """A command that may be tried.

    Attributes:
        text: the command.
        call: what it stands for.
        tests: those whose answer can change, save those about the load.
        load_tests: those about the load.
    """

    text: str
    call: Call
    tests: tuple[Test, ...]
    load_tests: tuple[Test, ...]


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


TESTS: Literal[2] = 2
"""Position of `Candidate.tests`."""

LOAD_TESTS: Literal[3] = 3
"""Position of `Candidate.load_tests`."""


class Candidates:
    """The candidates of some verbs, by what the verbs are about.

    Attributes:
        bare: verbs with candidates that are about no object in reach.
        in_room: about things that stand or lie in the agent's room, near or not.
        in_hands: the same verbs about things in anybody's hands, or in other rooms.
        near: about things in reach, whatever is in the hands.
        lifting: about things in reach, where their mass and what is carried already matters.
        handling: about things in reach, where it matters what exactly is in the hands.
        placing: about putting something from the hands in or on something in reach.
        need_nearness: whether any of them is about things in reach.
        work_from_afar: whether any of those in the room may be about things in another.
    """

    def __init__(self, verbs: Iterable[Verb], *, in_teams: bool = False) -> None:
        """Sort the verbs.

        Args:
            verbs: what the candidates are commands of.
            in_teams: they are all joint, and there are several agents.
        """
        family: type[Family[Any, Any]] = TeamFamily if in_teams else SingleFamily
        self.bare = family([verb for verb in verbs if verb.fixed is not no_fixed_calls])
        near = [verb for verb in verbs if verb.reach is Reach.NEAR]
        in_room = [verb for verb in verbs if verb.reach is Reach.ROOM]
        self.in_room = family(in_room, Reads.PLACE)
        self.in_hands = family(in_room)
        self.lifting = family([verb for verb in near if _weighs(verb)], Reads.REACH)
        self.placing = family(
            [verb for verb in near if "destination" in verb.grammar.required],
            Reads.REACH | Reads.HANDS,
        )
        special = (*self.lifting.verbs, *self.placing.verbs)
        others = [verb for verb in near if verb not in special]
        self.near = family([verb for verb in others if not verb.uses_hands], Reads.REACH)
        self.handling = family([verb for verb in others if verb.uses_hands], Reads.REACH)
        self.need_nearness = bool(near)
        self.work_from_afar = not all(map(_needs_presence, in_room))


def _weighs(verb: Verb) -> bool:
    return any(Reads.LOAD in rule.reads for rule, _ in verb.checks)


def _needs_presence(verb: Verb) -> bool:
    """Whether a check compares the room of a thing with that of the giver, whoever takes part."""
    return any(
        rule.reads is Reads.PLACE and "actors" not in rule.touches for rule, _ in verb.checks
    )


Proposal = TypeVar("Proposal", Candidate, TeamCandidates)
Usable = TypeVar("Usable")


class Family(ABC, Generic[Proposal, Usable]):
    """Verbs that are about the same things, and their candidates.

    What makes a command of the family worth proposing settles some checks: a thing in reach passes
    those that read nothing but `Reads.REACH` for as long as it is proposed. Only known things are
    proposed at all.
    """

    def __init__(self, verbs: Iterable[Verb], settled: Reads = Reads.SCENE) -> None:
        self.verbs = tuple(verbs)
        self._conditions = _conditions(self.verbs)
        self._sorted = {verb.name: _sort(verb, settled | Reads.KNOWLEDGE) for verb in self.verbs}
        self._about: dict[tuple[str, str, str], tuple[Proposal, ...]] = {}

    @abstractmethod
    def usable(self, world: World, agent_id: str) -> Usable:
        """What of the verbs can be used at all now, whatever for."""

    @abstractmethod
    def restrict(self, proposals: tuple[Proposal, ...], usable: Usable) -> tuple[Proposal, ...]:
        """The proposals of which something can be used."""

    @abstractmethod
    def passing(self, world: World, agent_id: str, proposals: Iterable[Proposal]) -> list[str]:
        """The commands to which nothing objects but perhaps the load."""

    @abstractmethod
    def unloaded(
        self, world: World, agent_id: str, node: str, usable: Usable
    ) -> Sequence[Candidate]:
        """Candidates about a thing that would work, were it not for the load."""

    @abstractmethod
    def _made(
        self, world: World, agent_id: str, verb: Verb, calls: Iterable[Call]
    ) -> Iterator[Proposal]:
        """Proposals made of calls, those left out that can never work."""

    def bare_commands(self, world: World, agent_id: str) -> list[str]:
        """Commands about no object in reach; which are worth trying may change."""
        usable = self.usable(world, agent_id)
        proposals = [
            proposal
            for verb in self.verbs
            for proposal in self._made(world, agent_id, verb, verb.fixed(world, agent_id, verb))
        ]
        return self.passing(world, agent_id, self.restrict(tuple(proposals), usable))

    def about(self, world: World, agent_id: str, node: str, held: str = "") -> tuple[Proposal, ...]:
        """Proposals about a thing; where verbs place, about putting `held` in or on it."""
        found = self._about.get((agent_id, node, held))
        if found is None:
            found = tuple(self._find(world, agent_id, node, held))
            self._about[agent_id, node, held] = found
        return found

    def _find(self, world: World, agent_id: str, node: str, held: str) -> Iterator[Proposal]:
        for verb in self.verbs:
            calls = verb.calls(world, agent_id, verb, (node,))
            wanted = [call for call in calls if not held or call.target == held]
            yield from self._made(world, agent_id, verb, wanted)

    def _willing(self, world: World, agent_id: str) -> frozenset[str]:
        """The names of those verbs that the agent may use at all now, as far as it goes."""
        found: frozenset[str] = frozenset()
        for tests, call, names in self._conditions:
            for test in tests:
                if test(world, agent_id, call) is not None:
                    break
            else:
                found |= names
        return found


class SingleFamily(Family[Candidate, frozenset[str]]):
    """Verbs that an agent uses by itself; where it is alone, joint ones as well."""

    def usable(self, world: World, agent_id: str) -> frozenset[str]:
        """The names of the verbs."""
        return self._willing(world, agent_id)

    def restrict(
        self, proposals: tuple[Candidate, ...], usable: frozenset[str]
    ) -> tuple[Candidate, ...]:
        """Those of usable verbs; all of them where all are, so that worlds share the tuple."""
        if len(usable) == len(self.verbs):
            return proposals
        return tuple([each for each in proposals if each.call.verb.name in usable])

    def passing(self, world: World, agent_id: str, proposals: Iterable[Candidate]) -> list[str]:
        """The commands to which nothing objects but perhaps the load."""
        return applicable(world, agent_id, proposals)

    def unloaded(
        self, world: World, agent_id: str, node: str, usable: frozenset[str]
    ) -> Sequence[Candidate]:
        """Of all verbs: what is usable changes more often than what a thing allows."""
        proposals = self.about(world, agent_id, node)
        return [each for each in proposals if applicable(world, agent_id, (each,))]

    def _made(
        self, world: World, agent_id: str, verb: Verb, calls: Iterable[Call]
    ) -> Iterator[Candidate]:
        tests = self._sorted[verb.name]
        for call in _with_teams(world, agent_id, verb, calls):
            if all(test(world, agent_id, call) is None for test in tests.settled):
                yield Candidate(call.text(), call, tests.open, tests.load)


def _with_teams(world: World, agent_id: str, verb: Verb, calls: Iterable[Call]) -> Iterable[Call]:
    if verb.teams is None:
        return calls
    teams = verb.teams(tuple(world.agents), agent_id)
    return [call._replace(actors=team) for call in calls for team in teams]


_USABLE_KEPT = 1024

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
                members = tuple([member for member in group.members if member[0] in masks])
                if len(members) == len(group.members):
                    found.append(group)
                elif members:
                    found.append(group._replace(members=members))
        return tuple(found)

    def passing(
        self, world: World, agent_id: str, proposals: Iterable[TeamCandidates]
    ) -> list[str]:
        """The commands to which nothing objects but perhaps the load."""
        return [
            candidate.text
            for group in proposals
            for candidate in _working_teams(world, agent_id, group)
        ]

    def unloaded(
        self, world: World, agent_id: str, node: str, usable: TeamMasks
    ) -> Sequence[Candidate]:
        """Of the usable verbs and teams: they change no more often than all else."""
        proposals = self.restrict(self.about(world, agent_id, node), usable)
        groups = (_working_teams(world, agent_id, group) for group in proposals)
        return list(chain.from_iterable(groups))

    def _made(
        self, world: World, agent_id: str, verb: Verb, calls: Iterable[Call]
    ) -> Iterator[TeamCandidates]:
        for call in calls:
            key = agent_id, verb.name, call.target, call.relation, call.destination
            if key not in self._made_once:
                self._made_once[key] = self._make(world, agent_id, call)
            found = self._made_once[key]
            if found is not None:
                yield found

    def _make(self, world: World, agent_id: str, call: Call) -> TeamCandidates | None:
        """The proposal of a call; None where it can never work."""
        verb, tests = call.verb, self._grouped[call.verb.name]
        assert verb.teams is not None, "every verb of the family is joint"
        if any(test(world, agent_id, call) is not None for test in tests.settled):
            return None
        bits = _bits(world)
        members = []
        for team in verb.teams(tuple(world.agents), agent_id):
            together = call._replace(actors=team)
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
    return tuple([(bit, call._replace(actors=(actor,))) for actor, bit in bits.items()])


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


def _working_teams(world: World, agent_id: str, group: TeamCandidates) -> Iterator[Candidate]:
    """The members of a group to which nothing objects but perhaps the load."""
    for test in group.tests:
        if test(world, agent_id, group.call) is not None:
            return
    able = _able_alone(world, agent_id, group.solos, group.each) if group.each else -1
    for mask, candidate in group.members if able else ():
        if mask & able == mask:
            for test in candidate.tests:
                if test(world, agent_id, candidate.call) is not None:
                    break
            else:
                yield candidate


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


class _Tests(NamedTuple):
    """The tests of a verb by when they must be asked, those about the giver left out.

    Attributes:
        settled: once, when a command is first proposed.
        open: whenever the thing that a command is about changes.
        load: whenever a load changes, too.
    """

    settled: tuple[Test, ...]
    open: tuple[Test, ...]
    load: tuple[Test, ...]


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


def _sort(verb: Verb, settled: Reads) -> _Tests:
    def kind(rule: Check) -> str:
        if Reads.LOAD in rule.reads:
            return "load"
        if rule.reads in settled:
            return "settled"
        return "open" if rule.touches else ""

    return _Tests(**_by_kind(verb, _Tests._fields, kind))


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

    return _TeamTests(**_by_kind(verb, _TeamTests._fields, kind))


def _by_kind(
    verb: Verb, kinds: Iterable[str], kind: Callable[[Check], str]
) -> dict[str, tuple[Test, ...]]:
    """The tests of a verb by kind, the selective first: all must agree in the end."""
    rules = sorted([rule for rule, _ in verb.checks], key=lambda rule: not rule.selective)
    return {name: tuple([r.test for r in rules if kind(r) == name]) for name in kinds}


class _Condition(NamedTuple):
    """What must hold of an agent before it can use any of some verbs."""

    tests: tuple[Test, ...]
    call: Call
    names: frozenset[str]


def _conditions(verbs: Iterable[Verb]) -> tuple[_Condition, ...]:
    """The distinct conditions of some verbs; most have the same one."""
    by_tests: dict[tuple[Test, ...], list[Verb]] = {}
    for verb in verbs:
        tests = tuple([rule.test for rule, _ in verb.checks if not rule.touches])
        by_tests.setdefault(tests, []).append(verb)
    return tuple(
        [
            _Condition(tests, Call(alike[0]), frozenset([verb.name for verb in alike]))
            for tests, alike in by_tests.items()
        ]
    )


def applicable(
    world: World,
    agent_id: str,
    candidates: Iterable[Candidate],
    position: Literal[2, 3] = TESTS,
) -> list[str]:
    """The texts of those candidates to which none of the tests at a position objects."""
    found = []
    for candidate in candidates:
        call = candidate[1]
        for test in candidate[position]:
            if test(world, agent_id, call) is not None:
                break
        else:
            found.append(candidate[0])
    return found
