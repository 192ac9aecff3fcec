"""The pictures of what an agent has just read: of a figure that an apparatus showed it."""

from __future__ import annotations

from collections.abc import Mapping

from earsim.actions.outcome import Outcome
from earsim.apparatus.figures.figure import Figure
from earsim.apparatus.figures.model import FigureBoard
from earsim.apparatus.parameter import Settings
from earsim.tables.document import Picture
from earsim.world import Blueprint


def figure_of(blueprint: Blueprint, node: str, settings: Settings) -> Figure | None:
    """The figure that a run of an apparatus showed; None where it showed none."""
    live = blueprint.live
    model = None if live is None else live.lookups.get(node)
    return model.shown(settings) if isinstance(model, FigureBoard) else None


def pictures_read(blueprint: Blueprint, outcome: Outcome | None) -> tuple[Picture, ...]:
    """The picture of the figure that a command has read; none for any other command."""
    if outcome is None or outcome.verb != "READ" or not outcome.accepted:
        return ()
    facts = outcome.facts
    settings = facts.get("settings")
    if facts.get("status") != "completed" or not isinstance(settings, Mapping):
        return ()
    figure = figure_of(blueprint, str(facts["id"]), settings)
    return () if figure is None else (picture(figure),)


def picture(figure: Figure) -> Picture:
    """A figure, drawn."""
    from earsim.render.picture.plot import plot, png

    drawing = plot(figure)
    return Picture(figure.id, f"{drawing.title}: {drawing.description}", png(drawing))
