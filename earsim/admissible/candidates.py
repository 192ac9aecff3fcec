"""The candidates of a scene's verbs, by what the verbs are about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from earsim.actions.verb import Check, Reach, Reads, Verb, no_fixed_calls
from earsim.admissible.family import Family, SingleFamily
from earsim.admissible.team_family import TeamFamily


class Candidates:
    """The candidates of some verbs, by what the verbs are about.

    Attributes:
        bare: verbs with candidates that are about no object in reach.
        in_room: about things that stand or lie in the agent's room, near or not.
        in_hands: the same verbs about things in anybody's hands, or in other rooms.
        near: about things in reach, whatever is in the hands.
        lifting: about things in reach, where their mass and what is carried already matters.
        held: about things in the hands, whatever else is in them.
        handling: about things in reach, where it matters what exactly is in the hands.
        placing: about putting something from the hands in or on something in reach.
        look_inside: whether what lies in and on a thing matters for any of those near.
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
        verbs = [verb for verb in verbs if verb.reach is not Reach.ANEW]
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
        self.held = family(
            [verb for verb in near if _is_about_held(verb) and verb not in self.placing.verbs],
            Reads.REACH | Reads.HANDS,
        )
        special = (*self.lifting.verbs, *self.placing.verbs, *self.held.verbs)
        others = [verb for verb in near if verb not in special]
        handsfree = [verb for verb in others if not verb.uses_hands]
        self.near = family(handsfree, Reads.REACH)
        self.look_inside = any(map(_looks_inside, handsfree))
        self.handling = family([verb for verb in others if verb.uses_hands], Reads.REACH)
        self.need_nearness = bool(near)
        self.work_from_afar = not all(map(_needs_presence, in_room))


def _weighs(verb: Verb) -> bool:
    return any(Reads.LOAD in rule.reads for rule in _asked(verb))


def _looks_inside(verb: Verb) -> bool:
    return any(Reads.CONTENTS in rule.reads for rule in _asked(verb))


def _asked(verb: Verb) -> list[Check]:
    """The checks that are asked when commands are listed."""
    return [rule for rule, _ in verb.asked if not rule.surprise]


def _is_about_held(verb: Verb) -> bool:
    """Whether the giver must hold the thing, and nothing but the agent itself matters beside."""
    reads = [rule.reads for rule in _asked(verb) if rule.touches]
    return Reads.HANDS in reads and all(each in _OF_HELD for each in reads)


_OF_HELD = Reads.KNOWLEDGE | Reads.REACH | Reads.HANDS


def _needs_presence(verb: Verb) -> bool:
    """Whether a check compares the room of a thing with that of the giver, whoever takes part."""
    return any(rule.reads is Reads.PLACE and "actors" not in rule.touches for rule in _asked(verb))
