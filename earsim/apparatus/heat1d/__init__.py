"""Heat conduction through a slab, in one dimension."""

from earsim.apparatus.heat1d.model import Heat1d

HEAT1D = Heat1d()
