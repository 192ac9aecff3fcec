"""Forecasts of the six-box ocean: `forecaster/1`."""

from earsim.apparatus.forecaster.model import FORECASTER

__all__ = ["FORECASTER"]
