"""Where the kernel offers less, the level says so and the reason; a real kernel is made to refuse.

A filter of system calls, installed before Python measures, refuses what a distribution or a
container may refuse.
"""

import ctypes
import os
import subprocess
import sys

import pytest

from earsim.sandbox import bubblewrap, measured
from earsim.sandbox.inside import seccomp
from earsim.sandbox.inside.orders import BUBBLEWRAP, LANDLOCK, NAMESPACES, SECCOMP
from earsim.sandbox.inside.syscalls import PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, prctl

NUMBERS = {
    "unshare": seccomp._REFUSED["unshare"],
    "mount_setattr": seccomp._REFUSED["mount_setattr"],
    "landlock_create_ruleset": (444, 444),
}
MEASURE = """
import sys
from tests.sandbox.test_weaker_kernels import refuse
refuse(*sys.argv[1:])
from earsim.sandbox import measured
found = measured()
print(int(found.level), *found.means)
print(*found.missing, sep="\\n")
"""


def refuse(*names: str) -> None:
    """Have the kernel refuse calls to this process from now on, as if it lacked them."""
    machine = os.uname().machine
    column = list(seccomp._ARCHITECTURES).index(machine)
    steps = [seccomp._step(seccomp._LOAD, seccomp._OFFSET_NUMBER)]
    for name in names:
        steps += [
            seccomp._step(seccomp._EQUALS, NUMBERS[name][column], no=1),
            seccomp._step(seccomp._RETURN, seccomp._ERRNO | 38),
        ]
    code = b"".join([*steps, seccomp._step(seccomp._RETURN, seccomp._ALLOW)])
    given = seccomp._Program(len(code) // 8, code)
    prctl(PR_SET_NO_NEW_PRIVS, 1, what="")
    prctl(PR_SET_SECCOMP, 2, what="", pointer=ctypes.byref(given))


def measured_without(*names: str, path: str = "") -> tuple[int, set[str], str]:
    """Level, means and what is missing, in a process to which calls are refused.

    Args:
        names: of the calls.
        path: where programs are looked for: by default bubblewrap is nowhere.
    """
    if not {NAMESPACES, LANDLOCK, SECCOMP} <= set(measured().means):
        pytest.skip(f"this kernel refuses already: {measured().missing}")
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *names],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr
    first, _, missing = done.stdout.partition("\n")
    level, *means = first.split()
    return int(level), set(means), missing


def level_without_root(level: int, missing: str) -> int:
    """The level; root's may be 0 without namespaces, since no processes of root are counted."""
    if os.getuid() == 0 and "processes of root" in missing:
        pytest.skip("as root, and Python is root's alone")
    return level


@pytest.mark.slow
@pytest.mark.parametrize("name", ["unshare", "mount_setattr"])
def test_without_namespaces_it_is_2(name):
    level, means, missing = measured_without(name)
    assert NAMESPACES not in means
    assert "namespaces: the launch failed: " in missing
    assert "Function not implemented" in missing
    assert level_without_root(level, missing) == 2


@pytest.mark.skipif(not bubblewrap.installed(), reason="bubblewrap is not installed")
def test_bubblewrap_stands_in_for_namespaces():
    level, means, missing = measured_without("mount_setattr", path=os.environ["PATH"])
    assert BUBBLEWRAP in means
    assert NAMESPACES not in means
    assert level_without_root(level, missing) == 3


@pytest.mark.slow
def test_bubblewrap_that_fails_is_told(tmp_path):
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho no namespaces for you >&2\nexit 1\n")
    broken.chmod(0o755)
    level, means, missing = measured_without("mount_setattr", path=str(tmp_path))
    assert BUBBLEWRAP not in means
    assert "bubblewrap: the launch failed: bubblewrap refused: no namespaces for you" in missing
    assert level_without_root(level, missing) == 2


@pytest.mark.slow
def test_without_landlock_it_is_2():
    level, means, missing = measured_without("landlock_create_ruleset")
    assert LANDLOCK not in means
    assert "landlock: the launch failed: Landlock: Function not implemented" in missing
    assert level == 2


@pytest.mark.slow
def test_without_either_it_is_1_and_what_is_open_is_told():
    level, means, missing = measured_without("unshare", "landlock_create_ruleset")
    assert means == {SECCOMP, "limits"}
    assert "not stopped: read /etc/passwd" in missing
    assert level_without_root(level, missing) == 1


def test_the_numbers_of_calls_are_those_of_the_kernel():
    from pathlib import Path

    headers = list(Path("/usr/include").glob("*/asm/unistd_64.h"))
    generic = Path("/usr/include/asm-generic/unistd.h")
    if os.uname().machine != "x86_64" or not headers or not generic.exists():
        pytest.skip("the headers of the kernel are not installed")
    for column, file in enumerate((headers[0], generic)):
        lines = (line.split() for line in file.read_text().splitlines())
        known = {words[1]: words[2] for words in lines if len(words) == 3 and words[0] == "#define"}
        for name, numbers in {**seccomp._REFUSED, "clone": seccomp._CLONE}.items():
            if f"__NR_{name}" in known:
                assert known[f"__NR_{name}"] == str(numbers[column]), name
