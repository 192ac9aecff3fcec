"""`earsim export-graph`: a scene, or a scenario at its start, for graph tools."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from earsim.cli.screen import Screen, examples, safe
from earsim.engine import Engine
from earsim.errors import UsageError
from earsim.suites.finding import find_scenario, find_scene
from earsim.world import Blueprint, Physics, World, to_networkx

if TYPE_CHECKING:
    import networkx as nx

EXAMPLES = examples(
    "earsim export-graph crystal_lab --out lab.graphml",
    "earsim export-graph crystal_lab/purest_sulphate --out lab.json",
    "earsim export-graph my_scene.yaml --out my_scene.graphml",
)

_NO_XML = re.compile("\ufffe|\uffff".encode())
"""The characters of names and texts that XML has not; control characters no file may hold."""


def command(
    scenario: Annotated[str, typer.Argument(help="A scene or scenario id, a file, or FILE/TASK.")],
    out: Annotated[
        Path,
        typer.Option(help=".graphml for Gephi, yEd and others, .json for NetworkX and programs."),
    ],
) -> None:
    """Write a scene, or a scenario with its agents, as a graph of rooms, doors and objects.

    Nodes carry names, numbers and states; edges say what is in or on what and where ways lead. In
    Python it is `earsim.to_networkx(world)`, for any moment of an episode.
    """
    write = _FORMATS.get(out.suffix)
    if write is None:
        raise UsageError(f"{out}: a graph is a {' or '.join(_FORMATS)} file")
    graph = to_networkx(_world(scenario))
    out.parent.mkdir(parents=True, exist_ok=True)
    write(graph, out)
    nodes, edges = graph.number_of_nodes(), graph.number_of_edges()
    Screen().say(safe(str(out)), f": {nodes:,} nodes, {edges:,} edges")


def _world(scenario: str) -> World:
    scene = find_scene(scenario)
    if scene is not None:
        return World(Blueprint.compile(scene, ()), Physics())
    return Engine(find_scenario(scenario)).start()


def _write_graphml(graph: nx.MultiDiGraph[str], path: Path) -> None:
    import networkx as nx

    written = BytesIO()
    # The writer of the standard library: `write_graphml` takes lxml where there happens to be one.
    nx.write_graphml_xml(graph, written)
    path.write_bytes(_NO_XML.sub("\ufffd".encode(), written.getvalue()))


def _write_json(graph: nx.MultiDiGraph[str], path: Path) -> None:
    import networkx as nx

    data = nx.node_link_data(graph, edges="edges")
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


_FORMATS: Mapping[str, Callable[[nx.MultiDiGraph[str], Path], None]] = {
    ".graphml": _write_graphml,
    ".json": _write_json,
}
