"""`earsim eval --serve MODEL`: vLLM for as long as the evaluation takes."""

from __future__ import annotations

import shlex
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from earsim.cli.screen import Screen, complain, safe
from earsim.errors import UsageError
from earsim.evaluation.runs.sweep import Sweep
from earsim.serving import Serving, served

LOG = "server.log"


_OFFSET = b"CPU Generator does not use offset"
_LAST_BYTES = 200_000


def serving_of(
    model: str, flags: Sequence[str], *, cpu: bool = False, tensor_parallel: int = 1
) -> Serving:
    """How a model is served: on this machine, at any free port, with further flags of vLLM."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return Serving(
        model=model, port=port, cpu=cpu, tensor_parallel=tensor_parallel, extra=tuple(flags)
    )


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
def up(serving: Serving | None, folder: Path, *, wait: float = 1_800.0) -> Iterator[None]:
    """The server, if there is to be one; its output goes into the folder of the run.

    Args:
        serving: how the model is served; None for no server.
        folder: of the run.
        wait: seconds that loading may take.

    Raises:
        ServerFault: It cannot be started, or is not ready in time.
    """
    if serving is None:
        yield
        return
    screen = Screen(stderr=True)
    serving.command()  # what is missing is said before a folder is made
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / LOG
    before = log.stat().st_size if log.exists() else 0

    def tell(words: list[str]) -> None:
        screen.say(safe(shlex.join(words)))

    with served(serving, log=log, patience_s=wait, tell=tell) as process:
        screen.say(safe(f"Ready: {serving.url}; its output is in {log}"))
        try:
            yield
        finally:
            code = process.poll()
            if code is not None:
                complain(f"vLLM ended by itself with code {code}; see {log}")
            if _OFFSET in _last_of(log, before):
                complain(
                    "this build of vLLM cannot take a seed for each of several requests at once: "
                    "give --option send_seed=false (in a sweep file: options: {send_seed: false})"
                )


def _last_of(log: Path, begin: int) -> bytes:
    """The end of what a log holds from some place on."""
    with log.open("rb") as file:
        file.seek(max(begin, log.stat().st_size - _LAST_BYTES))
        return file.read()
