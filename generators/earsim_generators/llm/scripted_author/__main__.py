"""`python -m earsim_generators.llm.scripted_author`: the scripted author as a server."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from collections.abc import Sequence

from earsim.errors import EarSimError
from earsim_agents.scripted_server import ScriptedServer
from earsim_generators.llm.scripted_author import AnswerFixtures, Author


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until interrupted or terminated."""
    options = _parser().parse_args(arguments)
    try:
        author = Author(
            fixtures=AnswerFixtures.of_suite(options.suite),
            repairable=options.repairable,
            hopeless=options.hopeless,
            hostile=options.hostile,
            seed=options.seed,
            model=options.model,
            latency_ms=options.latency_ms,
        )
    except EarSimError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    asyncio.run(_serve(author, options.port))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m earsim_generators.llm.scripted_author", description=__doc__
    )
    parser.add_argument("--port", type=int, default=0, help="0 takes any free one")
    parser.add_argument("--model", default="scripted", help="name of the model")
    parser.add_argument("--suite", default="starter", help="what it knows by heart")
    parser.add_argument("--repairable", type=float, default=0.0, help="share of bad first answers")
    parser.add_argument("--hopeless", type=float, default=0.0, help="share of bad answers for good")
    parser.add_argument("--hostile", type=float, default=0.0, help="share of answers to do harm")
    parser.add_argument("--seed", type=int, default=0, help="of the draws")
    parser.add_argument("--latency-ms", type=float, default=0.0, help="time every answer takes")
    return parser


async def _serve(author: Author, port: int) -> None:
    stopped = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, stopped.set)
    server = ScriptedServer(author)
    url = await server.start(port)
    sys.stdout.write(f"scripted author ready: {url}\n")
    sys.stdout.flush()
    await stopped.wait()
    await server.stop()


if __name__ == "__main__":
    raise SystemExit(main())
