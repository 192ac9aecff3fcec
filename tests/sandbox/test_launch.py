"""A sandboxed child: what it sees, how it is interrupted, ended and waited for."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import earsim
from earsim.errors import SandboxTooWeak, UsageError
from earsim.sandbox import (
    Isolation,
    Limits,
    SandboxLevel,
    bubblewrap,
    launch,
    measure,
    measured,
    python_command,
    required,
    visible,
)
from earsim.sandbox.child import orders_for, started
from earsim.sandbox.inside.orders import BUBBLEWRAP, LANDLOCK, LIMITS, NAMESPACES, SECCOMP


def until(true, seconds: float = 5.0) -> bool:
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def test_output_errors_and_code_are_the_childs(python):
    with python("import sys; print(input()); print('bad', file=sys.stderr); sys.exit(3)") as child:
        child.stdin.write(b"good\n")
        assert child.stdout.read() == b"good\n"
        assert child.stderr.read() == b"bad\n"
        assert child.wait(10) == 3
        assert child.returncode == 3
        assert child.ended_by == "exit"


def test_a_child_of_a_signal_says_so(python):
    with python("import os, signal; os.kill(os.getpid(), signal.SIGTERM)") as child:
        child.stdout.read()
        code = child.wait(10)
    assert code == -signal.SIGTERM


def test_it_has_its_folder_and_no_environment_of_ours(python, tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET", "1")
    code = "import os; open('made', 'w').write('x'); print(os.getcwd()); print(*os.environ)"
    with python(code) as child:
        folder, names = child.stdout.read().decode().splitlines()
        assert child.wait(10) == 0
    assert folder == os.path.realpath(tmp_path)
    assert "SECRET" not in names
    assert (tmp_path / "made").read_text() == "x"


def test_hashes_are_the_same_each_time(python):
    found = set()
    for _ in range(2):
        with python("print(hash('a'))") as child:
            found.add(child.stdout.read())
    assert len(found) == 1


def test_packages_of_the_running_environment_are_there(python):
    with python("import numpy; print(numpy.ones(3).sum())") as child:
        assert child.stdout.read() == b"3.0\n", child.stderr.read()


def test_what_is_named_is_readable(tmp_path):
    if measured().level < SandboxLevel.CONFINED:
        pytest.skip("nothing is hidden here")
    shown, hidden, work = (tmp_path / name for name in ("shown", "hidden", "work"))
    work.mkdir()
    for path in (shown, hidden):
        path.mkdir()
        (path / "file").write_text("seen")
    code = f"print(open('{shown}/file').read()); open('{hidden}/file')"
    with launch([*python_command(), "-uc", code], work, reads=[shown]) as child:
        assert child.stdout.read() == b"seen\n"
        assert child.wait(10) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "means",
    [(LANDLOCK, SECCOMP, LIMITS), (NAMESPACES, LIMITS), (BUBBLEWRAP, LIMITS)],
    ids="+".join,
)
def test_what_is_installed_of_earsim_is_hidden_but_for_what_is_named(means, tmp_path, monkeypatch):
    if reason := measure.failure(means):
        pytest.skip(f"not here: {reason}")
    packages, work = tmp_path / "packages", tmp_path / "work"
    prefix = tmp_path / "prefix"
    copy = prefix / "lib" / "python3.11" / "site-packages"
    for folder in (packages, copy):
        for path in ("beside", "earsim/named", "earsim/_scenes", "earsim_generators"):
            (folder / path).mkdir(parents=True)
            (folder / path / "file").write_text("seen")
    work.mkdir()
    link = tmp_path / "link"
    link.symlink_to(packages)
    own = tuple(packages / name for name in ("earsim", "earsim_generators", "earsim_agents"))
    monkeypatch.setattr(visible, "OWN_PACKAGES", own)
    installed = visible.prefixes()
    monkeypatch.setattr(visible, "prefixes", lambda: (*installed, prefix))
    code = f"""
def told(path):
    try:
        return open(path + '/file').read()
    except OSError:
        return 'hidden'
for packages in ('{packages}', '{link}', '{copy}'):
    for path in ('beside', 'earsim/named', 'earsim', 'earsim/_scenes', 'earsim_generators'):
        print(told(packages + '/' + path), end=' ')
"""
    argv, none = [*python_command(), "-uc", code], SandboxLevel.NONE
    reads = [link, packages, packages / "earsim" / "named"]
    orders = orders_for(argv, work, limits=Limits(), means=means, reads=reads)
    with started(orders, none, none) as child:
        told = child.stdout.read().decode().split()
    named = ["seen", "seen", "hidden", "hidden", "hidden"]
    assert told == [*named, *named, "seen", "hidden", "hidden", "hidden", "hidden"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "means",
    [(LIMITS,), (LANDLOCK, SECCOMP, LIMITS), (NAMESPACES, LIMITS), (BUBBLEWRAP, LIMITS)],
    ids="+".join,
)
def test_an_interrupt_is_a_keyboard_interrupt_and_the_child_goes_on(means, tmp_path):
    if reason := measure.failure(means):
        pytest.skip(f"not here: {reason}")
    code = """
import time
try:
    print('ready')
    time.sleep(30)
except KeyboardInterrupt:
    print('interrupted')
