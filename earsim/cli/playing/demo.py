"""`earsim demo`: a few scenarios, played step by step where one can watch."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from typing import Annotated, NamedTuple

import typer

from earsim.cli.boundary import Code
from earsim.cli.playing.narrator import Narrator
from earsim.cli.screen import Screen, examples
from earsim.engine import Engine
from earsim.envs.policy import Policy, PolicyContext, observations_of
from earsim.episode import Episode
from earsim.evaluation.policies import make_policy
from earsim.suites.finding import find_scenario

EXAMPLES = examples("earsim demo", "earsim demo --fast")


class DemoAttempt(NamedTuple):
    """A command on the side that will be refused: costs a decision, changes nothing."""

    agent: str
    command: str
    thought: str


class DemoAct(NamedTuple):
    """One scenario of the show.

    Attributes:
        attempts: by the decision of the walkthrough before which they are made.
    """

    scenario: str
    about: str
    attempts: Mapping[int, DemoAttempt] = {}


ACTS = (
    DemoAct(
        "lake_station/deepest_water",
        "Things have numbers, and the task speaks of them.",
    ),
    DemoAct(
        "kitchen_village_bakery/slice_the_walnut_loaf",
        "A tool gives an ability, as long as it is held.",
        {10: DemoAttempt("pavel", "SLICE walnut_loaf", "The knife is in hand. From here?")},
    ),
    DemoAct(
        "bicycle_workshop/compressor_to_the_yard",
        "What is too heavy for one is carried by two.",
        {4: DemoAttempt("tomas", "GRAB compressor", "Perhaps one is enough?")},
    ),
    DemoAct(
        "home_moving_day/clear_the_living_room",
        "Two agents share the work, and must be where the work is.",
        {7: DemoAttempt("ada", "CORP_GRAB sofa", "Jonas is at the sofa. From here?")},
    ),
    DemoAct(
        "tank_farm/half_a_tank_lower",
        "Numbers move while the clock runs: water goes down until somebody shuts the valve.",
    ),
)

RANDOM_SCENARIO = "bicycle_workshop/compressor_to_the_yard"
RANDOM_DECISIONS = 8
"""How long the random policy is watched: enough to see that it gets nowhere."""

NEXT = {
    "earsim list starter": "every task that comes with it",
    f"earsim show {RANDOM_SCENARIO}": "one of the scenes above",
    "earsim run starter --policy random": "the floor to beat",
    "earsim validate my_scene.yaml": "check a scene of your own",
}
"""What to type after the show."""

PAUSE_S = 0.7


def command(
    fast: Annotated[
        bool | None,
        typer.Option("--fast/--slow", help="No pauses; the default where there is no terminal."),
    ] = None,
) -> None:
    """Watch agents solve a few tasks, be refused, and say why; then a policy that only guesses."""
    pause = 0.0 if (not sys.stdout.isatty() if fast is None else fast) else PAUSE_S
    screen = Screen()
    stage = Narrator(screen)
    screen.say("EAR-Sim: a text world in which physics decides.\n")
    won = [_play(act, stage, pause, f"{number}/{len(ACTS)}") for number, act in enumerate(ACTS, 1)]
    _play_random(RANDOM_SCENARIO, stage, pause)
    screen.say(f"{sum(won)} of {len(won)} walkthroughs won. Now you:\n")
    for typed, gives in NEXT.items():
        screen.say(f"  {typed:<55}{gives}")
    if not all(won):
        raise typer.Exit(Code.NO)


def _play(act: DemoAct, stage: Narrator, pause: float, number: str) -> bool:
    """Play a walkthrough, with its attempts; whether it won."""
    episode = Episode(Engine(find_scenario(act.scenario)))
    stage.open(episode, f"{number}  {act.about}")
    for commands, thought in _with_attempts(episode, make_policy("walkthrough"), act.attempts):
        time.sleep(pause)
        episode.step(commands)
        stage.tell(episode, commands, thought)
    stage.close(episode)
    return episode.success


def _with_attempts(
    episode: Episode, policy: Policy, attempts: Mapping[int, DemoAttempt]
) -> Iterator[tuple[Mapping[str, str], str]]:
    """The decisions of a policy until the episode ends, each with a thought or none."""
    policy.reset(PolicyContext.of(episode))
    planned = 0
    while not (episode.over or episode.truncated):
        attempt = attempts.get(planned)
        if attempt is not None:
            yield {attempt.agent: attempt.command}, attempt.thought
        yield policy.act(observations_of(episode)) or {}, ""
        planned += 1


def _play_random(scenario: str, stage: Narrator, pause: float) -> None:
    episode = Episode(Engine(find_scenario(scenario)), budget=RANDOM_DECISIONS)
    stage.open(
        episode, "The same compressor, by a policy that draws lots among the commands at hand."
    )
    policy = make_policy("random")
    policy.reset(PolicyContext.of(episode))
    while not (episode.over or episode.truncated):
        time.sleep(pause)
        commands = policy.act(observations_of(episode)) or {}
        episode.step(commands)
        stage.tell(episode, commands)
    stage.close(episode)
