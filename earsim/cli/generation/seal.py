"""`earsim seal`: suites of a secret seed, played before anybody has seen them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from earsim.cli.boundary import Code
from earsim.cli.evaluation.flags import FlagEntry, sweep_from
from earsim.cli.evaluation.live_table import LiveTable
from earsim.cli.screen import Screen, complain, examples, line
from earsim.errors import ServerFault, UsageError

_RECIPE = "scenes/earsim-bench/recipe.yaml"
NEW_EXAMPLES = examples(f"earsim seal new {_RECIPE} earsim-bench-sealed --secret secret.txt")
MAKE_EXAMPLES = examples(
    f"earsim seal make {_RECIPE} earsim-bench-sealed --secret secret.txt --out sealed"
)
RUN_EXAMPLES = examples(
    f"earsim seal run {_RECIPE} earsim-bench-sealed --secret secret.txt --policy expert "
    "--out sealed/expert",
)

app = typer.Typer(
    no_args_is_help=True,
    help="A suite of a secret seed, to which a hash in the recipe commits before it is played.",
    epilog=NEW_EXAMPLES,
)

_Recipe = Annotated[Path, typer.Argument(metavar="RECIPE", help="File of the benchmark.")]
_Suite = Annotated[str, typer.Argument(metavar="SUITE", help="Name of the sealed suite.")]
_Secret = Annotated[Path, typer.Option(metavar="FILE", help="File with the secret.")]
_Jobs = Annotated[int | None, typer.Option(min=1, help="Processes; all cores without.")]


@app.command("new", epilog=NEW_EXAMPLES)
def new_(recipe: _Recipe, suite: _Suite, secret: _Secret) -> None:
    """Draw a secret into a new file, and print the commitment that belongs into the recipe.

    Keep the file where nobody else can read it; without it nobody can make the suite.
    """
    from earsim_generators.bench import load_recipe
    from earsim_generators.bench.sealed import commitment, new_secret

    typer.echo(commitment(load_recipe(recipe), suite, new_secret(secret)))


@app.command("make", epilog=MAKE_EXAMPLES)
def make_(
    recipe: _Recipe,
    suite: _Suite,
    secret: _Secret,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the suite.")],
    jobs: _Jobs = None,
) -> None:
    """Make the suite and print its signature, which belongs into the recipe too.

    Refused where the secret is not the one that the recipe commits to, or where the scenarios are
    not those of a signature in it. So the same command checks a secret that was published.
    """
    _make(recipe, suite, secret, out, jobs)


@app.command("run", epilog=RUN_EXAMPLES)
def run_(
    recipe: _Recipe,
    suite: _Suite,
    secret: _Secret,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the suite and the run.")],
    policy: Annotated[str | None, typer.Option(help="As of earsim eval.")] = None,
    model: Annotated[str | None, typer.Option(help="Name of the model at its server.")] = None,
    base_url: Annotated[
        list[str] | None, typer.Option(help="Of an OpenAI-compatible server; may be repeated.")
    ] = None,
    api_key_env: Annotated[
        str | None, typer.Option(help="Name of the environment variable with the key.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Of the policy.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Of the episodes.")] = None,
    jobs: _Jobs = None,
) -> None:
    """Make the suite from the secret and play it: what `make` and `earsim eval` do, in one go.

    The suite is written into DIR, the run into DIR/run. The same command goes on after a kill.
    """
    from earsim.evaluation.runs.evaluation import Evaluation
    from earsim_generators.suites.folder import packed

    entry = FlagEntry(policy, model, base_url or (), api_key_env, option or ())
    if entry.is_empty:
        raise UsageError("say who plays: --policy expert, or --model NAME --base-url URL")
    changes = {"suites": (str(out / packed(suite)),), "seed": seed}
    sweep = sweep_from(None, entry, changes, ())
    _make(recipe, suite, secret, out, jobs)
    evaluation = Evaluation(sweep, out / "run")
    watch = LiveTable(evaluation.progress, Screen(stderr=True))
    try:
        with watch.watching(), closing(evaluation.run()) as episodes:
            for _ in episodes:
                watch.look()
    except ServerFault as error:
        complain(str(error))
        raise typer.Exit(Code.MACHINE) from None
    (cell,) = evaluation.progress.cells.values()
    told = f"{cell.successes:,} of {cell.measured:,} won, {cell.not_measured:,} not measured"
    Screen().say(line(f"{told}: {out / 'run'}"))
    if cell.not_measured:
        raise typer.Exit(Code.NO)


def _make(recipe: Path, suite: str, secret: Path, out: Path, jobs: int | None) -> None:
    from earsim_generators.bench import load_recipe
    from earsim_generators.bench.sealed import make_sealed, read_secret

    found = make_sealed(load_recipe(recipe), suite, read_secret(secret), out, jobs=jobs)
    typer.echo(f"{suite}: {found.scenarios:,} scenarios, signature {found.sha256}")
