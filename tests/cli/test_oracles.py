"""`earsim run --policy oracle` and `--policy expert`."""

import pytest

from tests.recorded import recorded


@pytest.mark.parametrize("name", ["oracle", "expert"])
def test_they_win_from_the_command_line(earsim, here, name):
    result = earsim("run", "starter", "--policy", name, "--limit", 5, "--out", name)
    assert result.exit_code == 0
    assert "5/5" in result.stdout
    assert "100.0 %" in result.stdout
    assert len(recorded(here / name)) == 5
