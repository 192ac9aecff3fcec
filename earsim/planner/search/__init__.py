"""Least plans by A*: over single commands, or over the decisions of a team."""
