"""Bodies of requests and answers, and what is learned from their sizes."""

import pytest

from earsim.errors import ContextOverflow
from earsim_agents.client.answer import BrokenAnswer, read_answer
from earsim_agents.client.context import ContextMeter
from earsim_agents.client.request import ChatRequest, draw


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b'{"choices": []}',
        b'{"choices": [1]}',
        b'{"choices": {"a": 1}}',
        b'{"choices": [{"message": "hello"}]}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_a_body_that_is_no_completion_is_broken(body):
    with pytest.raises(BrokenAnswer):
        read_answer(body)


def test_odd_values_in_an_answer_are_left_out():
    answer = read_answer(
        b'{"choices": [{"message": {"content": [{"type": "text", "text": "a\\ud800b"}, 3]},'
        b' "finish_reason": 7}], "usage": {"prompt_tokens": -1, "completion_tokens": true,'
        b' "prompt_tokens_details": []}, "model": null}'
    )
    assert answer == ("a?b", None, None, None, None, None, None)


def test_the_meter_learns_what_a_token_is():
    meter = ContextMeter(1_000, 100)
    meter.check(3_600)
    meter.learn(3_600, 1_800)
    with pytest.raises(ContextOverflow, match=r"about 950 tokens .* up to 100 .* 1,000"):
        meter.check(1_900)
    ContextMeter(None, 100).check(10**9)


def test_requests_and_draws_are_canonical():
    assert ChatRequest.of({"b": 1, "a": "é"}) == ChatRequest.of({"a": "é", "b": 1})
    assert ChatRequest.of({"a": "é"}).data == b'{"a":"\\u00e9"}'
    assert draw("a", 1) == draw("a", 1) != draw("a", 2)
