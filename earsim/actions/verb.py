"""One verb is one record: parsing, help, admissible commands, schemas and docs derive from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, Flag, auto
from typing import Any

from earsim.actions.grammar import Grammar, Slots
from earsim.actions.outcome import Reason, Refusal, Status
from earsim.pickled import Frozen
from earsim.schema.verb_table import AttributeVerb
from earsim.world import Blueprint, World


class Call:
    """One parsed command: the record it calls, and its `Slots`. Nothing changes it.

    Not a named tuple: `Verb` names this class and this class `Verb`, and with a tuple in that ring
    the compiled module crashes while it is imported.
    """

    __slots__ = ("actors", "destination", "details", "relation", "target", "verb")

    def __init__(
        self,
        verb: Verb,
        target: str = "",
        relation: str = "",
        destination: str = "",
        actors: tuple[str, ...] = (),
        details: str = "",
    ) -> None:
        """Fill the slots; those that the verb does not have are empty."""
        self.verb = verb
        self.target = target
        self.relation = relation
        self.destination = destination
        self.actors = actors
        self.details = details

    def given_by(self, actors: tuple[str, ...]) -> Call:
        """The same command for other actors."""
        return Call(self.verb, self.target, self.relation, self.destination, actors, self.details)

    def calling(self, verb: Verb) -> Call:
        """The same slots for another verb."""
        return Call(verb, self.target, self.relation, self.destination, self.actors, self.details)

    def slots(self) -> Slots:
        """What it says beside its verb."""
        return Slots(self.target, self.relation, self.destination, self.actors, self.details)

    def text(self) -> str:
        """The canonical text of the command."""
        if self.verb.grammar.template:
            return self.verb.grammar.text(self.slots())
        text = self.verb.name
        if self.actors:
            text = f"{text} {','.join(self.actors)}"
        if self.target:
            text = f"{text} {self.target}"
        return " ".join(filter(None, (text, self.relation, self.destination)))

    def __eq__(self, other: object) -> bool:
        """Whether the other is the same command of the same verb."""
        if not isinstance(other, Call):
            return NotImplemented
        return self.verb == other.verb and self.slots() == other.slots()

    def __hash__(self) -> int:
        """Of the verb's name and the slots."""
        return hash((self.verb.name, self.slots()))

    def __repr__(self) -> str:
        """The verb's name and the slots, for messages of tests."""
        return f"Call({self.verb.name!r}, {self.slots()!r})"


Test = Callable[[World, str, Call], Refusal | None]
"""May object to a call, must change nothing."""


CanObject = Callable[["Verb", Blueprint], bool]
"""Whether a test can ever object to commands of a verb in a scene."""


class Reads(Flag):
    """What a test looks at beside the compiled scene and the command itself.

    Which answers can be kept, and until when, follows from this (`earsim.admissible.family`).
    """

    SCENE = 0
    """Nothing that can change. Which attributes a thing has is part of the scene."""
    GIVER = auto()
    """The giver's room, abilities, number of things in hand, shared load, and whether it rests."""
    KNOWLEDGE = auto()
    """Which ids have been discovered."""
    REACH = auto()
    """Whether the giver can lay hands on the target or destination: near, and under no lid."""
    HANDS = auto()
    """Whether the giver holds a certain thing, alone or with others."""
    PLACE = auto()
    """In which room the target or destination is, and the way there."""
    THING = auto()
    """States, holder and contents of the target or destination."""
    LOAD = auto()
    """What the target weighs with its contents, and what the agents carry."""
    TEAM = auto()
    """Where the other agents are, what they hold and what they can."""
    CONTENTS = auto()
    """What lies in or on the target: said beside THING by checks of verbs that use no hands."""


