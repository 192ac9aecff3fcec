"""The commands worth trying, each with the checks that decide whether it works.

What may be tried does not depend on how a world stands, only whether it works. So candidates are
made once, and all worlds of an engine share them. Which checks must be asked again, and when,
follows from what they look at: that is written down here, once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from earsim.actions import attribute, checks, goto, grab, look, place, reach, team
from earsim.actions.verb import Call, Check, Reach, Verb, no_fixed_calls
from earsim.world import World

ABOUT_THE_AGENT: frozenset[Check] = frozenset(
    {checks.free_of_lock, checks.issuer_exists, grab.free_hand, reach.awake, reach.hands_free}
)
"""Checks that look at nothing but who gives the command: asked once for a whole verb."""

ABOUT_THE_LOAD: frozenset[Check] = frozenset(
    {
        grab.can_be_lifted,
        grab.can_be_lifted_together,
        grab.light_enough,
        grab.light_if_furniture,
        grab.light_with_contents,
    }
)
"""Checks that compare what is in a thing with what the agents carry."""

SETTLED: frozenset[Check] = frozenset(
    {
        attribute.has_attribute,
        attribute.has_state,
        attribute.issuer_is_listed,
        checks.actors_exist,
        checks.discovered,
        checks.exists,
        goto.room_or_discovered,
        goto.target_exists,
        grab.fits_the_hands,
        grab.in_near_set,
        grab.too_heavy_for_each,
        look.known_if_named,
        place.destination_exists,
        place.destination_in_near_set,
        place.destination_in_reach,
        place.destination_is_no_agent,
        place.destination_suits_relation,
        place.is_complete,
        place.is_held,
        reach.destination_known,
        reach.in_reach,
        reach.is_object,
        reach.known_to_team,
        team.are_a_team,
    }
)
"""Checks whose answer stays what it was when a command was first proposed.

They look at what a scene never changes, or at what makes a command worth proposing: it is about
known things, near ones where the verb needs that, and only what is held is placed.
"""

HERE: frozenset[Check] = frozenset(
    {
        checks.in_same_room,
        goto.can_be_approached,
        goto.room_or_same_room,
        goto.way_is_free,
    }
)
"""Checks that cannot object to a thing that stands or lies in the agent's room."""

MOST_TELLING: frozenset[Check] = frozenset(
    {
        attribute.has_the_value,
        attribute.meets_precondition,
        grab.not_holding,
        reach.in_nobodys_hands,
    }
)
"""They object to half of what they are asked, so they come first; all must agree in the end."""


class Candidate(NamedTuple):
    """A command that may be tried.

    Attributes:
        text: the command.
        call: what it stands for.
        checks: those whose answer can change, save those about the load.
        load_checks: those about the load.
    """

    text: str
    call: Call
    checks: tuple[Check, ...]
    load_checks: tuple[Check, ...]


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
        self.in_room = Family(in_room, settled=SETTLED | HERE)
        self.in_hands = Family(in_room)
        self.lifting = Family([verb for verb in near if _asks(verb, ABOUT_THE_LOAD)])
        self.placing = Family([verb for verb in near if "destination" in verb.grammar.required])
        special = (*self.lifting.verbs, *self.placing.verbs)
        others = [verb for verb in near if verb not in special]
        self.near = Family([verb for verb in others if not verb.uses_hands])
        self.handling = Family([verb for verb in others if verb.uses_hands])


def _asks(verb: Verb, checks: frozenset[Check]) -> bool:
    return any(check in checks for check, _ in verb.checks)


class Family:
    """Verbs that are about the same things, and their candidates."""

    def __init__(self, verbs: Iterable[Verb], settled: frozenset[Check] = SETTLED) -> None:
        self.verbs = tuple(verbs)
        self._conditions = _conditions(self.verbs)
        self._settled = {verb.name: _among(verb, settled) for verb in self.verbs}
        self._left = {verb.name: _left(verb, settled) for verb in self.verbs}
        self._load = {verb.name: _among(verb, ABOUT_THE_LOAD) for verb in self.verbs}
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
        settled, left = self._settled[verb.name], self._left[verb.name]
        for call in calls:
            if all(check(world, agent_id, call) is None for check in settled):
                yield Candidate(call.text(), call, left, self._load[verb.name])


class _Condition(NamedTuple):
    """What must hold of an agent before it can use any of some verbs."""

    checks: tuple[Check, ...]
    call: Call
    names: frozenset[str]


def _conditions(verbs: Iterable[Verb]) -> tuple[_Condition, ...]:
    """The distinct conditions of some verbs; most have the same one."""
    by_checks: dict[tuple[Check, ...], list[Verb]] = {}
    for verb in verbs:
        by_checks.setdefault(_among(verb, ABOUT_THE_AGENT), []).append(verb)
    return tuple(
        [
            _Condition(tests, Call(alike[0]), frozenset([verb.name for verb in alike]))
            for tests, alike in by_checks.items()
        ]
    )


def _among(verb: Verb, checks: frozenset[Check]) -> tuple[Check, ...]:
    return tuple([check for check, _ in verb.checks if check in checks])


def _left(verb: Verb, settled: frozenset[Check]) -> tuple[Check, ...]:
    """The checks that must be asked whenever the thing a command is about changes."""
    others = settled | ABOUT_THE_AGENT | ABOUT_THE_LOAD
    left = [check for check, _ in verb.checks if check not in others]
    return tuple(sorted(left, key=lambda check: check not in MOST_TELLING))


def working(world: World, agent_id: str, candidates: Iterable[Candidate]) -> list[str]:
    """The texts of those candidates to which no check objects, whatever the load."""
    found = []
    for text, call, tests, _ in candidates:
        for test in tests:
            if test(world, agent_id, call) is not None:
                break
        else:
            found.append(text)
    return found


def light_enough(world: World, agent_id: str, candidates: Iterable[Candidate]) -> list[str]:
    """The texts of those candidates to which no check about the load objects."""
    found = []
    for text, call, _, tests in candidates:
        for test in tests:
            if test(world, agent_id, call) is not None:
                break
        else:
            found.append(text)
    return found
