"""`earsim play`: a person inside a scenario, with one agent or several."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from earsim.cli.playing.play_screen import PlayScreen
from earsim.cli.playing.prompt import Ask, open_prompt
from earsim.cli.screen import examples
from earsim.play.attempts import Attempt, find_attempt
from earsim.play.game import Game
from earsim.play.session import Session
from earsim.render.pictures import pictures_read
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim.tables.plots import saved

EXAMPLES = examples(
    "earsim play",
    "earsim play bicycle_workshop/tandem_tyres --show-goal",
    "earsim play starter --category implicit_collaboration --player ada",
    "earsim play my_scene.yaml/my_task",
    "printf 'explore\\nmap\\n' | earsim play lake_station/deepest_water",
)


def command(
    scenario: Annotated[
        str,
        typer.Argument(
            metavar="SCENARIO|SUITE", help="Of a suite, the first that you have not finished."
        ),
    ] = "starter",
    category: Annotated[str | None, typer.Option(help="Only this category of the suite.")] = None,
    player: Annotated[
        str | None, typer.Option(help="Your name; the record says human-NAME.")
    ] = None,
    show_goal: Annotated[
        bool, typer.Option("--show-goal", help="Tell which parts of the goal hold; noted.")
    ] = False,
    no_hints: Annotated[
        bool,
        typer.Option(
            "--no-hints",
            help="Refuse hint and least, which tell what evaluators know; else asking is noted.",
        ),
    ] = False,
    ruleset: Annotated[str | None, typer.Option(help="Instead of the scenario's own.")] = None,
    budget: Annotated[int | None, typer.Option(min=1, help="Decisions you may take.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder of the run; runs/SUITE-human-ATTEMPT by default."),
    ] = None,
) -> None:
    """Play a scenario yourself: type commands, see what comes of them.

    What you do is saved after every decision, as the same kind of run that policies leave, so
    `earsim replay` and reports take it like any other. An attempt that you left goes on where it
    stood. Within the game, help (or ?) says what can be done.
    """
    settings = EpisodeSettings(ruleset=ruleset, budget=budget)
    attempt = find_attempt(scenario, settings, category=category, player=player, out=out)
    session = attempt.begin()
    if show_goal:
        session.notes["goal_shown"] = 1
    game = Game(session, show_goal=show_goal, hints=not no_hints)
    screen = PlayScreen()
    screen.tell(game.opening())
    try:
        converse(game, attempt, screen, open_prompt(game.completions))
    except (EOFError, KeyboardInterrupt):
        screen.blank()
        screen.tell(game.leave())
    attempt.save(session)
    options = {
        "--category": category,
        "--player": player,
        "--ruleset": ruleset,
        "--budget": budget,
        "--out": out,
    }
    given = [str(word) for option in options.items() if option[1] is not None for word in option]
    again = shlex.join(["earsim", "play", scenario, *given])
    _farewell(screen, session, attempt.run.path, again)


def converse(game: Game, attempt: Attempt | None, screen: PlayScreen, ask: Ask) -> None:
    """Line by line until the episode is over or its player leaves; None keeps nothing.

    Ctrl-C throws away what was typed of a line; on an empty line, a second one leaves.
    """
    interrupted = False
    while not game.over:
        before = (len(game.session.steps), game.session.memory)
        try:
            line = ask(game.prompt())
        except KeyboardInterrupt:
            if game.forget_text():
                screen.blank()
                continue
            if interrupted:
                raise
            interrupted = True
            screen.blank()
            screen.note("Ctrl-C once more leaves the game.")
            continue
        interrupted = False
        screen.tell(game.answer(line))
        if attempt is None:
            continue
        if (len(game.session.steps), game.session.memory) != before:
            attempt.save(game.session)
        if len(game.session.steps) > before[0]:
            _save_pictures(game.session, screen, attempt.run.path / "pictures")


def _save_pictures(session: Session, screen: PlayScreen, folder: Path) -> None:
    """Pictures of the figures that were read last go to files: a terminal cannot show them."""
    blueprint, decision = session.episode.engine.blueprint, session.episode.last
    for outcome in () if decision is None else decision.outcomes.values():
        pictures = pictures_read(blueprint, outcome)
        for file in saved(pictures, folder) if pictures else ():
            screen.note(f"Its picture: {file}")


def _farewell(screen: PlayScreen, session: Session, folder: Path, again: str) -> None:
    if session.has_begun:
        screen.note(f"Saved in {folder}")
    if not session.is_over:
        screen.note(f"To go on: {again}" if session.has_begun else "Nothing to save.")
