"""Mutation testing itself: what the operators change, what they leave alone, and the lists."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest
from coverage import CoverageData

from tests.mutation.__main__ import GROUPS, ROOT, equivalents
from tests.mutation.operators import Mutant, mutants_of
from tests.mutation.recording import Recording, digest

pytestmark = pytest.mark.source


def changed(source):
    return [mutant.after.strip() for mutant in mutants_of("module.py", source)]


@pytest.mark.parametrize(
    ("source", "mutants"),
    [
        ("x = a < b", ["x = (a <= b)"]),
        ("x = a >= b", ["x = (a > b)"]),
        ("x = a == b != c", ["x = (a == b == c)", "x = (a != b != c)"]),
        ("x = a is None", ["x = (a is not None)"]),
        ("x = a not in b", ["x = (a in b)"]),
        ("x = a and b", ["x = (a or b)"]),
        ("x = not a", ["x = (a)"]),
        ("x = a + b * c", ["x = (a - b * c)", "x = a + (b / c)"]),
        ("x = a | b", ["x = (a & b)"]),
        ("x = 3", ["x = 2", "x = 4"]),
        ("x = True", ["x = False"]),
        ("x = a, b", ["x = (a,)", "x = (b,)"]),
        ("x = {a: b, c: d}", ["x = {a: b}", "x = {c: d}"]),
        ("x = invalid(a, *b)", ["x = invalid(*b)", "x = invalid(a)"]),
        ("x = a if b else c", ["x = a if (not (b)) else c"]),
        ("x = [a for a in b if c]", ["x = [a for a in b if (not (c))]"]),
        ("def f():\n    return a", ["return None"]),
        ("x.a = b", ["pass"]),
        ("x[a] = b", ["pass"]),
        ("x += b", ["pass"]),
        ("f()", ["pass"]),
        ("raise x", ["pass"]),
        ("while a:\n    break", ["pass", "while (not (a)):"]),
        ("if a:\n    x = b", ["if (not (a)):", "pass"]),
    ],
)
def test_what_is_changed(source: str, mutants: list[str]):
    assert sorted(changed(source + "\n")) == sorted(mutants)


@pytest.mark.parametrize(
    "source",
    [
        '"""Three."""',
        "x: tuple[int, Literal[3]] = y",
        "def f(x: Literal[3] = y) -> Literal[3]:\n    return None",
        "@dataclass(frozen=True)\nclass X(Y[3]): ...",
        "assert x == 3",
        "if TYPE_CHECKING:\n    x = 3",
        "x = zip(a, b, strict=True)",
        '__all__ = ["a", "b"]',
        'x = f"{a + b}"',
        "x = Callable[[a, b], c]",
        "x = a[:, b]",
    ],
)
def test_what_is_left_alone(source: str):
    assert changed(source + "\n") == []


def test_a_change_of_several_lines_and_its_diff():
    source = "x = 0.5\nif a == 'ä':\n    x = b\n"
    whole = next(one for one in mutants_of("module.py", source) if one.after == "pass\n")
    assert whole.applied(source) == "x = 0.5\npass\n"
    assert whole.diff() == "module.py:2\n- if a == 'ä':\n-     x = b\n+ pass"
    assert whole.key == ("module.py", "if a == 'ä':", "pass")


@pytest.mark.slow
@pytest.mark.parametrize("name", GROUPS)
def test_every_mutant_of_a_group_is_other_code(name: str):
    found = list(GROUPS[name].mutants())
    assert len(found) > 10
    for mutant in found[::100]:
        source = (ROOT / mutant.path).read_text(encoding="utf-8")
        assert ast.dump(ast.parse(mutant.applied(source))) != ast.dump(ast.parse(source))


@pytest.mark.parametrize("name", GROUPS)
def test_the_tests_of_a_group_are_there(name: str):
    assert all((ROOT / path.partition("::")[0]).exists() for path in GROUPS[name].tests)


@pytest.mark.slow
def test_each_path_of_a_group_has_tests_that_are_run():
    paths = {path for group in GROUPS.values() for path in group.tests}
    named = {path for path in paths if "::" in path}
    collect = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider"]
    found = []
    for asked in (named, ["-m", "not slow", *(paths - named)]):
        done = subprocess.run([*collect, *asked], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        found += done.stdout.splitlines()
    of = {path: (f"{path}/", f"{path}::", f"{path}[") for path in paths}
    assert {
        p for p in paths if p not in found and not any(x.startswith(of[p]) for x in found)
    } == set()


@pytest.mark.slow
def test_what_is_listed_as_equivalent_is_a_mutant_still():
    keys = {mutant.key for group in GROUPS.values() for mutant in group.mutants()}
    assert set(equivalents()) <= keys
    assert all(reason.startswith("# ") for reason in equivalents().values())


@pytest.mark.slow
def test_survivors_are_shown_and_counted():
    command = [sys.executable, "-m", "tests.mutation", "splits", "--samples", "3", "--jobs", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    found = [each for each in GROUPS["splits"].mutants() if each.key not in equivalents()]
    assert done.stdout.split()[-5:][:2] == ["splits", str(len(found))]
    assert done.stdout.split()[-2:] == ["3", "100.0%"]


def test_what_runs_at_import_in_any_path_is_tried_against_all_tests(tmp_path: Path):
    files = []
    for test, lines in (("a", [1, 2]), ("b", [1, 3]), ("c", [1])):
        files.append(tmp_path / f"{test}.sqlite")
        data = CoverageData(basename=str(files[-1]))
        data.set_context("")
        data.add_lines({"/somewhere/earsim/errors.py": lines})
        data.write()
        files[-1].with_suffix(".json").write_text(json.dumps({test: 1.0}))
    recording = Recording(files)
    for line in (1, 2, 3):
        assert recording.tests_of(Mutant("earsim/errors.py", line, "", "")) == ["a", "b", "c"]
    assert recording.tests_of(Mutant("earsim/errors.py", 10_000, "", "")) == []


def test_a_recording_is_of_the_code_and_the_tests_as_they_are(tmp_path: Path):
    for place in ("earsim/a.py", "generators/b.py", "tests/one/t.py", "tests/other.py"):
        file = tmp_path / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("1\n")
    before = {digest("tests/one", tmp_path), digest("tests/other.py::test_it", tmp_path)}
    assert len(before) == 2
    (tmp_path / "tests/one/t.py").write_text("2\n")
    assert digest("tests/other.py::test_it", tmp_path) in before
    assert digest("tests/one", tmp_path) not in before
    (tmp_path / "earsim/a.py").write_text("2\n")
    assert digest("tests/other.py::test_it", tmp_path) not in before
