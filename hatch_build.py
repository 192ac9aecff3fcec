"""Compiles the core into a wheel where EARSIM_COMPILE=1 asks for it; else the wheel is plain Python.

    EARSIM_COMPILE=1 python -m build --wheel      # `make fast` does this, and installs it

A build that was asked to compile and cannot fails; nothing is ever compiled beside its source, where
the library would hide later edits. docs/design/015-compiled.md says what compiling asks of the core.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SWITCH = "EARSIM_COMPILE"

CORE = (
    "world", "processes", "goals", "actions", "admissible", "rulesets", "dynamics", "render",
    "verdict.py", "engine.py", "episode.py", "joint.py",
)  # fmt: skip
"""The way of a step, in `earsim`: all of it or none, for crossing into plain Python costs time."""

LEFT_PLAIN = ("world/reading.py", "render/picture")
"""Of these, a class made from a named tuple, and pictures, which no step asks for."""


def modules(root: Path) -> Iterator[Path]:
    """The files to compile, relative to `root`, in an order that does not change."""
    package = root / "earsim"
    left_plain = tuple(package / name for name in LEFT_PLAIN)
    for name in CORE:
        home = package / name
        for path in [home] if home.is_file() else sorted(home.rglob("*.py")):
            plain = any(path.is_relative_to(each) for each in left_plain)
            if path.name != "__init__.py" and not plain:
                yield path.relative_to(root)


def compile_into(target: Path, root: Path) -> dict[str, str]:
    """Compile the core, and write nothing outside `target`.

    Returns:
        For each library its place in the wheel.
    """
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    class Parallel(build_ext):
        """One library of many C files, of which several are compiled at a time."""

        def build_extension(self, ext: Any) -> None:
            def objects(source: str) -> list[str]:
                return self.compiler.compile(  # type: ignore[no-any-return]
                    [source],
                    output_dir=self.build_temp,
                    include_dirs=ext.include_dirs,
                    extra_postargs=ext.extra_compile_args,
                    depends=ext.depends,
                )

            with ThreadPoolExecutor(os.cpu_count()) as pool:
                made = list(pool.map(objects, ext.sources))
            self.compiler.link_shared_object(
                [name for names in made for name in names],
                self.get_ext_fullpath(ext.name),
                extra_postargs=["-s"],
                build_temp=self.build_temp,
            )

    extensions = mypycify(
        ["--config-file=pyproject.toml", *map(str, modules(root))],
        target_dir=str(target / "c"),
        multi_file=True,
        opt_level="2",
        debug_level="0",
        group_name="earsim",
    )
    command = Parallel(Distribution({"name": "earsim", "ext_modules": extensions}))
    command.build_lib = str(target / "lib")
    command.build_temp = str(target / "objects")
    command.ensure_finalized()
    command.run()
    libraries = sorted((target / "lib").rglob("*.so"))
    return {str(path): str(path.relative_to(target / "lib")) for path in libraries}


class CompiledCore(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the compiled core into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before the wheel is packed."""
        if version == "editable" or os.environ.get(SWITCH, "") != "1":
            return
        self._made = tempfile.TemporaryDirectory(prefix="earsim-compiled-")
        build_data["force_include"] |= compile_into(Path(self._made.name), Path(self.root))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
