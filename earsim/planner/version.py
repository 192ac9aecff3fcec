"""The version of the planner, which every claim of search carries."""

PLANNER_VERSION = "2"
"""Changes whenever the same question may get another answer, another plan or other node counts."""
