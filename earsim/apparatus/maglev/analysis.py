"""Results of `maglev/1`: step response over 60 s, stability, margins, score."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.polynomial import polynomial

from earsim.apparatus.maglev.equations import LAGS_S, PLANT_GAIN, Array, Gains, response
from earsim.apparatus.model import Bounds, ShownSample
from earsim.apparatus.parameter import Value
from earsim.apparatus.publish import publish

ANALYSED_S = 60
STEPS_PER_S = 1000
BAND = 0.05
"""Settled is within 5 % of the final value."""

STABLE_BELOW = -1e-9
_DECIMALS = 9
"""Below that, differences from zero of margins (dB, degrees) and overshoot (%) are rounding."""

_READ_PERCENT = 1e-6
"""Above the rounding of a published reading."""

_X = [0.0, 1.0]
"""The polynomial x."""

_REAL = 1e-7
"""Imaginary part of a root, as a share of its size, that is rounding."""


class Margins(NamedTuple):
    """Stability margins of the open loop; infinite where there is no crossover."""

    gain_db: float
    phase_deg: float


class OpenLoop(NamedTuple):
    """L(s) = numerator/denominator, coefficients from the constant term up, no common root at 0."""

    numerator: Array
    denominator: Array


def open_loop(gains: Gains) -> OpenLoop:
    """Controller times plant."""
    lags = _times(*([1.0, lag] for lag in LAGS_S))
    if gains.ki > 0:
        pid = PLANT_GAIN * np.array([gains.ki, gains.kp, gains.kd])
        return OpenLoop(pid, np.concatenate(([0.0], lags)))
    return OpenLoop(PLANT_GAIN * np.array([gains.kp, gains.kd]), lags)


def poles(gains: Gains) -> Array:
    """Poles of the closed loop, in 1/s; without that of an integral that nothing uses."""
    loop = open_loop(gains)
    return np.asarray(polynomial.polyroots(_plus(loop.denominator, loop.numerator)))


def is_stable(gains: Gains) -> bool:
    """Whether all poles lie to the left of the imaginary axis, by 1e-9 at least."""
    return bool(poles(gains).real.max() < STABLE_BELOW)


def margins(gains: Gains) -> Margins:
    """Gain margin nearest to 0 dB, and phase margin nearest to 0 degrees.

    With L(jw) = N/D, split into even and odd parts, both crossovers are positive roots of
    polynomials in w^2: the imaginary part of N conj(D) is 0 where the phase is -180 degrees, and
    |N|^2 = |D|^2 where the gain is 1.
    """
    (even_n, odd_n), (even_d, odd_d) = map(_halves, open_loop(gains))
    real = _plus(_times(even_n, even_d), _times(_X, odd_n, odd_d))
    imaginary = _plus(_times(odd_n, even_d), -_times(even_n, odd_d))
    square_n = _plus(_times(even_n, even_n), _times(_X, odd_n, odd_n))
    square_d = _plus(_times(even_d, even_d), _times(_X, odd_d, odd_d))
    gain = [
        20 * math.log10(_at(square_d, w2) / -_at(real, w2))
        for w2 in _positive_roots(imaginary)
        if _at(real, w2) < 0
    ]
    phase = [
        _phase_margin(_at(real, w2), math.sqrt(w2) * _at(imaginary, w2))
        for w2 in _positive_roots(_plus(square_n, -square_d))
    ]
    return Margins(min(gain, key=abs, default=math.inf), min(phase, key=abs, default=math.inf))


def _halves(coefficients: Array) -> tuple[Array, Array]:
    """P(jw) = E(w^2) + jw O(w^2): the coefficients of E and O."""
    signs = np.array([1.0, 1.0, -1.0, -1.0, 1.0])[: len(coefficients)]
    signed = coefficients * signs
    return signed[0::2], signed[1::2]


def _times(*factors: Array | list[float]) -> Array:
    product: Array = np.ones(1)
    for factor in factors:
        product = np.convolve(product, np.asarray(factor))
    return product


def _plus(one: Array, other: Array) -> Array:
    total = np.zeros(max(len(one), len(other)))
    total[: len(one)] += one
    total[: len(other)] += other
    return total


def _at(coefficients: Array, x: float) -> float:
    return float(polynomial.polyval(x, coefficients))


def _positive_roots(coefficients: Array) -> list[float]:
    trimmed = polynomial.polytrim(coefficients)
    if len(trimmed) < 2:
        return []
    roots = polynomial.polyroots(trimmed)
    return [float(r.real) for r in roots if r.real > 0 and abs(r.imag) <= _REAL * abs(r)]


def _phase_margin(real: float, imaginary: float) -> float:
    """How far the phase of a number lies above -180 degrees, within -180 to 180."""
    above = math.degrees(math.atan2(imaginary, real)) + 180.0
    return above - 360.0 if above > 180.0 else above


def final_value(gains: Gains) -> float:
    """What y tends to, or would if the loop were stable."""
    return 1.0 if gains.ki > 0 else PLANT_GAIN * gains.kp / (1.0 + PLANT_GAIN * gains.kp)


def results_of(gains: Gains) -> Mapping[str, Value | None]:
    """All results of a run with these gains; None for what does not exist or is infinite."""
    y = response(gains, 1 / STEPS_PER_S, ANALYSED_S * STEPS_PER_S + 1)
    final = final_value(gains)
    settling = _settling_s(y, final)
    overshoot = None if final == 0 else max(0.0, _rounded((float(y.max()) / final - 1.0) * 100.0))
    gain_db, phase_deg = margins(gains)
    stable = is_stable(gains)
    found: dict[str, Value | None] = {
        "settling_s": settling,
        "overshoot_percent": None if overshoot is None else publish(overshoot),
        "steady_error": publish(abs(1.0 - final)),
        "gain_margin_db": None if math.isinf(gain_db) else publish(_rounded(gain_db)),
        "gain_margin_db_infinite": math.isinf(gain_db),
        "phase_margin_deg": None if math.isinf(phase_deg) else publish(_rounded(phase_deg)),
        "phase_margin_deg_infinite": math.isinf(phase_deg),
        "stable": stable,
    }
    return {**found, "score": _score(found, gain_db, phase_deg) if stable else 0}


def implied_by(gains: Gains, readings: Sequence[ShownSample]) -> Mapping[str, Bounds]:
    """What readings of y imply: it overshoots by as much, and settles later than outside the band.

    Every reading is a point of the response that is analysed, up to the digits published.
    """
    final = final_value(gains)
    seen = [(each.t, y) for each in readings if (y := each.channels.get("y")) is not None]
    if not seen or final == 0:
        return {}
    overshoot = (max(y for _, y in seen) / final - 1.0) * 100.0 - _READ_PERCENT
    outside = [t for t, y in seen if abs(y - final) > BAND * abs(final) + _READ_PERCENT]
    found = {"overshoot_percent": Bounds(low=overshoot)} if overshoot > 0 else {}
    return {**found, "settling_s": Bounds(low=max(outside))} if outside else found


def _settling_s(y: Array, final: float) -> float | None:
    """The first time after which y stays within the band; None when it is outside at the end."""
    outside = np.flatnonzero(np.abs(y - final) > BAND * abs(final))
    if not len(outside):
        return 0.0
    settled = int(outside[-1]) + 1
    return None if settled == len(y) else settled / STEPS_PER_S


def _rounded(value: float) -> float:
    return round(value, _DECIMALS) + 0.0  # no -0.0


def _score(found: Mapping[str, Value | None], gain_db: float, phase_deg: float) -> int:
    """Points out of 100 for five requirements: 30, 20, 30, 10, 10."""
    settling, overshoot = found["settling_s"], found["overshoot_percent"]
    error = found["steady_error"]
    assert isinstance(error, float)
    return (
        30 * (settling is not None and float(settling) < 5.0)
        + 20 * (overshoot is not None and float(overshoot) < 20.0)
        + 30 * (error < 1e-3)
        + 10 * (gain_db > 10.0)
        + 10 * (phase_deg > 45.0)
    )
