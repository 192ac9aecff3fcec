"""The Python workstation: pieces of code, lines of output, interruptions, forks."""

from __future__ import annotations

from functools import partial

import pytest

from earsim.apparatus.bodies import PYTHON
from earsim.apparatus.bodies.confinement import DEMAND, reached
from earsim.apparatus.bodies.lines import display, reading, result
from earsim.apparatus.bodies.pool import Pool
from earsim.apparatus.bodies.transcript import OutputLine, PieceEnd, Saved, entry_of
from earsim.apparatus.parameter import defaults
from tests.apparatus.bodies import pieces
from tests.apparatus.bodies.pieces import texts

SETTINGS = defaults(PYTHON.parameters)

needs_sandbox = pytest.mark.skipif(
    reached().level < DEMAND.level, reason="this machine has no sandbox for code"
)
pytestmark = needs_sandbox


piece = partial(pieces.piece, PYTHON)
done = partial(pieces.done, PYTHON)
work_of = partial(pieces.work_of, PYTHON)


def test_a_line_comes_a_second_however_fast_the_machine_is() -> None:
    state = piece("print('a')\nprint('b')")
    seen = []
    for seconds in (0.0, 0.9, 1.0, 1.9, 2.0, 2.9, 3.0):
        advanced = PYTHON.advance(state, seconds)
        state = advanced.state
        seen.append((len(state.lines), advanced.done))
    assert seen == [
        (0, False),
        (0, False),
        (1, False),
        (1, False),
        (2, False),
        (2, False),
        (2, True),
    ]


def test_cutting_the_time_changes_nothing() -> None:
    code = "for k in range(5): print(k)"
    whole = PYTHON.advance(piece(code), 9.0)
    state, events = piece(code), []
    for half_seconds in range(19):
        advanced = PYTHON.advance(state, half_seconds / 2)
        state, events = advanced.state, [*events, *advanced.events]
    assert state == whole.state
    assert tuple(events) == whole.events


def test_variables_live_between_pieces() -> None:
    assert texts(done("print(x + 1)", *work_of("x = 41"))) == ["42"]


def test_an_error_of_the_code_is_told_and_the_workspace_survives() -> None:
    advanced = PYTHON.advance(piece("x = 5\nx / 0"), 100.0)
    assert advanced.failed == "ZeroDivisionError: division by zero"
    assert texts(advanced.state)[0] == "Traceback (most recent call last):"
    assert "x / 0" in "".join(texts(advanced.state))
    entry = entry_of(advanced.state)
    assert entry is not None
    assert texts(done("print(x)", entry)) == ["5"]


def test_what_is_stopped_at_a_line_has_done_no_more() -> None:
    state = done("for k in range(9):\n    print(k)\n", seconds=3.0)
    entry = entry_of(state)
    assert entry is not None
    assert entry.stopped
    assert texts(done("print(k)", entry)) == ["2"]


def test_what_is_stopped_before_its_first_line_was_never_begun() -> None:
    assert entry_of(done("x = 1", seconds=0.5)) is None


@pytest.mark.slow
def test_a_fork_executes_again_what_it_has_done(pool: Pool) -> None:
    work = work_of("x = 1", "x += 1")
    assert texts(done("x += 10\nprint(x)", *work)) == ["12"]
    assert texts(done("x += 20\nprint(x)", *work)) == ["22"], "the first child has gone on"
    pool.close()
    assert texts(done("x += 30\nprint(x)", *work)) == ["32"], "no child is left"


@pytest.mark.slow
def test_a_fork_stops_where_the_other_goes_on() -> None:
    state = done("for k in range(9):\n    print(k)\n", seconds=3.0)
    entry = entry_of(state)
    assert texts(PYTHON.advance(state, 100.0).state) == [str(k) for k in range(9)]
    assert entry is not None
    assert texts(done("print(k)", entry)) == ["2"]


@pytest.mark.slow
def test_what_was_executed_once_is_not_executed_for_a_copy(pool: Pool) -> None:
    for _ in range(2):
        assert texts(done("print(x)", *work_of("x = 1"))) == ["1"]
    assert len(pool._live) == 1
    for _ in range(2):
        assert texts(done("print(x)", *work_of("import time\nx = time.time()")))[0]
    assert texts(done("y = 3\nprint(x + y)", *work_of("x = 1"))) == ["4"]


@pytest.mark.slow
def test_what_does_not_repeat_is_said(pool: Pool) -> None:
    work = work_of("import os\nprint(os.urandom(8))")
    pool.close()
    assert done("print(1)", *work).end is PieceEnd.UNREPEATABLE


