"""A library of texts that are searched and visited, each for a time and a price."""

from earsim.apparatus.library.model import Library

LIBRARY = Library()
"""The model without texts; a scene gives it some."""
