"""A sweep: who plays what, in which ways, how often. One file, or the flags of `earsim eval`."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from earsim.apparatus.bodies.confinement import DEFAULT_LEVEL
from earsim.schema.choices import EndOn, Knowledge, Style
from earsim.schema.model import FieldProblem, FileModel, JsonDict, Name, raise_problems

Label = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$", max_length=80)]
"""Part of the name of a cell, and so of an episode."""

_Rate = Annotated[float, Field(ge=0)]


class Price(FileModel):
    """What a million tokens cost, in any currency.

    Attributes:
        cached_input: For those that a prefix cache had; the price of ``input`` when None.
    """

    input: _Rate
    output: _Rate
    cached_input: _Rate | None = None

    def cost(self, prompt: int, completion: int, cached: int = 0) -> float:
        """What a number of tokens cost; `cached` of those of the prompt came from a cache."""
        lower = self.input if self.cached_input is None else self.cached_input
        return ((prompt - cached) * self.input + cached * lower + completion * self.output) / 1e6


class ModelConfig(FileModel):
    """Who plays: a policy, usually with a model.

    Attributes:
        policy: Its name in the registry.
        name: How results call it; the model, or else the policy, when None.
        options: Keyword arguments of the policy, such as ``model`` and ``base_url``.
        price: For the cost of a run.
    """

    policy: Name = "centralized"
    name: Label | None = None
    options: JsonDict = Field(default_factory=dict)
    price: Price | None = None

    @property
    def model(self) -> str | None:
        """The model it asks; None where it asks none."""
        model = self.options.get("model")
        return model if isinstance(model, str) else None


class Sweep(FileModel):
    """Every entrant on every suite, in every style, with all knowledge, under all rulesets.

    Attributes:
        suites: Names, paths or scenario ids.
        styles: Of prompts, for policies that have them.
        knowledge: ``explore`` finds things out; ``global`` knows every object from the start.
        rulesets: None is each scenario's own.
        repeats: How often each scenario is played; repeat ``i`` has the seed ``seed + i``.
        budget: Decisions allowed; None leaves it to the scenario.
        end_on: ``done`` ends when the agents say so, ``goal`` as soon as the goal holds as well.
        give_up_after: Ends an episode after so many unreadable replies in a row; None never does.
        category: Only scenarios of this category.
        limit: Only the first so many scenarios of each suite.
        in_flight: Episodes of one entrant at the same time.
        sandbox_level: Isolation below which no code of an agent is executed, 0 to 3.
    """

    schema_: Literal["earsim.sweep/1"] = Field(
        default="earsim.sweep/1", validation_alias="schema", serialization_alias="schema"
    )
    models: tuple[ModelConfig, ...] = Field(min_length=1)
    suites: tuple[str, ...] = Field(default=("starter",), min_length=1)
    styles: tuple[Style, ...] = Field(default=("chat",), min_length=1)
    knowledge: tuple[Knowledge, ...] = Field(default=("explore",), min_length=1)
    rulesets: tuple[Name | None, ...] = Field(default=(None,), min_length=1)
    repeats: int = Field(default=1, strict=True, ge=1, le=10_000)
    seed: int = Field(default=0, strict=True)
    budget: int | None = Field(default=None, strict=True, ge=1, le=1_000_000)
    end_on: EndOn = "done"
    give_up_after: int | None = Field(default=None, strict=True, ge=1)
    category: Name | None = None
    limit: int | None = Field(default=None, strict=True, ge=1)
    in_flight: int = Field(default=64, strict=True, ge=1, le=10_000)
    sandbox_level: int = Field(default=DEFAULT_LEVEL, strict=True, ge=0, le=3)

    @model_validator(mode="after")
    def _no_repetitions(self) -> Self:
        lists = ("models", "suites", "styles", "knowledge", "rulesets")
        raise_problems("Sweep", [p for name in lists for p in _repeated(name, getattr(self, name))])
        return self


def _repeated(name: str, values: tuple[object, ...]) -> list[FieldProblem]:
    return [
        FieldProblem((name, index), "it stands there twice", "each is played once; see repeats")
        for index, value in enumerate(values)
        if value in values[:index]
    ]
