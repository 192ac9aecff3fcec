"""A paraphrase is kept where every reader chooses the goal, and its text is fit to be one."""

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from earsim import open_suite
from earsim.engine import Engine
from earsim.errors import ServerFault
from earsim.suites.packed import pack
from earsim_agents.client import Client
from earsim_agents.scripted_server import ScriptedServer
from earsim_generators.paraphrase import Paraphrase, ParaphraseFile
from earsim_generators.paraphrase.__main__ import main
from earsim_generators.paraphrase.writer import (
    Paraphraser,
    ParaphraseSettings,
    flaw_of,
    shares_words,
)
from tests.generators.paraphrase.rig import Models, scenario

WORDS = "Ten minutes, and the sandbag that weighs most is to be found in the shed."
WRITTEN = json.dumps({"instruction": WORDS})
QUICK = {"backoff_s": 0.001, "max_backoff_s": 0.01, "attempts": 2}

Reads = Callable[[Mapping[str, str]], list[str]]


def by_heart(goals: Mapping[str, str]) -> list[str]:
    """The letters of what is asked for in the shed."""
    meant = "largest: mass_kg, among: {name: Sack of sand}"
    whole = "{object: $target, room: shed}}, {clock: {at_most: 600.0}}]"
    return [letter for letter, goal in goals.items() if meant in goal and whole in goal]


def asked(
    reads: Reads, *, written: str = WRITTEN, attempts: int = 2
) -> tuple[list[Paraphrase], Paraphraser]:
    async def run() -> tuple[list[Paraphrase], Paraphraser]:
        async with ScriptedServer(Models(written=written, reads=reads)) as server:
            settings = ParaphraseSettings(
                writer="scripted",
                readers=("scripted", "scripted"),
                attempts=attempts,
                options={**QUICK, "base_url": server.url},
            )
            async with Client() as client:
                asking = Paraphraser(settings, client)
                return await asking.all_of(
                    [scenario("heaviest")], at_once=2, seen=lambda: None
                ), asking

    return asyncio.run(run())


def test_it_is_kept_where_both_readers_choose_the_goal():
    (found,), asking = asked(by_heart)
    assert found.instruction == WORDS
    assert (found.writer, found.readers, found.attempts) == (
        "scripted",
        ("scripted", "scripted"),
        1,
    )
    assert found.scenario_hash == scenario("heaviest").hash
    assert not asking.refused


def test_a_long_one_is_kept():
    words = f"{WORDS} {'Nothing more than that. ' * 70}".strip()
    (found,), _ = asked(by_heart, written=json.dumps({"instruction": words}))
    assert 1_700 < len(words) <= 1_800
    assert found.instruction == words


@pytest.mark.parametrize(
    "reads",
    [
        lambda goals: [],
        lambda goals: [*goals],
        lambda goals: [next(each for each in goals if each not in by_heart(goals))],
        lambda goals: ["Z"],
    ],
)
def test_it_is_not_kept_where_a_reader_chooses_otherwise(reads: Reads):
    found, asking = asked(reads)
    assert not found
    assert asking.refused == {"not read as it was meant": 2}


def test_one_reader_of_two_is_not_enough():
    verdicts = [True, False]
    found, _ = asked(lambda goals: by_heart(goals) if verdicts.pop() else [], attempts=1)
    assert not found
    assert not verdicts


@pytest.mark.parametrize(
    "written",
    ["no JSON", "{}", '{"instruction": ""}', '{"instruction": "x", "y": 1}', '{"instruction": 3}'],
)
def test_an_answer_of_another_form_is_not_kept(written: str):
    found, asking = asked(by_heart, written=written, attempts=1)
    assert not found
    assert asking.refused == {"no answer of the asked form": 1}


@pytest.mark.parametrize(
    "words",
    [
        "Take sack_2 to the shed.",
        "The \u001b[2J sack.",
        "The {target} goes to the shed.",
        "x" * 2000,
    ],
)
def test_a_text_that_is_unfit_is_not_kept(words: str):
    found, _ = asked(by_heart, written=json.dumps({"instruction": words}), attempts=1)
    assert not found


@pytest.mark.parametrize(
    ("written", "told", "shares"),
    [
        ("one two three four five six", "zero one two three four five", True),
        ("one two three four six", "zero one two three four five", False),
        ("bring it over, the heaviest sack of sand", "get the heaviest sack of sand", False),
    ],
)
def test_five_words_in_a_row_are_a_repetition_but_for_names(written: str, told: str, shares: bool):
    assert shares_words(written, told, Engine(scenario("ordered"))) is shares


def test_names_of_people_and_numbers_that_no_goal_holds_are_kept():
    data = scenario("heaviest").model_dump(mode="json", by_alias=True)
    data["task"]["instruction"] = "Noor, in 600 seconds: of the sacks over 12 kg the heaviest."
    engine = Engine(type(scenario("heaviest")).model_validate(data))
    assert flaw_of("Noor, ten minutes: what weighs over 12 kg, the worst of it.", engine) is None
    missing = "leaves out a name or a number"
    assert flaw_of("In 600 seconds, what weighs over 12 kg, the worst of it.", engine) == missing
    assert flaw_of("Noor: what weighs over a dozen kilos, the worst of it.", engine) == missing


def test_a_server_that_is_gone_is_told():
    async def run() -> None:
        settings = ParaphraseSettings(
            writer="w", readers=("a", "b"), options={**QUICK, "base_url": "http://127.0.0.1:9/v1"}
        )
        async with Client() as client:
            await Paraphraser(settings, client).all_of(
                [scenario("heaviest")], at_once=1, seen=lambda: None
            )

    with pytest.raises(ServerFault, match=r"127\.0\.0\.1:9"):
        asyncio.run(run())


def test_the_command_writes_a_file_and_a_second_run_asks_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    suite, file = tmp_path / "shed.jsonl.gz", tmp_path / "shed.paraphrases.jsonl"
    pack([scenario("heaviest"), scenario("ordered")], suite)

    async def run() -> tuple[int, int]:
        async with ScriptedServer(Models(written=WRITTEN, reads=by_heart)) as server:
            line = [str(suite), str(file), "--writer", "scripted"]
            line += ["--reader", "scripted", "--reader", "scripted"]
            line += ["--base-url", server.url, "--attempts", "1"]
            assert await asyncio.to_thread(main, line) == 0
            before = server.requests
            assert await asyncio.to_thread(main, line) == 0
            return before, server.requests

    before, after = asyncio.run(run())
    assert before == after > 0
    found = ParaphraseFile.read(file)
    assert len(found) == 1
    kept = found.of(scenario("heaviest"))
    assert kept is not None
    assert kept.instruction == WORDS
    told = capsys.readouterr().out
    assert "1 of 2 instructions in other words" in told
    assert "not read as it was meant: 1" in told
    assert len(open_suite(suite)) == 2


def test_one_reader_is_too_few(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    suite = tmp_path / "shed.jsonl.gz"
    pack([scenario("heaviest")], suite)
    line = [str(suite), str(tmp_path / "out"), "--writer", "w", "--reader", "a"]
    assert main([*line, "--base-url", "http://127.0.0.1:9/v1"]) == 2
    assert "reader" in capsys.readouterr().err
    assert not (tmp_path / "out.answers").exists()
