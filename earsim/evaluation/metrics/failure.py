"""Why episodes failed: documented rules over what was done, never a model's opinion.

A failed episode shows every mode whose rule fits. The *main* one is the first of them in the order
of `MODES`, which goes from what makes anything else impossible to what says least.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
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
    def outcomes(self) -> Iterator[OutcomeRecord]:
        """What became of every command, in order."""
        return (outcome for step in self.steps for outcome in step.outcomes)

    @property
    def is_collaboration(self) -> bool:
        """Whether the category says that it takes several agents."""
        category = self.row.category
        return category in {*Category} and Category(category).is_collaboration


Rule = Callable[[Failed], bool]


@dataclass(frozen=True, slots=True)
class Mode:
    """A way to fail.

    Attributes:
        id: Stable name.
        rule: Whether it fits; its docstring is the rule in words.
    """

    id: str
    rule: Rule

    @property
    def doc(self) -> str:
        """The rule in words."""
        return inspect.getdoc(self.rule) or ""


def modes_of(failed: Failed) -> tuple[str, ...]:
    """Every mode that fits, the main one first; `unexplained` alone if none does."""
    return tuple(mode.id for mode in MODES if mode.rule(failed)) or (UNEXPLAINED,)


# -- the rules -----------------------------------------------------------------------------------


def invalid_format(failed: Failed) -> bool:
    """At least half of the decisions could not be read or held a command that is none.

    A command is none if it was refused as `unknown_verb`, `bad_format`, `blank_command` or
    `too_long`. An episode that ended in `parse_failure` fits too.
    """
    if failed.row.termination == Ending.PARSE_FAILURE:
        return True
    unusable = sum(
        step.commands is None or any(each.reason in _UNUSABLE for each in step.outcomes)
        for step in failed.steps
    )
    return bool(failed.steps) and unusable >= UNREAD_SHARE * len(failed.steps)


def repeated_failing_command(failed: Failed) -> bool:
    """An agent gave one command at least three times in a row and was refused for one reason."""
    last: dict[str, tuple[str, str | None]] = {}
    run: dict[str, int] = {}
    for outcome in failed.outcomes:
        same = (outcome.command.strip(), outcome.reason)
        refused = outcome.reason is not None
        again = refused and last.get(outcome.agent) == same
        run[outcome.agent] = run.get(outcome.agent, 0) + 1 if again else int(refused)
        if run[outcome.agent] >= REPEATS:
            return True
        last[outcome.agent] = same
    return False


def exploration_deficit(failed: Failed) -> bool:
    """At the end no agent knew of something that an unmet part of the goal needs.

    That is an object or container the part names, or, where only a tool brings it about, every
    object that provides the ability.
    """
    evidence = failed.evidence
    named = {id for part in evidence.unmet for id in part.objects}
    if named & evidence.discoverable - evidence.known:
        return True
    for abilities in evidence.needed_tools:
        tools = {id for ability in abilities for id in evidence.providers.get(ability, ())}
        if tools and not tools & evidence.known:
            return True
    return False


def missing_tool(failed: Failed) -> bool:
    """A tool or key that was needed was never in hand.

    Either an unmet part of the goal takes a tool and nobody held one for it after any decision; or
    a command was refused as `no_ability` or `no_key` and never accepted in this form later.
    """
    evidence = failed.evidence
    if any(not abilities & evidence.held_abilities for abilities in evidence.needed_tools):
        return True
    lacking: set[tuple[str | None, object]] = set()
    for outcome in failed.outcomes:
        form = (_alone(outcome.verb), outcome.facts.get("id"))
        if outcome.reason in _WITHOUT_TOOL:
            lacking.add(form)
        elif outcome.reason is None:
            lacking.discard(form)
    return bool(lacking)


def premature_collaboration(failed: Failed) -> bool:
    """A task for several: joint commands were given, but those who had to be ready never were.

    The first joint command was refused because a partner was missing or unequipped, or
    the object not found or out of reach, and no joint command was ever accepted.
    """
    joint = [each for each in failed.outcomes if _is_joint(each)]
    if not failed.is_collaboration or not joint:
        return False
    return joint[0].reason in _NOT_READY and all(each.reason is not None for each in joint)


def missed_collaboration(failed: Failed) -> bool:
    """A task for several in which no joint command was ever given."""
    return failed.is_collaboration and not any(map(_is_joint, failed.outcomes))


def wrong_object(failed: Failed) -> bool:
    """What an unmet part of the goal asks for was done to something the goal does not speak of.

    The state it wants was given to another object, or another object was placed where it wants its
    own.
    """
    evidence = failed.evidence
    verbs = {verb.name for part in evidence.unmet for each in part.changes for verb in each.verbs}
    places = {place for part in evidence.unmet for _, place in part.moved}
    for outcome in evidence.accepted:
        target = outcome.facts.get("id")
        if target is None or target in evidence.goal_objects:
            continue
        placed = (_alone(outcome.verb) or "").upper() == "PLACE"
        if placed and outcome.facts.get("destination") in places:
            return True
        if (_alone(outcome.verb) or "").lower() in verbs:
            return True
    return False


def lost_subgoal(failed: Failed) -> bool:
    """A part of the goal that held after some decision does not hold at the end."""
    return any(part.was_true for part in failed.evidence.unmet)


def gave_up(failed: Failed) -> bool:
    """The policy ended the episode itself, by DONE, while the goal was not true.

    Whether it gave up or believed that it was done cannot be told from what it did.
    """
    return failed.row.termination == Ending.DONE


def wrong_claim(failed: Failed) -> bool:
    """The policy ended the episode by a REPORT, and that claim is not the right one."""
    return failed.row.termination == Ending.REPORTED


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


def _is_joint(outcome: OutcomeRecord) -> bool:
    verb = outcome.verb or outcome.command.strip().partition(" ")[0]
    return is_joint(verb)


def _alone(verb: str | None) -> str | None:
    """The verb without the mark of its joint form: one tool serves either."""
    return None if verb is None else single(verb.upper())
