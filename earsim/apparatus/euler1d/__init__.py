"""Shock tubes: the equations of Euler in one dimension."""

from earsim.apparatus.euler1d.model import Euler1d

EULER1D = Euler1d()
