"""What people think of generated tasks: tried, accepted, rejected or corrected, and by how many.

Decisions lie beside the suite in a file that only grows. Nothing in the suite changes; what was
accepted is exported as a suite of its own.
"""

from earsim_generators.review.review import Decision, Review
from earsim_generators.review.review_file import ReviewFile
from earsim_generators.review.shelf import Shelf, find_shelf
from earsim_generators.review.sitting import Sitting, begin_sitting
from earsim_generators.review.summary import Summary, summary_of

__all__ = [
    "Decision",
    "Review",
    "ReviewFile",
    "Shelf",
    "Sitting",
    "Summary",
    "begin_sitting",
    "find_shelf",
    "summary_of",
]
