"""What the six boxes are made of: fixed numbers, state, flows, and the tally of a run.

Boxes are the high latitudes of the North Atlantic and North Pacific (nA, nP), the Southern Ocean
(s), the low latitudes of both basins above their pycnoclines (lA, lP), and the deep ocean (d).
Named tuples of plain numbers throughout, as numba takes them.
"""

from __future__ import annotations

from typing import NamedTuple


class Basin(NamedTuple):
    """What one basin is made of; areas in m2, temperatures in C.

    Attributes:
        share: of the Southern Ocean that belongs to it.
        aspect: length of its northern front over its width.
        low_area: of its low latitudes.
        north_area: of its northern high latitudes.
        friction: resistance to sinking in the north, 1/s.
        low_target: temperature that its low latitudes are restored to.
        north_target: temperature that its north is restored to.
    """

    share: float
    aspect: float
    low_area: float
    north_area: float
    friction: float
    low_target: float
    north_target: float


class Ocean(NamedTuple):
    """What stays as it is during a run; lengths in m, areas in m2, fluxes in m3/s.

    Attributes:
        a: the Atlantic.
        p: the Pacific.
        area: of the whole ocean; only the volume of the deep box rests on it.
        south_area: of the Southern Ocean.
        layer: thickness of the three high-latitude boxes.
        diffusivity: vertical, m2/s.
        eddies: thickness diffusivity of eddies, m2/s.
        mixing: horizontal diffusivity, m2/s.
        ekman: northward transport by the wind over the Southern Ocean.
        southern: exchange of the Southern Ocean with the deep one.
        south_target: temperature that the Southern Ocean is restored to, C.
        between_friction: resistance to the exchange between the basins, 1/s.
        dt: one step, s.
    """

    a: Basin
    p: Basin
    area: float
    south_area: float
    layer: float
    diffusivity: float
    eddies: float
    mixing: float
    ekman: float
    southern: float
    south_target: float
    between_friction: float
    dt: float


class Boxes(NamedTuple):
    """The state: depths of both pycnoclines (m), six temperatures (C), six salinities (g/kg)."""

    depth_a: float
    depth_p: float
    t_na: float
    t_np: float
    t_s: float
    t_la: float
    t_lp: float
    t_d: float
    s_na: float
    s_np: float
    s_s: float
    s_la: float
    s_lp: float
    s_d: float


class Flows(NamedTuple):
    """Volume fluxes of one basin, m3/s.

    Attributes:
        mix_south: exchange with the Southern Ocean.
        mix_north: exchange of its low latitudes with its north.
        eddies: return flow by eddies to the Southern Ocean.
        upwelling: out of the deep ocean.
        sinking: overturning in its north.
        deep: 1 if what sinks gets into the deep ocean, 0 if it returns below the surface.
        code: 3 deep, 2 intermediate, 1 shallow.
        lightness: reduced gravity between its low latitudes and the deep ocean, m/s2.
    """

    mix_south: float
    mix_north: float
    eddies: float
    upwelling: float
    sinking: float
    deep: float
    code: int
    lightness: float


class Fresh(NamedTuple):
    """Freshwater fluxes through the air in one step, m3/s: to s, nA, nP, and from A to P."""

    south: float
    north_a: float
    north_p: float
    between: float


class Rates(NamedTuple):
    """Changes of what boxes hold of a tracer, its unit times m3/s: s, nA, nP, lA, lP, d."""

    south: float
    north_a: float
    north_p: float
    low_a: float
    low_p: float
    deep: float


class Tally(NamedTuple):
    """Sinking (sums, m3/s) and steps per regime of both basins, over the end of a run."""

    sinking_a: float
    sinking_p: float
    deep_a: int
    intermediate_a: int
    shallow_a: int
    deep_p: int
    intermediate_p: int
    shallow_p: int


NOTHING = Tally(0.0, 0.0, 0, 0, 0, 0, 0, 0)
"""The tally of a run whose end has not come."""


class Marched(NamedTuple):
    """What came of some steps.

    Attributes:
        boxes: the last state whose numbers are all finite.
        step: steps since the start of the run.
        tally: since the start of the run.
        broken: the step after has no finite numbers.
    """

    boxes: Boxes
    step: int
    tally: Tally
    broken: bool
