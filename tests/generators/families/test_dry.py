"""Family `dry`: problems whose answers solvers give, other methods find, and haste does not."""

from __future__ import annotations

import sys
import types
from itertools import islice
from random import Random
from typing import Any

import pytest

from earsim.apparatus.bodies.confinement import DEMAND, reached
from earsim.apparatus.dry_bench.comparison import same
from earsim.apparatus.dry_bench.problem import MAIN
from earsim.errors import UsageError
from earsim.planner.proofs.certificate import recheck
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.schema.scenario import SceneFile
from earsim.world.desks import desk_problems
from earsim_generators import GenerationSettings, generate
from earsim_generators.families.dry import PROBLEMS, dry
from earsim_generators.families.dry.problem import DrawnProblem, desk_scene, is_guessed

LEVELS = ("easy", "medium", "hard")
SEEDS = range(8)
needs_sandbox = pytest.mark.skipif(
    reached().level < DEMAND.level, reason="this machine has no sandbox for code"
)


def drawn(name: str, seed: int) -> DrawnProblem:
    """The first problem of a seed that is good for a task."""
    rng = Random(f"{name} {seed}")
    found = (PROBLEMS[name](rng) for _ in range(500))
    return next(each for each in found if each is not None and not is_guessed(each))


def passed(problem: DrawnProblem, text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many tests a text of `main.py` passes, executed in this process: it is ours."""
    data, main = types.ModuleType("data"), dict[str, Any]()
    exec(problem.files["data.py"], data.__dict__)
    monkeypatch.setitem(sys.modules, "data", data)
    exec(text, main)
    function = main[problem.signature.partition("(")[0]]
    count = 0
    for arguments, answer in problem.tests:
        try:
            count += same(answer, function(*arguments))
        except (ArithmeticError, ValueError, NotImplementedError):
            continue
    return count


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", PROBLEMS)
def test_another_method_passes_and_the_stub_does_not(name, seed, monkeypatch):
    problem = drawn(name, seed)
    assert len(problem.tests) == 5
    assert passed(problem, problem.solution, monkeypatch) == 5
    assert passed(problem, problem.files[MAIN], monkeypatch) == 0


HASTY = {
    "flux": """
import math
from data import L, T_inf, T_init, cp, h, k, rho
def flux(seconds):
    return h * (T_init - T_inf) * math.exp(-h * seconds / (rho * cp * L))
""",
    "face_temperature": """
import math
from data import L, T_inf, T_init, cp, h, k, rho
def face_temperature(seconds):
    return T_inf + (T_init - T_inf) * math.exp(-h * seconds / (rho * cp * L))
""",
    "between": """
import math
from data import GAMMA
def between(left, right):
    impedance = [math.sqrt(GAMMA * p * rho) for rho, u, p in (left, right)]
    p = (impedance[1] * left[2] + impedance[0] * right[2]
         + impedance[0] * impedance[1] * (left[1] - right[1])) / sum(impedance)
    return [p, left[1] - (p - left[2]) / impedance[0]]
""",
    "output": """
import math
from data import LAGS
def output(kp, ki, kd, seconds):
    return kp / (1 + kp) * (1 - math.exp(-seconds / sum(LAGS)))
""",
    "moisture": """
from data import CRITICAL, EQUILIBRIUM, RATE
def moisture(start, hours):
    return max(EQUILIBRIUM, start - RATE * hours)
""",
    "hours": """
from data import CRITICAL, EQUILIBRIUM, RATE
def hours(start, target):
    return (start - target) / RATE
""",
}
"""Lumped heat, weak waves, a proportional first-order loop, and one period of drying."""


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", PROBLEMS)
def test_what_haste_writes_does_not_pass(name, seed, monkeypatch):
    problem = drawn(name, seed)
    assert passed(problem, HASTY[problem.name], monkeypatch) < 5


@pytest.mark.parametrize("name", PROBLEMS)
def test_no_one_value_passes_more_than_two(name):
    for seed in SEEDS:
        answers = [answer for _, answer in drawn(name, seed).tests]
        for value in answers:
            assert sum(same(answer, value) for answer in answers) <= 2


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", PROBLEMS)
def test_a_seed_gives_a_scene_that_loads_and_another_gives_another(name, level):
    def scene(seed: int) -> dict[str, Any]:
        return desk_scene(Random(seed), level, PROBLEMS[name])

    assert scene(1) == scene(1)
    assert scene(1) != scene(2)
    (scenario,) = validated(Document("drawn", scene(1)), SceneFile).scenarios()
    (desk,) = [thing.apparatus for thing in scenario.scene.objects if thing.apparatus]
    assert list(desk_problems(desk)) == []
    assert scenario.task.workflow is not None
    assert scenario.task.workflow.family == "dry_experiment"


@pytest.mark.slow
@needs_sandbox
def test_scenes_are_certified_by_tests_in_the_sandbox():
    made = tuple(islice(generate(GenerationSettings(seed=9, families=("dry",))), 3))
    for one in made:
        assert not list(recheck(one.certificate, one.scenario))
        assert one.certificate.solution.found == "plan"
        (claim,) = one.certificate.solution.numeric
        assert (claim.model, dict(claim.best)) == ("dry_bench/1", {"passed": 5})


def test_without_a_sandbox_nothing_is_made_and_the_reason_is_told(monkeypatch):
    monkeypatch.setattr(DEMAND, "level", 4)
    with pytest.raises(UsageError, match="earsim doctor --sandbox"):
        dry(Random(1), "easy")
