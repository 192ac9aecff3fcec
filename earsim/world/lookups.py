"""Libraries and collections of figures: compiled, and what cannot be about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from earsim.apparatus.figures.figure import Axis, Figure, Series
from earsim.apparatus.figures.model import FigureBoard
from earsim.apparatus.library.model import Library, LibraryText
from earsim.apparatus.lookup import LookUpModel
from earsim.schema.apparatus import Apparatus
from earsim.schema.lookup import LEAST_LOG, MOST_BARS, FigureCollection, FigureSpec, TextCorpus
from earsim.schema.model import FieldProblem

Loc = tuple[str | int, ...]

_MODELS: Mapping[str, str] = {"library/1": "library", "figures/1": "figures"}
"""The block that each such model takes, and no other model does."""


def lookup_model(spec: Apparatus) -> LookUpModel | None:
    """The model with what the scene has it look up; None for any other model."""
    if spec.library is not None:
        return _library(spec.library)
    return None if spec.figures is None else _figures(spec.figures)


def _library(spec: TextCorpus) -> Library:
    texts = [LibraryText(each.id, each.title, each.date, each.text) for each in spec.texts]
    return Library(texts, search_s=spec.search_s, visit_s=spec.visit_s, hits=spec.hits)


def _figures(spec: FigureCollection) -> FigureBoard:
    figures = [figure(each) for each in spec.figures]
    return FigureBoard(figures, list_s=spec.list_s, show_s=spec.show_s, tables=spec.tables)


def figure(spec: FigureSpec) -> Figure:
    """A figure as the model has it; nothing is wrong in it."""
    return Figure(
        id=spec.id,
        title=spec.title,
        caption=spec.caption,
        kind=spec.kind,
        x=Axis(spec.x.label, spec.x.unit, spec.x.log),
        y=Axis(spec.y.label, spec.y.unit, spec.y.log),
        series=tuple(Series(each.name, each.points) for each in spec.series),
    )


# -- what cannot be --------------------------------------------------------------------------------


def lookup_problems(spec: Apparatus) -> Iterator[FieldProblem]:
    """What is wrong in what is looked up; places are relative to the apparatus."""
    for model, key in _MODELS.items():
        given = getattr(spec, key) is not None
        if given is not (spec.model == model):
            reason = f"{spec.model} {'with' if given else 'without'} {key!r}"
            yield FieldProblem((key,), reason, f"{key!r} for {model}, and for no other model")
    if spec.library is not None:
        ids = [each.id for each in spec.library.texts]
        yield from _repeated(ids, ("library", "texts"))
        if not ids:
            yield FieldProblem(("library", "texts"), "no texts", "'texts', or a 'file' with some")
    if spec.figures is not None:
        ids = [each.id for each in spec.figures.figures]
        yield from _repeated(ids, ("figures", "figures"))
        if not ids:
            reason = "no figures"
            yield FieldProblem(("figures", "figures"), reason, "'figures', or a 'file' with some")
        for place, each in enumerate(spec.figures.figures):
            yield from _figure(each, ("figures", "figures", place))
    yield from _prices(spec)


def _prices(spec: Apparatus) -> Iterator[FieldProblem]:
    stock = lookup_model(spec)
    known = [] if stock is None else list(stock.actions)
    if spec.pool is not None:
        known = [action.name for action in spec.pool.actions]
    for name in () if spec.price is None else spec.price.eur_per:
        if name not in known:
            expected = f"one of: {', '.join(known)}" if known else "'eur_per_run'"
            yield FieldProblem(("price", "eur_per", name), f"unknown operation {name!r}", expected)


def _repeated(ids: list[str], loc: Loc) -> Iterator[FieldProblem]:
    for place, id in enumerate(ids):
        if id in ids[:place]:
            yield FieldProblem((*loc, place, "id"), f"the id {id!r} is there twice")


def _figure(spec: FigureSpec, loc: Loc) -> Iterator[FieldProblem]:
    names = [each.name for each in spec.series]
    words = {x for series in spec.series for x, _ in series.points}
    if spec.kind == "bar" and len(words) > MOST_BARS:
        yield FieldProblem(loc, f"bars over {len(words)} words", f"{MOST_BARS} words at most")
    for place, series in enumerate(spec.series):
        there: Loc = (*loc, "series", place)
        if series.name in names[:place]:
            yield FieldProblem((*there, "name"), f"the series {series.name!r} is there twice")
        places = [x for x, _ in series.points]
        if len(set(places)) < len(places):
            yield FieldProblem((*there, "points"), "an x is there twice", "one y for each x")
        if any(isinstance(x, str) is not (spec.kind == "bar") for x in places):
            wanted = "words" if spec.kind == "bar" else "numbers"
            yield FieldProblem((*there, "points"), f"a {spec.kind} figure over {wanted} alone")
            continue
        yield from _logarithmic(spec, series.points, there)


_ABOVE = f"numbers of {LEAST_LOG:g} or more"


def _logarithmic(
    spec: FigureSpec, points: tuple[tuple[float | str, float], ...], loc: Loc
) -> Iterator[FieldProblem]:
    if spec.x.log and (spec.kind == "bar" or any(float(x) < LEAST_LOG for x, _ in points)):
        yield FieldProblem((*loc, "points"), "an x on a logarithmic axis", _ABOVE)
    if spec.y.log and any(y < LEAST_LOG for _, y in points):
        yield FieldProblem((*loc, "points"), "a y on a logarithmic axis", _ABOVE)
