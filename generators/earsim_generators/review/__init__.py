"""Reviews of tasks by people: accepted, rejected or corrected, and exported as a suite.

Decisions lie beside the suite in a file that is only appended to; the suite itself is unchanged.
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
