"""Text seeds, briefs, settings, the planner's processes, and the author as a program."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections import Counter

import pytest

from earsim.certificates.file import CertificateFile
from earsim.errors import FileError, UnknownName, UsageError
from earsim.evaluation.runs.sweep import Price
from earsim.schema import parse
from earsim.schema.files.document import Document
from earsim.worker import Worker
from earsim_agents.client.answer import Answer
from earsim_agents.client.client import Exchange
from earsim_generators.llm import ServerSettings, Stage, WritingSettings
from earsim_generators.llm.certification import CertifierPool
from earsim_generators.llm.checks.answer_error import ErrorKind, UnusableAnswer
from earsim_generators.llm.repair_loop import judged_by
from earsim_generators.llm.scene_request import MOST_CHARS, OURS, read_texts, scene_request_of
from earsim_generators.llm.scripted_author.__main__ import main
from earsim_generators.llm.settings import model_settings
from earsim_generators.llm.usage import UsageLedger
from tests.generators.llm.rig import CATEGORIES, SHED, settings


def test_our_texts_are_short_and_our_own():
    texts = read_texts()
    assert len(texts) == len(list(OURS.iterdir())) == 24
    assert all(150 < len(seed.text) < 500 for seed in texts)


def test_a_folder_of_texts(tmp_path):
    (tmp_path / "b.txt").write_text("x" * 9_999)
    (tmp_path / "a.MD").write_text("Rain.")
    (tmp_path / "empty.txt").write_text(" \n")
    (tmp_path / "deep").mkdir()
    found = read_texts(tmp_path)
    assert [seed.name for seed in found] == ["a.MD", "b.txt"]
    assert len(found[1].text) == MOST_CHARS


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00"])
def test_a_folder_without_texts_is_told(tmp_path, content):
    if content is not None:
        (tmp_path / "a.txt").write_bytes(content)
    with pytest.raises(FileError):
        read_texts(tmp_path)
    with pytest.raises(FileError, match="no folder"):
        read_texts(tmp_path / "missing")


def test_every_text_comes_before_any_comes_again():
    texts = read_texts()
    names = [scene_request_of(settings(), texts, item).text.name for item in range(2 * len(texts))]
    assert sorted(names[: len(texts)]) == sorted(names[len(texts) :]) == sorted(set(names))
    assert names[: len(texts)] != names[len(texts) :]


def test_categories_come_up_equally_often():
    briefs = [scene_request_of(settings(tasks=2), read_texts(), item) for item in range(9)]
    counted = Counter(each.value for brief in briefs for each in brief.categories)
    assert counted == dict.fromkeys(CATEGORIES, 6)


def test_a_brief_depends_on_seed_and_number_alone():
    texts = read_texts()
    assert scene_request_of(settings(n=5), texts, 3) == scene_request_of(settings(n=500), texts, 3)
    assert (
        scene_request_of(settings(), texts, 3).skills
        != scene_request_of(settings(seed=1), texts, 3).skills
    )


def test_options_that_are_not_for_writing_are_told():
    with pytest.raises(UsageError, match="for policies"):
        model_settings(settings(options={"style": "chat"}), ServerSettings())
    with pytest.raises(UsageError, match="setting of its own"):
        model_settings(settings(options={"model": "m"}), ServerSettings())
    with pytest.raises(UsageError, match="temprature"):
        model_settings(settings(options={"temprature": 1}), ServerSettings())
    with pytest.raises(ValueError, match="no model for goals"):
        WritingSettings(models=dict.fromkeys(list(Stage)[:3], "m"))


def test_costs_go_by_model():
    ledger = UsageLedger({"dear": Price(input=10, output=20), "": Price(input=1, output=2)})
    answer = Answer("{}", None, "stop", 1_000_000, 500_000, None, "m")
    for model in ("dear", "cheap"):
        ledger.add(Stage.SCENE, model, Exchange(answer, "url", 1, 0.0), repair=False)
    assert [(row.model, row.cost) for row in ledger.rows] == [("cheap", 2.0), ("dear", 20.0)]
    assert ledger.cost == 22.0
    assert UsageLedger().cost is None


@pytest.mark.parametrize("error", [KeyError("x"), RecursionError(), UnknownName("room", "x")])
def test_an_answer_that_a_check_stumbles_over_is_flawed(error):
    async def check(answer):
        raise error

    with pytest.raises(UnusableAnswer, match="it cannot be judged") as caught:
        asyncio.run(judged_by(check, Document("x", {})))
    assert caught.value.flaw is ErrorKind.SENSE


def test_a_full_disk_is_no_flaw_of_an_answer():
    async def check(answer):
        raise OSError("full")

    with pytest.raises(OSError, match="full"):
        asyncio.run(judged_by(check, Document("x", {})))


@pytest.mark.slow
def test_proofs_are_kept_and_processes_end(tmp_path):
    scenarios = parse(SHED).scenarios()

    async def run(jobs):
        file = CertificateFile(tmp_path / "proofs.jsonl")
        with CertifierPool(file, nodes=2_000, jobs=jobs) as prover:
            found = await asyncio.gather(*map(prover.prove, scenarios))
            processes = [each.process for each in prover._all]
        return [each.certificate for each in found], processes, len(file)

    made, processes, kept = asyncio.run(run(2))
    assert kept == len(scenarios)
    assert len(processes) == 2
    assert not any(process.is_alive() for process in processes)
    found, processes, _ = asyncio.run(run(2))
    assert found == made
    assert processes == []


def test_a_process_that_dies_is_an_error_of_the_machine(tmp_path):
    (scenario, *_) = parse(SHED).scenarios()

    async def run():
        file = CertificateFile(tmp_path / "proofs.jsonl")
        with CertifierPool(file, nodes=2_000, jobs=2) as prover:
            worker = Worker()
            prover._all.append(worker)
            prover._idle.append(worker)
            os.kill(worker.process.pid, signal.SIGKILL)
            worker.process.join()
            await prover.prove(scenario)

    with pytest.raises(OSError, match="ended without a word, perhaps for lack of memory"):
        asyncio.run(run())


@pytest.mark.slow
def test_the_author_as_a_program(tmp_path):
    path = tmp_path / "shed.yaml"
    path.write_text(SHED)
    command = [sys.executable, "-m", "earsim_generators.llm.scripted_author", "--suite", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        messages = [
            {"role": "system", "content": "# Stage: concept\nInvent."},
            {"role": "user", "content": "- tool_use: with a tool"},
        ]
        body = json.dumps({"model": "scripted", "messages": messages}).encode()
        with urllib.request.urlopen(f"{url}/chat/completions", body, timeout=10) as response:
            said = json.load(response)["choices"][0]["message"]["content"]
        assert json.loads(said)["title"] == "The shed"
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0


@pytest.mark.parametrize("arguments", [["--suite", "nothing"], ["--hopeless", "2"]])
def test_the_author_tells_wrong_arguments(arguments, capsys):
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("error: ")
