"""`earsim participate`: the sessions of a human baseline, by a protocol."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Annotated

import typer

from earsim.cli.boundary import Code
from earsim.cli.playing.play import converse
from earsim.cli.playing.play_screen import PlayScreen
from earsim.cli.playing.prompt import open_prompt
from earsim.cli.screen import examples
from earsim.evaluation.termination import Ending
from earsim.play.attempts import Attempt, next_attempt
from earsim.play.game import Game
from earsim.play.participation import Participation, load_protocol, round_of
from earsim.play.session import Session
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim.suites.finding import find_scenario

EXAMPLES = examples(
    "earsim participate examples/human_baseline.yaml --number 7 --out human",
    "earsim submit human/p* --out human.json",
)
_AGREED = "i agree"


class _OutOfTime(Exception):
    """The minutes of a task have passed."""


def command(
    protocol: Annotated[Path, typer.Argument(metavar="PROTOCOL", help="File of the protocol.")],
    number: Annotated[int, typer.Option(min=1, help="Of the participant: 1, 2, 3, and so on.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder of all participants.")],
) -> None:
    """Play the tasks that a protocol gives a participant: consent, practice, then one by one.

    The participant's run is DIR/pNUMBER. Hints, the goal and taking back are not there, and every
    task has its minutes. The same command goes on after a break. Exit 1 without consent.
    """
    part = Participation(load_protocol(protocol), number, out)
    screen = PlayScreen()
    if part.record is None:
        _ask_consent(part, screen)
        for id in part.protocol.practice:
            screen.note("Practice: nothing of this is kept. quit goes on to the next task.")
            _practise(id, screen)
    while (attempt := next_attempt(part.run, part.suite)) is not None:
        place = part.order.index(attempt.scenario.id) + 1
        screen.note(f"Task {place} of {len(part.order)}.")
        if not _play(part, attempt, screen):
            screen.note("A break. The same command goes on; the time of this task does not stop.")
            return
    screen.note(f"All {len(part.order)} tasks are played. Thank you.")
    people = round_of(part.protocol, part.whole)
    screen.note(f"{people} participants play the whole suite; then: earsim submit {out}/p*")


def _ask_consent(part: Participation, screen: PlayScreen) -> None:
    screen.note(part.protocol.consent.rstrip())
    try:
        said = open_prompt(lambda line: [])("Type I agree to take part, anything else to leave: ")
    except (EOFError, KeyboardInterrupt):
        said = ""
    if said.strip().rstrip(".").casefold() != _AGREED:
        screen.note("You do not take part. Nothing was saved.")
        raise typer.Exit(Code.NO)
    part.agree()


def _practise(scenario_id: str, screen: PlayScreen) -> None:
    session = Session(find_scenario(scenario_id), EpisodeSettings())
    _converse(session, None, screen, deadline=math.inf)


def _play(part: Participation, attempt: Attempt, screen: PlayScreen) -> bool:
    """Play one task; whether it has ended."""
    session, deadline = attempt.begin(), part.deadline(attempt.scenario.id)
    try:
        _converse(session, attempt, screen, deadline=deadline)
    except _OutOfTime:
        screen.note("The time of this task is over.")
        attempt.run.save(session, left=Ending.OUT_OF_TIME)
        return True
    attempt.save(session)
    return session.is_over


def _converse(
    session: Session, attempt: Attempt | None, screen: PlayScreen, *, deadline: float
) -> None:
    """Play until the end or the deadline; a line that comes later is not carried out.

    Raises:
        _OutOfTime: The deadline has passed.
    """
    game = Game(session, undo=False)
    ask = open_prompt(game.completions)

    def in_time(prompt: str) -> str:
        left = deadline - time.time()
        if left <= 0:
            raise _OutOfTime
        minutes = "" if math.isinf(left) else f"[{math.ceil(left / 60)} min] "
        line = ask(minutes + prompt)
        if time.time() >= deadline:
            raise _OutOfTime
        return line

    screen.tell(game.opening())
    try:
        converse(game, attempt, screen, in_time)
    except (EOFError, KeyboardInterrupt):
        screen.blank()
        screen.tell(game.leave())
