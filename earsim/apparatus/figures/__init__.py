"""A collection of figures: data series, each with a picture that is drawn from them."""

from earsim.apparatus.figures.model import FigureBoard

FIGURES = FigureBoard()
"""The model without figures; a scene gives it some."""
