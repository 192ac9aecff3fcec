"""Writing replies: alone or with others, free or held to what is allowed, and over the protocol."""

from __future__ import annotations

import asyncio

import pytest

from tests.training.sft.trained import SHAPE, model, stack

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module", params=["llama", "lfm2"])
def loaded(request, tmp_path_factory):
    stack()

    texts = ["Action: GOTO hall", "Action: GRAB cup", "Action: EXPLORE"]
    rows = [{"prompt": [{"role": "user", "content": text}]} for text in texts * 3]
    folder = tmp_path_factory.mktemp("model")
    return model(folder, rows, seed=4, layers=2, vocabulary=330, architecture=request.param)


@pytest.fixture(scope="module")
def sampler(loaded):
    from earsim_training.sampling import Sampler

    return Sampler(*loaded)


def asked(sampler, text, pattern=None, most=12):
    import regex

    from earsim_training.sampling import SamplingRequest

    prompt = sampler.encode([{"role": "user", "content": text}])
    return SamplingRequest(prompt, most, pattern=pattern and regex.compile(pattern))


def texts(sampler, requests):
    return [sampler.decode(each.ids) for each in sampler.sample(requests)]


def test_replies_are_those_of_transformers(sampler, loaded):
    import torch

    prompts = ["Action: GOTO hall", "go", "Action: EXPLORE the whole hall and grab the cup"]
    found = sampler.sample([asked(sampler, text) for text in prompts])
    for text, reply in zip(prompts, found, strict=True):
        ids = sampler.encode([{"role": "user", "content": text}])
        out = loaded.model.generate(
            torch.tensor([ids]), max_new_tokens=12, do_sample=False,
            eos_token_id=loaded.tokenizer.eos_token_id, pad_token_id=1,
        )  # fmt: skip
        theirs = loaded.tokenizer.decode(out[0][len(ids) :], skip_special_tokens=True)
        assert sampler.decode(reply.ids) == theirs
        assert reply.ids == out[0][len(ids) :].tolist()
        assert len(reply.ids) <= 12


def test_a_reply_does_not_depend_on_the_others(sampler):
    prompts = [asked(sampler, f"{'GOTO hall ' * number}cup") for number in range(1, 7)]
    together = texts(sampler, prompts)
    assert [texts(sampler, [each])[0] for each in prompts] == together


def test_a_reply_that_is_drawn_depends_on_its_seed_alone(sampler):
    def drawn(seeds, temperature=1.0, pattern=None):
        request = asked(sampler, "go", pattern)
        changes = [{"temperature": temperature, "seed": seed} for seed in seeds]
        return texts(sampler, [request._replace(**each) for each in changes])

    five = drawn(range(5))
    assert len(set(five)) > 1
    assert drawn(reversed(range(5))) == five[::-1]
    assert drawn([3]) == [five[3]]
    assert set(drawn(range(5), temperature=1e-6)) == set(texts(sampler, [asked(sampler, "go")]))
    held = drawn(range(20), pattern="EXPLORE|GOTO hall")
    assert set(held) <= {"EXPLORE", "GOTO hall"}


def test_the_generation_config_of_the_model_changes_nothing(sampler, loaded):
    from transformers import GenerationConfig

    requests = [asked(sampler, "go")._replace(temperature=t, seed=3) for t in (0.0, 1.0)]
    before, own = texts(sampler, requests), loaded.model.generation_config
    changes = {"do_sample": True, "temperature": 0.1, "top_k": 1, "top_p": 0.1}
    loaded.model.generation_config = GenerationConfig(
        **changes, repetition_penalty=9.0, no_repeat_ngram_size=2, eos_token_id=own.eos_token_id
    )
    try:
        assert texts(sampler, requests) == before
    finally:
        loaded.model.generation_config = own


def test_a_reply_is_held_to_a_choice(sampler):
    choices = ["Action: GRAB cup", "Action: GRAB cupboard", "Action: EXPLORE"]
    found = sampler.sample([asked(sampler, "go", "|".join(choices), most=40)] * 2)
    assert all(sampler.decode(reply.ids) in choices for reply in found)
    assert all(reply.ended for reply in found)


def test_nothing_is_looked_for_in_a_reply_that_has_ended(sampler, monkeypatch):
    """The others of its batch go on, and every token would be tried in vain."""
    from earsim_training.sampling import RowSampling

    replies, allowed = [], RowSampling._allowed

    def noted(self, reply, scores, request):
        replies.append(reply)
        return allowed(self, reply, scores, request)

    monkeypatch.setattr(RowSampling, "_allowed", noted)
    choices = ("EXPLORE", "Action: GRAB cup and bring it to the hall")
    short, long = sampler.sample([asked(sampler, "go", choice, most=60) for choice in choices])
    assert short.ended
    assert long.ended
    assert len(short.ids) < len(long.ids)
    assert len(replies) == len(short.ids) + len(long.ids)


def test_a_reply_is_held_to_a_form(sampler):
    request = asked(sampler, "go", r"Action ada: (GOTO hall|EXPLORE)\nAction ben: (WAIT)", most=60)
    (reply,) = sampler.sample([request])
    assert reply.ended
    assert request.pattern.fullmatch(sampler.decode(reply.ids))


def test_the_server_speaks_the_protocol(sampler):
    from earsim_agents.client import open_client
    from earsim_agents.client.request import ChatRequest
    from earsim_agents.settings import ModelSettings
    from earsim_training.sft.server import serving

    async def ask(url, **fields):
        settings = ModelSettings.of(model="toy", base_url=url, attempts=1)
        message = {"role": "user", "content": "go"}
        body = {
            "model": "toy",
            "messages": [message],
            "temperature": 0.0,
            "max_tokens": 9,
            **fields,
        }
        async with open_client(model="toy", base_url=url) as client:
            assert await client.context_tokens(settings) == SHAPE["positions"]
            asking = [
                client.ask(ChatRequest.of(body), settings, episode="e", seed=n) for n in range(5)
            ]
            return [exchange.answer for exchange in await asyncio.gather(*asking)]

    with serving({"toy": sampler}) as url:
        answers = asyncio.run(ask(url))
        held = asyncio.run(ask(url, structured_outputs={"choice": ["EXPLORE"]}))
        for wrong in ({"model": "boy"}, {"temperature": 9.0}, {"messages": []}):
            with pytest.raises(Exception, match="asked once"):
                asyncio.run(ask(url, **wrong))
    free = asked(sampler, "go", most=9)
    assert {answer.content for answer in answers} == set(texts(sampler, [free]))
    assert {answer.prompt_tokens for answer in answers} == {len(free.prompt)}
    assert {answer.content for answer in held} == {"EXPLORE"}
