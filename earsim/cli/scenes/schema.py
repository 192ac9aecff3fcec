"""`earsim schema`: the JSON Schema of a kind of file."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from earsim.cli.screen import examples
from earsim.schema.files.json_schema import KINDS, export

EXAMPLES = examples("earsim schema scene > scene.schema.json", "earsim schema trajectory")


def command(
    kind: Annotated[str, typer.Argument(help=f"One of: {', '.join(KINDS)}.")],
) -> None:
    """Print the JSON Schema of a kind of file, for editors and other languages."""
    typer.echo(json.dumps(export(kind), indent=2))
