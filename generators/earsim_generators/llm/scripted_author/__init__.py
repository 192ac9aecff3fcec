"""Scripted author: answers the four stages from the scenes of a suite, well or badly.

A script for the scripted model server: the whole pipeline over HTTP, without a model, and
reproducible.
"""

from earsim_generators.llm.scripted_author.author import AnswerFixtures, Author

__all__ = ["AnswerFixtures", "Author"]
