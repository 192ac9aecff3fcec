"""Sentences: instructions told from the trees that goals are made of."""

from earsim_generators.language.realiser import Realiser, RealiserContext

__all__ = ["Realiser", "RealiserContext"]
