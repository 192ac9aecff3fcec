import math

import pytest

from earsim.apparatus.sixbox.seawater import density


@pytest.mark.parametrize(
    ("s", "t", "rho"), [(35.0, 5.0, 1027.67547), (35.0, 25.0, 1023.34306), (0.0, 5.0, 999.96675)]
)
def test_density_is_that_of_the_check_values_of_eos_80(s: float, t: float, rho: float) -> None:
    assert round(density(t, s), 5) == rho


def test_density_at_a_negative_salinity_is_nan() -> None:
    assert math.isnan(density(5.0, -1e-9))
