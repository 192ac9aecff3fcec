"""Writing replies: alone or with others, free or held to what is allowed, and over the protocol."""

from __future__ import annotations

import asyncio

import pytest

from earsim_training.sft.inference.constrained_decoding import OneOfTexts, Pattern
from tests.training.sft.trained import SHAPE, stack

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module", params=["llama", "lfm2"])
def loaded(request, tmp_path_factory):
    stack()
    from earsim_training.sft.data.tokenizer import train_tokenizer
    from earsim_training.sft.models.checkpoint import LoadedModel
    from earsim_training.sft.models.from_scratch import new_model
    from earsim_training.sft.recipe import Scratch

    texts = ["Action: GOTO hall", "Action: GRAB cup", "Action: EXPLORE"]
    rows = [{"prompt": [{"role": "user", "content": text}]} for text in texts * 3]
    tokens = train_tokenizer(rows, 330, tmp_path_factory.mktemp("tokens"))
    shape = Scratch(**SHAPE | {"layers": 2}, architecture=request.param)
    return LoadedModel(new_model(shape, tokens, seed=4).eval(), tokens)


@pytest.fixture(scope="module")
def generator(loaded):
    from earsim_training.sft.inference.generation import Generator

    return Generator(loaded)


def asked(text, constraint=None, most=12):
    from earsim_training.sft.inference.generation import GenerationPrompt

    return GenerationPrompt([{"role": "user", "content": text}], most, constraint)


def test_replies_are_those_of_transformers(generator, loaded):
    import torch

    prompts = ["Action: GOTO hall", "go", "Action: EXPLORE the whole hall and grab the cup"]
    found = generator.write([asked(text) for text in prompts])
    for text, reply in zip(prompts, found, strict=True):
        ids = generator.encode([{"role": "user", "content": text}])
        out = loaded.model.generate(
            torch.tensor([ids]), max_new_tokens=12, do_sample=False,
            eos_token_id=loaded.tokenizer.eos_token_id, pad_token_id=1,
        )  # fmt: skip
        theirs = loaded.tokenizer.decode(out[0][len(ids) :], skip_special_tokens=True)
        assert reply.text == theirs
        assert reply.read == len(ids)
        assert reply.written <= 12


def test_a_reply_does_not_depend_on_the_others(generator):
    prompts = [asked(f"{'GOTO hall ' * number}cup") for number in range(1, 7)]
    together = generator.write(prompts)
    assert [generator.write([each])[0].text for each in prompts] == [r.text for r in together]


def test_a_reply_that_is_drawn_depends_on_its_seed_alone(generator):
    def drawn(seeds, temperature=1.0, constraint=None):
        asking = [asked("go", constraint)._replace(temperature=temperature, seed=n) for n in seeds]
        return [reply.text for reply in generator.write(asking)]

    five = drawn(range(5))
    assert len(set(five)) > 1
    assert drawn(reversed(range(5))) == five[::-1]
    assert drawn([3]) == [five[3]]
    assert set(drawn(range(5), temperature=1e-6)) == {generator.write([asked("go")])[0].text}
    held = drawn(range(20), constraint=OneOfTexts(["EXPLORE", "GOTO hall"]))
    assert set(held) <= {"EXPLORE", "GOTO hall"}


def test_a_reply_is_held_to_a_choice(generator):
    choices = ["Action: GRAB cup", "Action: GRAB cupboard", "Action: EXPLORE"]
    found = generator.write([asked("go", OneOfTexts(choices), most=40)] * 2)
    assert all(reply.text in choices for reply in found)
    assert all(reply.ended for reply in found)


def test_a_reply_is_held_to_a_form(generator):
    pattern = Pattern(r"Action ada: (GOTO hall|EXPLORE)\nAction ben: (WAIT)")
    (reply,) = generator.write([asked("go", pattern, most=60)])
    assert reply.ended
    assert pattern.allows_end(reply.text)


def test_the_server_speaks_the_protocol(generator):
    from earsim_agents.client import open_client
    from earsim_agents.client.request import ChatRequest
    from earsim_agents.settings import ModelSettings
    from earsim_training.sft.inference.server import serving

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

    with serving({"toy": generator}) as url:
        answers = asyncio.run(ask(url))
        held = asyncio.run(ask(url, structured_outputs={"choice": ["EXPLORE"]}))
        for wrong in ({"model": "boy"}, {"temperature": 9.0}, {"messages": []}):
            with pytest.raises(Exception, match="asked once"):
                asyncio.run(ask(url, **wrong))
    free = generator.write([asked("go", most=9)])[0]
    assert {answer.content for answer in answers} == {free.text}
    assert {answer.prompt_tokens for answer in answers} == {free.read}
    assert {answer.content for answer in held} == {"EXPLORE"}