print(input())
"""
    argv, none = [*python_command(), "-uc", code], SandboxLevel.NONE
    orders = orders_for(argv, tmp_path, limits=Limits(), means=means)
    with started(orders, none, none) as child:
        assert child.stdout.readline() == b"ready\n"
        child.interrupt()
        assert child.stdout.readline() == b"interrupted\n"
        child.stdin.write(b"goes on\n")
        assert child.stdout.readline() == b"goes on\n"
        assert child.wait(10) == 0
        child.interrupt()  # too late, and no error


def test_a_killed_child_is_gone_with_all_it_started(python):
    code = "import os, time; [os.fork() or os.setsid() for _ in range(5)]; print(1); time.sleep(60)"
    with python(code) as child:
        child.stdout.readline()
        child.kill()
        assert child.returncode == -signal.SIGKILL
        assert child.ended_by == "killed"
        child.stdout.read()  # to its end: nobody holds it any more
        child.kill()


@pytest.mark.slow
def test_the_wall_limit_ends_it_though_nobody_waits(python):
    with python("import time; time.sleep(60)", wall_s=0.5) as child:
        assert child.stdout.read() == b""
        assert child.wait(10) == -signal.SIGKILL
        assert child.ended_by == "wall"


def test_wait_has_a_time(python):
    with python("input()") as child:
        assert child.poll() is None
        with pytest.raises(TimeoutError, match=r"still runs after 0\.1 s"):
            child.wait(0.1)


@pytest.mark.slow
def test_many_children_do_not_share_their_limit_of_processes(python):
    with contextlib.ExitStack() as stack:
        code = (
            "import os, time; [os.fork() for _ in range(2)]; os.write(1, b'x\\n'); time.sleep(30)"
        )
        children = [stack.enter_context(python(code, processes=8)) for _ in range(6)]
        for child in children:
            assert [child.stdout.readline() for _ in range(4)] == [b"x\n"] * 4


ORPHANED = """
import sys, time
from earsim.sandbox import launch, python_command, SandboxLevel
code = "import time; print('runs', flush=True); time.sleep(60)"
child = launch([*python_command(), "-c", code], sys.argv[1], at_least=SandboxLevel.LIMITS)
child.stdout.readline()
print(child.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.slow
def test_it_ends_when_earsim_is_killed(python, tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", ORPHANED, str(tmp_path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as earsim:
        launcher = int(earsim.stdout.readline())
        earsim.kill()
        earsim.wait()
    assert until(lambda: not _group_lives(launcher))


def _group_lives(leader: int) -> bool:
    try:
        os.killpg(leader, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def test_below_the_demanded_level_nothing_is_started(tmp_path, monkeypatch):
    weak = Isolation(SandboxLevel.LIMITS, ("limits",), ("landlock: Function not implemented",))
    monkeypatch.setattr("earsim.sandbox.launching.measured", lambda: weak)
    with pytest.raises(SandboxTooWeak, match=r"level 2, this machine reaches 1 \(landlock: Func"):
        launch([sys.executable], tmp_path)
    assert required(SandboxLevel.LIMITS) is weak


def test_isolation_that_fails_at_the_launch_starts_nothing(tmp_path, monkeypatch):
    if NAMESPACES not in measured().means:
        pytest.skip("there are no namespaces here")
    seen = visible.Visible(("/usr", "/no/such/folder"), ())
    monkeypatch.setattr("earsim.sandbox.child.visible", lambda _: seen)
    marker = tmp_path / "ran"
    with pytest.raises(SandboxTooWeak, match=r"the launch failed: .*no/such/folder"):
        launch(["/usr/bin/touch", str(marker)], tmp_path)
    assert not marker.exists()


@pytest.mark.parametrize("argv", [[], ["python"]])
def test_a_program_needs_its_full_path(argv, tmp_path):
    with pytest.raises(UsageError, match="full path"):
        launch(argv, tmp_path, at_least=SandboxLevel.NONE)


@pytest.mark.parametrize("folder", ["/", sys.prefix, "~", "/no/such"])
def test_a_work_folder_holds_nothing_of_value(folder):
    with pytest.raises(UsageError):
        launch([sys.executable], Path(folder).expanduser(), at_least=SandboxLevel.NONE)


def test_limits_are_above_0():
    with pytest.raises(UsageError, match="processes must be above 0, not 0"):
        Limits(processes=0)


def test_the_level_is_measured_once():
    assert measure.measured() is measured()


def test_python_may_be_called_by_a_path_that_goes_upwards(tmp_path):
    called = os.path.relpath(sys.executable, tmp_path)
    code = "from earsim.sandbox import measured; print(int(measured().level))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [called, "-c", code],
        cwd=tmp_path,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    assert int(done.stdout) == measured().level


def test_the_interpreter_is_called_by_a_path_without_dots(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", f"{tmp_path}/away/../bin/python")
    assert visible.executable() == f"{tmp_path.resolve()}/bin/python"
    command = bubblewrap.stage_command(str(tmp_path), [])
    assert f"{tmp_path.resolve()}/bin/python" in command


@pytest.mark.parametrize("way", ["{package}/..", "{package}/../{name}", "{package}"])
def test_our_own_packages_are_hidden_by_whatever_path_they_are_asked_for(way):
    package = Path(earsim.__file__).parent
    asked = way.format(package=package, name=package.name)
    shown = visible.visible([asked])
    assert shown == visible.visible([os.path.realpath(asked)])
    assert not any(package.is_relative_to(path) for path in shown.readable)
