"""Verbs that are about the same things, and the commands of them worth trying.

What may be tried does not depend on how a world stands, only whether it works. So candidates are
made once, and all worlds of an engine share them. Which tests must be asked again, and when,
follows from what their checks read and touch.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, Literal, NamedTuple, TypeVar

from earsim.actions.verb import Call, Check, Reads, Test, Verb
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


TESTS: Literal[2] = 2
"""Position of `Candidate.tests`."""

LOAD_TESTS: Literal[3] = 3
"""Position of `Candidate.load_tests`."""


Proposal = TypeVar("Proposal")
Usable = TypeVar("Usable")


class Family(ABC, Generic[Proposal, Usable]):
    """Verbs that are about the same things, and their candidates.

    What makes a command of the family worth proposing settles some checks: a thing in reach passes
    those that read nothing but `Reads.REACH` for as long as it is proposed. Only known things are
    proposed at all.
    """

    def __init__(self, verbs: Iterable[Verb], settled: Reads = Reads.SCENE) -> None:
        """Sort the verbs; `settled` is what a proposal settles, beside that its thing is known."""
        self.verbs = tuple(verbs)
        self._conditions = _conditions(self.verbs)
        self._about: dict[tuple[str, str, str, bool], tuple[Proposal, ...]] = {}
        self._answers: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._names: dict[tuple[frozenset[str], ...], frozenset[str]] = {}

    @abstractmethod
    def usable(self, world: World, agent_id: str) -> Usable:
        """What of the verbs can be used at all now, whatever for."""

    @abstractmethod
    def restrict(self, proposals: tuple[Proposal, ...], usable: Usable) -> tuple[Proposal, ...]:
        """The proposals of which something can be used."""

    @abstractmethod
    def passing(
        self, world: World, agent_id: str, proposals: Iterable[Proposal]
    ) -> tuple[str, ...]:
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

    def bare_commands(self, world: World, agent_id: str) -> tuple[str, ...]:
        """Commands about no object in reach, sorted; which are worth trying may change."""
        usable = self.usable(world, agent_id)
        proposals = [
            proposal
            for verb in self.verbs
            for proposal in self._made(world, agent_id, verb, verb.fixed(world, agent_id, verb))
        ]
        found = self.passing(world, agent_id, self.restrict(tuple(proposals), usable))
        answer = tuple(sorted(found))
        return self._answers.setdefault(answer, answer)

    def about(self, world: World, agent_id: str, node: str, held: str = "") -> tuple[Proposal, ...]:
        """Proposals about a thing; where verbs place, about putting `held` in or on it."""
        shared = bool(held) and world.agents[agent_id].carrying == held
        key = (agent_id, node, held, shared)
        found = self._about.get(key)
        if found is None:
            found = self._about[key] = tuple(self._find(world, agent_id, node, held))
        return found

    def _find(self, world: World, agent_id: str, node: str, held: str) -> Iterator[Proposal]:
        for verb in self.verbs:
            calls = verb.calls(world, agent_id, verb, (node,))
            wanted = [call for call in calls if not held or call.target == held]
            yield from self._made(world, agent_id, verb, wanted)

    def _willing(self, world: World, agent_id: str) -> frozenset[str]:
        """The names of those verbs that the agent may use at all now, as far as it goes."""
        met = []
        for tests, call, names in self._conditions:
            for test in tests:
                if test(world, agent_id, call) is not None:
                    break
            else:
                met.append(names)
        key = tuple(met)
        found = self._names.get(key)
        if found is None:
            found = self._names[key] = frozenset().union(*met)
        return found


class SingleFamily(Family[Candidate, frozenset[str]]):
    """Verbs that an agent uses by itself; where it is alone, joint ones as well."""

    def __init__(self, verbs: Iterable[Verb], settled: Reads = Reads.SCENE) -> None:
        super().__init__(verbs, settled)
        self._texts: dict[str, str] = {}
        self._sorted = {verb.name: _sort(verb, settled | Reads.KNOWLEDGE) for verb in self.verbs}

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

    def passing(
        self, world: World, agent_id: str, proposals: Iterable[Candidate]
    ) -> tuple[str, ...]:
        """The commands to which nothing objects but perhaps the load."""
        answer = applicable(world, agent_id, proposals)
        return self._answers.setdefault(answer, answer) if answer else answer

    def unloaded(
        self, world: World, agent_id: str, node: str, usable: frozenset[str]
    ) -> Sequence[Candidate]:
        """Of all verbs: what is usable changes more often than what a thing allows."""
        proposals = self.about(world, agent_id, node)
        found = tuple([each for each in proposals if applicable(world, agent_id, (each,))])
        return proposals if len(found) == len(proposals) else found

    def _made(
        self, world: World, agent_id: str, verb: Verb, calls: Iterable[Call]
    ) -> Iterator[Candidate]:
        tests = self._sorted[verb.name]
        for call in _with_teams(world, agent_id, verb, calls):
            if all(test(world, agent_id, call) is None for test in tests.settled):
                text = call.text()
                text = self._texts.setdefault(text, text)  # one string for all worlds
                yield Candidate(text, call, tests.open, tests.load)


def _with_teams(world: World, agent_id: str, verb: Verb, calls: Iterable[Call]) -> Iterable[Call]:
    if verb.teams is None:
        return calls
    teams = verb.teams(tuple(world.agents), agent_id)
    return [call.given_by(team) for call in calls for team in teams]


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


def _sort(verb: Verb, settled: Reads) -> _Tests:
    def kind(rule: Check) -> str:
        if rule.surprise:
            return ""
        if Reads.LOAD in rule.reads:
            return "load"
        if rule.reads in settled:
            return "settled"
        return "open" if rule.touches else ""

    return _Tests(**by_kind(verb, _Tests._fields, kind))


def by_kind(
    verb: Verb, kinds: Iterable[str], kind: Callable[[Check], str]
) -> dict[str, tuple[Test, ...]]:
    """The tests of a verb by kind, the selective first: all must agree in the end."""
    rules = sorted([rule for rule, _ in verb.asked], key=lambda rule: not rule.selective)
    return {
        name: tuple([rule.foreseen or rule.test for rule in rules if kind(rule) == name])
        for name in kinds
    }


class _Condition(NamedTuple):
    """What must hold of an agent before it can use any of some verbs."""

    tests: tuple[Test, ...]
    call: Call
    names: frozenset[str]


def _conditions(verbs: Iterable[Verb]) -> tuple[_Condition, ...]:
    """The distinct conditions of some verbs; most have the same one."""
    by_tests: dict[tuple[Test, ...], list[Verb]] = {}
    for verb in verbs:
        tests = tuple([rule.test for rule, _ in verb.asked if not (rule.touches or rule.surprise)])
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
) -> tuple[str, ...]:
    """The texts of those candidates to which none of the tests at a position objects."""
    found = []
    for candidate in candidates:
        call = candidate[1]
        for test in candidate[position]:
            if test(world, agent_id, call) is not None:
                break
        else:
            found.append(candidate[0])
    return tuple(found)
