"""Proposals near tipping points of the six-box ocean: `tipgan/1`."""

from earsim.apparatus.tipgan.model import TIPGAN

__all__ = ["TIPGAN"]
