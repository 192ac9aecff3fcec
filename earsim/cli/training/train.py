"""`earsim train`: models that learn from demonstrations, and how well they do."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from earsim.cli.boundary import Code
from earsim.cli.evaluation.live_table import LiveTable
from earsim.cli.progress import watched
from earsim.cli.screen import Screen, complain, examples, line, percent, row, safe, table
from earsim.errors import MissingExtra, ServerFault, UsageError
from earsim.schema.choices import Knowledge, Style, Voices

if TYPE_CHECKING:
    from earsim_training.grpo.training import GrpoTraining
    from earsim_training.sft.evaluation import CheckpointScore
    from earsim_training.sft.training import Training

SFT_EXAMPLES = examples(
    "earsim train sft --config paper-lora.yaml --dry-run",
    "earsim train sft --config paper-lora.yaml --set model.path=MODEL --out runs/mine",
    "accelerate launch --config_file fsdp.yaml -m earsim train sft --config paper.yaml",
)
GRPO_EXAMPLES = examples(
    "earsim train grpo --config grpo-tiny.yaml --dry-run",
    "earsim train grpo --config grpo-tiny.yaml --set playing.num_generations=16",
)
TTRL_EXAMPLES = examples(
    "earsim train ttrl --config ttrl-tiny.yaml --dry-run",
    "earsim train ttrl --config ttrl-paper.yaml --set model.path=MODEL",
    "earsim train ttrl --config ttrl-tiny.yaml --set novelty.relevance=0.05",
)
EVAL_EXAMPLES = examples(
    "earsim train eval runs/tiny --suite data/small/test.jsonl.gz",
    "earsim train eval runs/tiny --suite starter --after-only --free-only",
    "earsim train eval runs/paper --suite starter --base-url http://127.0.0.1:8000/v1 "
    "--served-as paper",
)

SURROGATE_EXAMPLES = examples(
    "earsim train surrogate euler1d",
    "earsim train surrogate heat1d --preset paper --out runs/heat-paper",
    "earsim eval laboratory --policy caed --option surrogates=runs/heat-paper",
)

FORECASTER_EXAMPLES = examples(
    "earsim train forecaster",
    "earsim train forecaster --runs 1000 --updates 0",
)
TIPGAN_EXAMPLES = examples(
    "earsim train tipgan",
    "earsim train tipgan --set learning_rate=1e-4 --set generators=1 --set epochs=100",
)

app = typer.Typer(
    no_args_is_help=True,
    help="Train models on demonstrations, and score them.",
    epilog=examples(
        "earsim train sft --config paper-lora.yaml --dry-run",
        "earsim train eval runs/tiny --suite starter",
    ),
)


@app.command("sft", epilog=SFT_EXAMPLES)
def sft(
    config: Annotated[
        Path, typer.Option(help="A recipe, or one that comes along: paper.yaml, paper-lora.yaml.")
    ],
    out: Annotated[
        Path | None, typer.Option(help="Folder of the run; runs/sft-NAME by default.")
    ] = None,
    assign: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PLACE=VALUE", help="Change the recipe: data.path=mine."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Report on the data, show one row, and stop.")
    ] = False,
) -> None:
    """Train a model on exported demonstrations. The same command goes on where one stopped.

    First it reports what will be learned, and shows one row with what carries loss in brackets.
    """
    from earsim_training.sft.libraries import prepare, require
    from earsim_training.sft.recipe import read_recipe
    from earsim_training.sft.training import Training

    recipe = read_recipe(config, assign or ())
    require(*(("peft",) if recipe.model.lora else ()))
    prepare(recipe.optimisation.threads)
    aside = Screen(stderr=True)
    training = Training(recipe, out or Path("runs") / f"sft-{recipe.name}")
    if training.finished:
        aside.say(line(f"finished before: {training.folder}"))
        return
    _report(training, aside)
    if dry_run:
        return
    final = training.run(lambda told: aside.say(line(told)))
    Screen().say(line(f"written: {final}"))


def _report(training: Training, screen: Screen) -> None:
    """What will be learned, and by what; in several processes, from one of them."""
    from earsim_training.sft.data.rows_report import passages
    from earsim_training.sft.libraries import is_first

    report, model = training.filtered.report, training.model
    if not is_first():
        return
    for told in report.lines():
        screen.say(line(told))
    screen.say("one row, what is learned in [[brackets]]:")
    _show(passages(training.filtered.rows[0], training.tokenizer), screen)
    screen.say(line(f"{model.num_parameters():,} parameters, {type(model).__name__}"))


def _show(passages: Iterable[tuple[str, bool]], screen: Screen) -> None:
    """Text, with what is learned in brackets."""
    shown = Text()
    for text, learned in passages:
        marked = f"[[{text}]]" if learned else text
        shown.append_text(safe(marked, "bold green" if learned else "dim"))
    screen.print(shown, soft_wrap=True)


@app.command("grpo", epilog=GRPO_EXAMPLES)
def grpo(
    config: Annotated[Path, typer.Option(help="A recipe, or the one that comes: grpo-tiny.yaml.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder of the run; runs/grpo-NAME by default.")
    ] = None,
    assign: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PLACE=VALUE", help="Change the recipe: model.path=mine."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Play one group, show an episode, and stop.")
    ] = False,
) -> None:
    """Let a model play groups of episodes and learn from what the environment pays for each.

    The same command goes on where one stopped, if the recipe keeps checkpoints.
    """
    from earsim_training.grpo.recipe import read_grpo_recipe
    from earsim_training.grpo.training import GrpoTraining
    from earsim_training.sft.libraries import is_first, prepare, require

    recipe = read_grpo_recipe(config, assign or ())
    require(*(("peft",) if recipe.model.lora else ()))
    prepare(recipe.optimisation.threads)
    aside = Screen(stderr=True)
    name = recipe.name if recipe.name.startswith("grpo") else f"grpo-{recipe.name}"
    training = GrpoTraining(recipe, out or Path("runs") / name)
    if training.finished:
        aside.say(line(f"finished before: {training.folder}"))
        return
    if is_first():
        _rehearse(training, aside, show=dry_run)
    if dry_run:
        return
    final = training.run(lambda told: aside.say(line(told)))
    Screen().say(line(f"written: {final}"))


@app.command("ttrl", epilog=TTRL_EXAMPLES)
def ttrl(
    config: Annotated[
        Path, typer.Option(help="A recipe, or one that comes: ttrl-tiny.yaml, ttrl-paper.yaml.")
    ],
    out: Annotated[Path | None, typer.Option(help="Folder of the run; runs/NAME if none.")] = None,
    assign: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PLACE=VALUE", help="Change the recipe: model.path=mine."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what is asked and what counts as novel, stop.")
    ] = False,
) -> None:
    """Let a model answer open questions and learn from form, novelty and plans that work.

    The same command goes on where one stopped, if the recipe keeps checkpoints.
    """
    from earsim_training.sft.libraries import is_first, prepare, require
    from earsim_training.ttrl.recipe import read_ttrl_recipe
    from earsim_training.ttrl.training import TtrlTraining

    recipe = read_ttrl_recipe(config, assign or ())
    require(*(("peft",) if recipe.model.lora else ()))
    prepare(recipe.optimisation.threads)
    aside = Screen(stderr=True)
    training = TtrlTraining(recipe, out or Path("runs") / recipe.name)
    if training.finished:
        aside.say(line(f"finished before: {training.folder}"))
        return
    _ = training.home  # a run without a model to begin with ends here
    if is_first():
        found = training.calibration
        aside.say(line(f"questions: {len(training.questions):,}, known works: {found.works:,}"))
        aside.say(
            line(
                f"novel: innovation above {found.threshold:.2f} by {found.embedder}, which "
                f"{100 * found.pass_rate:.0f} % of the works pass among the others"
            )
        )
    if dry_run:
        return
    final = training.run(lambda told: aside.say(line(told)))
    Screen().say(line(f"written: {final}"))


def _rehearse(training: GrpoTraining, screen: Screen, *, show: bool) -> None:
    """What will be played; if asked for, a group of episodes, one of them in full."""
    from earsim_training.grpo.tokens import passages

    recipe = training.recipe
    screen.say(line(f"tasks: {len(training.tasks):,}, groups in an update: {recipe.groups:,}"))
    slots = training.rehearse() if show else []
    for slot in slots:
        earned = slot.dialogue.play.earned
        parts = ", ".join(f"{name} {value:g}" for name, value in earned._asdict().items())
        screen.say(line(f"reward {recipe.rewards.total(earned):.3f}: {parts}"))
    if slots:
        tokenizer = training.loaded.tokenizer
        shown = passages(slots[0].transcript)
        screen.say("one episode, what is learned in [[brackets]]:")
        _show([(tokenizer.decode(each.ids), each.learned) for each in shown], screen)


@app.command("surrogate", epilog=SURROGATE_EXAMPLES)
def surrogate(
    simulator: Annotated[str, typer.Argument(help="heat1d, euler1d or ns2d.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder of the files; runs/surrogate-NAME by default.")
    ] = None,
    preset: Annotated[
        str,
        typer.Option(help="Of the updates: default, short or paper; the usual if none."),
    ] = "",
    seed: Annotated[int, typer.Option(min=0, help="Of profiles, weights and batches.")] = 0,
    profiles: Annotated[
        int, typer.Option(min=0, help="How many are drawn; 0 for the usual number.")
    ] = 0,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes; all cores by default.")
    ] = None,
) -> None:
    """Train a small network that predicts error and cost of a solver's run.

    Profiles are drawn by the seed and run by the solver itself; a fifth of them is held out, and
    what the network is off on these is printed. The same command gives the same files.
    """
    from earsim_training.surrogate.making import SurrogateRun, make, simulator_of, write

    if find_spec("torch") is None:
        raise MissingExtra("torch", "train")
    run = SurrogateRun(simulator_of(simulator), preset, seed, profiles)
    aside, screen = Screen(stderr=True), Screen()
    made = make(
        run,
        jobs=jobs,
        tell=lambda told: aside.say(line(told)),
        watch=lambda runs, total: watched(runs, total, "profiles"),
    )
    shown = table("held out", "runs", "error", "90 %", "cost", numbers=("runs", "error", "90 %"))
    for name, off in (("trained", made.off), ("one epoch", made.noisy_off)):
        numbers = (off.error_median, off.error_p90, off.cost_median)
        row(shown, name, f"{off.samples:,}", *(f"{each:.4f}" for each in numbers))
    screen.print(shown)
    screen.say("median and 90 % quantile of |log10 of predicted over true error|; cost: median")
    folder = out or Path("runs") / f"surrogate-{run.simulator.partition('/')[0]}"
    for file in write(made, folder):
        screen.say(line(f"written: {file}"))


@app.command("forecaster", epilog=FORECASTER_EXAMPLES)
def forecaster(
    out: Annotated[Path, typer.Option(help="Folder of the files.")] = Path("runs/forecaster"),
    runs: Annotated[int, typer.Option(min=1, help="Of the six-box ocean.")] = 10_000,
    updates: Annotated[
        int, typer.Option(min=0, help="Of the transformer; 0 for no transformer.")
    ] = 1_200,
    seed: Annotated[int, typer.Option(min=0, help="Of settings, noise, weights, batches.")] = 0,
    threads: Annotated[int, typer.Option(min=1, help="Of the processor.")] = 1,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes for the runs; all cores by default.")
    ] = None,
) -> None:
    """Train forecasters of the six-box ocean: 200 years are read, 100 foretold.

    A linear autoregression and a temporal fusion transformer stand beside persistence. Held out are
    runs with settings of their own, and all with freshwater fluxes in a band around the threshold.
    """
    from earsim_training.forecaster.making import ForecasterRun, make, write

    aside, screen = Screen(stderr=True), Screen()
    run = ForecasterRun(runs, updates, seed, threads)
    made = make(run, jobs=jobs, tell=lambda told: aside.say(line(told)))
    shown = table("held out", "forecaster", "years", "error", "of ar", "95 %", numbers=("error",))
    for kind, by in made.held.items():
        for name, scores in by.items():
            for each in scores:
                interval = f"{each.low:.2f}-{each.high:.2f}"
                numbers = (str(each.years), f"{each.error:.4f}", f"{each.ratio:.2f}", interval)
                row(shown, kind, name, *numbers)
    screen.print(shown)
    screen.say("error: mean absolute, in units of a series' spread of changes over 100 years")
    for file in write(made, out):
        screen.say(line(f"written: {file}"))


@app.command("tipgan", epilog=TIPGAN_EXAMPLES)
def tipgan(
    out: Annotated[Path, typer.Option(help="Folder of the files.")] = Path("runs/tipgan"),
    assign: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A hyper-parameter: epochs=20."),
    ] = None,
    runs: Annotated[int, typer.Option(min=50, help="Of the ocean, for training and test.")] = 2_000,
    seed: Annotated[int, typer.Option(min=0, help="Of runs, weights and batches.")] = 0,
) -> None:
    """Train generators that look for tipping points, with the six-box ocean as the judge."""
    from earsim_training.tipgan.making import make, settings_from, write

    aside, screen = Screen(stderr=True), Screen()
    chosen = settings_from(assign or ())
    made = make(chosen, runs=runs, seed=seed, tell=lambda told: aside.say(line(told)))
    shown = table("weighted accuracy", "", numbers=("",))
    for name, value in made.numbers.items():
        row(shown, name, "-" if value is None else f"{value:.4f}")
    screen.print(shown)
    for file in write(made, out):
        screen.say(line(f"written: {file}"))


@app.command("eval", epilog=EVAL_EXAMPLES)
def evaluate(
    checkpoint: Annotated[
        Path, typer.Argument(help="Folder of a run of `earsim train sft`, or of a model.")
    ],
    suite: Annotated[list[str], typer.Option(help="Name, path or scenario id; may be repeated.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder of the evaluation; eval in the run by default.")
    ] = None,
    after_only: Annotated[
        bool, typer.Option("--after-only", help="Leave out the model before training.")
    ] = False,
    free_only: Annotated[
        bool, typer.Option("--free-only", help="Leave out replies held to admissible commands.")
    ] = False,
    category: Annotated[str | None, typer.Option(help="Only this category.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first so many.")] = None,
    in_flight: Annotated[int, typer.Option(min=1, help="Episodes at the same time.")] = 128,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Of the processor; all cores by default.")
    ] = None,
    temperature: Annotated[
        float, typer.Option(min=0, max=5, help="Of replies; 0 for the likeliest token each.")
    ] = 0.0,
    style: Annotated[
        Style | None, typer.Option(help="Of the prompts; as in training by default.")
    ] = None,
    knowledge: Annotated[
        Knowledge | None, typer.Option(help="Likewise: global knows every object.")
    ] = None,
    role: Annotated[
        Voices | None, typer.Option(help="Likewise: one model for a team, or one each.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(help="Of a server that has the model; else it runs here.")
    ] = None,
    served_as: Annotated[str | None, typer.Option(help="Its name at that server.")] = None,
) -> None:
    """Let a trained model play suites, before and after training, by category.

    It writes what it likes; in a second column its replies are held to the commands that would be
    accepted. The evaluation is an ordinary one: `earsim report` tells more of it.
    """
    from earsim_training.sft.evaluation import CheckpointEvaluation, EvaluationSettings, telling_of
    from earsim_training.sft.libraries import prepare, require

    if (base_url is None) != (served_as is None):
        raise UsageError("--base-url and --served-as belong together")
    if base_url is None:
        require()
        prepare(threads)
    telling = telling_of(checkpoint, style=style, knowledge=knowledge, role=role)
    match = EvaluationSettings(
        suites=tuple(suite),
        telling=telling,
        before=not after_only,
        constrained=not free_only,
        in_flight=in_flight,
        limit=limit,
        category=category,
        temperature=temperature,
        base_url=base_url,
        served_as=served_as,
    )
    folder = out or checkpoint / "eval"
    scoring = CheckpointEvaluation(checkpoint, match, folder)
    _play(scoring, Screen(stderr=True))
    scores = scoring.scores()
    scoring.note(scores)
    screen = Screen()
    for name in dict.fromkeys(score.suite for score in scores):
        screen.say(line(name, "bold"))
        screen.print(_table([score for score in scores if score.suite == name]))
    screen.say(line(f"More: earsim report {folder}"))


def _play(scoring: Any, screen: Screen) -> None:
    from earsim_training.sft.libraries import device

    try:
        with scoring.evaluation(device()) as evaluation:
            watch = LiveTable(evaluation.progress, screen)
            with watch.watching(), closing(evaluation.run()) as episodes:
                for _ in episodes:
                    watch.look()
    except ServerFault as error:
        complain(str(error))
        raise typer.Exit(Code.MACHINE) from None


def _table(scores: list[CheckpointScore]) -> Any:
    """Categories downwards, and the models with their kinds of reply across."""
    kinds = list(dict.fromkeys((score.model, score.replies) for score in scores))
    kinds.sort(key=lambda kind: (kind[0] != "before", kind[1] != "free"))
    numbers = ["episodes"]
    for model, replies in kinds:
        numbers += [f"{model}, {replies}", f"95 %{' ' * kinds.index((model, replies))}"]
    made = table("category", *numbers, numbers=tuple(numbers), whole=("category",))
    categories = list(dict.fromkeys(score.category for score in scores))
    for category in sorted(categories, key=lambda name: (name == "all", name)):
        found = {(s.model, s.replies): s for s in scores if s.category == category}
        cells: list[str] = [f"{next(iter(found.values())).episodes:,}"]
        for kind in kinds:
            score = found.get(kind)
            low, high = (None, None) if score is None else (score.low, score.high)
            cells.append(percent(None if score is None else score.success))
            cells.append(
                "-" if low is None or high is None else f"{100 * low:.0f}-{100 * high:.0f}"
            )
        row(made, category, *cells, style="bold" if category == "all" else "")
    return made
