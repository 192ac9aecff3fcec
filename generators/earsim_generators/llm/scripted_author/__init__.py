"""An author without a model: answers the four stages from scenes that are there, well or badly.

It is a script for the scripted model server, so the whole pipeline can be tried over HTTP, without
a model and with the same result every time.
"""

from earsim_generators.llm.scripted_author.author import AnswerFixtures, Author

__all__ = ["AnswerFixtures", "Author"]
