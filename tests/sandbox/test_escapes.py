"""Escapes: what succeeds without a sandbox fails within it, as its level promises."""

import inspect
import os
from pathlib import Path

import pytest

from earsim.sandbox import SandboxLevel, child, measured
from earsim.sandbox.escapes import attacks
from earsim.sandbox.escapes.table import ESCAPES
from earsim.sandbox.escapes.trial import TrialOutcome, try_all, try_one
from earsim.sandbox.inside.orders import BUBBLEWRAP, LANDLOCK, LIMITS, NAMESPACES, SECCOMP
from earsim.sandbox.measure import failure, level_of

PAGE = Path(__file__).resolve().parents[2] / "docs" / "security.md"
QUICK = [name for name, escape in ESCAPES.items() if escape.quick]
SLOW = [name for name, escape in ESCAPES.items() if not escape.quick]
_AS_ROOT = {"trace_other", "trace_parent", "read_environment"}


@pytest.fixture(scope="module")
def isolated():
    if not measured().means:
        pytest.skip(f"no sandbox here: {measured().missing}")
    return {trial.name: trial for trial in try_all(QUICK, measured().means)}


@pytest.fixture(scope="module")
def free():
    tried = [name for name in QUICK if ESCAPES[name].control]
    return {trial.name: trial for trial in try_all(tried, None)}


def test_every_attack_is_told():
    functions = inspect.getmembers(attacks, inspect.isfunction)
    own = {
        name for name, found in functions if list(inspect.signature(found).parameters) == ["bait"]
    }
    assert own - {"_unix", "_trace"} == set(ESCAPES)


def test_the_page_tells_what_came_of_every_escape():
    text = PAGE.read_text("utf-8").split("<!-- escapes -->")[1].split("<!-- end of escapes -->")[0]
    rows = [line.strip("| ").split(" | ") for line in text.strip().splitlines()[2:]]
    assert [row[1] for row in rows] == [escape.title for escape in ESCAPES.values()]
    assert not any("succeeded" in row[-1] for row in rows)


@pytest.mark.parametrize("name", QUICK)
def test_an_escape_fails_from_its_level_on(isolated, name):
    if measured().level < ESCAPES[name].fails_from:
        pytest.skip(f"level {measured().level} does not promise it")
    assert isolated[name].outcome is not TrialOutcome.SUCCEEDED, isolated[name]


@pytest.mark.parametrize("name", [name for name in QUICK if ESCAPES[name].control])
def test_without_a_sandbox_it_succeeds(free, name):
    may_fail = {"core_file", "trace_other", "trace_parent", "hard_link"}  # systems may forbid them
    may_fail |= {"own_namespaces", "write_memory_disk", "abstract_socket"}
    if name in may_fail and free[name].outcome is TrialOutcome.REFUSED:
        pytest.skip(f"this system forbids it to everybody: {free[name].detail}")
    assert free[name].outcome is TrialOutcome.SUCCEEDED, free[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_a_slow_escape_fails_from_its_level_on(name):
    if not measured().means or measured().level < ESCAPES[name].fails_from:
        pytest.skip(f"level {measured().level} does not promise it")
    assert try_one(name, measured().means).outcome is not TrialOutcome.SUCCEEDED


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SLOW if ESCAPES[name].control])
def test_without_a_sandbox_a_slow_one_succeeds(name):
    assert try_one(name, None).outcome is TrialOutcome.SUCCEEDED


LEVELS = {
    (LIMITS,): SandboxLevel.LIMITS,
    (LANDLOCK, LIMITS): SandboxLevel.CONFINED,
    (LANDLOCK, SECCOMP, LIMITS): SandboxLevel.CONFINED,
    (NAMESPACES, LIMITS): SandboxLevel.CONFINED,
    (NAMESPACES, LANDLOCK, LIMITS): SandboxLevel.CONFINED,
    (BUBBLEWRAP, LIMITS): SandboxLevel.CONFINED,
    (BUBBLEWRAP, LANDLOCK, SECCOMP, LIMITS): SandboxLevel.ISOLATED,
    (NAMESPACES, LANDLOCK, SECCOMP, LIMITS): SandboxLevel.ISOLATED,
}


@pytest.mark.slow
@pytest.mark.parametrize("means", LEVELS, ids="+".join)
def test_means_reach_a_level(means):
    if reason := failure(means):
        pytest.skip(f"not here: {reason}")
    level, escaped = level_of(means)
    # the kernel counts no processes of root, and without namespaces Python may be root's alone
    roots = os.getuid() == 0 and any("100 processes" in what for what in escaped)
    assert level is (SandboxLevel.NONE if roots else LEVELS[means])


def test_what_limits_alone_leave_open_is_told():
    if LIMITS not in measured().means:
        pytest.skip(f"no sandbox here: {measured().missing}")
    _, escaped = level_of((LIMITS,))
    for what in ("read /etc/passwd", "write to /tmp", "TCP to a server", "UDP to this machine"):
        assert any(what in told for told in escaped)


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
@pytest.mark.parametrize(
    "means", [(LIMITS,), (LANDLOCK, LIMITS), (NAMESPACES, LIMITS)], ids="+".join
)
def test_time_and_left_overs_are_ended_by_any_means(means, name):
    if reason := failure(means):
        pytest.skip(f"not here: {reason}")
    # who is launched as another user can neither kill nor stop the launcher
    is_open = means == (LIMITS,) and not child._to_other_user(means)
    succeeds = is_open and ESCAPES[name].fails_from > SandboxLevel.LIMITS
    found = try_one(name, means).outcome
    assert (found is TrialOutcome.SUCCEEDED) == succeeds
