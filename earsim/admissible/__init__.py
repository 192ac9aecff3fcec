"""The commands an agent could give now and have accepted."""

from earsim.admissible.listing import Admissible, Offers

__all__ = ["Admissible", "Offers"]
