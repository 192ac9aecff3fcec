"""`earsim generate`: proved scenarios from a seed, without any model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from earsim.cli.progress import watched
from earsim.cli.screen import Screen, complain, examples, percent, row, safe, table
from earsim.errors import UsageError
from earsim.schema import Category
from earsim.signals import exit_code

if TYPE_CHECKING:
    from earsim_generators import GenerationSettings

EXAMPLES = examples(
    "earsim generate --n 1000 --seed 7 --out mine",
    "earsim generate --n 200 --preset small --category direct_command --out first_steps",
    "earsim generate --n 500 --domain clinic --domain my_domain.yaml --difficulty hard --out hard",
    "earsim generate --n 2000 --splits --out benchmark",
    "earsim generate --n 60 --family flow --family heat --difficulty hard --out moving",
)


def command(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the suite.")],
    n: Annotated[int, typer.Option("--n", min=1, help="Scenarios.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed makes the same scenarios.")] = 0,
    preset: Annotated[
        str,
        typer.Option(
            help="One of: small, standard, hard, time, conditions, declined, team, bench, "
            "time_errands, time_errands_declined, talk_errands, talk_errands_declined, "
            "needs, needs_declined."
        ),
    ] = "standard",
    domain: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME|FILE", help="A kind of place; may be repeated; all without."),
    ] = None,
    category: Annotated[
        list[Category] | None, typer.Option(help="Of tasks; may be repeated; all without.")
    ] = None,
    difficulty: Annotated[
        list[str] | None, typer.Option(help="easy, medium or hard; may be repeated.")
    ] = None,
    family: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Only scenes about this, such as flow or heat; may be repeated."
        ),
    ] = None,
    ruleset: Annotated[str, typer.Option(help="Under which it is proved.")] = "physical",
    agents: Annotated[
        int | None, typer.Option(min=2, max=4, help="How many do what takes several.")
    ] = None,
    rooms: Annotated[int | None, typer.Option(min=2, help="In a scene.")] = None,
    objects: Annotated[int | None, typer.Option(min=1, help="In a scene.")] = None,
    numbers: Annotated[
        int | None, typer.Option(min=1, help="Numbers that tell lookalikes apart.")
    ] = None,
    lookalikes: Annotated[
        int | None, typer.Option(min=0, help="Groups of things of one name in a scene.")
    ] = None,
    distractors: Annotated[
        int | None, typer.Option(min=0, help="Things that are easily mixed up with those.")
    ] = None,
    doors: Annotated[int | None, typer.Option(min=0, help="In a scene.")] = None,
    locked: Annotated[int | None, typer.Option(min=0, help="How many of them.")] = None,
    tasks_per_scene: Annotated[
        int | None,
        typer.Option(min=1, help="Asked of one scene; 7 without, but for the preset declined."),
    ] = None,
    splits: Annotated[
        bool, typer.Option("--splits", help="Deal them out: train, validation and three tests.")
    ] = False,
    split: Annotated[str | None, typer.Option(help="All of them for this split.")] = None,
    hold_out: Annotated[
        list[str] | None, typer.Option(help="A domain that only the split test_domain has.")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(min=1, help="States each search for a proof may reach.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes; all cores without.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Make scenarios, each proved to be solvable and to need what its category says.

    The folder holds packed suites with their certificates, and how they were made. Its files appear
    when all is done. The same command goes on where one was interrupted or killed.
    """
    settings = _settings(
        n=n,
        seed=seed,
        preset=preset,
        domains=domain,
        categories=category,
        bands=difficulty,
        families=family,
        ruleset=ruleset,
        team=agents,
        rooms=rooms,
        objects=objects,
        numbers=numbers,
        lookalikes=lookalikes,
        distractors=distractors,
        doors=doors,
        locked_doors=locked,
        tasks_per_scene=tasks_per_scene,
        held_out_domains=hold_out,
        nodes=nodes,
        splits=_shares(n, every=splits, only=split),
    )
    try:
        record = _made(settings, out, n, jobs)
    except KeyboardInterrupt as interrupt:
        complain("interrupted; the same command goes on")
        raise typer.Exit(exit_code(interrupt)) from None
    if as_json:
        typer.echo(json.dumps(record, indent=2))
    else:
        _show(Screen(), record, out)


