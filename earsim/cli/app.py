"""All commands put together."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand
from typer.main import get_command, get_group

from earsim.cli.boundary import EXIT_CODES, Boundary
from earsim.cli.screen import examples
from earsim.installed import version

GROUPS: Mapping[str, Mapping[str, str]] = {
    "Play": {
        "demo": "playing.demo",
        "play": "playing.play",
        "participate": "playing.participate",
        "replay": "playing.replay",
        "view": "evaluation.view",
    },
    "Scenes": {
        "list": "scenes.listing",
        "show": "scenes.show",
        "validate": "scenes.validate",
        "export-graph": "scenes.export_graph",
        "schema": "scenes.schema",
        "new": "scenes.new",
    },
    "Apparatus": {
        "apparatus": "scenes.apparatus",
        "bench-model": "scenes.bench_model",
        "lab-serve": "evaluation.lab_serve",
    },
    "Proofs": {
        "plan": "proofs.plan",
        "certify": "proofs.certify",
        "audit": "proofs.audit",
        "stats": "proofs.stats",
        "export-pddl": "proofs.export_pddl",
    },
    "Generation": {
        "generate": "generation.generate",
        "generate-llm": "generation.generate_llm",
        "review": "generation.review",
        "seal": "generation.seal",
    },
    "Evaluation": {
        "run": "playing.run",
        "eval": "evaluation.evaluate",
        "merge": "evaluation.merge",
        "judge": "evaluation.judge",
        "annotations": "evaluation.annotation_summary",
        "report": "evaluation.report",
        "submit": "evaluation.submit",
        "export-log": "evaluation.export_log",
        "serve": "evaluation.serve",
        "study": "evaluation.study",
    },
    "Training": {"export-sft": "training.export_sft", "train": "training.train"},
    "Installation": {"doctor": "doctor"},
}
"""The module of every command, by name, in the groups of `earsim --help`.

A module has a function `command` and its `EXAMPLES`, or with commands of its own an `app`.
"""


class Commands(Boundary):
    """All commands. One is imported when it is asked for: all of them take a second."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._groups = {name: group for group, names in GROUPS.items() for name in names}
        self.commands = {name: TyperCommand(name) for name in self._groups}
        self._ready: set[str] = set()

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name, None where there is none."""
        if cmd_name in self._groups and cmd_name not in self._ready:
            self.commands[cmd_name] = _imported(self._groups[cmd_name], cmd_name)
            self._ready.add(cmd_name)
        return super().get_command(ctx, cmd_name)


def _imported(group: str, name: str) -> Any:
    module = import_module(f"earsim.cli.{GROUPS[group][name]}")
    if hasattr(module, "app"):
        made: Any = get_group(module.app)
    else:
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        alone.command(name, epilog=module.EXAMPLES)(module.command)
        made = get_command(alone)
    made.name, made.rich_help_panel = name, group
    return made


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples("earsim demo", "earsim list starter", "earsim run starter --policy random")
    + f"\n\n{EXIT_CODES}",
)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"earsim {version('earsim')}")
        raise typer.Exit


@app.callback()
def earsim(
    show_version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """A text world in which physics decides: play, check and measure scenarios."""
