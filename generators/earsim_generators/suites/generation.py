"""The way in for programs: scenarios one after another, as many as are wanted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from earsim.schema import Scenario
from earsim.schema.certificate import Certificate
from earsim.schema.files.document import Document
from earsim.schema.files.json_text import parse_json
from earsim.schema.files.load import validated
from earsim_generators.difficulty import Measures
from earsim_generators.suites.run import GenerationRun
from earsim_generators.suites.settings import GenerationSettings
from earsim_generators.suites.splits import Split
from earsim_generators.suites.worker import ProvedScenario

FLAGS = "the settings"


@dataclass(frozen=True)
class Generated:
    """A scenario with its proof.

    Attributes:
        split: the part of the suite that it belongs to; None in a suite without splits.
        made: it and its certificate as lines of files.
    """

    split: Split | None
    made: ProvedScenario

    @cached_property
    def scenario(self) -> Scenario:
        """The scenario."""
        return validated(parse_json(self.made.line, self.made.id), Scenario)

    @cached_property
    def certificate(self) -> Certificate:
        """What is proved about it."""
        return validated(parse_json(self.made.certificate, self.made.id), Certificate)

    @property
    def measures(self) -> Measures:
        """How hard it is."""
        return self.made.measures


def generate(settings: GenerationSettings, *, jobs: int | None = 1) -> Iterator[Generated]:
    """Generate scenarios, in the same order whatever the number of processes.

    Args:
        settings: what is wanted. Without `n` and `splits` there is no end: take what you need.
        jobs: processes; None for all cores.

    Raises:
        UsageError: A domain cannot give scenes such as are asked for.
    """
    return generated(GenerationRun(settings, jobs=jobs), settings)


def generated(run: GenerationRun, settings: GenerationSettings) -> Iterator[Generated]:
    """The scenarios of a run, split by split."""
    for split, n in parts_of(settings).items():
        for made in run.made(split, n):
            yield Generated(split, made)


def parts_of(settings: GenerationSettings) -> Mapping[Split | None, int | None]:
    """How many scenarios go where; None as a number has no end."""
    if not settings.splits:
        return {None: settings.n}
    return {split: n for split, n in settings.splits.items()}  # noqa: C416 - its keys may be None


def settings_of(data: dict[str, Any]) -> GenerationSettings:
    """Settings from plain values.

    Raises:
        FileError: With everything that is wrong in them.
        UnknownName: There is no such preset, ruleset or domain.
    """
    return validated(Document(FLAGS, data), GenerationSettings)