@dataclass(frozen=True, slots=True)
class Check(Frozen):
    """One rule that a command must pass.

    Attributes:
        test: objects or not.
        reasons: what it can object with.
        reads: what of the world the answer depends on.
        touches: the slots of the command whose things it asks about; none where it asks about the
            giver alone.
        selective: it objects to about half of what it is asked, so it is worth asking first where
            the order does not matter.
        each: it asks every actor by itself, so that it passes for a team exactly when it passes for
            each of its members alone.
        surprise: it objects for what the giver cannot know beforehand, such as a partner that does
            not come. It is not asked when admissible commands are listed.
        foreseen: the same as far as the giver can know; asked instead when commands are listed.
        can_object: whether it can ever object to commands of a verb in a scene; where it cannot, it
            is not asked there.
    """

    test: Test
    reasons: frozenset[Reason]
    reads: Reads
    touches: tuple[str, ...]
    selective: bool
    each: bool
    surprise: bool
    foreseen: Test | None
    can_object: CanObject | None

    @property
    def name(self) -> str:
        """The name of the rule."""
        return self.test.__name__


def check(
    *reasons: Reason,
    reads: Reads = Reads.SCENE,
    touches: tuple[str, ...] = ("target",),
    selective: bool = False,
    each: bool = False,
    surprise: bool = False,
    foreseen: Test | None = None,
    can_object: CanObject | None = None,
) -> Callable[[Test], Check]:
    """Make a `Check` of a test; the arguments are its attributes."""
    return lambda test: Check(
        test, frozenset(reasons), reads, touches, selective, each, surprise, foreseen, can_object
    )


Facts = Mapping[str, Any]
"""Ids and numbers of an outcome, as JSON values."""

Tells = Callable[[Facts, Callable[[str], str]], str]
"""The sentence for a success, given its facts and how an id is named."""


def done(facts: Facts, name: Callable[[str], str]) -> str:
    """The sentence of a verb without one of its own."""
    return f"Done: {name(facts['id'])}." if "id" in facts else "Done."


Effect = Callable[[World, str, Call], Mapping[str, Any]]
"""Changes the world and may not fail; returns the facts of the outcome."""

Calls = Callable[[World, str, "Verb", Iterable[str]], Iterable[Call]]
"""Calls about some of the given objects that are worth checking for the admissible list.

Those of a joint verb name no actors: `Verb.teams` says who may be listed.
"""

FixedCalls = Callable[[World, str, "Verb"], Iterable[Call]]
"""Calls that are about no particular object within reach, likewise."""


Teams = Callable[[tuple[str, ...], str], tuple[tuple[str, ...], ...]]
"""The teams that a joint command may list, given all agents and the one who gives it."""


def no_calls(world: World, agent: str, verb: Verb, objects: Iterable[str]) -> Iterable[Call]:
    """Nothing to offer about objects."""
    return ()


def no_fixed_calls(world: World, agent: str, verb: Verb) -> Iterable[Call]:
    """Nothing to offer apart from objects."""
    return ()


class Reach(Enum):
    """Which objects a verb can be about, and so when its admissible commands can change."""

    NONE = "none"
    ROOM = "room"
    NEAR = "near"
    ANEW = "anew"
    """Things near, asked anew whenever anything has changed: two things, or numbers, decide.

    What is about no object depends on nothing but whether the agent is awake.
    """


