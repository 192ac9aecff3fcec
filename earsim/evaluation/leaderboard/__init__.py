"""Leaderboard files: from finished runs to comparable entries, and the check of such a file."""
