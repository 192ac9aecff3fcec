"""Rollouts: many episodes at once, and the tokens that are trained on are those that were drawn."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from earsim.errors import UsageError
from earsim_training.export.settings import PromptSettings
from earsim_training.grpo.rollouts import Rollouts
from earsim_training.grpo.tasks import Tasks
from earsim_training.grpo.tokens import passages
from tests.training.grpo.toy import PROMPT, TELLING, recipe, small_model
from tests.training.sft.trained import stack

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    stack()
    return small_model(tmp_path_factory.mktemp("model"))


def rollouts(loaded, folder, *, context=512, **playing):
    how = recipe(folder, playing=playing).playing
    telling = PromptSettings(**TELLING)
    return Rollouts(
        Tasks(how, telling, seed=0),
        telling,
        how,
        loaded.tokenizer,
        ends=[loaded.tokenizer.eos_token_id],
        context=context,
        prompt=str(PROMPT),
    )


def rows(made, count):
    return [made._tasks.rows()[number % len(made._tasks)] for number in range(count)]


def played(loaded, folder, count=6, context=512, **playing):
    import torch

    torch.manual_seed(3)
    made = rollouts(loaded, folder, context=context, **playing)
    found = made.play(rows(made, count), loaded.model)
    assert found
    return found


@pytest.fixture
def drawn(monkeypatch):
    """Every reply that is drawn, in order, by the batch."""
    from earsim_training.sampling import Sampler

    found, sample = [], Sampler.sample_batch

    def noted(self, requests):
        replies = sample(self, requests)
        found.append(replies)
        return replies

    monkeypatch.setattr(Sampler, "sample_batch", noted)
    return found


def dictated(monkeypatch, tokenizer, replies):
    """Let the model say these, one after another, in every episode."""
    from earsim_training.sampling import Completion, Sampler

    waiting = iter(replies)

    def sample(self, requests):
        ids = tokenizer(next(waiting), add_special_tokens=False)["input_ids"]
        return [Completion([*ids, tokenizer.eos_token_id], ended=True) for _ in requests]

    monkeypatch.setattr(Sampler, "sample_batch", sample)


def test_ids_are_those_that_were_drawn(loaded, tmp_path, drawn):
    slots = played(loaded, tmp_path)
    for number, slot in enumerate(slots):
        learned = [passage.ids for passage in passages(slot.transcript) if passage.learned]
        assert learned == [batch[number].ids for batch in drawn[: len(learned)]]


def test_what_is_drawn_follows_the_whole_sequence(loaded, tmp_path):
    """So padding and positions are right, whatever the others in the batch are.

    At this temperature the likeliest token is drawn, which a pass over the episode alone tells.
    """
    import torch

    category = {"category": None, "limit": 2, "temperature": 1e-4, "turns": 5}
    for slot in played(loaded, tmp_path, **category):
        made = slot.transcript
        with torch.no_grad():
            logits = loaded.model(input_ids=torch.tensor([made.ids])).logits[0]
        likeliest = logits[len(made.prompt) - 1 : -1].argmax(-1)
        own = torch.tensor(made.mask).bool()
        assert torch.equal(likeliest[own], torch.tensor(made.completion)[own])


def test_an_episode_does_not_depend_on_how_many_are_played_at_once(loaded, tmp_path):
    def seeded(at_once):
        return [slot.transcript.ids for slot in played(loaded, tmp_path, at_once=at_once, turns=1)]

    assert seeded(6) == seeded(2)


def test_replies_and_the_environment_take_turns(loaded, tmp_path):
    for slot in played(loaded, tmp_path):
        cut = passages(slot.transcript)
        turns = slot.dialogue.play.episode.decisions
        assert [passage.learned for passage in cut] == [False, True] * turns
        assert all(len(passage.ids) <= 8 for passage in cut if passage.learned)


def test_an_episode_is_the_text_of_the_evaluation(loaded, tmp_path, monkeypatch):
    commands = ["EXPLORE", "GOTO lamp", "TURN_ON lamp"]
    dictated(monkeypatch, loaded.tokenizer, [f"Action: {command}" for command in commands])
    (slot,) = played(loaded, tmp_path, count=1)
    text = loaded.tokenizer.decode(slot.transcript.ids)
    assert text.startswith("<|user|>Not searched: hall")
    assert text.endswith("<|assistant|>Action: TURN_ON lamp<|end|>")
    assert "<|assistant|>Action: EXPLORE<|end|><|user|>" in text
    assert slot.dialogue.play.earned == (1.0, 1.0, -3.0, 0.0)
    assert slot.dialogue.play.unreadable == 0


def test_every_prompt_gets_one_episode_of_its_task(loaded, tmp_path):
    made = rollouts(loaded, tmp_path, category=None, limit=2)
    first, second = made._tasks.rows()
    model = loaded.model.train()
    trainer = SimpleNamespace(
        model=model, accelerator=SimpleNamespace(unwrap_model=lambda given: given)
    )
    told = made([str(first)] * 4 + [str(second)] * 4, trainer)
    assert model.training
    assert told.pop("logprobs") is None
    assert {len(column) for column in told.values()} == {8}
    prompts = {tuple(ids) for ids in told["prompt_ids"]}
    assert len({tuple(ids) for ids in told["prompt_ids"][:4]}) == 1
    assert len(prompts) == 2
    lengths = [[len(ids) for ids in told[name]] for name in ("completion_ids", "env_mask")]
    assert lengths[0] == lengths[1]
    assert all(sum(mask) > 0 for mask in told["env_mask"])


def test_few_at_once_play_as_well(loaded, tmp_path):
    slots = played(loaded, tmp_path, count=5, at_once=2)
    assert all(slot.over and slot.transcript.completion for slot in slots)


def test_a_full_context_ends_an_episode_unpaid(loaded, tmp_path):
    (whole,) = played(loaded, tmp_path, count=1)
    short = len(whole.transcript) - 2
    (slot,) = played(loaded, tmp_path, count=1, context=short)
    assert slot.left
    assert len(slot.transcript) <= short
    assert slot.transcript.mask[-1] == 1
    assert slot.dialogue.play.earned.success == 0.0


def test_a_prompt_that_does_not_fit_is_told(loaded, tmp_path):
    with pytest.raises(UsageError, match="lodge/lamp: the first prompt has"):
        played(loaded, tmp_path, context=20)
