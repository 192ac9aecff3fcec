"""`earsim run --policy oracle` and `--policy expert`."""

import pytest

from tests.recorded import recorded


@pytest.mark.slow
@pytest.mark.parametrize("number", [2, pytest.param(5, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["oracle", "expert"])
def test_they_win_from_the_command_line(earsim, here, name, number):
    result = earsim("run", "starter", "--policy", name, "--limit", number, "--out", name)
    assert result.exit_code == 0
    assert f"{number}/{number}" in result.stdout
    assert "100.0 %" in result.stdout
    assert len(recorded(here / name)) == number
