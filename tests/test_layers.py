"""The order of layers, what the packages may know of each other, and the light import."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import networkx as nx
import pytest

ROOT = Path(__file__).resolve().parents[1]

pytestmark = pytest.mark.source

HOMES = {
    "earsim": ROOT,
    "earsim_agents": ROOT / "agents",
    "earsim_generators": ROOT / "generators",
    "earsim_training": ROOT / "training",
}

# Each name of earsim/ imports only from its own line and the lines above it.
LAYERS = (
    (
        "atomic",
        "errors",
        "ids",
        "installed",
        "pickled",
        "joint",
        "parallel",
        "prose",
        "ranking",
        "registry",
        "signals",
        "units",
        "worker",
    ),
    ("tables",),
    ("sandbox",),
    ("apparatus",),
    ("dynamics",),
    ("schema",),
    ("world",),
    ("processes",),
    ("goals", "verdict"),
    ("actions", "admissible"),
    ("rulesets",),
    ("render",),
    ("engine",),
    ("episode",),
    ("planner",),
    ("suites",),
    ("envs",),
    ("link",),
    ("certificates", "evaluation", "serving"),
    ("datasets",),
    ("play",),
    ("viewer", "cli"),
)
FACADE = (
    ""  # `earsim` itself and `earsim.__main__`: everything may be in them, nothing may ask them
)
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
RANK |= {FACADE: len(LAYERS), "__main__": len(LAYERS)}

# What the packages beside earsim/ may use of it (FACADE is the public interface).
BASICS = {*LAYERS[0], *LAYERS[1]}
USES = {
    "earsim_agents": BASICS
    | {FACADE, "apparatus", "schema", "actions", "world", "envs", "planner", "evaluation"}
    | {"dynamics", "goals"},  # who reads instructions by rules makes goals of its own
    "earsim_generators": BASICS
    | {
        "apparatus",
        "dynamics",
        "schema",
        "world",
        "goals",
        "rulesets",
        "render",
        "engine",
        "episode",
        "planner",
    }
    | {"suites", "certificates", "evaluation", "datasets", "play"},
    "earsim_training": BASICS
    | {FACADE, "apparatus", "schema", "rulesets", "planner", "suites", "envs", "certificates"}
    | {"evaluation"}
    | {"cli"},  # for what a program of its own tells people
}
# And of each other: what a model is taught are the prompts and replies of the policies, and who
# asks a model for scenarios does so through the clients that policies have.
ASKS = {"earsim_training": {"earsim_agents"}, "earsim_generators": {"earsim_agents"}}

HEAVY = {
    "aiohttp", "fastapi", "httpx", "jinja2", "matplotlib", "networkx", "openai", "pettingzoo",
    "PIL", "ray", "torch", "transformers", "trl", "typer", "vllm",
}  # fmt: skip


_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


class Import(NamedTuple):
    module: str
    line: int
    target: str
    loaded: bool
    """Outside functions: when the module is loaded, or for the type checker."""

    def __str__(self) -> str:
        return f"{self.module}:{self.line} imports {self.target}"


def modules_of(package: str, home: Path) -> dict[str, Path]:
    """Dotted names of all modules of a package, in file order."""
    found = {}
    for path in sorted((home / package).rglob("*.py")):
        parts = path.relative_to(home).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def imports_in(path: Path) -> list[tuple[ast.Import | ast.ImportFrom, bool]]:
    """The imports in a file, each with whether it is outside functions."""
    found: list[tuple[ast.Import | ast.ImportFrom, bool]] = []
    left: list[tuple[ast.AST, bool]] = [(parsed(path), True)]
    while left:
        node, loaded = left.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.append((node, loaded))
        elif not isinstance(node, ast.expr):
            loaded = loaded and not isinstance(node, _FUNCTIONS)
            left += [(inner, loaded) for inner in ast.iter_child_nodes(node)]
    return found


@cache
def parsed(path: Path) -> ast.Module:
    """The module in a file that no test changes after it was read."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def imports_of(module: str, path: Path, known: set[str]) -> Iterator[Import]:
    """Every import of a module: at its top, in its functions, and for the type checker."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node, loaded in imports_in(path):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(module, node.lineno, alias.name, loaded)
        else:
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, base] if base else above)
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                target = inner if inner in known else base
                yield Import(module, node.lineno, target, loaded)


def layer(module: str) -> str:
    """`earsim.world.state` lies in `world`; `earsim` itself is the facade."""
    return module.partition(".")[2].partition(".")[0]


def violations(homes: dict[str, Path]) -> list[str]:
    modules: dict[str, Path] = {}
    for package, home in homes.items():
        modules |= modules_of(package, home)
    return [
        str(found)
        for module, path in modules.items()
        for found in imports_of(module, path, set(modules))
        if not allowed(module, found.target)
    ]


def allowed(module: str, target: str) -> bool:
    """Whether the layers let `module` import `target`; other distributions are free."""
    home, other = module.partition(".")[0], target.partition(".")[0]
    if other not in HOMES:
        return True
    if home != other:
        if other != "earsim":
            # The command line runs what lies in the packages beside; it is loaded when asked for.
            return other in ASKS.get(home, ()) or layer(module) == "cli"
        return home in USES and layer(target) in USES[home]
    return home != "earsim" or RANK.get(layer(target), -1) <= RANK.get(layer(module), -1)


def unranked(homes: dict[str, Path]) -> list[str]:
    """Modules of earsim/ that stand in no line of LAYERS."""
    return [name for name in modules_of("earsim", homes["earsim"]) if layer(name) not in RANK]


def circles(homes: dict[str, Path]) -> list[list[str]]:
    """Groups of modules that import each other when they are loaded or type-checked."""
    modules: dict[str, Path] = {}
    for package, home in homes.items():
        modules |= modules_of(package, home)
    graph = nx.DiGraph()
    for module, path in modules.items():
        for found in imports_of(module, path, set(modules)):
            if found.loaded and found.target in modules:
                graph.add_edge(module, found.target)
    groups = nx.strongly_connected_components(graph)
    loops = {node for node in graph if graph.has_edge(node, node)}
    return sorted(sorted(group) for group in groups if len(group) > 1 or group & loops)


def write(home: Path, **files: str) -> dict[str, Path]:
    """A small tree of packages: `earsim__world__state="..."` is earsim/world/state.py."""
    for name, source in files.items():
        path = home.joinpath(*name.split("__")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    return dict.fromkeys(HOMES, home)


def test_every_module_has_a_layer():
    assert unranked(HOMES) == []


def test_imports_point_upwards():
    assert violations(HOMES) == []


def test_no_modules_import_each_other():
    assert circles(HOMES) == []


def repeated_classes(homes: dict[str, Path]) -> dict[str, list[str]]:
    """Names of classes that stand for more than one thing, with the modules that define them."""
    found: dict[str, list[str]] = {}
    for package, home in homes.items():
        for module, path in modules_of(package, home).items():
            for node in parsed(path).body:
                if isinstance(node, ast.ClassDef):
                    found.setdefault(node.name, []).append(module)
    return {name: modules for name, modules in found.items() if len(modules) > 1}


def test_a_class_name_has_one_meaning():
    assert repeated_classes(HOMES) == {}


def test_a_class_name_with_two_meanings_is_found(tmp_path):
    homes = write(tmp_path, earsim__a="class Order: ...", earsim_agents__b="class Order: ...")
    homes = dict(list(homes.items())[:2])
    assert repeated_classes(homes) == {"Order": ["earsim.a", "earsim_agents.b"]}


def test_a_circle_is_found(tmp_path):
    homes = write(
        tmp_path,
        earsim__a="from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from earsim import b",
        earsim__b="from earsim.a import A",
        earsim__c="import earsim.d",
        earsim__d="def late():\n    import earsim.c",
    )
    assert circles(homes) == [["earsim.a", "earsim.b"]]


@pytest.mark.parametrize(
    "source",
    [
        "import earsim.engine",
        "from earsim import engine",
        "from earsim.engine import Engine",
        "from ..engine import Engine",
        "from .. import engine",
        "def late():\n    import earsim.engine",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from earsim.engine import Engine",
        "from earsim import __version__",
        "import earsim_agents",
    ],
)
def test_an_import_that_points_down_is_found(tmp_path, source):
    homes = write(
        tmp_path, earsim__world__state=source, earsim__engine="", earsim_agents__policy=""
    )
    assert len(violations(homes)) == 1


@pytest.mark.parametrize(
    ("package", "source"),
    [
        ("earsim_agents", "from earsim.engine import Engine"),
        ("earsim_agents", "import earsim_training"),
        ("earsim_generators", "import earsim.envs"),
        ("earsim_training", "from earsim.world import World"),
    ],
)
def test_a_package_that_reaches_past_its_part_is_found(tmp_path, package, source):
    homes = write(tmp_path, **{f"{package}__thing": source}, earsim__engine="")
    assert len(violations(homes)) == 1


def test_imports_upwards_and_sideways_are_free(tmp_path):
    homes = write(
        tmp_path,
        earsim__errors="",
        earsim__world__state="import json\nfrom ..errors import E\nfrom . import clock",
        earsim__world__clock="from earsim.schema import Scene",
        earsim_agents__policy="import earsim, numpy\nfrom earsim_agents import other",
    )
    assert violations(homes) == []


def test_a_module_without_a_layer_is_found(tmp_path):
    assert unranked(write(tmp_path, earsim__odds_and_ends="")) == ["earsim.odds_and_ends"]


LOADED = """
import json, sys
sys.path.insert(0, sys.argv[1])
import earsim
print(json.dumps([earsim.__file__, *sys.modules]))
"""


def test_import_earsim_is_light():
    command = [sys.executable, "-c", LOADED, str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    file, *loaded = json.loads(done.stdout)
    assert file == str(ROOT / "earsim" / "__init__.py")
    assert HEAVY.isdisjoint(loaded)


@pytest.mark.parametrize("folder", ["agents", "generators", "training"])
def test_the_outer_folders_are_no_packages(folder):
    assert not (ROOT / folder / "__init__.py").exists()
    assert (ROOT / folder / f"earsim_{folder}" / "__init__.py").exists()
