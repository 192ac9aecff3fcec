"""`levitation/1`: a ball held under a magnet against gravity, which falls where control fails."""

from earsim.apparatus.levitation.model import LEVITATION

__all__ = ["LEVITATION"]
