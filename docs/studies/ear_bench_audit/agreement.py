"""Whether an instruction says what the goal checks: only where that can be decided.

Each aspect is claimed by itself, from names, verbs of the table and numbers of the scene. What the
grammar here does not understand yields no claim, so the share of scenarios with a claim is the
coverage; how often claims are right was read by hand once (docs/ear-bench-audit.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from docs.studies.ear_bench_audit import superlative
from docs.studies.ear_bench_audit.clauses import (
    ClauseKind,
    Effect,
    InstructionClause,
    clauses,
    words_for,
)
from docs.studies.ear_bench_audit.phrases import NameMention, SceneNames
from docs.studies.ear_bench_audit.superlative import RankOutcome
from earsim.datasets.audit.goal_facts import GoalFacts, facts_of
from earsim.engine import Engine


class Aspect(StrEnum):
    """What of an instruction is compared with what of a goal."""

    TARGET = "target"
    DESTINATION = "destination"
    RELATION = "relation"
    STATE = "state"
    COMPLETE = "complete"
    SUPERLATIVE = "superlative"


class AgreementVerdict(StrEnum):
    """What came out; ambiguous where what is said fits the goal and something else too."""

    AGREES = "agrees"
    AMBIGUOUS = "ambiguous"
    DISAGREES = "disagrees"


class Claim(NamedTuple):
    """One decided aspect; `detail` says what was compared."""

    aspect: Aspect
    verdict: AgreementVerdict
    detail: str


def claims(engine: Engine) -> tuple[Claim, ...]:
    """Everything that can be decided about a scenario, at most one claim per aspect."""
    goal = facts_of(engine)
    if goal is None:
        return ()
    items = SceneNames(engine.blueprint).items(engine.instruction)
    said = clauses(items)
    found = [
        *_targets(said, goal),
        *_destinations(said, goal),
        *_states(said, goal, frozenset(item for item in items if isinstance(item, str))),
    ]
    ranked = None
    if len(goal.things) == 1:
        holders = [fact.holder for fact in goal.places]
        ranked = superlative.rank(items, engine.start(), goal.things[0], destinations=holders)
    if ranked is not None:
        found.append(_of_rank(ranked, goal.things[0]))
    return tuple(_worst(aspect, found) for aspect in Aspect if _of(aspect, found))


def _of(aspect: Aspect, found: Sequence[Claim]) -> list[Claim]:
    return [claim for claim in found if claim.aspect is aspect]


def _worst(aspect: Aspect, found: Sequence[Claim]) -> Claim:
    order = list(AgreementVerdict)
    return max(_of(aspect, found), key=lambda claim: order.index(claim.verdict))


# -- which thing ---------------------------------------------------------------------------------


def _targets(said: Sequence[InstructionClause], goal: GoalFacts) -> Iterator[Claim]:
    moves = [clause for clause in said if clause.kind is ClauseKind.MOVE]
    if len(moves) == len(goal.places) == 1:
        clause = moves[0]
        if clause.pronoun and len(said) == 2 and said[0].kind is ClauseKind.SEEK:
            clause = said[0]
        yield from _named(Aspect.TARGET, clause, goal.places[0].thing)
    for fact in goal.states:
        asked = [clause for clause in said if (fact.state, fact.value) in clause.effects]
        if len(asked) == 1:
            yield from _named(Aspect.TARGET, asked[0], fact.thing)


def _named(aspect: Aspect, clause: InstructionClause, wanted: str) -> Iterator[Claim]:
    """Whether the object of a clause is the one that the goal means."""
    named = clause.object
    if named is None:
        return
    if wanted not in named.ids:
        if named.exact or clause.whole:
            yield Claim(aspect, AgreementVerdict.DISAGREES, f"says {_ids(named)}, checks {wanted}")
    elif len(named.ids) == 1:
        yield Claim(aspect, AgreementVerdict.AGREES, wanted)
    elif clause.whole:
        yield Claim(aspect, AgreementVerdict.AMBIGUOUS, f"says {_ids(named)}, checks {wanted}")


# -- where to ------------------------------------------------------------------------------------


def _destinations(said: Sequence[InstructionClause], goal: GoalFacts) -> Iterator[Claim]:
    placed = [clause for clause in said if clause.kind is ClauseKind.MOVE]
    if len(placed) != 1 or placed[0].place is None:
        return
    named, relation = placed[0].place, placed[0].relation
    if not goal.places:
        yield Claim(
            Aspect.COMPLETE,
            AgreementVerdict.DISAGREES,
            f"nothing checks that it is at {_ids(named)}",
        )
        return
    # `... and install it on the car` may say where it ends as well.
    others = [clause for clause in said if clause is not placed[0]]
    elsewhere = {node for clause in others if clause.place for node in clause.place.ids}
    sure = len(goal.places) == 1 and all(clause.kind is not ClauseKind.OTHER for clause in said)
    for fact in goal.places:
        if fact.holder not in named.ids:
            if sure and fact.holder not in elsewhere:
                told = f"says {_ids(named)}, checks {fact.holder}"
                yield Claim(Aspect.DESTINATION, AgreementVerdict.DISAGREES, told)
            continue
        alone = len(named.ids) == 1
        told = fact.holder if alone else f"says {_ids(named)}, checks {fact.holder}"
        verdict = AgreementVerdict.AGREES if alone else AgreementVerdict.AMBIGUOUS
        yield Claim(Aspect.DESTINATION, verdict, told)
        if relation and fact.relation:
            verdict = (
                AgreementVerdict.AGREES if relation == fact.relation else AgreementVerdict.DISAGREES
            )
            told = f"says {relation}, checks {fact.relation} {fact.holder}"
            yield Claim(Aspect.RELATION, verdict, told)


# -- which state ---------------------------------------------------------------------------------


def _states(
    said: Sequence[InstructionClause], goal: GoalFacts, words: frozenset[str]
) -> Iterator[Claim]:
    changes = [clause for clause in said if clause.kind is ClauseKind.CHANGE]
    asking = [clause for clause in said if clause.kind in (ClauseKind.CHANGE, ClauseKind.MOVE)]
    asked = frozenset(effect for clause in changes for effect in clause.effects)
    checked = dict.fromkeys(Effect(fact.state, fact.value) for fact in goal.states)
    understood = bool(asking) and all(clause.kind is not ClauseKind.OTHER for clause in said)
    for effect in checked:
        told = f"{effect.state} {effect.value}"
        if effect in asked:
            yield Claim(Aspect.STATE, AgreementVerdict.AGREES, told)
        elif understood and words_for(effect).isdisjoint(words):
            verbs = ", ".join(clause.verb for clause in changes or asking)
            yield Claim(Aspect.STATE, AgreementVerdict.DISAGREES, f"says {verbs}, checks {told}")
    if asked.issuperset(checked):
        yield from _unchecked(said, goal)


def _unchecked(said: Sequence[InstructionClause], goal: GoalFacts) -> Iterator[Claim]:
    """Whether everything that is to be changed is looked at in the end."""
    understood = all(clause.kind is not ClauseKind.OTHER for clause in said)
    for clause in said:
        if clause.kind is not ClauseKind.CHANGE:
            continue
        things = {fact.thing for fact in goal.states if (fact.state, fact.value) in clause.effects}
        if not things and not _is_moving(clause, goal):
            told = f"nothing checks what {clause.verb} does"
            yield Claim(Aspect.COMPLETE, AgreementVerdict.DISAGREES, told)
        elif understood and (clause.object is None or not things.isdisjoint(clause.object.ids)):
            yield Claim(Aspect.COMPLETE, AgreementVerdict.AGREES, clause.verb)


def _is_moving(clause: InstructionClause, goal: GoalFacts) -> bool:
    """Whether a change of state is one of place too: `file it in the cabinet`."""
    holders = {fact.holder for fact in goal.places}
    return clause.place is not None and not holders.isdisjoint(clause.place.ids)


# -- superlatives --------------------------------------------------------------------------------


def _of_rank(ranked: superlative.Ranked, target: str) -> Claim:
    told = f"{target} is {ranked.standing.value}"
    if ranked.rival is not None:
        told += f", {ranked.rival}"
    verdict = {
        RankOutcome.FIRST: AgreementVerdict.AGREES,
        RankOutcome.ONLY: AgreementVerdict.AGREES,
        RankOutcome.TIED: AgreementVerdict.AMBIGUOUS,
    }
    return Claim(Aspect.SUPERLATIVE, verdict.get(ranked.standing, AgreementVerdict.DISAGREES), told)


def _ids(named: NameMention) -> str:
    return " or ".join(named.ids)
