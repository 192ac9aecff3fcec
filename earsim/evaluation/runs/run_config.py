"""A cell of a sweep: one combination, whose episodes may be averaged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from earsim.apparatus.bodies.confinement import DEFAULT_LEVEL
from earsim.errors import UsageError
from earsim.evaluation.policies import asks_a_model
from earsim.evaluation.runs.sweep import ModelConfig, Sweep
from earsim.rulesets import RULESETS
from earsim.schema.choices import EndOn, Knowledge, Style
from earsim.schema.model import FileModel, Name
from earsim.schema.records.episode_settings import EpisodeSettings

_WHERE_AND_HOW_FAST = frozenset(
    (
        *("base_url", "api_key_env", "concurrency", "timeout_s", "cache"),
        *("attempts", "backoff_s", "max_backoff_s"),
    )
)
"""Options that do not decide what a model answers."""

_UNFIT = re.compile(r"[^A-Za-z0-9_.-]+")


class RunConfig(FileModel):
    """One combination of a sweep.

    Attributes:
        name: Made from what it combines, the same in every run.
        style: None for a policy without prompts.
        sandbox_level: Isolation below which no code is executed: an episode that asks for it then
            is no measurement.
    """

    name: str
    entrant: ModelConfig
    suite: str
    style: Style | None = None
    knowledge: Knowledge = "explore"
    ruleset: Name | None = None
    seed: int = 0
    budget: int | None = None
    end_on: EndOn = "done"
    give_up_after: int | None = None
    sandbox_level: int = DEFAULT_LEVEL

    @property
    def episode(self) -> EpisodeSettings:
        """How its episodes are played."""
        return EpisodeSettings(
            ruleset=self.ruleset,
            budget=self.budget,
            end_on=self.end_on,
            observability="full" if self.knowledge == "global" else "partial",
        )

    @property
    def identity(self) -> dict[str, object]:
        """What decides its outcome: not where the server is, nor how fast it is asked."""
        data = self.model_dump(mode="json", exclude={"entrant": {"price"}, "sandbox_level": True})
        options: dict[str, object] = data["entrant"]["options"]
        data["entrant"]["options"] = {
            key: value for key, value in options.items() if key not in _WHERE_AND_HOW_FAST
        }
        return data


def run_configs_of(sweep: Sweep) -> tuple[RunConfig, ...]:
    """Every combination, in the order of the sweep.

    Raises:
        UnknownName: There is no such policy or ruleset.
        UsageError: Two combinations would have the same name.
    """
    for ruleset in sweep.rulesets:
        if ruleset is not None:
            RULESETS[ruleset]
    cells: dict[str, RunConfig] = {}
    for cell in _combinations(sweep):
        other = cells.get(cell.name)
        if other is not None:
            cure = "give the models a `name`"
            if other.suite != cell.suite:
                cure = f"give {other.suite} and {cell.suite} different file names"
            raise UsageError(f"two cells are called {cell.name!r}: {cure}")
        cells[cell.name] = cell
    return tuple(cells.values())


def _combinations(sweep: Sweep) -> Iterator[RunConfig]:
    for entrant, suite in product(sweep.models, sweep.suites):
        styles: tuple[Style | None, ...] = (None,)
        if asks_a_model(entrant.policy):
            styles = sweep.styles
        for style, knowledge, ruleset in product(styles, sweep.knowledge, sweep.rulesets):
            yield RunConfig(
                name=_name(entrant, suite, style, knowledge, ruleset),
                entrant=entrant,
                suite=suite,
                style=style,
                knowledge=knowledge,
                ruleset=ruleset,
                seed=sweep.seed,
                budget=sweep.budget,
                end_on=sweep.end_on,
                give_up_after=sweep.give_up_after,
                sandbox_level=sweep.sandbox_level,
            )


def _name(
    entrant: ModelConfig, suite: str, style: Style | None, knowledge: Knowledge, ruleset: str | None
) -> str:
    parts = [title(entrant), _fit(suite)]
    parts += [style, knowledge] if style else ["global"] if knowledge == "global" else []
    parts += [ruleset] if ruleset else []
    return "-".join(parts)


def title(entrant: ModelConfig) -> str:
    """How results call an entrant: its own name, or that of its policy and its model."""
    if entrant.name is not None:
        return entrant.name
    if entrant.model is None:
        return entrant.policy
    return f"{entrant.policy}-{_fit(entrant.model)}"


def _fit(text: str) -> str:
    """The telling end of a name or path, without what a name may not hold."""
    return _UNFIT.sub("_", text.rstrip("/").rpartition("/")[2].removesuffix(".yaml")) or "_"
