"""`earsim eval --serve MODEL`: vLLM for as long as the evaluation takes."""

from __future__ import annotations

import shlex
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from earsim.cli.screen import Screen, safe
from earsim.errors import UsageError
from earsim.evaluation.runs.sweep import Sweep
from earsim.serving import Serving, served

LOG = "server.log"


def serving_of(model: str, flags: Sequence[str]) -> Serving:
    """How a model is served: on this machine, at any free port, with further flags of vLLM."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return Serving(model=model, port=port, extra=tuple(flags))


def asked_at(sweep: Sweep, serving: Serving) -> Sweep:
    """The sweep with those that play with the served model sent to its server.

    Raises:
        UsageError: Nobody plays with it.
    """
    if all(entrant.model != serving.model for entrant in sweep.models):
        known = ", ".join(str(entrant.model) for entrant in sweep.models)
        raise UsageError(f"--serve {serving.model}: nobody plays with it; the models are {known}")
    models = tuple(
        entrant.model_copy(update={"options": {**entrant.options, "base_url": serving.url}})
        if entrant.model == serving.model
        else entrant
        for entrant in sweep.models
    )
    return sweep.model_copy(update={"models": models})


@contextmanager
def up(serving: Serving | None, folder: Path) -> Iterator[None]:
    """The server, if there is to be one; its output goes into the folder of the run."""
    if serving is None:
        yield
        return
    screen = Screen(stderr=True)
    serving.command()  # what is missing is said before a folder is made
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / LOG
    with served(serving, log=log, tell=lambda words: screen.say(safe(shlex.join(words)))):
        screen.say(safe(f"Ready: {serving.url}; its output is in {log}"))
        yield