@pytest.mark.slow
def test_chance_repeats(pool: Pool) -> None:
    work = work_of("import random, numpy\nprint(random.random(), numpy.random.random())")
    pool.close()
    assert texts(done("print({1, 'a'})", *work)) in (["{1, 'a'}"], ["{'a', 1}"])


@pytest.mark.slow
def test_the_name_of_the_folder_is_not_told_so_that_a_fault_in_a_file_repeats(pool: Pool) -> None:
    files = (Saved("m.py", "def f():\n    raise OSError(__file__)"),)
    code = "import os, m\nprint(os.getcwd(), m.__file__)\nm.f()"
    first = done(code, *files)
    assert (texts(first)[0], first.message) == (". ./m.py", "OSError: ./m.py")
    assert '  File "./m.py", line 2, in f' in texts(first)
    pool.close()
    assert done(code, *files) == first


def test_an_interpreter_that_dies_takes_its_workspace_along() -> None:
    state = done("print(1)\nimport os\nos._exit(3)")
    assert state.end is PieceEnd.LOST
    assert texts(state) == ["1"]


@pytest.mark.slow
def test_the_machines_time_is_no_failure_of_the_code(pool: Pool) -> None:
    pool.wall_s = 1.0
    advanced = PYTHON.advance(piece("print(1)\nwhile True: pass"), 5.0)
    assert advanced.timed_out
    assert advanced.state.end is PieceEnd.TIMEOUT
    assert not advanced.state.end.is_measured


@pytest.mark.slow
def test_too_many_lines_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("earsim.apparatus.bodies.model.MOST_LINES", 5)
    state = done("k = 0\nwhile True:\n    k += 1\n    print(k)")
    assert (state.end, len(state.lines)) == (PieceEnd.FLOODED, 5)
    entry = entry_of(state)
    assert entry is not None
    assert texts(done("print(k)", entry)) == ["5"]


def test_code_that_will_not_be_interrupted_is_ended() -> None:
    code = "while True:\n    try:\n        print(1)\n    except BaseException:\n        pass\n"
    entry = entry_of(done(code, seconds=2.0))
    assert entry is not None
    assert done("print(2)", entry).end is PieceEnd.LOST


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("import sys\nsys.stdout.write('half')", ["half"]),
        ("print('a\\nb')", ["a", "b"]),
        ("print('x' * 5000)", ["x" * 2000 + "..."]),
        ("print('\\x1b[31mred\\u202e')", ["\\x1b[31mred\\u202e"]),
        ("import os\nos.write(1, b'{\"end\": null}\\n')\nprint(2)", ["2"]),
        ("import sys\nsys.exit()", []),
        ("import sys\nprint('e', file=sys.stderr)", ["e"]),
        ("print(repr(input))", ["<built-in function input>"]),
        ("import sys\nsys.stdout = None\n", []),
    ],
)
def test_output_of_many_kinds(code: str, told: list[str]) -> None:
    state = done(code)
    assert texts(state) == told
    assert state.end is PieceEnd.COMPLETED


def test_a_saved_file_can_be_read_and_imported() -> None:
    saved = Saved("tools.py", "def two():\n    return 2\n")
    assert texts(done("import tools\nprint(tools.two())", saved)) == ["2"]


@pytest.mark.slow
def test_a_link_does_not_lead_a_saved_text_elsewhere(tmp_path: object) -> None:
    target = f"{tmp_path}/victim"
    work = work_of(f"import os\nos.symlink({target!r}, 'notes.txt')")
    state = done("print(open('notes.txt').read())", *work, Saved("notes.txt", "mine"))
    assert texts(state) == ["mine"]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("INTERMEDIATE: x=1.5", {"x": 1.5}),
        ("INTERMEDIATE: x = -2e-3 ", {"x": -0.002}),
        ("INTERMEDIATE: x=nan", {}),
        ("INTERMEDIATE: x=1 2", {}),
        ('STATE: {"t": 1, "y": 2.5, "on": true, "name": "a"}', {"t": 1.0, "y": 2.5}),
        ("STATE: [1]", {}),
        ("x=1", {}),
    ],
)
def test_readings(text: str, numbers: dict[str, float]) -> None:
    assert reading(OutputLine("stdout", text)) == numbers
    assert reading(OutputLine("stderr", text)) == {}


def test_the_last_result_counts() -> None:
    told = ["result = 1", "result = 3.29527274", "results = 4", "result ="]
    lines = [OutputLine("stdout", text) for text in told]
    assert result(lines) == 3.29527274
    assert result(lines[:0]) is None
    assert result([OutputLine("stdout", "result = unstable")]) == "unstable"
    assert display([OutputLine("stdout", f"INTERMEDIATE: a={k}") for k in (1, 2)]) == {"a": 2.0}
