"""What a suite knows that its episodes do not tell: scenarios, plans, and what its importer mended.

A suite that is not at hand is an empty library: whatever needs it is then *not known*, and counted
as such.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from earsim.certificates.file import CertificateFile
from earsim.certificates.location import places_to_read
from earsim.errors import EarSimError
from earsim.evaluation.store.rows import EpisodeRow
from earsim.schema import Scenario
from earsim.schema.certificate import Search
from earsim.suites.ear_suite import EarBenchSuite
from earsim.suites.finding import find_suite
from earsim.suites.opening import open_suite
from earsim.suites.repair import RepairKind
from earsim.suites.suite import Suite

_REJECTED = frozenset(
    (RepairKind.SIZE_LIMIT, RepairKind.HAND_LIMIT, RepairKind.MASS_LIMIT, RepairKind.MISSING_MASS)
)
"""Repairs of what makes the reference's loader refuse a whole file (EAR-Bench 1.3, Q24)."""


class SuiteLookup:
    """The suite of some episodes, as far as it is at hand."""

    def __init__(self, source: str, certificates: Path | None = None) -> None:
        """Nothing is opened before it is asked for.

        Args:
            source: name or path of the suite.
            certificates: folder of its certificates; where `earsim certify` puts them when None.
        """
        self._source = source
        self._folder = certificates
        self._last: tuple[str, Scenario | None] = ("", None)
        self._loads: dict[str, bool] = {}

    def scenario(self, row: EpisodeRow) -> Scenario | None:
        """The scenario of an episode; None if it is not here or has changed since."""
        if self._last[0] != row.scenario_id:
            self._last = (row.scenario_id, self._load(row.scenario_id))
        found = self._last[1]
        return found if found is not None and found.hash == row.scenario_hash else None

    def solution(self, row: EpisodeRow) -> Search | None:
        """How the scenario is solved by its certificate, class `plain`, under the episode's rules.

        None without a certificate of this very scenario under these rules.
        """
        for file in self._certificates:
            found = file.latest(row.scenario_id, row.ruleset.partition("/")[0])
            if found is None or found.scenario_hash != row.scenario_hash:
                continue
            if found.ruleset == row.ruleset:
                return found.solution
        return None

    def plan(self, row: EpisodeRow) -> int | None:
        """Decisions of the certified plan; None where none is known."""
        found = self.solution(row)
        return len(found.plan) if found is not None and found.found == "plan" else None

    def loads_in_reference(self, row: EpisodeRow) -> bool | None:
        """Whether EAR-Bench's loader accepts the file; None for other suites."""
        if not isinstance(self._suite, EarBenchSuite):
            return None
        if row.scenario_id not in self._loads:
            self._loads[row.scenario_id] = _loads(self._suite, row.scenario_id)
        return self._loads[row.scenario_id]

    @cached_property
    def _suite(self) -> Suite | None:
        try:
            return open_suite(find_suite(self._source).source)
        except EarSimError:
            return None

    @cached_property
    def _certificates(self) -> Sequence[CertificateFile]:
        if self._suite is None:
            return ()
        places = places_to_read(self._suite, find_suite(self._source).source, self._folder)
        return [CertificateFile(place) for place in places]

    def _load(self, scenario_id: str) -> Scenario | None:
        try:
            return None if self._suite is None else self._suite.load(scenario_id)
        except EarSimError:
            return None


def _loads(suite: Suite, scenario_id: str) -> bool:
    try:
        kinds = {repair.kind for repair in suite.repairs(scenario_id)}
    except EarSimError:
        return False
    return not kinds & _REJECTED
