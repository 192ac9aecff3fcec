"""Realisation of instructions from goal and selector trees."""

from earsim_generators.language.realiser import Realiser, RealiserContext

__all__ = ["Realiser", "RealiserContext"]
