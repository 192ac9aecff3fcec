"""Runs in the log formats of other evaluation tools."""
