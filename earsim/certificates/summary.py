"""What the certificates of a suite amount to, category by category."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from earsim.certificates.certifying import Certified
from earsim.evaluation.summary import UNKNOWN, summed
from earsim.schema.certificate import Certificate, LabelProof, Search


class CertificateRow(NamedTuple):
    """Counts over the scenarios of one category.

    Attributes:
        scenarios: all that were asked for.
        solved: there is a plan within the budget, and something to do.
        impossible: proved to have none.
        decisions: of all plans together.
        least: plans of proved least length.
        proved: labels of which every promise is proved.
        marked: likewise, but only by the goal's own mark of joint action.
        not_proved: labels that promise more than could be proved.
        exploitable: the rules accept a shorter plan than the prompts speak of, or one where that
            has none.
        saved: decisions by which those plans are shorter, where there are both.
        alone: tasks of a team that one agent solves with any command.
    """

    category: str
    scenarios: int
    solved: int = 0
    impossible: int = 0
    decisions: int = 0
    least: int = 0
    proved: int = 0
    marked: int = 0
    not_proved: int = 0
    exploitable: int = 0
    saved: int = 0
    alone: int = 0

    @property
    def mean_decisions(self) -> float | None:
        """Decisions per plan."""
        return self.decisions / self.solved if self.solved else None


def tabulate(done: Iterable[Certified]) -> list[CertificateRow]:
    """One row per category, in the order of `Category`, and the last one over all."""
    return summed(CertificateRow, (_row(one.certificate) for one in done))


def is_solved(certificate: Certificate) -> bool:
    """Whether there is something to do, and a plan that does it within the budget."""
    found = certificate.solution
    fits = found.found == "plan" and len(found.plan) <= certificate.budget
    return fits and not certificate.goal_at_start


def _row(certificate: Certificate | None) -> CertificateRow:
    if certificate is None:
        return CertificateRow(UNKNOWN, 1)
    found, solved = certificate.solution, is_solved(certificate)
    exploit = certificate.exploit
    return CertificateRow(
        certificate.category.value,
        1,
        solved=solved,
        impossible=found.found == "impossible",
        decisions=len(found.plan) if solved else 0,
        least=solved and found.least,
        proved=certificate.label is LabelProof.PROVED,
        marked=certificate.label is LabelProof.MARKED,
        not_proved=certificate.label is LabelProof.NOT_PROVED,
        exploitable=exploit is not None and _is_shorter(exploit.together, found),
        saved=0 if exploit is None else _saved(exploit.together, found),
        alone=exploit is not None and any(one.found == "plan" for one in exploit.alone),
    )


def _is_shorter(any_command: Search, plain: Search) -> bool:
    if any_command.found != "plan":
        return False
    return plain.found != "plan" or len(any_command.plan) < len(plain.plan)


def _saved(any_command: Search, plain: Search) -> int:
    both = any_command.found == plain.found == "plan"
    return max(0, len(plain.plan) - len(any_command.plan)) if both else 0
