"""`earsim serve`: a model behind vLLM, with the flags of a fair and fast evaluation."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from earsim.cli.boundary import Code
from earsim.cli.screen import Screen, complain, examples, safe
from earsim.serving import Serving, served
from earsim.signals import Stopped

EXAMPLES = examples(
    "earsim serve Qwen/Qwen2.5-7B-Instruct",
    "earsim serve ./my-model --tensor-parallel 2 --max-model-len 16384",
    "earsim serve Qwen/Qwen3-8B --reasoning-parser qwen3 --show",
    "earsim serve ./my-model --vllm=--kv-cache-dtype=fp8",
)


def command(
    model: Annotated[str, typer.Argument(help="A name on the Hugging Face hub, or a folder.")],
    port: Annotated[int, typer.Option(min=1, max=65_535, help="Where it listens.")] = 8000,
    host: Annotated[str, typer.Option(help="Address; the default is this machine alone.")] = (
        "127.0.0.1"
    ),
    tensor_parallel: Annotated[int, typer.Option(min=1, help="GPUs that share the model.")] = 1,
    data_parallel: Annotated[int, typer.Option(min=1, help="Copies of the model.")] = 1,
    max_model_len: Annotated[
        int | None, typer.Option(min=1, help="Longest prompt and reply together, in tokens.")
    ] = None,
    reasoning_parser: Annotated[
        str | None, typer.Option(help="Tells thoughts from answers, such as qwen3.")
    ] = None,
    cpu: Annotated[bool, typer.Option("--cpu", help="vLLM's CPU build: look for no GPU.")] = False,
    vllm: Annotated[
        list[str] | None, typer.Option(help="A further flag of vLLM; may be repeated.")
    ] = None,
    wait: Annotated[float, typer.Option(min=1, help="Seconds that loading may take.")] = 1_800.0,
    show: Annotated[
        bool, typer.Option("--show", help="Print the command and do not run it.")
    ] = False,
) -> None:
    """Serve a model for `earsim eval`, until Ctrl-C.

    The command is shown before it runs. Without vLLM or a GPU, one sentence says what to do.
    """
    serving = Serving(
        model=model,
        host=host,
        port=port,
        tensor_parallel=tensor_parallel,
        data_parallel=data_parallel,
        max_model_len=max_model_len,
        reasoning_parser=reasoning_parser,
        cpu=cpu,
        extra=tuple(vllm or ()),
    )
    screen = Screen()

    def tell(words: list[str]) -> None:
        screen.say(safe(shlex.join(words)))

    if show:
        tell(serving.command())
        return
    with served(serving, patience_s=wait, tell=tell) as process:
        try:
            screen.say(safe(f"Ready: {serving.url}  (Ctrl-C ends it)"))  # may be taken at its word
            code = process.wait()
        except KeyboardInterrupt as interrupt:
            screen.say("Ending vLLM ...")
            if isinstance(interrupt, Stopped):
                raise
            return  # the way to end it: nothing was interrupted
    complain(f"vLLM ended by itself with code {code}")
    raise typer.Exit(Code.MACHINE)
