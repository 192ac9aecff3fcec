"""A training run: it learns, goes on where it stopped, and says early what is wrong."""

from __future__ import annotations

import json
import shutil
from types import SimpleNamespace

import pytest

from earsim.errors import UsageError
from earsim_training.sft.checkpoint import load, read_facts
from earsim_training.sft.data.corpus import read_corpus
from earsim_training.sft.training import Training
from tests.cli.conftest import earsim as earsim
from tests.cli.conftest import here as here
from tests.training.exported import flat
from tests.training.sft.trained import data, model, recipe, stack

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module", autouse=True)
def _stack():
    stack()


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    return data(tmp_path_factory.mktemp("rows"))


@pytest.fixture(scope="module")
def run(rows, tmp_path_factory):
    """A finished run."""
    folder = tmp_path_factory.mktemp("runs") / "toy"
    told = []
    Training(recipe(rows, max_steps=12), folder).run(told.append)
    return SimpleNamespace(folder=folder, told=told, rows=rows)


def losses(folder):
    lines = map(json.loads, (folder / "metrics.jsonl").read_text().splitlines())
    return {line["step"]: line["loss"] for line in lines if "loss" in line}


# -- what it does ----------------------------------------------------------------------------------


def test_the_loss_falls_and_is_told(run):
    found = losses(run.folder)
    assert list(found) == list(range(1, 13))
    assert found[12] < 0.9 * found[1]
    assert any(line.startswith("step 12/12, loss") for line in run.told)


def test_the_model_says_what_it_was_made_from(run):
    facts = read_facts(run.folder / "model")
    manifest = json.loads((run.rows / "export.json").read_text())
    assert facts.data == manifest["hash"]
    assert facts.telling.style == "compact"
    assert facts.reply_tokens >= 4
    card = (run.folder / "model" / "README.md").read_text()
    assert manifest["hash"] in card
    assert '"name": "toy"' in card
    assert (run.folder / "model" / "prompt.md").is_file()


def test_what_was_saved_is_what_was_trained(run):
    import torch

    loaded, training = load(run.folder / "model"), Training(run_recipe(run), run.folder)
    assert training.finished
    assert len(loaded.tokenizer) == loaded.model.config.vocab_size
    start = load(run.rows.parent / "start").model
    same = [
        torch.equal(one, two)
        for one, two in zip(loaded.model.parameters(), start.parameters(), strict=True)
    ]
    assert not all(same)


def run_recipe(run):
    return recipe(run.rows, max_steps=12)


def test_the_tokenizer_is_the_same_after_reading_it_back(run):
    training = Training(run_recipe(run), run.folder)
    again = load(run.folder / "model").tokenizer
    assert training.corpus.train
    for row in training.corpus.train[:20]:
        text = row["prompt"][1]["content"]
        ids = training.tokenizer(text)["input_ids"]
        assert again(text)["input_ids"] == ids
        assert again.decode(ids) == text


@pytest.mark.slow
def test_a_run_goes_on_where_it_was_stopped(rows, tmp_path):
    def keeping(**changes):
        found = recipe(rows, max_steps=8)
        return found.model_copy(
            update={"keeping": found.keeping.model_copy(update={"save_steps": 4, **changes})}
        )

    Training(keeping(), tmp_path / "whole").run(lambda told: None)
    broken = Training(keeping(), tmp_path / "parts")

    def stop(told):
        if told.startswith("step 6"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken.run(stop)
    Training(keeping(), tmp_path / "parts").run(lambda told: None)
    whole, parts = losses(tmp_path / "whole"), losses(tmp_path / "parts")
    assert [round(whole[step], 4) for step in (5, 8)] == [round(parts[step], 4) for step in (5, 8)]


def test_time_can_run_out(rows, tmp_path):
    Training(recipe(rows, max_steps=500, minutes=0.0001), tmp_path / "run").run(lambda told: None)
    assert read_facts(tmp_path / "run" / "model") is not None
    assert len(losses(tmp_path / "run")) < 5


@pytest.mark.slow
@pytest.mark.parametrize("lora", [None, {"rank": 2, "alpha": 4}])
def test_a_model_that_exists_learns_on_whole_or_by_adapters(run, tmp_path, lora):
    if lora is not None:
        pytest.importorskip("peft", reason="the extra `train` is not installed")
    asked = recipe(run.rows, max_steps=3).model_dump(mode="json", by_alias=True)
    asked["model"] = {"path": str(run.folder / "model"), "lora": lora}
    training = Training(type(recipe(run.rows)).model_validate(asked, by_alias=True), tmp_path / "r")
    final = training.run(lambda told: None)
    assert (final / "adapter_config.json").exists() is (lora is not None)
    before, after = load(run.folder / "model").model, load(final).model
    assert before.num_parameters() == after.num_parameters()
    assert read_facts(final).start == str(run.folder / "model")


# -- bad input -------------------------------------------------------------------------------------


def test_a_folder_with_another_run_is_left_alone(run, tmp_path):
    with pytest.raises(UsageError, match="another recipe"):
        Training(recipe(run.rows, max_steps=13), run.folder)
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(UsageError, match="something else"):
        Training(recipe(run.rows), tmp_path)


def test_rows_longer_than_the_model_reads_are_refused(rows, tmp_path):
    train = read_corpus(recipe(rows).data).train
    model(tmp_path / "start", train, positions=64)
    short = recipe(rows).model_dump(mode="json", by_alias=True)
    short["model"]["path"] = str(tmp_path / "start")
    training = Training(type(recipe(rows)).model_validate(short, by_alias=True), tmp_path / "run")
    with pytest.raises(UsageError, match="the model reads 64"):
        _ = training.model


def test_a_disk_without_room_is_told_before_training(rows, tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=1_000_000))
    with pytest.raises(OSError, match="are free and this run writes up to"):
        _ = Training(recipe(rows), tmp_path / "run").model


