"""Laws of continuous processes in closed form: heat, flow, drying, charge.

Nothing here knows of worlds or scenes. A law is a number as a function of the seconds since its
anchor; it also tells when it comes to a value. Why nothing is stepped: `docs/design/010-laws.md`.
"""

from earsim.dynamics.drying import Drying, drying
from earsim.dynamics.flow import Gravity, outflow, steady
from earsim.dynamics.heat import ThermalBody, net_power, one_body, pair
from earsim.dynamics.integral import integral
from earsim.dynamics.law import Accumulation, Clamped, Constant, Exponentials, Law, Linear
from earsim.dynamics.rounding import anchored, milliseconds

__all__ = [
    "Accumulation",
    "Clamped",
    "Constant",
    "Drying",
    "Exponentials",
    "Gravity",
    "Law",
    "Linear",
    "ThermalBody",
    "anchored",
    "drying",
    "integral",
    "milliseconds",
    "net_power",
    "one_body",
    "outflow",
    "pair",
    "steady",
]
