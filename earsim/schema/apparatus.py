"""An apparatus, as a scene gives it: an object behind which a simulation stands."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StringConstraints

from earsim.ids import MODEL_ID_PATTERN
from earsim.schema.dry_bench import DryDesk
from earsim.schema.lookup import FigureCollection, TextCorpus
from earsim.schema.model import FileModel, Id, Json, Number
from earsim.schema.wet_bench import ActionPool

ModelId = Annotated[str, StringConstraints(pattern=MODEL_ID_PATTERN)]
"""Name and version of a model, ``maglev/1``."""

Account = Literal["eur", "kwh", "flop", "runs", "clock_s"]
"""Costs of runs: euros, kilowatt hours, floating-point operations, runs, seconds of the clock."""


class ApparatusNeeds(FileModel):
    """What a run takes.

    Attributes:
        ability: A verb that a tool in hand provides, a key for one; none when None.
        loaded: Id of the object that must be in or on it.
        people: How many agents give ``RUN`` in one decision.
        attended: Whether the run ends as soon as nobody who began it is in the room.
    """

    ability: Id | None = None
    loaded: Id | None = None
    people: Annotated[int, Field(ge=1, le=100, strict=True)] = 1
    attended: StrictBool = False


class ApparatusPrice(FileModel):
    """What a run costs.

    Attributes:
        eur_per_run: Euros for every run.
        eur_per: Euros for every run of an operation, by its name, beside those.
        eur_per_h: Euros for every hour that it runs.
        eur_per_mflop: Euros for every million floating-point operations.
        kwh_per_h: Kilowatt hours for every hour that it runs.
    """

    eur_per_run: Annotated[float, Field(strict=True, ge=0, le=1e9)] = 0.0
    eur_per: dict[Id, Annotated[float, Field(strict=True, ge=0, le=1e9)]] = Field(
        default_factory=dict
    )
    eur_per_h: Annotated[float, Field(strict=True, ge=0, le=1e9)] = 0.0
    eur_per_mflop: Annotated[float, Field(strict=True, ge=0, le=1e9)] = 0.0
    kwh_per_h: Annotated[float, Field(strict=True, ge=0, le=1e9)] = 0.0


class Apparatus(FileModel):
    """The simulation behind an object.

    Attributes:
        model: Which model, with its version.
        settings: Where it starts; the rest stands as the model says.
        bounds: Least and greatest values of numbers, within those of the model.
        tunable: Settings that can be changed here; all when empty.
        levels: Values that are listed as admissible, by setting.
        show: Channels on its display; all when empty.
        pool: What can be done there, of a wet bench.
        desk: What lies there, of a dry bench.
        library: What can be read there, of a library.
        figures: What can be looked at there, of a collection of figures.
    """

    model: ModelId
    settings: dict[Id, Json] = Field(default_factory=dict)
    bounds: dict[Id, tuple[Number, Number]] = Field(default_factory=dict)
    tunable: tuple[Id, ...] = ()
    levels: dict[Id, tuple[Any, ...]] = Field(default_factory=dict)
    needs: ApparatusNeeds | None = None
    price: ApparatusPrice | None = None
    show: tuple[Id, ...] = ()
    pool: ActionPool | None = None
    desk: DryDesk | None = None
    library: TextCorpus | None = None
    figures: FigureCollection | None = None
