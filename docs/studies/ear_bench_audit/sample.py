"""The claims about instructions and goals that were read, and how many of them are right.

`python -m docs.studies.ear_bench_audit.sample` draws them: half of those that find
something wrong, half of the others. What was found of each is in `sample.csv`.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from docs.studies.ear_bench_audit.agreement import AgreementVerdict, Claim, claims
from earsim import Engine, open_suite

SPLITS = ("eval-single", "eval-multi", "data-all")
READ = Path(__file__).with_name("sample.csv")
SEED = 1
OF_EACH = 25


class Case(NamedTuple):
    """One claim about one scenario."""

    scenario_id: str
    claim: Claim

    @property
    def is_fault(self) -> bool:
        """Whether it finds something wrong."""
        return self.claim.verdict is not AgreementVerdict.AGREES


class Judged(NamedTuple):
    """A claim that was read: right, wrong, or arguable."""

    scenario_id: str
    aspect: str
    verdict: str
    judged: str
    why: str


def cases(splits: Sequence[str] = SPLITS) -> Iterator[Case]:
    """Everything that is claimed about the splits, in their order."""
    for split in splits:
        for scenario in open_suite(split):
            for claim in claims(Engine(scenario)):
                yield Case(scenario.id, claim)


def drawn(found: Iterable[Case], *, seed: int = SEED, of_each: int = OF_EACH) -> list[Case]:
    """The sample; a case that comes or goes elsewhere leaves the others in it."""

    def lot(case: Case) -> str:
        return sha256(f"{seed} {case.scenario_id} {case.claim.aspect}".encode()).hexdigest()

    ordered = sorted(found, key=lot)
    faults = [case for case in ordered if case.is_fault][:of_each]
    return faults + [case for case in ordered if not case.is_fault][:of_each]


def already_read() -> list[Judged]:
    """What was found."""
    with READ.open(encoding="utf-8", newline="") as file:
        return [Judged(**row) for row in csv.DictReader(file)]


def main() -> None:
    """Print the sample."""
    for case in drawn(cases()):
        claim = case.claim
        sys.stdout.write(f"{case.scenario_id},{claim.aspect},{claim.verdict},{claim.detail}\n")


if __name__ == "__main__":
    main()
