"""The census of a suite: everything that is counted of it, in one pass through its scenarios."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from earsim.certificates.file import CertificateFile
from earsim.datasets.statistics.scene_counts import SceneCounts
from earsim.datasets.statistics.task_facts import ProofStatus, TaskFacts
from earsim.errors import FileError
from earsim.schema import Category, Scenario
from earsim.schema.certificate import Certificate
from earsim.suites import Suite


@dataclass(slots=True)
class SuiteStatistics:
    """What a suite consists of.

    Attributes:
        name: Of the suite.
        scenery: Its places.
        tasks: One entry per scenario that can be read.
        unreadable: Ids of the others.
    """

    name: str
    scenery: SceneCounts = field(default_factory=SceneCounts)
    tasks: list[TaskFacts] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)

    @property
    def scenarios(self) -> int:
        """All scenarios of the suite, readable or not."""
        return len(self.tasks) + len(self.unreadable)

    @property
    def proved(self) -> list[ProofStatus]:
        """What is proved, of those that have a certificate."""
        return [task.proved for task in self.tasks if task.proved is not None]

    def of(self, category: Category) -> list[TaskFacts]:
        """The tasks of a category."""
        return [task for task in self.tasks if task.category is category]

    def decisions(self, category: Category | None = None) -> list[int]:
        """Of each plan of its certificates."""
        tasks = self.tasks if category is None else self.of(category)
        found = [task.proved.decisions for task in tasks if task.proved is not None]
        return [decisions for decisions in found if decisions is not None]

    def look(
        self, suite: Suite, ids: Iterable[str], files: Sequence[CertificateFile] = ()
    ) -> Iterator[str]:
        """Count scenarios one after another; the id of each when it is counted.

        Certificates are looked for under the scenario's own ruleset. One that was made for another
        content of the scenario says nothing about it and is left out.
        """
        for scenario_id in ids:
            try:
                scenario = suite.load(scenario_id)
            except FileError:
                self.unreadable.append(scenario_id)
            else:
                self.scenery.note(scenario.scene)
                self.tasks.append(TaskFacts.of(scenario, _certificate(scenario, files)))
            yield scenario_id


def _certificate(scenario: Scenario, files: Sequence[CertificateFile]) -> Certificate | None:
    for file in files:
        found = file.latest(scenario.id, scenario.ruleset)
        if found is not None and found.scenario_hash == scenario.hash:
            return found
    return None
