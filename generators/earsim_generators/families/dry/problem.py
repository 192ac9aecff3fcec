"""Dry problems that are drawn: their texts, tests with a solver's answers, and the scene."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from earsim.apparatus.dry_bench.comparison import same
from earsim.apparatus.dry_bench.problem import MAIN
from earsim_generators.families.apparatus.station import (
    RIG,
    BenchLooks,
    Experiment,
    document,
    first_fitting,
    significant,
)
from earsim_generators.families.draft import Fields

TESTS: Final = 5
DIGITS: Final = 8
"""Significant digits of an answer."""

_LOOKS = BenchLooks(
    "Computing desk", "Chip card", "Data cassette", "thickness_mm", 24.0, (0.6, 0.6, 0.7)
)
_RUNS = {"easy": 8, "medium": 6, "hard": 4}
_MOST_ALIKE = 2
"""Tests that one and the same value may pass."""


class DrawnProblem(NamedTuple):
    """A problem for a desk.

    Attributes:
        name: Of the task.
        title: Of the scene.
        domain: Of science.
        statement: What is to be filled in, in words.
        signature: Of the function, such as ``flux(seconds)``.
        says: What the function returns, its docstring.
        constants: Of ``data.py``, a line each with a comment.
        tests: Arguments and answers.
        solution: Text of ``main.py`` that passes, by another method than the solver's.
    """

    name: str
    title: str
    domain: str
    statement: str
    signature: str
    says: str
    constants: Sequence[str]
    tests: Sequence[tuple[Sequence[Any], Any]]
    solution: str

    @property
    def files(self) -> Mapping[str, str]:
        """The function to fill in, and the numbers that were drawn."""
        names = ", ".join(line.split(" = ")[0] for line in self.constants)
        stub = (
            f"from data import {names}\n\n\n"
            f'def {self.signature}:\n    """{self.says}"""\n    raise NotImplementedError\n'
        )
        return {MAIN: stub, "data.py": "".join(f"{line}\n" for line in self.constants)}


def is_guessed(problem: DrawnProblem) -> bool:
    """Whether one value passes several tests, whatever it is called with."""
    answers = [answer for _, answer in problem.tests]
    return any(sum(same(each, one) for each in answers) > _MOST_ALIKE for one in answers)


def desk_scene(
    rng: Random, difficulty: str, draw: Callable[[Random], DrawnProblem | None]
) -> Fields:
    """A scene with the problem on a desk; what the desk takes lies elsewhere."""
    found: DrawnProblem | None = None

    def drawn() -> Experiment | None:
        nonlocal found
        found = draw(rng)
        if found is None or is_guessed(found):
            return None
        return _experiment(found, _RUNS[difficulty])

    experiment = first_fitting(drawn)
    assert found is not None, "an experiment is made of it"
    made = document(rng, difficulty, _LOOKS, experiment)
    made["tasks"][0]["workflow"] = {"family": "dry_experiment", "domain": found.domain}
    return made


def _experiment(problem: DrawnProblem, runs: int) -> Experiment:
    function = problem.signature.partition("(")[0]
    return Experiment(
        name=problem.name,
        title=problem.title,
        block={
            "model": "dry_bench/1",
            "desk": {
                "problem": f"Fill in {function} in {MAIN}: {problem.statement}",
                "function": function,
                "files": dict(problem.files),
                "tests": [
                    {"args": list(arguments), "equals": answer}
                    for arguments, answer in problem.tests
                ],
            },
        },
        goal=[{"measured": {"apparatus": RIG, "result": "passed", "equals": TESTS}}],
        says=(
            f"Solve the problem that lies on the {{{RIG}}}, so that all five tests pass. You have "
            f"{runs} runs there; RUN and EXEC count alike."
        ),
        limits={"runs": runs},
        runs=runs,
        commands=[
            f"READ {RIG}",
            f"SAVE {RIG} {MAIN}\n{problem.solution}",
            f"RUN {RIG}",
            f"WAIT UNTIL {RIG} done",
        ],
    )


def rounded(value: Any) -> Any:
    """An answer with `DIGITS` significant digits."""
    if isinstance(value, float):
        return significant(value, DIGITS)
    return [rounded(each) for each in value] if isinstance(value, list | tuple) else value
