"""Scenario makers."""
