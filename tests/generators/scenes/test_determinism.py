"""The same file, knobs and seed give the same bytes, in any process."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from earsim.schema import to_json
from earsim_generators.catalogue import domain_names, load_domain
from earsim_generators.scenes import make_scene
from tests.generators.scenes.rig import PARAMETERS

ROOT = Path(__file__).resolve().parents[3]

PRINT_DIGEST = """
import sys
sys.path[:0] = [".", "generators"]
from tests.generators.scenes.test_determinism import digest
print(digest())
"""


def digest() -> str:
    """Of one scene of every domain and size."""
    texts = []
    for name in domain_names():
        for size, parameters in PARAMETERS.items():
            made = make_scene(load_domain(name), parameters, Random(f"same {size}"), id=name)
            texts.append(to_json(made.scene) + str(made.lookalikes) + str(dict(made.kinds)))
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


@pytest.mark.slow
def test_another_process_makes_the_same_scenes():
    env = {**os.environ, "PYTHONHASHSEED": "4242"}
    command = [sys.executable, "-c", PRINT_DIGEST]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == digest()


def test_another_seed_makes_another_scene():
    domain, parameters = load_domain("home"), PARAMETERS["middle"]
    scenes = {
        to_json(make_scene(domain, parameters, Random(seed), id="x").scene) for seed in range(20)
    }
    assert len(scenes) == 20


def test_nothing_but_the_generator_that_is_handed_in_is_used():
    domain, parameters = load_domain("home"), PARAMETERS["middle"]
    rng = Random(1)
    first = make_scene(domain, parameters, rng, id="x")
    make_scene(load_domain("shop"), parameters, Random(5), id="x")
    second = make_scene(domain, parameters, rng, id="x")
    rng = Random(1)
    assert make_scene(domain, parameters, rng, id="x") == first
    assert make_scene(domain, parameters, rng, id="x") == second


def test_numbers_have_no_noise():
    for name in domain_names():
        made = make_scene(load_domain(name), PARAMETERS["middle"], Random(3), id="x")
        for thing in made.scene.objects:
            for number in (thing.mass_kg, *thing.size_m, *thing.quantities.values()):
                assert len(f"{number:.12g}".lstrip("0.").replace(".", "")) <= 7, number
