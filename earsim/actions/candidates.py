"""The commands worth trying, each with the tests that decide whether it works.

What may be tried does not depend on how a world stands, only whether it works. So candidates are
made once, and all worlds of an engine share them. Which tests must be asked again, and when,
follows from what their checks read and touch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

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
    """

    def __init__(self, verbs: Iterable[Verb]) -> None:
        self.bare = Family([verb for verb in verbs if verb.fixed is not no_fixed_calls])
        near = [verb for verb in verbs if verb.reach is Reach.NEAR]
        in_room = [verb for verb in verbs if verb.reach is Reach.ROOM]
        self.in_room = Family(in_room, Reads.PLACE)
        self.in_hands = Family(in_room)
        self.lifting = Family([verb for verb in near if _weighs(verb)], Reads.REACH)
        self.placing = Family(
            [verb for verb in near if "destination" in verb.grammar.required],
            Reads.REACH | Reads.HANDS,
        )
        special = (*self.lifting.verbs, *self.placing.verbs)
        others = [verb for verb in near if verb not in special]
        self.near = Family([verb for verb in others if not verb.uses_hands], Reads.REACH)
        self.handling = Family([verb for verb in others if verb.uses_hands], Reads.REACH)


def _weighs(verb: Verb) -> bool:
    return any(Reads.LOAD in rule.reads for rule, _ in verb.checks)


class Family:
    """Verbs that are about the same things, and their candidates.

    What makes a command of the family worth proposing settles some checks: a thing in reach passes
    those that read nothing but `Reads.REACH` for as long as it is proposed. Only known things are
    proposed at all.
    """

    def __init__(self, verbs: Iterable[Verb], settled: Reads = Reads.SCENE) -> None:
        self.verbs = tuple(verbs)
        self._conditions = _conditions(self.verbs)
        self._sorted = {verb.name: _sort(verb, settled | Reads.KNOWLEDGE) for verb in self.verbs}
        self._about: dict[tuple[str, str, str], tuple[Candidate, ...]] = {}

    def willing(self, world: World, agent_id: str) -> frozenset[str]:
        """The names of those verbs that the agent may use at all now, whatever for."""
        found: frozenset[str] = frozenset()
        for tests, call, names in self._conditions:
            for test in tests:
                if test(world, agent_id, call) is not None:
                    break
            else:
                found |= names
        return found

    def about_nothing(self, world: World, agent_id: str) -> Iterator[Candidate]:
        """Candidates that are about no object in reach; which there are may change."""
        willing = self.willing(world, agent_id)
        for verb in self.verbs:
            if verb.name in willing:
                yield from self._made(world, agent_id, verb, verb.fixed(world, agent_id, verb))

    def about(
        self, world: World, agent_id: str, node: str, held: str = ""
    ) -> tuple[Candidate, ...]:
        """Candidates about a thing; where verbs place, about putting `held` in or on it."""
        found = self._about.get((agent_id, node, held))
        if found is None:
            found = tuple(self._find(world, agent_id, node, held))
            self._about[agent_id, node, held] = found
        return found

    def _find(self, world: World, agent_id: str, node: str, held: str) -> Iterator[Candidate]:
        for verb in self.verbs:
            calls = verb.calls(world, agent_id, verb, (node,))
            wanted = [call for call in calls if not held or call.target == held]
            yield from self._made(world, agent_id, verb, wanted)

    def _made(
        self, world: World, agent_id: str, verb: Verb, calls: Iterable[Call]
    ) -> Iterator[Candidate]:
        tests = self._sorted[verb.name]
        for call in calls:
            if all(test(world, agent_id, call) is None for test in tests.settled):
                yield Candidate(call.text(), call, tests.open, tests.load)


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
    found: dict[str, list[Check]] = {"settled": [], "open": [], "load": []}
    for rule, _ in verb.checks:
        if Reads.LOAD in rule.reads:
            found["load"].append(rule)
        elif rule.reads in settled:
            found["settled"].append(rule)
        elif rule.touches:
            found["open"].append(rule)
    found["open"].sort(key=lambda rule: not rule.selective)  # all must agree in the end
    return _Tests(**{kind: tuple([rule.test for rule in found[kind]]) for kind in found})


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
