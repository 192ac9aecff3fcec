"""Starting vLLM for an evaluation: the command with its flags, and the process behind it.

The flags are those that make an evaluation fair and fast. `--generation-config vllm` keeps a file
that comes with the model from changing temperature and top-p unasked. Prefix caching is what the
prompt style `chat` is made for. Structured outputs without free whitespace cannot run on and on.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from pydantic import Field

from earsim.errors import ServerFault, UsageError
from earsim.schema.model import FileModel
from earsim.signals import held

_POLL_S = 0.2
_PATIENCE_S = 20.0
_WATCH = """
import os, signal, sys, time
parent, group, patience = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
while os.getppid() == parent:
    time.sleep(0.2)
os.killpg(group, signal.SIGINT)
time.sleep(patience)
os.killpg(group, signal.SIGKILL)
"""
"""Ends a group of processes when our parent is gone, however it ended."""
_STRUCTURED = '{"backend":"xgrammar","disable_any_whitespace":true}'


class Serving(FileModel):
    """How a model is served.

    Attributes:
        model: A name on the Hugging Face hub, or a folder.
        tensor_parallel: GPUs that share the model.
        data_parallel: Copies of the model, each on its own GPUs, behind one address.
        max_model_len: Longest prompt and reply together; the model's own when None.
        reasoning_parser: vLLM's name of what tells thoughts from answers.
        cpu: vLLM's CPU build: no GPU is looked for.
        extra: Further flags, as vLLM spells them.
    """

    model: str = Field(min_length=1)
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=1, le=65_535)
    tensor_parallel: int = Field(default=1, ge=1)
    data_parallel: int = Field(default=1, ge=1)
    max_model_len: int | None = Field(default=None, ge=1)
    reasoning_parser: str | None = None
    cpu: bool = False
    extra: tuple[str, ...] = ()

    @property
    def url(self) -> str:
        """The base URL for clients."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host
        return f"http://{host}:{self.port}/v1"

    def command(self) -> list[str]:
        """The command that serves it.

        Raises:
            ServerFault: vLLM is not installed, or there is no GPU for it.
        """
        words = [*vllm(), "serve", self.model]
        if not self.cpu and not has_gpu():
            raise ServerFault(
                "vLLM needs a GPU and this machine shows none: start an OpenAI-compatible server "
                "elsewhere and give its address with --base-url, or use vLLM's CPU build with --cpu"
            )
        words += ["--host", self.host, "--port", str(self.port), "--seed", "0"]
        words += ["--tensor-parallel-size", str(self.tensor_parallel)]
        words += ["--data-parallel-size", str(self.data_parallel)]
        words += ["--generation-config", "vllm", "--enable-prefix-caching"]
        words += ["--enable-prompt-tokens-details", "--structured-outputs-config", _STRUCTURED]
        if self.max_model_len is not None:
            words += ["--max-model-len", str(self.max_model_len)]
        if self.reasoning_parser is not None:
            words += ["--reasoning-parser", self.reasoning_parser]
        return [*words, *self.extra]


def vllm() -> list[str]:
    """How vLLM is called here.

    Raises:
        ServerFault: It is not installed.
    """
    found = shutil.which("vllm")
    if found is not None:
        return [found]
    if find_spec("vllm") is not None:
        return [sys.executable, "-m", "vllm.entrypoints.cli.main"]
    raise ServerFault(
        "vLLM is not installed here: install it into an environment of its own (pip install vllm) "
        "and put that on the PATH, or start any OpenAI-compatible server and give its address "
        "with --base-url"
    )


def has_gpu() -> bool:
    """Whether there are signs of a GPU that vLLM can use (NVIDIA or AMD)."""
    return (
        Path("/dev/nvidia0").exists()
        or Path("/dev/kfd").exists()
        or bool(shutil.which("nvidia-smi"))
    )


@contextmanager
def served(
    serving: Serving,
    *,
    patience_s: float = 1_800.0,
    log: Path | None = None,
    tell: Callable[[list[str]], None] = lambda command: None,
) -> Iterator[subprocess.Popen[bytes]]:
    """A server that is up and ready within the `with` block, and gone after it.

    Args:
        serving: what is served, and how.
        patience_s: how long loading may take.
        log: where its output goes, after what is there; to our own output when None.
        tell: is given the command before it runs.

    Raises:
        ServerFault: It cannot be started, ends by itself, or is not ready in time.
        UsageError: The port is taken.
    """
    command = serving.command()
    _require_free(serving)
    tell(command)
    output: IO[bytes] | None = None if log is None else _begun(log)
    process: subprocess.Popen[bytes] | None = None
    try:
        # A session of its own: Ctrl-C reaches us alone, and we end it in an orderly way.
        with held():  # or it would start, and nobody know of it
            process = subprocess.Popen(
                command, stdout=output, stderr=output and subprocess.STDOUT, start_new_session=True
            )
        with _ended_with_us(process):
            _wait_until_ready(process, serving, patience_s, log)
            yield process
    except FileNotFoundError as error:
        raise ServerFault(f"{command[0]}: {error.strerror}") from None
    finally:
        if process is not None:
            stop(process)
        if output is not None:
            output.close()


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a server and all processes it started: politely first, then for certain.

    Who interrupts the wait makes the end certain at once.
    """
    try:
        if _signalled(process, signal.SIGINT):
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=_PATIENCE_S)
    finally:
        _signalled(process, signal.SIGKILL)
        process.wait()


def _signalled(process: subprocess.Popen[bytes], number: int) -> bool:
    """Send a signal to the group of a process; False if all of the group are gone."""
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        return False
    return True


@contextmanager
def _ended_with_us(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """See to it that a server goes even where we are killed and cannot end it ourselves."""
    words = [str(os.getpid()), str(process.pid), str(_PATIENCE_S)]
    watcher = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _WATCH, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        watcher.kill()
        watcher.wait()


def _begun(log: Path) -> IO[bytes]:
    """A log to append to, with a line that says when this start was."""
    output = log.open("ab")
    output.write(
        f"--- started {datetime.now().astimezone().isoformat(timespec='seconds')}\n".encode()
    )
    output.flush()
    return output


def _require_free(serving: Serving) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((serving.host, serving.port))
        except OSError as error:
            reason = error.strerror or str(error)
            raise UsageError(f"port {serving.port} cannot be used: {reason}") from None


def _wait_until_ready(
    process: subprocess.Popen[bytes], serving: Serving, patience_s: float, log: Path | None
) -> None:
    url = f"{serving.url.removesuffix('/v1')}/health"
    latest = time.monotonic() + patience_s
    hint = f"; see {log}" if log is not None else ""
    while not _answers(url):
        code = process.poll()
        if code is not None:
            raise ServerFault(f"vLLM ended with code {code} before it was ready{hint}")
        if time.monotonic() > latest:
            raise ServerFault(f"vLLM was not ready within {patience_s:g} s{hint}")
        time.sleep(_POLL_S)


def _answers(url: str) -> bool:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(url, timeout=5) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False
