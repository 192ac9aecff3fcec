"""Laws of continuous processes in closed form: heat, flow, drying, charge.

Nothing here knows of worlds or scenes. A law is a number as a function of the seconds since its
anchor; it also tells when it comes to a value. Why nothing is stepped: `docs/design/010-laws.md`.
"""

from earsim.dynamics.heat import ThermalBody, one_body
from earsim.dynamics.law import Clamped, Constant, Exponentials, Law, Linear

__all__ = [
    "Clamped",
    "Constant",
    "Exponentials",
    "Law",
    "Linear",
    "ThermalBody",
    "one_body",
]
