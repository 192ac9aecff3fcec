"""`python -m earsim_generators.paraphrase SUITE FILE`: instructions in other words, by models.

Answers are kept beside the file; a run that was stopped asks only for what is missing.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from earsim.errors import EarSimError
from earsim.schema import Scenario
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim.suites import open_suite
from earsim_agents.client import AnswerCache, Client
from earsim_generators.bench.subset import candidate_of, chosen
from earsim_generators.paraphrase.record import ParaphraseFile
from earsim_generators.paraphrase.writer import Paraphraser, ParaphraseSettings

_EXAMPLE = """example:
  python -m earsim_generators.paraphrase earsim-bench-2-talk talk.paraphrases.jsonl \\
    --writer big --reader other --reader third --base-url http://127.0.0.1:8000/v1
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask, write the file, and say what was kept."""
    options = _parser().parse_args(arguments)
    try:
        scenarios = list(open_suite(options.suite))
        if options.n is not None:
            ids = chosen([candidate_of(each) for each in scenarios], options.n)
            scenarios = [each for each in scenarios if each.id in ids]
        asyncio.run(_run(options, scenarios))
    except EarSimError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    return 0


async def _run(options: argparse.Namespace, scenarios: Sequence[Scenario]) -> None:
    data = {
        "writer": options.writer,
        "readers": options.reader,
        "seed": options.seed,
        "attempts": options.attempts,
        "options": {
            "temperature": 0.7,
            "base_url": options.base_url,
            "api_key_env": options.api_key_env,
            "concurrency": options.concurrency,
            "timeout_s": options.timeout_s,
        },
    }
    settings = validated(Document("the settings", data), ParaphraseSettings)
    file: Path = options.file
    done = 0

    def seen() -> None:
        nonlocal done
        done += 1
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{done} of {len(scenarios)}" + "\n" * (done == len(scenarios)))

    async with Client(AnswerCache(str(file.with_suffix(".answers")))) as client:
        asking = Paraphraser(settings, client)
        found = await asking.all_of(scenarios, at_once=options.concurrency, seen=seen)
    ParaphraseFile(str(file), found).write(file)
    sys.stdout.write(f"{file}: {len(found)} of {len(scenarios)} instructions in other words\n")
    for reason, count in asking.refused.most_common():
        sys.stdout.write(f"  not kept, {reason}: {count}\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m earsim_generators.paraphrase",
        description="Instructions of a suite in other words, kept where independent readers agree.",
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("suite", help="name or file of a suite")
    parser.add_argument("file", type=Path, help="JSON lines to write")
    parser.add_argument("--writer", required=True, help="model")
    parser.add_argument("--reader", action="append", required=True, help="model; two or more")
    parser.add_argument("--base-url", action="append", required=True, help="of a server")
    parser.add_argument("--api-key-env", help="environment variable with the key")
    parser.add_argument("--n", type=int, help="so many scenarios, in the proportions of the suite")
    parser.add_argument("--seed", type=int, default=0, help="of styles and contrasts")
    parser.add_argument("--attempts", type=int, default=2, help="of the writer per instruction")
    parser.add_argument("--concurrency", type=int, default=16, help="instructions at once")
    parser.add_argument("--timeout-s", type=float, default=300.0, help="for one answer")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