def _settings(**flags: Any) -> GenerationSettings:
    from earsim_generators.suites import settings_of

    return settings_of({name: value for name, value in flags.items() if value not in (None, {})})


def _shares(n: int, *, every: bool, only: str | None) -> dict[str, int]:
    from earsim_generators.suites.splits import Split, shared_out

    if every and only:
        raise UsageError("--splits makes every split, --split one of them; give one of the two")
    if only is not None and only not in list(Split):
        raise UsageError(f"--split {only}: expected one of {', '.join(Split)}")
    if only is not None:
        return {only: n}
    return {split.value: count for split, count in shared_out(n).items()} if every else {}


def _made(settings: GenerationSettings, out: Path, n: int, jobs: int | None) -> dict[str, Any]:
    """Generate, unless the very same is there already; what is told of it."""
    from earsim_generators.suites.folder import SuiteFolder, finished, part_name
    from earsim_generators.suites.journal import GenerationJournal
    from earsim_generators.suites.manifest import asked, record
    from earsim_generators.suites.run import GenerationRun

    wanted = asked(settings)
    before = finished(out, wanted)
    if before is not None:
        return before
    folder = SuiteFolder(out, map(part_name, settings.parts))
    with GenerationJournal(out, wanted) as journal, folder:
        if len(journal):
            Screen(stderr=True).say(f"{len(journal):,} scenes are done already")
        run = GenerationRun(settings, jobs=jobs, journal=journal)
        for one in watched(run, n, "generating"):
            folder.add(part_name(one.split), one.line, one.certificate_line)
        told = record(settings, run.counts)
        folder.finish(told)
    return told


def _show(screen: Screen, record: dict[str, Any], out: Path) -> None:
    numbers = ("scenarios", "easy", "medium", "hard", "rejected")
    shown = table("category", *numbers, numbers=numbers, whole=("category",))
    by_label = [record.get(f"by_{source}", {}) for source in ("category", "family", "condition")]
    for label, entry in (pair for found in by_label for pair in found.items()):
        bands = entry.get("bands", {})
        counts = [entry["scenarios"], *(bands.get(band, 0) for band in numbers[1:4])]
        rejected = sum(entry["rejected"].values())
        row(shown, label, *(f"{count:,}" for count in (*counts, rejected)))
    screen.print(shown)
    lengths = ", ".join(map(str, record["plan_length_quantiles"].values()))
    screen.say(f"{record['scenarios']:,} scenarios, all certified")
    screen.say(f"decisions of their plans (least, quartiles, greatest): {lengths}")
    for part, told in record["parts"].items():
        why = ", ".join(f"{count:,} {reason}" for reason, count in told["rejected"].items())
        rejected = f"; rejected: {why}" if why else ""
        screen.say(f"{part}: {told['scenarios']:,} in {told['scenes']:,} scenes{rejected}")
        for what, count in told.get("shortfalls", {}).items():
            screen.say(f"{part}: {count:,} of these scenes have only {what} asked for")
    screen.say(f"rejected: {percent(record['rejection_share'])} of what was proposed")
    for source, told in record["by_source"].items():
        _show_not_given(screen, source, told)
    for part in record["parts"]:
        screen.say(safe(str(out / f"{part}.jsonl.gz")))


def _show_not_given(screen: Screen, source: str, told: dict[str, Any]) -> None:
    """What a domain or a family was asked for and could not give, with the reasons."""
    if told["without_scene"]:
        tried = told["scenes"] + told["without_scene"]
        screen.say(safe(f"{source}: {told['without_scene']:,} of {tried:,} scenes were not made"))
    for label in told["not_given"]:
        reasons = told["rejected"][label]
        why = ", ".join(f"{count:,} {reason}" for reason, count in reasons.items())
        screen.say(safe(f"{source} gave no {label}: {why}"))
