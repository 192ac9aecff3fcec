"""What became of a label: proved, refuted, or open."""

from __future__ import annotations

from enum import StrEnum

from earsim.datasets.audit.goal_facts import facts_of
from earsim.engine import Engine
from earsim.planner.proofs.answer_leak import leaked_answer
from earsim.planner.proofs.necessity import PROMISES
from earsim.schema.certificate import Certificate, LabelProof, Means, Proof, Shown


class Label(StrEnum):
    """The standing of what a category promises.

    BY_MARK: proved, but only because the goal itself demands that something be done jointly.
    OPEN: neither; a goal that names its object does not tell how that was to be picked, say.
    """

    PROVED = "proved"
    BY_MARK = "proved by mark"
    REFUTED = "refuted"
    OPEN = "open"
    NOTHING = "nothing promised"


_FROM_PROOF = {
    LabelProof.PROVED: Label.PROVED,
    LabelProof.MARKED: Label.BY_MARK,
    LabelProof.NOTHING_PROMISED: Label.NOTHING,
}

_REFUTES = frozenset(
    (
        Shown.ONE_CANDIDATE,
        Shown.NAMED,
        Shown.NO_TOOL_USED,
        Shown.DONE_WITHOUT,
        Shown.ONE_AGENT,
        Shown.DONE_ALONE,
    )
)
"""What shows that a means is not necessary; the others show nothing."""


def label_of(certificate: Certificate, shown: dict[Means, Shown]) -> Label:
    """The standing of a scenario's label, by what was shown of each means."""
    known = _FROM_PROOF.get(certificate.label)
    if known is not None:
        return known
    promise = PROMISES[certificate.category]
    refuted = {means for means, how in shown.items() if how in _REFUTES}
    # A means that was not tried at all, a team of one agent, cannot be necessary either.
    left = [means for means in promise.means if means in shown and means not in refuted]
    kept = len(left) >= promise.least and refuted.isdisjoint(promise.always)
    return Label.OPEN if kept else Label.REFUTED


def shown_by(certificate: Certificate, engine: Engine) -> dict[Means, Shown]:
    """What was shown of each means that the label speaks of.

    Where no selector says how the object of a goal is to be picked, an instruction that names it
    shows all the same that there is nothing to pick.
    """
    found = {proof.of: _shown(proof, certificate) for proof in certificate.necessity}
    if found.get(Means.SELECTOR) is Shown.NO_SELECTOR and _is_named(engine):
        found[Means.SELECTOR] = Shown.NAMED
    return found


def _shown(proof: Proof, certificate: Certificate) -> Shown:
    """A plan that uses no tool refutes that one is needed only if it is a plan at all."""
    solved = certificate.solution.found == "plan" and not certificate.goal_at_start
    return proof.shown if solved or proof.of is Means.SELECTOR else Shown.NO_PLAN


def _is_named(engine: Engine) -> bool:
    """Whether the instruction gives every object of the goal away."""
    goal = facts_of(engine)
    things = engine.blueprint.things
    objects = [node for node in goal.things if node in things] if goal is not None else []
    return bool(objects) and all(leaked_answer(engine, node) is not None for node in objects)
