"""Every scene of the rig, one after the other."""

import pytest

from earsim_generators.catalogue import domain_names
from tests.generators.scenes.rig import ALL, Case, case


@pytest.fixture(params=domain_names())
def cases(request) -> list[Case]:
    """All scenes of one domain."""
    return [case(*which) for which in ALL if which[0] == request.param]


@pytest.fixture(scope="session")
def all_cases() -> list[Case]:
    return [case(*which) for which in ALL]
