"""`earsim doctor`: what is installed, what is found, and what could be added."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from earsim.apparatus.bodies.confinement import has_interpreter
from earsim.apparatus.bodies.model import Workstation
from earsim.apparatus.registry import MODELS
from earsim.cli.screen import Screen, examples, row, table
from earsim.errors import EarSimError
from earsim.installed import build, version
from earsim.sandbox import measured
from earsim.suites import open_suite, scenes_root, suite_names
from earsim.suites.opening import EAR_BENCH_VARIABLE, ear_bench_dir
from earsim.tables.markdown import table_text

EXAMPLES = examples("earsim doctor", "earsim doctor --sandbox")

_CORE = ("gymnasium", "networkx", "numpy", "pillow", "pydantic", "pyyaml", "rich", "typer")
_MODELS = ("torch", "transformers", "trl", "vllm", "ray")
_NOT_FOR_USERS = ("all", "dev", "docs")
_REQUIREMENT = re.compile(r"""([A-Za-z0-9_.-]+).*;.*\bextra\s*==\s*["']([\w-]+)["']""")


def command(
    sandbox: Annotated[
        bool,
        typer.Option(
            "--sandbox",
            help="Try every escape from the sandbox, under each isolation, and show what came of"
            " it as a Markdown table (a minute).",
        ),
    ] = False,
) -> None:
    """Show versions, optional extras, suites and the machine; a report to send with a bug."""
    if sandbox:
        from earsim.sandbox.report import escape_table

        print(table_text(escape_table()))
        return
    screen = Screen()
    shown = table("what", "state", "note", whole=("what",))
    for cells in (*_versions(), *_extras(), *_suites(), *_models(), *_machine(), *_sandbox()):
        row(shown, *cells)
    screen.print(shown)


Cells = tuple[str, str, str]

_BUILDS = {
    "compiled": "the core is a library for this Python and system",
    "pure": "plain Python; in a checkout, `make fast` builds and installs a compiled wheel",
}


def _versions() -> Iterator[Cells]:
    yield "earsim", version("earsim"), str(Path(__file__).resolve().parent.parent)
    yield "build", build(), _BUILDS[build()]
    yield "python", platform.python_version(), sys.executable
    yield "system", platform.platform(), ""
    for name in _CORE:
        yield name, version(name), ""


def _extras() -> Iterator[Cells]:
    matches = map(_REQUIREMENT.match, _requirements())
    for name, extra in dict.fromkeys((m[1], m[2]) for m in matches if m is not None):
        if extra in _NOT_FOR_USERS:
            continue
        try:
            yield f"{name} (extra {extra})", metadata.version(name), ""
        except metadata.PackageNotFoundError:
            yield f"{name} (extra {extra})", "missing", f"pip install 'earsim[{extra}]'"


def _requirements() -> list[str]:
    try:
        return metadata.requires("earsim") or []
    except metadata.PackageNotFoundError:
        return []


def _suites() -> Iterator[Cells]:
    yield "scenes", "found" if scenes_root().is_dir() else "missing", str(scenes_root())
    set_to = os.environ.get(EAR_BENCH_VARIABLE)
    source = "" if set_to else f"{EAR_BENCH_VARIABLE} is not set; looked here by default"
    state = "found" if ear_bench_dir().is_dir() else "missing"
    yield "EAR-Bench", state, f"{ear_bench_dir()} {source}".strip()
    for name in suite_names():
        try:
            yield f"suite {name}", f"{len(open_suite(name)):,} scenarios", ""
        except EarSimError as error:
            yield f"suite {name}", "missing", str(error)


def _models() -> Iterator[Cells]:
    for name in MODELS:
        try:
            model = MODELS[name]
            if isinstance(model, Workstation) and not has_interpreter(name):
                yield f"model {name}", "missing", f"install {model.language}: it is not on the PATH"
            else:
                yield f"model {name}", "found", model.title
        except EarSimError as error:
            yield f"model {name}", "missing", str(error)


def _machine() -> Iterator[Cells]:
    size = shutil.get_terminal_size()
    kind = f"{size.columns} x {size.lines}" if sys.stdout.isatty() else "no terminal"
    colour = "NO_COLOR is set" if os.environ.get("NO_COLOR") else ""
    yield "terminal", kind, " ".join(filter(None, (os.environ.get("TERM", ""), colour)))
    driver = Path("/dev/nvidia0").exists() or shutil.which("nvidia-smi") is not None
    yield "GPU", "found" if driver else "none found", "NVIDIA driver" if driver else ""
    for name in _MODELS:
        yield name, "importable" if find_spec(name) else "missing", ""


def _sandbox() -> Iterator[Cells]:
    found = measured()
    yield f"sandbox level {found.level}", found.level.name.lower(), " + ".join(found.means)
    for reason in found.missing:
        yield "", "missing", reason
