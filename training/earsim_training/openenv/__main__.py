"""`python -m earsim_training.openenv`: a suite as an OpenEnv server."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import get_args

import typer

from earsim.cli.boundary import errors_told
from earsim.envs.options import Reward
from earsim.errors import UsageError
from earsim.rulesets import RULESETS
from earsim.schema import Category
from earsim.schema.choices import EndOn, Observability
from earsim_training.openenv.server import application, serve
from earsim_training.openenv.worlds import Worlds, WorldSettings

_LOOPBACK = ("127.0.0.1", "::1", "localhost")


def run(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and serve until interrupted.

    Raises:
        EarSimError: OpenEnv is not installed, there is no such suite, or the port is taken.
    """
    flags = vars(_parser().parse_args(arguments))
    host, port, sessions = (flags.pop(name) for name in ("host", "port", "sessions"))
    if sessions < 1:
        raise UsageError(f"--sessions {sessions}: expected at least 1")
    worlds = Worlds(WorldSettings(**flags))
    app = application(worlds, sessions=sessions)
    if host not in _LOOPBACK:
        typer.echo(
            f"warning: whoever reaches {host} may play; nobody is asked who they are", err=True
        )

    def tell(url: str) -> None:
        count = f"{len(worlds.ids):,} scenarios of {worlds.settings.suite}"
        typer.echo(f"OpenEnv server ready: {url} ({count}, up to {sessions} sessions)")

    serve(app, host=host, port=port, tell=tell)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m earsim_training.openenv",
        description=(__doc__ or "").partition(": ")[2],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--suite", default="starter", help="name or path; the tasks for one agent are played")
    add("--category", choices=[each.value for each in Category], help="only these tasks")
    add("--ruleset", choices=list(RULESETS), help="instead of the scenarios' own")
    add(
        "--observability",
        choices=get_args(Observability),
        default="partial",
        help="full: all known",
    )
    add("--observation", choices=("full", "delta"), default="full", help="all, or what is new")
    add("--reward", choices=get_args(Reward), default="sparse", help="what is paid")
    add("--end-on", choices=get_args(EndOn), default="done", help="goal: ends when it holds, too")
    add("--admissible-commands", action="store_true", help="list what would be accepted")
    add("--budget", type=int, help="decisions; the scenario's own without it")
    add("--host", default="127.0.0.1", help="address to listen at")
    add("--port", type=int, default=8123, help="0 takes any free one")
    add("--sessions", type=int, default=64, help="most sessions at once")
    return parser


if __name__ == "__main__":
    with errors_told():
        run()
