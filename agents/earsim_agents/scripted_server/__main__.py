"""`python -m earsim_agents.scripted_server`: the scripted model server as a program."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Sequence

from earsim.errors import EarSimError, UsageError
from earsim_agents.scripted_server import FAULTS, Plans, ScriptedServer, ServerScript
from earsim_agents.scripted_server.roles import ROLE_SCRIPTS


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until interrupted or terminated."""
    options = _parser().parse_args(arguments)
    try:
        script = _script(options)
    except EarSimError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    asyncio.run(_serve(script, options.host, options.port))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m earsim_agents.scripted_server", description=__doc__
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="0 takes any free one")
    parser.add_argument("--model", default="scripted", help="name of the model")
    plans = parser.add_mutually_exclusive_group()
    plans.add_argument("--suite", help="follow the walkthroughs of this suite")
    plans.add_argument("--plans", metavar="FILE", help="follow the plans of this JSON file")
    plans.add_argument("--say", metavar="TEXT", help="one reply to everything")
    parser.add_argument(
        "--roles",
        metavar="SCRIPT",
        help=f"script for prompts that name a role: {', '.join(ROLE_SCRIPTS)}",
    )
    parser.add_argument("--badly", type=float, default=0.0, help="share of bad replies")
    parser.add_argument(
        "--fault",
        action="append",
        default=[],
        metavar="KIND=SHARE",
        help=f"share of requests that fail; kinds: {', '.join(FAULTS)}",
    )
    parser.add_argument("--seed", type=int, default=0, help="of the draws")
    parser.add_argument("--latency-ms", type=float, default=0.0, help="time every answer takes")
    parser.add_argument("--retry-after", type=float, default=0.0, help="seconds, with rate_limit")
    parser.add_argument("--per-second", type=float, help="requests taken; more are turned away")
    parser.add_argument("--thinking", choices=("none", "field", "tags"), default="none")
    parser.add_argument("--max-model-len", type=int, default=1_000_000, help="tokens")
    parser.add_argument("--key-env", help="environment variable with the key to ask for")
    return parser


def _script(options: argparse.Namespace) -> ServerScript:
    plans = Plans({})
    if options.suite:
        plans = Plans.of_suite(options.suite)
    elif options.plans:
        plans = Plans.of_file(options.plans)
    return ServerScript(
        plans=plans,
        roles=ROLE_SCRIPTS[options.roles] if options.roles else None,
        say=options.say,
        badly=options.badly,
        faults=dict(_share(text) for text in options.fault),
        seed=options.seed,
        model=options.model,
        max_model_len=options.max_model_len,
        latency_ms=options.latency_ms,
        retry_after_s=options.retry_after,
        per_second=options.per_second,
        thinking=options.thinking,
        key=os.environ.get(options.key_env, "") if options.key_env else None,
    )


def _share(text: str) -> tuple[str, float]:
    name, _, share = text.partition("=")
    try:
        return name, float(share)
    except ValueError:
        raise UsageError(f"--fault {text}: expected KIND=SHARE, such as error=0.1") from None


async def _serve(script: ServerScript, host: str, port: int) -> None:
    stopped = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, stopped.set)
    server = ScriptedServer(script)
    url = await server.start(port, host)
    sys.stdout.write(f"scripted model server ready: {url}\n")
    sys.stdout.flush()
    await stopped.wait()
    await server.stop()


if __name__ == "__main__":
    raise SystemExit(main())
