"""Code that tries a solution out in its interpreter, and tells in lines what came of each test.

Nothing in it is secret: a solution that tells such lines itself only guesses answers that way, and
one that stops the timer meets the wall limit of all workstations.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

PROCESSOR_S = 300.0
"""Seconds of the processor that all tests may take together, each its share (SGI's time limit)."""


def code_of_calls(calls: Sequence[Sequence[Any]], function: str) -> str:
    """Code that calls a function of ``main.py``, and tells what it returns as JSON.

    Args:
        calls: arguments, JSON values, of each test.
        function: its name.
    """
    share = PROCESSOR_S / max(len(calls), 1)
    text = json.dumps(json.dumps(calls))
    return (_BEGIN + _CALLS).format(calls=text, share=share, function=function)


def code_of_runs(runs: Sequence[Mapping[str, str]], main: str) -> str:
    """Code that runs a program, each time in a folder and with files of its own.

    Args:
        runs: files by name, of each test.
        main: the program's file.
    """
    share = PROCESSOR_S / max(len(runs), 1)
    text = json.dumps(json.dumps(list(map(dict, runs))))
    return (_BEGIN + _RUNS).format(runs=text, share=share, main=main)


_BEGIN = """\
import contextlib, importlib, io, json, os, runpy, shutil, signal, sys, traceback
def _over(*_):
    raise TimeoutError('more than {share:g} s of the processor')
def _plain(value):
    if hasattr(value, 'tolist'):
        return value.tolist()
    raise TypeError(f'{{type(value).__name__}} is no JSON value')
def _raised(number, error):
    print(f'ERROR {{number}}', ''.join(traceback.format_exception_only(error)).strip())
def _limit(seconds):
    if hasattr(signal, 'setitimer'):  # not on Windows
        signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)
if hasattr(signal, 'SIGPROF'):
    signal.signal(signal.SIGPROF, _over)
_limit({share})
"""
_CALLS = """\
from main import {function}
for _number, _call in enumerate(json.loads({calls}), start=1):
    _limit({share})
    try:
        _told = json.dumps({function}(*_call), default=_plain)
    except Exception as _error:
        _raised(_number, _error)
    else:
        print(f'OUTPUT {{_number}}', _told)
_limit(0)
"""
_RUNS = """\
def _run(number, files, home, names):
    folder = os.path.join(home, f'test_{{number}}')
    os.mkdir(folder)
    for name in names:
        shutil.copyfile(os.path.join(home, name), os.path.join(folder, name))
    for name, text in files.items():
        with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
            file.write(text)
    os.chdir(folder)
    sys.path.insert(0, folder)
    importlib.invalidate_caches()
    for name in {{*names, *files}}:
        sys.modules.pop(name.partition('.')[0], None)
    for name in [*sorted(files), {main!r}]:
        if name.endswith('.py'):
            told = io.StringIO()
            with contextlib.redirect_stdout(told):
                try:
                    runpy.run_path(name, run_name='__main__')
                except SystemExit as end:
                    if end.code:
                        raise RuntimeError(f'exit code {{end.code}}') from None
    return told.getvalue()
_home, _names = os.getcwd(), [name for name in sorted(os.listdir('.')) if os.path.isfile(name)]
for _number, _files in enumerate(json.loads({runs}), start=1):
    _limit({share})
    try:
        _told = _run(_number, _files, _home, _names)
    except Exception as _error:
        _raised(_number, _error)
    else:
        for _line in _told.splitlines():
            print(f'OUTPUT {{_number}}', _line)
        print(f'END {{_number}}')
    os.chdir(_home)
_limit(0)
"""
