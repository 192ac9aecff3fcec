"""Compiles the core into a wheel where EARSIM_COMPILE=1 asks for it; else the wheel is pure Python.

    EARSIM_COMPILE=1 python -m build --wheel      # `make fast` does this, and installs it

A build that was asked to compile and cannot fails. Nothing is ever compiled beside its source,
where the library would hide later edits. docs/design/015-compiled.md says what compiling asks of
the core.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SWITCH = "EARSIM_COMPILE"

CORE = (
    "world", "processes", "goals", "actions", "admissible", "rulesets", "dynamics", "render",
    "pickled.py", "prose.py", "joint.py", "verdict.py", "engine.py", "episode.py",
    "envs/observation.py", "apparatus/levitation/equations.py", "planner",
)  # fmt: skip
"""The way of a step, and of a search of the planner, in `earsim`: crossing into plain Python costs
time.

Of apparatus, equations that are loops over plain numbers: they cross once for many steps.
"""

LEFT_PLAIN = (
    "world/reading.py",
    "render/picture",
    "planner/laboratory",
    "planner/pddl",
    "planner/proofs",
    "planner/walkthrough.py",
)
"""Of these, a class made from a named tuple; pictures, which no step asks for; of the planner the
part for apparatus, which mypyc does not take, and what is not searched.
"""

_COMPILER = ("mypy[mypyc]==2.4.1", "types-PyYAML", "types-networkx")
"""Another mypyc may make something else of the same code."""


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

    Args:
        target: an empty folder.
        root: the repository, or an unpacked source distribution; the current folder.

    Returns:
        For each library its place in the wheel.
    """
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    class Parallel(build_ext):
        """One library of many C files, several of which are compiled at a time."""

        def build_extension(self, ext: Any) -> None:
            def objects(source: str) -> list[str]:
                found: list[str] = self.compiler.compile(
                    [source],
                    output_dir=self.build_temp,
                    include_dirs=ext.include_dirs,
                    extra_postargs=ext.extra_compile_args,
                    depends=ext.depends,
                )
                return found

            with ThreadPoolExecutor(os.cpu_count()) as pool:
                made = list(pool.map(objects, ext.sources))
            self.compiler.link_shared_object(
                [name for names in made for name in names],
                self.get_ext_fullpath(ext.name),
                extra_postargs=["-s"] if os.name == "posix" else [],
                build_temp=self.build_temp,
            )

    extensions = mypycify(
        ["--config-file=pyproject.toml", *map(str, modules(root))],
        target_dir=str(target / "c"),
        multi_file=True,
        opt_level="3",
        debug_level="0",
        group_name="earsim",
    )
    if sys.platform != "win32":  # there a product and a sum are not made one rounding by itself
        for extension in extensions:
            extension.extra_compile_args.append("-ffp-contract=off")
    command = Parallel(Distribution({"name": "earsim", "ext_modules": extensions}))
    command.build_lib = str(target / "lib")
    command.build_temp = str(target / "objects")
    command.ensure_finalized()
    command.run()
    suffixes = (".so", ".pyd")
    libraries = [p for p in sorted((target / "lib").rglob("*")) if p.suffix in suffixes]
    return {str(path): path.relative_to(target / "lib").as_posix() for path in libraries}


class CompiledCore(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the compiled core into the wheel."""

    def dependencies(self) -> list[str]:
        """What an isolated build installs beside hatchling: what the core imports, too."""
        return [*_COMPILER, *self.metadata.core.dependencies] if _is_asked_for() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before the wheel is packed."""
        if version == "editable" or not _is_asked_for():
            return
        self._made = tempfile.TemporaryDirectory(prefix="earsim-compiled-")
        build_data["force_include"] |= compile_into(Path(self._made.name), Path(self.root))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """After that: the libraries are in the wheel."""
        if hasattr(self, "_made"):
            self._made.cleanup()


def _is_asked_for() -> bool:
    """Whether the environment asks for a compiled wheel.

    Raises:
        ValueError: It says something that is neither yes nor no.
    """
    said = os.environ.get(SWITCH, "")
    if said not in ("", "0", "1"):
        raise ValueError(f"{SWITCH}={said!r}: 1 compiles the core, 0 or nothing leaves it plain")
    return said == "1"
