"""Settings of a generation run, saved beside its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from earsim.errors import UsageError
from earsim.planner.proofs.certificate import PUBLISHED
from earsim.rulesets import RULESETS
from earsim.schema import Category
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim_generators.catalogue import domain_names, load_domain
from earsim_generators.difficulty import Band
from earsim_generators.families import FAMILIES, WITH_ERRANDS
from earsim_generators.presets import PRESETS, Preset
from earsim_generators.scenes import SceneParameters
from earsim_generators.suites.splits import (
    DOMAINS_HELD_OUT,
    HELD_OUT_DOMAINS,
    NAMES_HELD_OUT,
    Split,
)
from earsim_generators.version import GENERATOR_VERSION, GeneratorVersion

domain_named = cache(load_domain)
"""A domain by name or path; a file is read once per process."""


@cache
def laid_on(name: str) -> frozenset[str]:
    """The kinds of a domain on which its items lie."""
    return frozenset(kind for item in domain_named(name).stock.items for kind in item.on_kinds)


ORDINARY = ""
"""Where the name of a family is asked for: scenes of a domain, with tasks of every category."""

_PARAMETERS = ("rooms", "objects", "numbers", "lookalikes", "distractors", "doors", "locked_doors")

_OF_ORDINARY_SCENES = ("domains", "team", "tasks_per_scene", *_PARAMETERS)

_OF_CATEGORIES = ("categories", "bands", "families", "team")

_WITHOUT_FAMILIES = (*NAMES_HELD_OUT, *DOMAINS_HELD_OUT)


class GenerationSettings(BaseModel):
    """Settings of a run.

    Attributes:
        n: Scenarios; None for as many as are taken.
        preset: Defaults of what is not given.
        domains: Names of domains or paths of domain files; empty for all of the package.
        categories: Of tasks, equally often; empty for all.
        bands: Of difficulty, equally often; empty for those of the preset. A family is told which
            one to aim for, or each in turn.
        families: Names of families, equally often, and no ordinary tasks; empty for those of the
            preset, if it has any, beside ordinary tasks.
        ruleset: Under which scenarios are proved and played.
        team: Agents of joint tasks; None for two, and sometimes three.
        rooms, objects, numbers, lookalikes, distractors, doors, locked_doors: See
            `SceneParameters`; None as in the preset.
        generator: Version of the generator, for what an earlier one has made.
        nodes: Limit of states of each search; None for defaults by number of agents.
        seal: Of a secret seed, a hash that stands in its place wherever something is written; empty
            for a seed that everyone may know.
        splits: Scenarios by split; empty for one suite without splits.
        presets: Of splits that have another one, see `of_part`.
        held_out_domains: For the split `test_domain`; by default the usual ones, or else the last.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    n: int | None = Field(default=None, ge=1)
    seed: int = 0
    seal: str = Field(default="", pattern=r"^([0-9a-f]{64})?$")
    preset: str = "standard"
    domains: tuple[str, ...] = ()
    categories: tuple[Category, ...] = ()
    bands: tuple[Band, ...] = ()
    families: tuple[str, ...] = ()
    ruleset: str = "physical"
    team: int | None = Field(default=None, ge=2, le=4)
    rooms: int | None = Field(default=None, ge=1)
    objects: int | None = Field(default=None, ge=1)
    numbers: int | None = Field(default=None, ge=1)
    lookalikes: int | None = Field(default=None, ge=0)
    distractors: int | None = Field(default=None, ge=0)
    doors: int | None = Field(default=None, ge=0)
    locked_doors: int | None = Field(default=None, ge=0)
    tasks_per_scene: int | None = Field(default=None, ge=1)
    generator: GeneratorVersion = GENERATOR_VERSION
    nodes: int | None = Field(default=None, ge=1)
    splits: Mapping[Split, int] = Field(default_factory=dict)
    presets: Mapping[Split, str] = Field(default_factory=dict)
    held_out_domains: tuple[str, ...] = HELD_OUT_DOMAINS

    @model_validator(mode="after")
    def _can_be_met(self) -> Self:
        RULESETS[self.ruleset]
        self.scene_parameters  # noqa: B018 - raises for parameters that contradict each other
        for split in self.splits or (None,):
            part = self.of_part(split)
            part.domains_of(split)
            part.sources_of(split)
        self._check_families()
        self._check_conditions()
        return self

    def _check_families(self) -> None:
        for name in self.wanted_families:
            FAMILIES[name]
        idle = [name for name in self.wanted_families if name not in WITH_ERRANDS]
        if self.preset_values.errands and idle:
            raise UsageError(
                f"{', '.join(idle)}: the preset {self.preset} puts errands beside its tasks; "
                f"choose from {', '.join(WITH_ERRANDS)}"
            )
        if self.wanted_families and not RULESETS[self.ruleset].physics.time_works:
            raise UsageError(f"families need time to work, and under {self.ruleset} it does not")
        given = [name for name in _OF_ORDINARY_SCENES if name in self.model_fields_set]
        if self.is_of_families and given:
            named = ", ".join(given)
            raise UsageError(f"{named}: of ordinary scenes; a family draws scenes of its own")

    def _check_conditions(self) -> None:
        if not self.preset_values.conditions:
            return
        if not RULESETS[self.ruleset].physics.time_works:
            raise UsageError(f"conditions need time to work, and under {self.ruleset} it does not")
        given = [name for name in _OF_CATEGORIES if name in self.model_fields_set]
        if given:
            named = ", ".join(given)
            raise UsageError(f"{named}: the preset {self.preset} makes tasks of its own kinds")

    def of_part(self, split: Split | None) -> GenerationSettings:
        """What holds for a split: the same, or what it shares with a part of another preset.

        Such a part keeps the seed, the ruleset and, where it has ordinary scenes, the domains.
        """
        if split is None or split not in self.presets:
            return self
        preset = self.presets[split]
        shared = {"seed", "seal", "ruleset", "generator"}
        if PRESETS[preset].ordinary:
            shared |= {"domains", "held_out_domains"}
        given = self.model_dump(include=shared & self.model_fields_set)
        return GenerationSettings(**given, preset=preset, splits={split: self.splits[split]})

    @property
    def seed_shown(self) -> int | str:
        """What scenarios say of the seed that they come from."""
        return f"sealed{self.seal[:12]}" if self.seal else self.seed

    @property
    def parts(self) -> Mapping[Split | None, int | None]:
        """Number of scenarios by split, None being unlimited; without splits the key is None."""
        return dict(self.splits.items()) or {None: self.n}

    @cached_property
    def preset_values(self) -> Preset:
        """The preset."""
        return PRESETS[self.preset]

    @cached_property
    def scene_parameters(self) -> SceneParameters:
        """Parameters of scenes."""
        parameters = replace(self.preset_values.parameters, generator=self.generator)
        given = {
            name: getattr(self, name) for name in _PARAMETERS if getattr(self, name) is not None
        }
        if self.ruleset == PUBLISHED:  # it knows no doors
            given = {"doors": 0, "locked_doors": 0, **given}
        if "doors" in given and "locked_doors" not in given:
            given["locked_doors"] = min(parameters.locked_doors, given["doors"])
        return replace(parameters, **given)

    def parameters_of(self, split: Split | None) -> SceneParameters:
        """Parameters of the scenes of a split."""
        is_new = split in NAMES_HELD_OUT
        return (
            replace(self.scene_parameters, vocabulary="held_out")
            if is_new
            else self.scene_parameters
        )

    @property
    def wanted_tasks_per_scene(self) -> int:
        """Tasks that an ordinary scene is asked for."""
        return self.tasks_per_scene or self.preset_values.tasks_per_scene

    @property
    def wanted_categories(self) -> tuple[Category, ...]:
        """Categories, without repetition."""
        return tuple(dict.fromkeys(self.categories)) or tuple(Category)

    @property
    def wanted_families(self) -> tuple[str, ...]:
        """Families, without repetition."""
        return tuple(dict.fromkeys(self.families)) or self.preset_values.families

    @property
    def is_of_families(self) -> bool:
        """Whether all scenes are of families, none of domains."""
        return bool(self.families) or not self.preset_values.ordinary

    def sources_of(self, split: Split | None) -> tuple[str, ...]:
        """Where the scenes of a split come from, in turn: names of families, and `ORDINARY`.

        Raises:
            UsageError: Only from families, and the split is defined by words and domains.
        """
        if split not in _WITHOUT_FAMILIES:
            ordinary = 0 if self.is_of_families else self.preset_values.ordinary
            return (*self.wanted_families, *[ORDINARY] * ordinary)
        if self.is_of_families:
            raise UsageError(f"families have no words or domains held out for {split}")
        return (ORDINARY,)

    @property
    def wanted_bands(self) -> tuple[Band | None, ...]:
        """Bands, without repetition; None where any will do."""
        return tuple(dict.fromkeys(self.bands)) or self.preset_values.bands or (None,)

    def domains_of(self, split: Split | None) -> tuple[str, ...]:
        """The domains that the scenes of a split are made of.

        Raises:
            UsageError: There are none.
            UnknownName: One of them is no domain.
            FileError: One of them is a file with findings.
        """
        names = tuple(dict.fromkeys(self.domains)) or domain_names()
        if self.splits:
            held_out = self._held_out(names)
            is_kept = split in DOMAINS_HELD_OUT
            names = tuple(name for name in names if (name in held_out) is is_kept)
        if not names:
            named = ", ".join(self.held_out_domains)
            raise UsageError(f"no domain is left for {split}; held out: {named}")
        for name in names:
            domain_named(name)
        return names

    def _held_out(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The domains that are kept for `test_domain`: the usual ones, or else the last."""
        found = tuple(name for name in names if Path(name).stem in self.held_out_domains)
        if found or "held_out_domains" in self.model_fields_set or len(names) < 2:
            return found
        return names[-1:]


def settings_of(data: dict[str, Any]) -> GenerationSettings:
    """Settings from plain values.

    Raises:
        FileError: With every finding.
        UnknownName: There is no such preset, ruleset or domain.
    """
    return validated(Document("the settings", data), GenerationSettings)
