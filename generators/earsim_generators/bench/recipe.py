"""A recipe: everything that decides a benchmark, in one file."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from earsim import ids
from earsim.schema.files.load import validated
from earsim.schema.files.text import read_text
from earsim.schema.files.yaml_text import parse_yaml
from earsim.schema.leaderboard import Sha256
from earsim.schema.model import FieldProblem, FileModel, Name, raise_problems
from earsim_generators.difficulty import Band
from earsim_generators.paraphrase.record import SUFFIX, ParaphraseFile
from earsim_generators.presets import PRESETS
from earsim_generators.suites import GenerationSettings, Split, settings_of
from earsim_generators.suites.splits import DECLINED_BESIDE
from earsim_generators.version import GENERATOR_VERSION, GeneratorVersion

SuiteName = Annotated[
    str, StringConstraints(pattern=ids.SUITE_NAME_PATTERN, max_length=ids.MAX_ID_LENGTH)
]
"""The name of a suite and of its file."""


class SuitePart(FileModel):
    """A suite with `n` scenarios of a split, as many of each kind.

    Attributes:
        preset: That of the recipe without.
        declined: So many more that are to be declined, made last, in scenes of the preset that its
            own has for that (`Preset.beside`); half of them impossible, half unclear, of any band.
    """

    split: Split
    n: int = Field(ge=1)
    preset: Name | None = None
    declined: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _has_a_split(self) -> Self:
        raise_problems("SuitePart", self._problems())
        return self

    def _problems(self) -> Iterator[FieldProblem]:
        known = ", ".join(DECLINED_BESIDE)
        if self.split in DECLINED_BESIDE.values():
            reason = f"{self.split} is what is to be declined beside another split"
            yield FieldProblem(("split",), reason, f"`declined` of a part of {known}")
        elif self.declined and self.split not in DECLINED_BESIDE:
            reason = f"nothing is made to be declined beside {self.split}"
            yield FieldProblem(("declined",), reason, f"0, or a split of {known}")

    @property
    def size(self) -> int:
        """The number of its scenarios."""
        return self.n + self.declined

    @property
    def splits(self) -> tuple[Split, ...]:
        """The splits that its scenarios are made in, in order."""
        return (self.split, DECLINED_BESIDE[self.split]) if self.declined else (self.split,)


class SealedPart(SuitePart):
    """A suite whose seed is secret until it is published.

    Attributes:
        commitment: To the secret, see `sealed.commitment`.
        signature: Of its scenarios, as in leaderboard files; None before they were made once.
    """

    commitment: Sha256
    signature: Sha256 | None = None


class Mini(FileModel):
    """A suite of `n` scenarios of a part, with its proportions of kinds, in its words."""

    of: Name
    n: int = Field(ge=1)


class BenchmarkRecipe(FileModel):
    """The input of a benchmark build.

    Attributes:
        version: Incremented when a scenario changes, is added or is removed.
        canary: Text in every scenario, by which training data that hold some can be recognised.
        bands: Of difficulty, equally often; those of the preset without.
        domains: All, held-out ones included, so that new domains change no benchmark.
        held_out: Domains of the split `test_domain` only.
        generator: Version of the generator.
        seal: Commitment to the seed, where that is secret.
        parts: Suites by name.
        mini: Further suites by name.
        sealed: Suites of secret seeds by name; they are no part of an ordinary build.
        opaque_ids: Whether the id of a scenario is a digest, instead of the name of what it was
            made for, which gives away what is to be declined; scenes stand in the order of digests.
        paraphrased: Parts with instructions in other words, each in a file of its own.
        measured: Whether baselines play all scenarios but those about time, and bands are by that.
    """

    schema_: Literal["earsim.recipe/1"] = Field(
        default="earsim.recipe/1", validation_alias="schema", serialization_alias="schema"
    )
    name: Name
    version: int = Field(ge=1)
    canary: Name
    seed: int
    seal: Sha256 | None = None
    preset: Name = "standard"
    ruleset: Name = "physical"
    generator: GeneratorVersion = GENERATOR_VERSION
    bands: tuple[Band, ...] = ()
    domains: tuple[Name, ...] = Field(min_length=1)
    held_out: tuple[Name, ...]
    parts: dict[SuiteName, SuitePart] = Field(min_length=1)
    mini: dict[SuiteName, Mini] = Field(default_factory=dict)
    sealed: dict[SuiteName, SealedPart] = Field(default_factory=dict)
    opaque_ids: bool = False
    paraphrased: tuple[SuiteName, ...] = ()
    measured: bool = False

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        raise_problems("BenchmarkRecipe", self._problems())
        return self

    def _problems(self) -> Iterator[FieldProblem]:
        yield from self._problems_of_splits()
        yield from self._problems_of_names()

    def _problems_of_splits(self) -> Iterator[FieldProblem]:
        splits: dict[Split, str] = {}
        for name, part in self.parts.items():
            first = splits.setdefault(part.split, name)
            if first != name:
                loc = ("parts", name, "split")
                yield FieldProblem(
                    loc, f"{part.split} is the split of {first}", "one part per split"
                )

    def _problems_of_names(self) -> Iterator[FieldProblem]:
        for name in self.sealed:
            if name in self.names:
                yield FieldProblem(("sealed", name), f"{name} is public as well", "another name")
        for name, mini in self.mini.items():
            if name in self.parts:
                yield FieldProblem(("mini", name), f"{name} is a part as well", "another name")
            if mini.of not in self.parts:
                known = ", ".join(self.parts)
                yield FieldProblem(("mini", name, "of"), f"no part {mini.of!r}", f"one of: {known}")
            elif mini.n > self.parts[mini.of].size:
                most = f"at most {self.parts[mini.of].size}"
                yield FieldProblem(("mini", name, "n"), f"more than {mini.of} has", most)

        for index, name in enumerate(self.paraphrased):
            if name not in self.parts:
                known = ", ".join(self.parts)
                yield FieldProblem(("paraphrased", index), f"no part {name!r}", f"one of: {known}")

    @cached_property
    def settings(self) -> GenerationSettings:
        """Settings of the generator.

        Raises:
            FileError: They are not valid.
            UnknownName: There is no such domain, preset or ruleset.
        """
        parts = self.parts.values()
        presets = {part.split.value: part.preset for part in parts if part.preset is not None}
        splits = {part.split.value: part.n for part in parts}
        for part in parts:  # after all else, which they change nothing of
            if part.declined:
                beside = DECLINED_BESIDE[part.split].value
                splits[beside] = part.declined
                presets[beside] = PRESETS[part.preset or self.preset].beside
        return settings_of(
            {
                "generator": self.generator,
                "seed": self.seed,
                "seal": self.seal or "",
                "preset": self.preset,
                "ruleset": self.ruleset,
                "domains": self.domains,
                "held_out_domains": self.held_out,
                "splits": splits,
                **({"presets": presets} if presets else {}),
                **({"bands": self.bands} if self.bands else {}),
            }
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all suites."""
        return (*self.parts, *self.mini)

    def part_of(self, split: Split) -> str:
        """The name of the suite that a split is the source of."""
        return next(name for name, part in self.parts.items() if split in part.splits)


def load_recipe(path: str | Path) -> BenchmarkRecipe:
    """The recipe in a YAML file.

    Raises:
        FileError: With every finding.
    """
    return validated(parse_yaml(read_text(path), str(path)), BenchmarkRecipe)


def paraphrases_in(folder: Path, recipe: BenchmarkRecipe) -> dict[str, ParaphraseFile]:
    """The paraphrases of every suite that a recipe says is paraphrased.

    Raises:
        FileError: A file is missing, or a line is none.
    """
    return {name: ParaphraseFile.read(folder / f"{name}.{SUFFIX}") for name in recipe.paraphrased}
