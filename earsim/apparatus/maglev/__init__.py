"""`maglev/1`: a PID loop around a plant of three lags, as a rig that answers a unit step."""

from earsim.apparatus.maglev.model import MAGLEV

__all__ = ["MAGLEV"]
