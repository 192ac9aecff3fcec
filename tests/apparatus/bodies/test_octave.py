"""The Octave workstation, where Octave is installed: pieces of code, what is undone."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from earsim import Engine, Episode, open_suite
from earsim.apparatus.bodies import OCTAVE
from earsim.apparatus.bodies.confinement import octave, reached
from earsim.apparatus.bodies.lines import display, result
from earsim.apparatus.bodies.pool import Pool
from earsim.apparatus.bodies.transcript import PieceEnd, Saved, entry_of
from earsim.apparatus.parameter import defaults
from earsim.sandbox import SandboxLevel
from tests.apparatus.bodies import pieces
from tests.apparatus.bodies.pieces import texts

pytestmark = [
    pytest.mark.skipif(octave() is None, reason="Octave is not installed"),
    pytest.mark.skipif(
        reached().level < SandboxLevel.CONFINED, reason="this machine has no sandbox for code"
    ),
]
SETTINGS = defaults(OCTAVE.parameters)
done = partial(pieces.done, OCTAVE)
after = partial(pieces.work_of, OCTAVE)


def test_a_line_comes_a_second_however_fast_octave_is() -> None:
    state = OCTAVE.piece("disp(1)\ndisp(2)", (), SETTINGS)
    seen = []
    for seconds in (0.9, 1.0, 1.9, 2.0, 3.0):
        advanced = OCTAVE.advance(state, seconds)
        state = advanced.state
        seen.append((len(state.lines), advanced.done))
    assert seen == [(0, False), (1, False), (1, False), (2, False), (2, True)]


def test_variables_functions_and_files_live_between_pieces() -> None:
    work = (*after("x = 41;", "function r = more (a)\n  r = a + 1;\nend"), Saved("twice.m", TWICE))
    assert texts(done("disp(twice(more(x)))", *work)) == ["84"]


TWICE = "function r = twice (a)\n  r = 2 * a;\nend\n"


def test_an_error_is_told_in_a_line_and_the_workspace_survives() -> None:
    advanced = OCTAVE.advance(OCTAVE.piece("x = 5;\nerror('no %d\\nway', 7)", (), SETTINGS), 1e3)
    assert advanced.failed == "no 7 way"
    entry = entry_of(advanced.state)
    assert entry is not None
    assert texts(done("disp(x)", entry)) == ["5"]
    assert done("y = [1 2\n").end is PieceEnd.RAISED


def test_numbers_have_fifteen_digits_and_are_read() -> None:
    state = done("result = 1/3\nprintf('INTERMEDIATE: u=%.15g\\n', pi)")
    assert result(state.lines) == pytest.approx(1 / 3, rel=1e-14)
    assert display(state.lines) == {"u": 3.14159265358979}


def test_warnings_and_standard_error_are_lines_in_their_place() -> None:
    code = "disp(1); warning('hm'); disp(2); fprintf(stderr, 'oops\\n'); disp(3)"
    assert texts(done(code)) == ["1", "warning: hm", "2", "oops", "3"]


def test_the_name_of_the_folder_is_not_told() -> None:
    state = done("disp (pwd ()); error ('in %s', pwd ())")
    assert (texts(state), state.message) == (["."], "in .")


def test_what_is_stopped_is_undone() -> None:
    state = done("x = 0;\nfor k = 1:9\n  x = k;\n  disp(k)\nend", *after("x = -1;"), seconds=3.0)
    assert texts(state) == ["1", "2", "3"]
    entry = entry_of(state)
    assert entry is not None
    assert entry.stopped
    assert texts(done("disp(x)", *after("x = -1;"), entry)) == ["-1"]


def test_a_fork_executes_again_what_it_has_done(pool: Pool) -> None:
    work = after("x = 1;", "x += 1;")
    assert texts(done("x += 10", *work)) == ["x = 12"]
    assert texts(done("x += 20", *work)) == ["x = 22"]
    pool.close()
    assert texts(done("x += 30", *work)) == ["x = 32"]


def test_what_is_drawn_at_random_is_drawn_alike_everywhere(pool: Pool) -> None:
    first = texts(done("disp(rand(1, 3)); disp(randn(1, 3))"))
    pool.close()
    assert texts(done("disp(rand(1, 3)); disp(randn(1, 3))")) == first


@pytest.mark.parametrize("code", ["x = input('')", "keyboard", "exit(0)", "quit"])
def test_code_that_waits_for_input_or_leaves_ends_at_once_and_counts(code: str) -> None:
    end = done(code).end
    assert end in (PieceEnd.RAISED, PieceEnd.LOST)
    assert end.is_measured


def test_standard_input_is_empty_and_requests_cannot_be_taken() -> None:
    assert texts(done("disp(fgetl(stdin))")) == ["-1"]


def test_what_code_does_to_folder_and_names_breaks_no_later_piece() -> None:
    work = after("mkdir deeper; cd deeper;", "clear all; clear functions;", "printf('unended')")
    assert texts(done("disp(5)", *work)) == ["5"]


def test_code_does_not_see_the_mark_that_ends_a_piece() -> None:
    for code in ("who", "evalin('caller', 'mark')", "disp(mark)"):
        assert not any(len(text.strip()) == 32 for text in texts(done(code)))


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("disp(fopen('../escape', 'w'))", "-1"),
        ("disp(fopen('/etc/passwd'))", "-1"),
        ("disp(fopen('{home}/.profile'))", "-1"),
        ("try, urlread('http://127.0.0.1:9'); disp(0), catch, disp(-1), end", "-1"),
        ("try, x = zeros(1e5, 1e5); x(1) = 1; disp(0), catch, disp(-1), end", "-1"),
        ("try, kill(getppid(), 9); disp(0), catch, disp(-1), end", "-1"),
        ("[s, o] = system('echo x > /tmp/escape'); disp(s > 0)", "1"),
    ],
)
def test_octave_is_shut_in_as_python_is(code: str, told: str) -> None:
    found = done(code.replace("{home}", str(Path.home())))
    assert texts(found)[-1] == told


EXACT = "lsode_options('relative tolerance', 1e-11); lsode_options('absolute tolerance', 1e-12);\n"
NEARLY_FOUR = f"""{EXACT}
y = @(t) lsode(@(y, t) t*y*(4 - y)/3, 0.5, [0 t])(end);
result = fzero(@(t) y(t) - 3.98, [1 5])
"""
FIRST_TWELVE = f"""{EXACT}
t = 0:0.01:30;
y = lsode(@(y, t) 3 + 2*cos(2*t) - y/4, 0, t)';
k = find(y > 12, 1);
result = interp1(y(k-3:k+2), t(k-3:k+2), 12, 'spline')
"""
LAST_SWING = """
w = sqrt(1 - 1/64);
step = @(t) (t > 0).*(1 - exp(-t/8).*(cos(w*t) + sin(w*t)/(8*w)));
u = @(t) 2*(step(t - 1.5) - step(t - 2.5));
t = linspace(2.5, 60, 200001); out = abs(u(t)) - 0.1;
k = find(out(1:end-1).*out(2:end) < 0)(end);
result = fzero(@(x) abs(u(x)) - 0.1, [t(k) t(k+1)])
"""
HOT_BROMINE = """
theta = 1.438776877*323.2; q = @(T) 1./(1 - exp(-theta./T));
result = fzero(@(T) (q(T) - T/theta)/q(T) - 0.05, [500 20000])
"""
PROBLEMS = {
    "nearly_four": (NEARLY_FOUR, 3.29527274),
    "the_first_twelve": (FIRST_TWELVE, 10.06577844),
    "the_last_swing": (LAST_SWING, 25.6772603),
    "hot_bromine": (HOT_BROMINE, 4493.7953),
    "four_eyes": ("result = exp(-0.02896*9.81*11000/(8.314*288))", 0.27113405),
}


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_problems_of_the_numerics_room_can_be_computed_in_octave(problem: str) -> None:
    code, right = PROBLEMS[problem]
    state = done(code)
    assert state.end is PieceEnd.COMPLETED, state.message
    assert result(state.lines) == pytest.approx(right, rel=1e-5)


def test_an_episode_at_the_octave_desk() -> None:
    episode = Episode(Engine(open_suite("laboratory").load("numerics_room/nearly_four")))
    for command in (
        "EXPLORE", "GOTO octave_desk", "TURN_ON octave_desk",
        "EXEC octave_desk\nfor k = 1:50\n  printf('INTERMEDIATE: k=%d\\n', k);\nend", "WAIT 10",
        "MEASURE octave_desk", "STOP octave_desk", f"EXEC octave_desk\n{NEARLY_FOUR}",
        "WAIT UNTIL octave_desk done", "READ octave_desk",
    ):  # fmt: skip
        episode.step({"ada": command})
        outcome = episode.outcome("ada")
        assert outcome is not None
        assert outcome.accepted, outcome
    timeline = episode.world.timeline
    assert timeline is not None
    assert timeline.lab is not None
    stopped, completed = timeline.lab.runs.values()
    assert 12 <= len(stopped.state.lines) <= 16
    assert completed.results["result"] == pytest.approx(3.29527274, abs=1e-6)
