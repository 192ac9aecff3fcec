"""The 41 settings of the six-box ocean, and what they mean for its equations."""

from __future__ import annotations

from earsim.apparatus.parameter import Parameter, Settings
from earsim.apparatus.sixbox.boxes import YEAR_S
from earsim.apparatus.sixbox.ocean import Basin, Boxes, Fresh, Ocean

WHERE = {
    "nA": "northern Atlantic",
    "nP": "northern Pacific",
    "s": "Southern Ocean",
    "lA": "low-latitude Atlantic",
    "lP": "low-latitude Pacific",
    "d": "deep ocean",
}
"""The boxes, in the order of channels and results."""

BASINS = {"A": "Atlantic", "P": "Pacific"}


def _area(box: str, default: float, says: str) -> Parameter:
    return Parameter(f"A_{box}", says, default, "m2", 0.5 * default, 1.5 * default)


def _depth(basin: str, default: float) -> Parameter:
    says = f"depth of the {BASINS[basin]} pycnocline at the start"
    return Parameter(f"D_{basin}0", says, default, "m", 50.0, 2000.0)


def _temperature(box: str, default: float) -> Parameter:
    says = f"temperature of the {WHERE[box]} at the start"
    return Parameter(f"T0_{box}", says, default, "C", -2.0, 35.0)


def _salinity(box: str, default: float) -> Parameter:
    says = f"salinity of the {WHERE[box]} at the start"
    return Parameter(f"S0_{box}", says, default, "psu", 30.0, 40.0)


def _target(box: str, default: float) -> Parameter:
    says = f"temperature that the {WHERE[box]} is restored to"
    return Parameter(f"Tr_{box}", says, default, "C", -12.0, 30.0)


def _fresh(end: str, default: float, where: str, low: float = 0.0, high: float = 4e6) -> Parameter:
    return Parameter(f"F_{end}", f"freshwater through the air {where}", default, "m3/s", low, high)


def _friction(end: str, default: float, of: str, high: float) -> Parameter:
    return Parameter(f"eps_{end}", f"resistance to {of}", default, "1/s", 1e-5, high)


PARAMETERS: tuple[Parameter, ...] = (
    _area("tot", 3.58e14, "area of the whole ocean; only the deep volume rests on it"),
    *(
        _area(box, area, f"area of the {WHERE[box]}")
        for box, area in (
            ("nA", 0.22e14),
            ("nP", 0.1e14),
            ("s", 0.62e13),
            ("lA", 0.64e14),
            ("lP", 2e14),
        )
    ),
    Parameter("D_high", "thickness of the high-latitude boxes", 100.0, "m", 100.0, 200.0),
    _depth("A", 420.0),
    _depth("P", 380.0),
    *map(_temperature, WHERE, (4.0, 4.0, 4.0, 16.2, 17.2, 3.0)),
    *map(_salinity, WHERE, (35.0, 33.8, 34.0, 35.8, 35.0, 34.8)),
    Parameter("Kv", "vertical diffusivity", 1e-5, "m2/s", 0.0, 1e-4),
    Parameter("A_GM", "thickness diffusivity of eddies", 1000.0, "m2/s", 0.0, 5000.0),
    Parameter("A_R", "horizontal diffusivity of tracers", 1000.0, "m2/s", 50.0, 8000.0),
    Parameter("M_ek", "Ekman transport across the Southern Ocean", 25e6, "m3/s", 0.0, 6e7),
    Parameter("M_SD", "exchange of the Southern with the deep ocean", 15e6, "m3/s", 0.0, 5e7),
    *map(_target, ("nA", "nP", "s", "lA", "lP"), (0.0, 2.0, -10.0, 16.8, 17.8)),
    _fresh("s", 1.1e6, "to the Southern Ocean"),
    _fresh("nA", 0.45e6, "to the northern Atlantic"),
    _fresh("nP", 0.34e6, "to the northern Pacific"),
    _fresh("IB", 0.3e6, "from the Atlantic to the Pacific", -1e6, 2e6),
    _friction("A", 1.2e-4, "sinking in the northern Atlantic", 1e-2),
    _friction("P", 1.2e-4, "sinking in the northern Pacific", 1e-2),
    _friction("IB", 0.57e-4, "exchange between the basins", 1e-3),
    Parameter("N", "steps of a run", 4000, low=100, high=40000, integer=True),
    Parameter("dt", "one step", 0.25, "yr", 0.05, 0.25),
    Parameter("noise", "standard deviation of the freshwater fluxes", 0.0, "m3/s", 0.0, 1e6),
)
"""In the order in which they are shown; the defaults are the preset ``published``."""


def start_of(settings: Settings) -> Boxes:
    """The boxes before the first step."""
    names = ["D_A0", "D_P0", *(f"T0_{box}" for box in WHERE), *(f"S0_{box}" for box in WHERE)]
    return Boxes(*(float(settings[name]) for name in names))


def fresh_of(settings: Settings) -> Fresh:
    """Freshwater fluxes without noise."""
    return Fresh(*(float(settings[name]) for name in ("F_s", "F_nA", "F_nP", "F_IB")))


def ocean_of(settings: Settings) -> Ocean:
    """What stays as it is during a run."""

    def number(name: str) -> float:
        return float(settings[name])

    def basin(end: str, share: float, aspect: float) -> Basin:
        names = ("A_l", "A_n", "eps_", "Tr_l", "Tr_n")
        return Basin(share, aspect, *(number(f"{name}{end}") for name in names))

    return Ocean(
        a=basin("A", share=0.25, aspect=5.0),
        p=basin("P", share=0.75, aspect=10.0),
        area=number("A_tot"),
        south_area=number("A_s"),
        layer=number("D_high"),
        diffusivity=number("Kv"),
        eddies=number("A_GM"),
        mixing=number("A_R"),
        ekman=number("M_ek"),
        southern=number("M_SD"),
        south_target=number("Tr_s"),
        between_friction=number("eps_IB"),
        dt=number("dt") * YEAR_S,
    )
