"""A suite of three tasks with certificates, as a generator leaves it in a folder."""

from pathlib import Path

from earsim.certificates.file import CertificateFile
from earsim.planner.proofs.certificate import certify
from earsim.schema import Scenario, parse
from earsim.suites.packed import pack
from earsim_generators.review.review import Review, ReviewDecision
from tests.generators.llm.rig import SHED


def scenarios() -> tuple[Scenario, ...]:
    return parse(SHED).scenarios()


def suite(folder: Path, *made: Scenario) -> Path:
    """The folder, with the suite and its certificates in it."""
    folder.mkdir(exist_ok=True)
    chosen = made or scenarios()
    pack(chosen, folder / "suite.jsonl.gz")
    file = CertificateFile(folder / "suite.certificates.jsonl")
    for scenario in chosen:
        file.add(certify(scenario))
    return folder


def review(scenario: Scenario, name: str, decision: str = "accept", **more: object) -> Review:
    return Review(
        reviewer=name,
        scenario_id=scenario.id,
        scenario_hash=scenario.hash,
        decision=ReviewDecision(decision),
        **more,
    )
