"""Forecasters of the six-box ocean: their windows, fits and scores (Millison et al.)."""
