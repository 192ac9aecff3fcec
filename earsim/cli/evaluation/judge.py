"""`earsim judge`: judges vote on the ideas of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from earsim.cli.boundary import Code
from earsim.cli.evaluation.flags import option_values
from earsim.cli.screen import Screen, complain, examples, percent, row, safe, table
from earsim.errors import ServerFault, UsageError

if TYPE_CHECKING:
    from earsim.evaluation.scorers.votes import Judge, Vote

EXAMPLES = examples(
    "earsim judge runs/ideas",
    "earsim judge runs/ideas --judge one --judge two --judge three "
    "--judge-url http://127.0.0.1:8000/v1",
    "earsim judge runs/ideas --judge rubric --judge one --judge-url http://127.0.0.1:8000/v1",
)


def command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run.")],
    judge: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODEL",
            help="Name at its server, or `rubric` for the facts of the task; may be repeated. "
            "Without one the rubric judges.",
        ),
    ] = None,
    judge_url: Annotated[
        list[str] | None,
        typer.Option(help="Of the server of all models, or of each, in their order."),
    ] = None,
    api_key_env: Annotated[
        str | None, typer.Option(help="Name of the environment variable with the key.")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="Of the models, such as temperature=0.7."),
    ] = None,
) -> None:
    """Have judges vote between each idea of a run and its reference; writes RUN/votes.jsonl.

    Each is asked in both orders; a tie is half a vote, and an answer that cannot be read none. The
    same command goes on where an earlier one stopped. `earsim report` shows votes and agreement,
    `earsim view` each idea with its votes.
    """
    from earsim.evaluation.workflow.judging import judge_run
    from earsim.evaluation.workflow.run_ideas import told_ideas, votes_by_item

    jury = _jury(judge or ["rubric"], judge_url or [], api_key_env, option_values(option or ()))
    ideas = told_ideas(run)
    if not ideas:
        raise UsageError(f"{run}: no episode that was measured has an idea to judge")
    screen = Screen(stderr=True)
    try:
        for count, done in enumerate(judge_run(run, ideas, jury), start=1):
            screen.say(safe(f"{count}/{len(ideas)} {done.episode}: {done.asked} new votes"))
    except ServerFault as error:
        complain(f"{error}; what was voted is kept, and the same command goes on")
        raise typer.Exit(Code.MACHINE) from None
    items = votes_by_item(run)
    _tell(Screen(), list(items.values()))
    without = [item for item, votes in items.items() if not any(v.is_readable for v in votes)]
    if without:
        complain(
            f"{len(without)} of {len(items)} ideas and dimensions have no vote that counts, such "
            f"as {without[0][1]} of {without[0][0]}; another judge may say more"
        )
        raise typer.Exit(Code.NO)


def _tell(screen: Screen, items: Sequence[Sequence[Vote]]) -> None:
    """A row for each judge, and how far they agree."""
    from earsim.evaluation.scorers.votes import (
        agreement,
        of_all_judges,
        order_consistency,
        win_share,
    )

    votes = [vote for item in items for vote in item]
    numbers = ("votes", "unreadable", "for the idea", "same in both orders")
    told = table("judge", *numbers, numbers=numbers)
    for name in sorted({vote.judge for vote in votes}):
        own = [vote for vote in votes if vote.judge == name]
        lost = sum(not vote.is_readable for vote in own)
        won, same = win_share(own), order_consistency(own)
        row(told, name, len(own), lost, percent(won and won / 100), percent(same))
    screen.print(told)
    kappa = agreement(of_all_judges(items))
    screen.say("Fleiss' kappa: ", "none" if kappa is None else f"{kappa:.3f}")


def _jury(
    names: Sequence[str], urls: Sequence[str], key: str | None, options: dict[str, Any]
) -> list[Judge]:
    """Judges with names that tell them apart."""
    from earsim.evaluation.workflow.jury import MODEL_JUDGE, RUBRIC, RubricJudge

    models = [name for name in names if name != RUBRIC]
    if len(names) - len(models) > 1:
        raise UsageError("the rubric votes once: it always says the same")
    if models and len(urls) not in (1, len(models)):
        raise UsageError(
            f"{len(models)} models are asked at {len(urls)} servers: give --judge-url once for "
            "all, or once for each"
        )
    options = {**options, **({"api_key_env": key} if key else {})}
    if len({*models}) < len(models) and not options.get("temperature"):
        raise UsageError(
            "a model that is named twice says the same twice: give --option temperature=0.7, or "
            "other models"
        )
    places = iter(urls if len(urls) == len(models) else list(urls) * len(models))
    jury: list[Judge] = []
    for at, name in enumerate(names):
        if name == RUBRIC:
            jury.append(RubricJudge())
            continue
        again = names[:at].count(name)
        make: Any = MODEL_JUDGE.load()
        called = f"{name} #{again + 1}" if again else name
        asked = {"seed": again, **options, "model": name, "base_url": next(places)}
        jury.append(make(called, **asked))
    return jury