def test_weights_of_another_architecture_are_refused(run, tmp_path):
    broken = tmp_path / "broken"
    shutil.copytree(run.folder / "model", broken)
    config = json.loads((broken / "config.json").read_text())
    config |= {"model_type": "gpt_neox", "architectures": ["GPTNeoXForCausalLM"]}
    (broken / "config.json").write_text(json.dumps(config))
    with pytest.raises(UsageError, match="another architecture"):
        load(broken)


def test_weights_of_another_size_are_refused(run, tmp_path):
    broken = tmp_path / "broken"
    shutil.copytree(run.folder / "model", broken)
    config = json.loads((broken / "config.json").read_text())
    (broken / "config.json").write_text(json.dumps(config | {"num_hidden_layers": 2}))
    with pytest.raises(UsageError, match=r"another architecture .*missing keys"):
        load(broken)


def test_a_tokenizer_of_another_model_is_refused(run, tmp_path):
    broken = tmp_path / "broken"
    shutil.copytree(run.folder / "model", broken)
    path = broken / "tokenizer.json"
    tokens = json.loads(path.read_text())
    more = {"id": 9_000, "content": "<|more|>", "special": True, "single_word": False}
    tokens["added_tokens"].append({**more, "lstrip": False, "rstrip": False, "normalized": False})
    path.write_text(json.dumps(tokens))
    with pytest.raises(UsageError, match="of different models"):
        load(broken)


def test_a_model_that_is_none_is_refused(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(UsageError, match="tokenizer"):
        load(tmp_path)


# -- the commands ----------------------------------------------------------------------------------


def commands(rows, folder):
    path = folder / "toy.yaml"
    path.write_text(recipe(rows).model_dump_json(by_alias=True), encoding="utf-8")
    return path


def test_a_dry_run_reports_and_shows_a_row(earsim, here, rows):
    result = earsim("train", "sft", "--config", commands(rows, here), "--dry-run")
    assert result.exit_code == 0
    assert "tokens per row" in result.stderr
    assert "[[Action: EXPLORE<|end|>]]" in result.stderr
    assert "parameters, LlamaForCausalLM" in result.stderr


@pytest.mark.slow
def test_from_a_suite_to_a_score(earsim, here, rows):
    config = commands(rows, here)
    assert earsim("train", "sft", "--config", config, "--out", "run").exit_code == 0
    again = earsim("train", "sft", "--config", config, "--out", "run")
    assert "finished before" in again.stderr
    result = earsim("train", "eval", "run", "--suite", flat(here), "--threads", 1)
    assert result.exit_code == 0
    for word in ("before, free", "after, free", "after, constrained", "direct_command", "all"):
        assert word in result.stdout
    card = (here / "run" / "model" / "README.md").read_text()
    assert "| flats | direct_command | after | constrained | 0.0 |" in card
    assert earsim("report", "run/eval").exit_code == 0


def test_an_empty_data_set_is_told_in_a_sentence(earsim, here):
    (here / "rows.jsonl").write_text("")
    config = commands(here / "rows.jsonl", here)
    result = earsim("train", "sft", "--config", config)
    assert result.exit_code == 2
    assert "no rows of the form decisions" in result.stderr


def test_a_checkpoint_that_says_nothing_needs_a_style(earsim, here, run):
    shutil.copytree(run.folder / "model", here / "model")
    (here / "model" / "earsim.json").unlink()
    result = earsim("train", "eval", "model", "--suite", "starter")
    assert result.exit_code == 2
    assert "give --style" in result.stderr
    assert earsim("train", "eval", "nowhere", "--suite", "starter").exit_code == 2


def test_a_checkpoint_on_the_way_is_asked_like_the_model_at_the_end(tmp_path, run):
    from earsim_training.sft.evaluation import telling_of

    end = shutil.copytree(run.folder / "model", tmp_path / "run" / "model")
    way = shutil.copytree(end, tmp_path / "run" / "checkpoint-2")
    (way / "earsim.json").unlink()
    assert telling_of(way) == telling_of(end)
    (end / "earsim.json").unlink()
    with pytest.raises(UsageError, match="give --style"):
        telling_of(way)
