"""What an audit knows about one scenario."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from earsim.datasets.audit.goal_facts import facts_of
from earsim.datasets.audit.labels import Label, label_of, shown_by
from earsim.datasets.audit.loads import Load, load_of
from earsim.engine import Engine
from earsim.evaluation.summary import UNKNOWN
from earsim.schema import Scenario
from earsim.schema.certificate import Certificate, Means, Search, Shown


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One scenario: what is proved about it, and what is odd in it.

    Attributes:
        problem: why it could not be audited; everything below is then missing.
        repairs: kinds of what the importer had to change so that it loads, each once.
        label: the standing of what its category promises.
        shown: what was shown of each means that the label speaks of.
        load: the heaviest thing to be moved; None where nothing is.
    """

    id: str
    category: str = UNKNOWN
    problem: str = ""
    certificate: Certificate | None = None
    repairs: tuple[str, ...] = ()
    label: Label = Label.OPEN
    shown: tuple[tuple[Means, Shown], ...] = ()
    load: Load | None = None

    @property
    def solution(self) -> Search | None:
        """The answer for commands that agents are told of; None without a certificate."""
        return None if self.certificate is None else self.certificate.solution

    @property
    def is_solvable(self) -> bool:
        """There is a plan, and something to do."""
        return self.certificate is not None and (
            self.certificate.solution.found == "plan" and not self.certificate.goal_at_start
        )

    @property
    def any_command(self) -> Search | None:
        """The answer for any command that the rules accept; None where that is the same."""
        exploit = None if self.certificate is None else self.certificate.exploit
        return None if exploit is None else exploit.together

    @property
    def is_exploitable(self) -> bool:
        """Whether a command nobody is told of is proved to help: a shorter plan, or the only one.

        A plan that is shorter than one not proved to be least shows nothing.
        """
        told, accepted = self.solution, self.any_command
        if told is None or accepted is None or accepted.found != "plan" or told.found == "unknown":
            return False
        return told.found == "impossible" or len(accepted.plan) < (told.bound or 0)

    @property
    def is_for_team(self) -> bool:
        """Whether it was asked what one agent of several can do alone."""
        exploit = None if self.certificate is None else self.certificate.exploit
        return exploit is not None and bool(exploit.alone)

    @property
    def done_alone(self) -> bool | None:
        """Whether one agent does the task of a team with any command; None where not decided."""
        exploit = None if self.certificate is None else self.certificate.exploit
        if exploit is None or not exploit.alone:
            return None
        found = [search.found for search in exploit.alone]
        return True if "plan" in found else None if "unknown" in found else False

    def as_json(self) -> dict[str, Any]:
        """The entry as a flat record; plans stay in the certificate."""
        told: dict[str, Any] = {"id": self.id, "category": self.category}
        if self.certificate is None:
            return told | {"problem": self.problem}
        told |= {
            "scenario_hash": self.certificate.scenario_hash,
            "true_at_start": self.certificate.goal_at_start,
            "solution": _search(self.certificate.solution),
            "label": self.label.value,
            "shown": {means.value: how.value for means, how in self.shown},
        }
        if self.any_command is not None:
            told |= {"any_command": _search(self.any_command), "done_alone": self.done_alone}
        if self.load is not None:
            told["load"] = self.load._asdict() | {"fit": self.load.fit.value}
        return told | {"repairs": list(self.repairs)}


def entry(
    scenario: Scenario, certificate: Certificate, repairs: tuple[str, ...] = ()
) -> AuditEntry:
    """The entry of a scenario that is certified."""
    engine = Engine(scenario, certificate.ruleset.partition("/")[0])
    goal = facts_of(engine)
    shown = shown_by(certificate, engine)
    return AuditEntry(
        id=scenario.id,
        category=scenario.task.category.value,
        certificate=certificate,
        repairs=repairs,
        label=label_of(certificate, shown),
        shown=tuple(shown.items()),
        load=None if goal is None else load_of(engine, goal),
    )


def _search(search: Search) -> dict[str, Any]:
    told: dict[str, Any] = {"found": search.found, "nodes": search.nodes}
    if search.found == "plan":
        told |= {"decisions": len(search.plan), "commands": search.commands, "least": search.least}
    if search.why is not None:
        told["why"] = search.why
    return told if search.bound is None else told | {"bound": search.bound}
