"""A few generated scenarios, made once and looked at by many tests."""

import pytest

from earsim_generators import GenerationSettings, generate


@pytest.fixture(scope="session")
def made():
    """Three of each category from every preset."""
    return [
        one
        for preset in ("small", "standard", "hard")
        for one in generate(GenerationSettings(n=21, seed=5, preset=preset))
    ]
