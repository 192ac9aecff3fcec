"""What people think of generated tasks: tried, accepted, rejected or corrected, and by how many.

Decisions lie beside the suite in a file that only grows. Nothing in the suite changes; what was
accepted is exported as a suite of its own.
"""

from earsim_generators.review.review import Review, ReviewDecision, ReviewFile
from earsim_generators.review.reviewed_suite import ReviewedSuite, find_reviewed_suite
from earsim_generators.review.session import ReviewSession, begin_session
from earsim_generators.review.summary import Summary, summary_of

__all__ = [
    "Review",
    "ReviewDecision",
    "ReviewFile",
    "ReviewSession",
    "ReviewedSuite",
    "Summary",
    "begin_session",
    "find_reviewed_suite",
    "summary_of",
]
