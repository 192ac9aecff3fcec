"""`earsim view`: what happened in a run, decision by decision, as a page."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from earsim.cli.screen import Screen, examples, line
from earsim.parallel import cores
from earsim.signals import Stopped
from earsim.viewer.export import export as write
from earsim.viewer.run import Run
from earsim.viewer.server import ViewerServer

EXAMPLES = examples(
    "earsim view runs/small",
    "earsim view runs/small runs/large",
    "earsim view runs/*",
    "earsim view runs/small --export small.html",
)


def command(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    export: Annotated[
        Path | None, typer.Option(help="Write one self-contained HTML file instead.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 0,
    open_it: Annotated[bool, typer.Option("--open", help="Open it in a browser.")] = False,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes for --export; all cores without.")
    ] = None,
    certificates: Annotated[
        Path | None, typer.Option(help="Folder of certificates, where they are not found.")
    ] = None,
) -> None:
    """Show what happened: episodes, decision by decision, on a page for this machine only.

    A run that is still being played may be looked at. Notes and labels are written into
    RUN/annotations.jsonl by whoever opens the address with its token.
    """
    opened = [Run(path, certificates) for path in _once(runs)]
    if export is not None:
        count = write(opened, export, jobs=jobs or cores())
        Screen().say(line(f"written: {export} ({count:,} episodes)"))
        shown = export.resolve().as_uri()
        if open_it:
            webbrowser.open(shown)
        return
    with ViewerServer(opened, port=port) as server:
        try:
            Screen().say(f"{server.link} (Ctrl-C ends it)")  # may be taken at its word
            if open_it:
                webbrowser.open(server.link)
            server.serve_forever()
        except Stopped:
            raise
        except KeyboardInterrupt:  # the way to end it: nothing was interrupted
            return


def _once(paths: list[Path]) -> list[Path]:
    """The folders, each once however often it was named."""
    return list({path.resolve(): path for path in paths}.values())
