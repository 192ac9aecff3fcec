"""`earsim lab-serve`: a live episode over WebSocket, played by programs elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from earsim.cli.screen import Screen, examples, safe
from earsim.evaluation.runs import recorder
from earsim.link.access import LOOPBACK, is_loopback, token_for
from earsim.link.linked_episode import LinkedEpisode
from earsim.schema import StepRecord
from earsim.schema.choices import EndOn
from earsim.schema.records.episode_settings import EpisodeSettings
from earsim.schema.records.trajectory_file import save_trajectory
from earsim.signals import Stopped
from earsim.suites.finding import find_scenario

EXAMPLES = examples(
    "earsim lab-serve control_lab/tune_for_the_open_day",
    "earsim lab-serve control_lab/tune_for_the_open_day --port 0 --out played.json",
    "earsim lab-serve my_scene.yaml/my_task --tick 10",
    "EARSIM_LAB_TOKEN=$(cat token) earsim lab-serve ocean_office/forecast --host 0.0.0.0",
)

_POLICY = "lab-serve"


def command(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="Id, or FILE/TASK.")],
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0 takes any free one.")] = 8766,
    host: Annotated[
        str, typer.Option(help="Address; the default is this machine alone, others need a token.")
    ] = LOOPBACK,
    token: Annotated[
        str | None,
        typer.Option(
            envvar="EARSIM_LAB_TOKEN", help="That clients show; made up and printed without one."
        ),
    ] = None,
    tick: Annotated[
        int | None,
        typer.Option(
            min=1, max=3600, help="Decide every so many seconds; who is silent waits so long."
        ),
    ] = None,
    connections: Annotated[int, typer.Option(min=1, help="Most at once.")] = 64,
    ruleset: Annotated[str | None, typer.Option(help="Instead of the scenario's own.")] = None,
    budget: Annotated[int | None, typer.Option(min=1, help="Decisions it may take.")] = None,
    end_on: Annotated[EndOn, typer.Option(help="goal: end as soon as it is reached.")] = "done",
    out: Annotated[
        Path | None, typer.Option(help="File for the trajectory, as `earsim replay` takes it.")
    ] = None,
) -> None:
    """Serve a live episode: a client takes an agent and gives its commands as messages.

    A decision is taken when every agent has spoken, or every --tick seconds. The episode ends as
    any other does; Ctrl-C ends it earlier. docs/lab-server.md says what the messages are.
    """
    from earsim.link.server import LinkAddress, LinkServer

    settings = EpisodeSettings(ruleset=ruleset, budget=budget, end_on=end_on)
    shown = token_for(host, token)
    episode = recorder.begin(find_scenario(scenario), settings)
    steps: list[StepRecord] = []
    link = LinkedEpisode(
        episode,
        take=lambda played, commands: steps.append(recorder.take(played, commands)),
        tick_s=tick,
    )
    server = LinkServer(link, LinkAddress(host, port, shown, connections), tick_s=tick)
    screen = Screen()

    def ready(bound: int) -> None:
        at = f"[{host}]" if ":" in host else host
        screen.say(safe(f"Ready: ws://{at}:{bound}  agents: {', '.join(episode.agents)}"))
        if token is None:
            screen.say(safe(f"Token: {shown}"))
        if not is_loopback(host):
            screen.say("Whoever has the token may play; what is sent is not encrypted.")

    try:
        server.run(ready)
    except KeyboardInterrupt as interrupt:
        screen.say("Ended.")
        if isinstance(interrupt, Stopped):
            raise
    finally:
        if out is not None:
            ended = None if recorder.is_over(episode) else "interrupted"
            played = recorder.trajectory_of(
                episode, steps, settings, policy=_POLICY, termination=ended
            )
            save_trajectory(played, out)
    if recorder.is_over(episode):
        verdict = "reached" if episode.success else "not reached"
        screen.say(f"The goal was {verdict} in {episode.decisions} decisions.")
