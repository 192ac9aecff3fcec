"""Sentences: instructions told from the trees that goals are made of."""

from earsim_generators.sentences.telling import Scenery, Telling

__all__ = ["Scenery", "Telling"]
