"""Readings of texts that fit no template: names of the scene, small words around them, elimination.

All mentions of things and places are found in a text; things and places are assigned to each other
jointly, so that what is told to be somewhere is there, and all that is mentioned has a part.
"""

from earsim_agents.baselines.free_reading.reading import FreeReading

__all__ = ["FreeReading"]
