"""All commands put together."""

from __future__ import annotations

from typing import Annotated

import typer

from earsim.cli import doctor
from earsim.cli.boundary import EXIT_CODES, Boundary
from earsim.cli.evaluation import (
    annotation_summary,
    evaluate,
    export_log,
    judge,
    lab_serve,
    merge,
    report,
    serve,
    study,
    submit,
    view,
)
from earsim.cli.generation import generate, generate_llm, review, seal
from earsim.cli.playing import demo, participate, play, replay, run
from earsim.cli.proofs import audit, certify, export_pddl, plan, stats
from earsim.cli.scenes import (
    apparatus,
    bench_model,
    export_graph,
    listing,
    new,
    schema,
    show,
    validate,
)
from earsim.cli.screen import examples
from earsim.cli.training import export_sft, train
from earsim.installed import version

app = typer.Typer(
    cls=Boundary,
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


GROUPS = {
    "Play": (demo, play, participate, replay, view),
    "Scenes": (listing, show, validate, export_graph, schema),
    "Apparatus": (apparatus, bench_model, lab_serve),
    "Proofs": (plan, certify, audit, stats, export_pddl),
    "Generation": (generate, generate_llm, review),
    "Evaluation": (
        run,
        evaluate,
        merge,
        judge,
        annotation_summary,
        report,
        submit,
        export_log,
        serve,
    ),
    "Training": (export_sft,),
    "Installation": (doctor,),
}
"""Commands as `earsim --help` tells them."""

for group, modules in GROUPS.items():
    if group == "Scenes":
        app.add_typer(new.app, name=new.NAME, rich_help_panel=group)
    for module in modules:
        named = app.command(module.NAME, epilog=module.EXAMPLES, rich_help_panel=group)
        named(module.command)

app.add_typer(seal.app, name=seal.NAME, rich_help_panel="Generation")
app.add_typer(study.app, name=study.NAME, rich_help_panel="Evaluation")
app.add_typer(train.app, name=train.NAME, rich_help_panel="Training")
