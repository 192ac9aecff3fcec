"""Baselines that understand little: what a benchmark must not be won with."""
