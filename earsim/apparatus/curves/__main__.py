"""Compute all stored curves again."""

from earsim.apparatus.curves import write

write()
