"""Why episodes failed: documented rules over what was done, never a model's opinion.

A failed episode shows every mode whose rule fits. The *main* one is the first of them in the order
of `MODES`, which goes from what makes anything else impossible to what says least.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from earsim.actions.outcome import Reason
from earsim.evaluation.metrics.evidence import Evidence
from earsim.evaluation.store.rows import EpisodeRow, StepRow
from earsim.evaluation.termination import Ending
from earsim.joint import is_joint, single
from earsim.schema import Category, OutcomeRecord

UNREAD_SHARE = 0.5
"""From this share of unusable commands on, the format is what failed."""

REPEATS = 3
"""From so many refusals of one command in a row on, it counts as repeated."""

UNEXPLAINED = "unexplained"
"""The main mode of a failure that no rule fits."""

_UNUSABLE = frozenset(
    (Reason.UNKNOWN_VERB, Reason.BAD_FORMAT, Reason.BLANK_COMMAND, Reason.TOO_LONG)
)
_WITHOUT_TOOL = frozenset((Reason.NO_ABILITY, Reason.NO_KEY))
_NOT_READY = frozenset(
    (
        Reason.PARTNER_MISSING,
        Reason.COOP_AGENT_ELSEWHERE,
        Reason.COOP_NOT_CARRYING,
        Reason.COOP_MOVE_FAILED,
        Reason.COOP_DISAGREE,
        Reason.UNDISCOVERED,
        Reason.WRONG_ROOM,
        Reason.NOT_IN_SIGHT,
        Reason.NOT_NEAR,
        Reason.HANDS_FULL,
        Reason.NO_ABILITY,
    )
)


class Failed(NamedTuple):
    """A failed episode, as the rules look at it."""

    row: EpisodeRow
    steps: Sequence[StepRow]
    evidence: Evidence

    @property
    def outcomes(self) -> Iterator[tuple[int, OutcomeRecord]]:
        """What became of every command, in order, each with its decision."""
        return ((step.decision, outcome) for step in self.steps for outcome in step.outcomes)

    @property
    def is_collaboration(self) -> bool:
        """Whether the category says that it takes several agents."""
        category = self.row.category
        return category in {*Category} and Category(category).is_collaboration


class FailureSign(NamedTuple):
    """A place in the record on which a rule rests.

    Attributes:
        decision: where it is to be seen; None for what never happened.
        text: what is to be seen, as a sentence or a command with its reason.
    """

    decision: int | None
    text: str


Signs = tuple[FailureSign, ...]
"""All that a rule rests on; empty where it does not fit."""

Rule = Callable[[Failed], Signs]


@dataclass(frozen=True, slots=True)
class Mode:
    """A way to fail.

    Attributes:
        id: Stable name.
        rule: What it rests on, nothing if it does not fit; its docstring is the rule in words.
    """

    id: str
    rule: Rule

    @property
    def doc(self) -> str:
        """The rule in words."""
        return inspect.getdoc(self.rule) or ""


def signs_of(failed: Failed) -> dict[str, Signs]:
    """Every mode that fits with what it rests on, the main one first; or `unexplained`."""
    found = {mode.id: signs for mode in MODES if (signs := mode.rule(failed))}
    return found or {UNEXPLAINED: ()}


def modes_of(failed: Failed) -> tuple[str, ...]:
    """Every mode that fits, the main one first; `unexplained` alone if none does."""
    return tuple(signs_of(failed))


# -- the rules -----------------------------------------------------------------------------------


def invalid_format(failed: Failed) -> Signs:
    """At least half of the decisions could not be read or held a command that is none.

    A command is none if it was refused as `unknown_verb`, `bad_format`, `blank_command` or
    `too_long`. An episode that ended in `parse_failure` fits too.
    """
    found = {step.decision: signs for step in failed.steps if (signs := _unusable(step))}
    signs = tuple(each[0] for each in found.values())
    if failed.row.termination == Ending.PARSE_FAILURE:
        return signs or (FailureSign(None, "it ended by replies that could not be read"),)
    return signs if len(signs) >= UNREAD_SHARE * len(failed.steps) else ()


def repeated_failing_command(failed: Failed) -> Signs:
    """An agent gave one command at least three times in a row and was refused for one reason."""
    last: dict[str, tuple[str, str | None]] = {}
    row: dict[str, Signs] = {}
    for decision, outcome in failed.outcomes:
        same = (outcome.command.strip(), outcome.reason)
        again = last.get(outcome.agent) == same
        before = row.get(outcome.agent, ()) if again else ()
        here = _refusals([(decision, outcome)])
        row[outcome.agent] = (*before, *here) if here else ()
        if len(row[outcome.agent]) >= REPEATS:
            return row[outcome.agent]
        last[outcome.agent] = same
    return ()


def exploration_deficit(failed: Failed) -> Signs:
    """At the end no agent knew of something that an unmet part of the goal needs.

    That is an object or container the part names, or, where only a tool brings it about, every
    object that provides the ability.
    """
    evidence = failed.evidence
    named = {id for part in evidence.unmet for id in part.objects}
    unknown = sorted(named & evidence.discoverable - evidence.known)
    signs = [FailureSign(None, f"{id} was never found") for id in unknown]
    for abilities in evidence.needed_tools:
        tools = {id for ability in abilities for id in evidence.providers.get(ability, ())}
        if tools and not tools & evidence.known:
            signs.append(FailureSign(None, f"no tool was found: {', '.join(sorted(tools))}"))
    return tuple(signs)


def missing_tool(failed: Failed) -> Signs:
    """A tool or key that was needed was never in hand.

    Either an unmet part of the goal takes a tool and nobody held one for it after any decision; or
    a command was refused as `no_ability` or `no_key` and never accepted in this form later.
    """
    evidence = failed.evidence
    lacking: dict[tuple[str | None, object], Signs] = {}
    for decision, outcome in failed.outcomes:
        form = (_alone(outcome.verb), outcome.facts.get("id"))
        if outcome.reason in _WITHOUT_TOOL:
            lacking[form] = (*lacking.get(form, ()), *_refusals([(decision, outcome)]))
        elif outcome.reason is None:
            lacking.pop(form, None)
    never = [
        FailureSign(None, f"nobody ever held what can {' or '.join(sorted(abilities))}")
        for abilities in evidence.needed_tools
        if not abilities & evidence.held_abilities
    ]
    return (*never, *(sign for signs in lacking.values() for sign in signs))


def premature_collaboration(failed: Failed) -> Signs:
    """A task for several: joint commands were given, but those who had to be ready never were.

    The first joint command was refused because a partner was missing or unequipped, or
    the object not found or out of reach, and no joint command was ever accepted.
    """
    joint = [(at, each) for at, each in failed.outcomes if _is_joint(each)]
    if not failed.is_collaboration or not joint or joint[0][1].reason not in _NOT_READY:
        return ()
    return _refusals(joint) if all(each.reason is not None for _, each in joint) else ()


def missed_collaboration(failed: Failed) -> Signs:
    """A task for several in which no joint command was ever given."""
    if not failed.is_collaboration or any(_is_joint(each) for _, each in failed.outcomes):
        return ()
    return (FailureSign(None, "no joint command was ever given"),)


def wrong_object(failed: Failed) -> Signs:
    """What an unmet part of the goal asks for was done to something the goal does not speak of.

    The state it wants was given to another object, or another object was placed where it wants its
    own.
    """
    evidence = failed.evidence
    verbs = {verb.name for part in evidence.unmet for each in part.changes for verb in each.verbs}
    places = {place for part in evidence.unmet for _, place in part.moved}
    signs = []
    for decision, outcome in evidence.accepted:
        target = outcome.facts.get("id")
        if target is None or target in evidence.goal_objects:
            continue
        verb = _alone(outcome.verb) or ""
        placed = verb.upper() == "PLACE" and outcome.facts.get("destination") in places
        if placed or verb.lower() in verbs:
            signs.append(FailureSign(decision, outcome.command))
    return tuple(signs)


def lost_subgoal(failed: Failed) -> Signs:
    """A part of the goal that held after some decision does not hold at the end."""
    return tuple(
        FailureSign(part.lost_at, f"{', '.join(part.objects) or 'a part'}: it held until here")
        for part in failed.evidence.unmet
        if part.lost_at is not None
    )


def gave_up(failed: Failed) -> Signs:
    """The policy ended the episode itself, by DONE, while the goal was not true.

    Whether it gave up or believed that it was done cannot be told from what it did.
    """
    return _last_commands(failed) if failed.row.termination == Ending.DONE else ()


def wrong_claim(failed: Failed) -> Signs:
    """The policy ended the episode by a REPORT, and that claim is not the right one."""
    return _last_commands(failed) if failed.row.termination == Ending.REPORTED else ()


MODES = (
    Mode("invalid_format", invalid_format),
    Mode("repeated_failing_command", repeated_failing_command),
    Mode("exploration_deficit", exploration_deficit),
    Mode("missing_tool", missing_tool),
    Mode("premature_collaboration", premature_collaboration),
    Mode("missed_collaboration", missed_collaboration),
    Mode("wrong_object", wrong_object),
    Mode("lost_subgoal", lost_subgoal),
    Mode("gave_up", gave_up),
    Mode("wrong_claim", wrong_claim),
)
"""Every mode, the one that explains most first."""


def _unusable(step: StepRow) -> Signs:
    if step.commands is None:
        return (FailureSign(step.decision, "a reply that could not be read"),)
    return _refusals((step.decision, each) for each in step.outcomes if each.reason in _UNUSABLE)


def _refusals(outcomes: Iterable[tuple[int, OutcomeRecord]]) -> Signs:
    """The refused among some commands, each with its reason."""
    return tuple(
        FailureSign(decision, f"{each.command} ({each.reason})")
        for decision, each in outcomes
        if each.reason is not None
    )


def _last_commands(failed: Failed) -> Signs:
    if not failed.steps:
        return (FailureSign(None, f"it ended by {failed.row.termination}"),)
    last = failed.steps[-1]
    said = ", ".join((last.commands or {}).values())
    return (FailureSign(last.decision, said or "the last decision"),)


def _is_joint(outcome: OutcomeRecord) -> bool:
    verb = outcome.verb or outcome.command.strip().partition(" ")[0]
    return is_joint(verb)


def _alone(verb: str | None) -> str | None:
    """The verb without the mark of its joint form: one tool serves either."""
    return None if verb is None else single(verb.upper())