@dataclass(frozen=True, slots=True)
class Verb(Frozen):
    """The whole definition of a verb in one ruleset.

    Attributes:
        grammar: how its commands are written; begins with the name.
        checks: in this order; the first that objects decides status and reason.
        effect: what happens when none objects.
        says: what it does, for the action help and the docs.
        tells: the sentence for a success.
        calls: candidates for the list of admissible commands about objects in `reach`; for verbs
            that do not use the hands these must not depend on anything that can change.
        fixed: candidates that are about no object in reach.
        reach: which objects `calls` is given.
        uses_hands: whether admissibility depends on load or grasp, not only on the object.
        joint: whether several agents give it together.
        answer: what the second of two who act together is asked instead, whose command it is.
        teams: the teams that its commands list (`ear-bench`); None where they name nobody.
        seconds: world time it takes.
        attribute: the row of the verb table, for attribute verbs.
        advertised: whether the action help lists it.
        idle: the checks that can never object in its scene.
        name: canonical upper-case name.
        asked: the other checks.
    """

    grammar: Grammar
    checks: tuple[tuple[Check, Status], ...]
    effect: Effect
    says: str
    tells: Tells = done
    calls: Calls = no_calls
    fixed: FixedCalls = no_fixed_calls
    reach: Reach = Reach.NONE
    uses_hands: bool = False
    joint: bool = False
    answer: Verb | None = None
    teams: Teams | None = None
    seconds: int = 0
    attribute: AttributeVerb | None = None
    advertised: bool = True
    idle: tuple[Check, ...] = ()
    name: str = field(init=False)
    asked: tuple[tuple[Check, Status], ...] = field(init=False, repr=False, compare=False)
    _tests: tuple[tuple[Test, Status], ...] = field(init=False, repr=False, compare=False)
    _conditional: tuple[tuple[Check, CanObject], ...] = field(init=False, repr=False, compare=False)
    _fitted: dict[tuple[bool, ...], Verb] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Take the name from the grammar, and the tests out of the checks, for speed."""
        asked = tuple([each for each in self.checks if each[0] not in self.idle])
        object.__setattr__(self, "name", self.grammar.name)
        object.__setattr__(self, "asked", asked)
        object.__setattr__(self, "_tests", tuple([(c.test, status) for c, status in asked]))
        conditional = [(c, c.can_object) for c, _ in self.checks if c.can_object is not None]
        object.__setattr__(self, "_conditional", tuple(conditional))
        object.__setattr__(self, "_fitted", {})

    def fitted(self, blueprint: Blueprint) -> Verb:
        """The verb in a scene: what can never object there is not asked."""
        if not self._conditional:
            return self
        key = tuple([can_object(self, blueprint) for _, can_object in self._conditional])
        found = self._fitted.get(key)
        if found is None:
            rules = zip(self._conditional, key, strict=True)
            idle = tuple([rule for (rule, _), objects in rules if not objects])
            found = self._fitted[key] = self if idle == self.idle else replace(self, idle=idle)
        return found

    @property
    def reasons(self) -> frozenset[Reason]:
        """Everything its checks can object with."""
        return frozenset().union(*[rule.reasons for rule, _ in self.checks])

    def parse(self, text: str) -> Call | None:
        """The command of a text that begins with this verb; None when it does not fit."""
        slots = self.grammar.parse(text)
        return None if slots is None else Call(self, *slots)

    def json_schema(self) -> dict[str, Any]:
        """The schema of the structured form, for tool-calling models."""
        return {
            "type": "object",
            "description": self.says,
            "properties": {"verb": {"const": self.name}, **self.grammar.schemas()},
            "required": ["verb", *self.grammar.required],
            "additionalProperties": False,
        }

    def from_json(self, value: Mapping[str, Any]) -> str | None:
        """The text a structured command stands for; None when it does not fit the schema."""
        slots = self.grammar.from_json(value)
        return None if slots is None else Call(self, *slots).text()


def invalid(*checks: Check) -> tuple[tuple[Check, Status], ...]:
    """Checks whose objection means the command never began."""
    return tuple((check, Status.INVALID) for check in checks)


def failure(*checks: Check) -> tuple[tuple[Check, Status], ...]:
    """Checks whose objection means the attempt failed."""
    return tuple((check, Status.FAILURE) for check in checks)


def joint_objection(
    world: World, partners: tuple[str, ...], call: Call
) -> tuple[Refusal, Status] | None:
    """The first objection to a call that several give together, or None."""
    call = call.given_by(partners)
    for partner in partners:
        if call.verb.answer is not None and partner != partners[0]:
            call = call.calling(call.verb.answer)
        objected = objection(world, partner, call)
        if objected is not None:
            return objected
    return None


def foreseen_objection(world: World, agent: str, call: Call) -> Refusal | None:
    """The first objection that the agent can know of; what has none is listed as admissible."""
    for rule, _ in call.verb.checks:
        if not rule.surprise:
            refusal = (rule.foreseen or rule.test)(world, agent, call)
            if refusal is not None:
                return refusal
    return None


def lasting_objection(world: World, agent: str, call: Call) -> Refusal | None:
    """The first objection of a check that reads nothing but the scene, so that it never ends."""
    for rule, _ in call.verb.asked:
        if rule.reads is Reads.SCENE:
            refusal = rule.test(world, agent, call)
            if refusal is not None:
                return refusal
    return None


def objection(world: World, agent: str, call: Call) -> tuple[Refusal, Status] | None:
    """The first objection to a call, or None when it may take effect."""
    for test, status in call.verb._tests:
        refusal = test(world, agent, call)
        if refusal is not None:
            return refusal, status
    return None
