"""What cannot be about the desk of a dry bench, with its place, and the longest answers."""

from typing import Any

import pytest

from earsim.schema.apparatus import Apparatus
from earsim.world.desks import desk_problems

MAIN = "def area(side):\n    ...\n"
TEST = {"args": [2.0], "equals": 4.0}
RUN = {"files": {"data.py": "SIDE = 2"}, "prints": "4"}
OF_TESTS = {"function": "area", "tests": [TEST]}
MOST = 1990
"""Characters of a line of output that holds an answer."""


def told(**desk: Any) -> list[tuple[str, str, str]]:
    files = {"problem": "Areas.", "files": {"main.py": MAIN}}
    spec = Apparatus.model_validate({"model": "dry_bench/1", "desk": {**files, **desk}})
    return [(".".join(map(str, p.loc)), p.reason, p.expected) for p in desk_problems(spec)]


def test_a_desk_has_tests_of_a_function_or_runs_of_a_program():
    assert told(**OF_TESTS) == []
    assert told(programs=[RUN]) == []
    either, function = "either tests, or programs", (
        "a function where there are tests, and none where there are programs"
    )  # fmt: skip
    assert told() == [("desk.tests", "there are no tests", either)]
    assert told(**OF_TESTS, programs=[RUN]) == [
        ("desk.tests", "there are tests of two kinds", either)
    ]
    assert told(tests=[TEST]) == [("desk.function", "function is None", function)]
    assert told(function="area", programs=[RUN]) == [
        ("desk.function", "function is 'area'", function)
    ]


def test_the_function_that_is_tested_begins_a_line_of_the_main_file():
    missing = ("desk.function", "main.py has no function 'area'", "def area(...): in it")
    assert told(**OF_TESTS, files={"main.py": f"import math\n\n\n{MAIN}"}) == []
    for text in ("def areas(side): ...", "class A:\n    def area(side): ...", "area = max"):
        assert told(**OF_TESTS, files={"main.py": text}) == [missing]
    no_main = ("desk.files", "there is no main.py", "main.py, with what is missing")
    assert told(**OF_TESTS, files={"area.py": MAIN}) == [no_main, missing]


def test_only_a_dry_bench_has_a_desk():
    (problem,) = desk_problems(Apparatus.model_validate({"model": "dry_bench/1"}))
    assert (problem.loc, problem.reason) == (("desk",), "dry_bench/1 without a desk")
    desk = {"problem": "Areas.", "files": {"main.py": MAIN}, **OF_TESTS}
    (problem,) = desk_problems(Apparatus.model_validate({"model": "python/1", "desk": desk}))
    assert (problem.loc, problem.reason) == (("desk",), "python/1 with a desk")
    assert problem.expected == "a desk for dry_bench/1, and for no other model"
    assert list(desk_problems(Apparatus.model_validate({"model": "python/1"}))) == []


def text(length: int) -> str:
    return "x" * length


@pytest.mark.parametrize(
    ("answer", "beside"),
    [
        (text, 2),
        (lambda length: [text(length)], 6),
        (lambda length: [text(length), True], 12),
        (lambda length: [None, text(length)], 12),
        (lambda length: [text(length), []], 10),
        (lambda length: [text(length), {}], 10),
        (lambda length: [text(length), 7], 32),  # as long as the longest number
        (lambda length: {"of": text(length)}, 12),
        (lambda length: {"of": text(length), "a": [1.5]}, 47),
    ],
)
def test_an_answer_fits_in_a_line_of_output(answer, beside):
    for length, fits in ((MOST - beside, True), (MOST - beside + 1, False)):
        problems = told(function="area", tests=[TEST, TEST | {"equals": answer(length)}])
        reason = f"as a line of output it takes up to {length + beside} characters"
        assert problems == ([] if fits else [("desk.tests.1.equals", reason, f"at most {MOST}")])


def test_the_longest_line_that_a_program_prints_fits_as_well():
    long = RUN | {"prints": f"a\n{text(MOST)}\nb\n"}
    assert told(programs=[RUN, long, RUN | {"prints": ""}]) == []
    longer = RUN | {"prints": f"a\n{text(MOST + 1)}\nb\n"}
    reason = f"as a line of output it takes up to {MOST + 1} characters"
    assert told(programs=[RUN, longer]) == [("desk.programs.1.prints", reason, f"at most {MOST}")]
