"""A suite under review with its certificates, reviews and attempts, and corrections of it."""

from __future__ import annotations

from pathlib import Path

from earsim.certificates.certifying import certificate_of
from earsim.certificates.file import CertificateFile
from earsim.certificates.location import places_to_read
from earsim.errors import FileError, UsageError
from earsim.evaluation.store.manifest import MANIFEST, load_run_manifest
from earsim.planner.proofs.certificate import is_about
from earsim.play.attempts import POLICY, AttemptRun
from earsim.schema import Scenario, to_data
from earsim.schema.certificate import Certificate
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim.suites import Suite, open_suite
from earsim_generators.llm.checks.wording import unspoken
from earsim_generators.review.review import ReviewFile, ReviewOutcome, outcome_of

_SOURCE = "the correction"


def corrected(scenario: Scenario, instruction: str) -> Scenario:
    """The scenario with another instruction, and so with another hash.

    Raises:
        FileError: It is no instruction, names what is not there, or leaves a selector out.
    """
    data = to_data(scenario)
    data["task"] = {**data["task"], "instruction": instruction}
    changed = validated(Document(_SOURCE, data), Scenario)
    problems = tuple(unspoken(changed))
    if problems:
        raise FileError(_SOURCE, problems)
    return changed


REVIEWS = "reviews"
"""The folder beside a suite in which reviews and attempts lie."""


class ReviewedSuite:
    """A suite with its certificates and reviews.

    Attributes:
        source: Name or path under which the suite was opened.
        folder: Of reviews and attempts.
    """

    def __init__(self, source: str, folder: Path) -> None:
        """Open what is there.

        Raises:
            FileError: The suite, its certificates or its reviews cannot be read.
        """
        self.source = source
        self.folder = folder
        self.suite: Suite = open_suite(source)
        self.reviews = ReviewFile(folder / "reviews.jsonl")
        self._certificates = [CertificateFile(path) for path in places_to_read(self.suite, source)]

    def certificate(self, scenario: Scenario) -> Certificate | None:
        """The certificate of a scenario as it is now."""
        found = certificate_of(scenario, self._certificates)
        return found if found is not None and is_about(found, scenario) else None

    def outcome(self, scenario: Scenario) -> ReviewOutcome:
        """The consensus so far."""
        return outcome_of(self.reviews.of(scenario))

    def attempts(self, reviewer: str) -> AttemptRun:
        """The run in which a reviewer's attempts are saved."""
        folder, source = self.folder / "attempts" / reviewer, self.source
        if (folder / MANIFEST).exists():  # the suite may have been opened under another name then
            (source,) = load_run_manifest(folder).settings.suites
        player = f"{POLICY}-{reviewer}"
        return AttemptRun(folder, self.suite, source, EpisodeSettings(), player=player)


def find_reviewed_suite(text: str) -> ReviewedSuite:
    """A suite in a folder of the user's, such as that of a generator.

    Raises:
        UnknownName: There is no such suite.
        UsageError: It belongs to the package.
        FileError: It cannot be read.
    """
    path = Path(text)
    if not path.exists():
        open_suite(text)  # says that there is none, unless it comes with the program
        raise UsageError(f"{text} is not yours to review; give the folder of a suite of your own")
    return ReviewedSuite(text, (path if path.is_dir() else path.parent) / REVIEWS)
