"""A transcript: what the model wrote and what it read take turns, and nothing changes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from earsim_training.grpo.tokens import Transcript, passages
from earsim_training.sft.data.masking import TokenSpan

IDS = st.lists(st.integers(0, 99), min_size=1, max_size=5)


def transcript(prompt, turns):
    made = Transcript()
    made.append_observation(prompt)
    for number, (reply, told) in enumerate(turns):
        made.append_reply(reply)
        if number < len(turns) - 1:
            made.append_observation(told)
    return made


@given(IDS, st.lists(st.tuples(IDS, IDS), min_size=1, max_size=6))
def test_replies_carry_loss_and_nothing_else_does(prompt, turns):
    made = transcript(prompt, turns)
    assert made.prompt == prompt
    assert len(made.completion) == len(made.mask)
    expected = []
    for reply, told in turns:
        expected += [TokenSpan(reply, learned=True), TokenSpan(told, learned=False)]
    assert passages(made) == [TokenSpan(prompt, learned=False), *expected[:-1]]
    assert made.ids == prompt + made.completion


def test_it_ends_with_a_reply():
    made = transcript([1], [([2, 3], [4]), ([5], [6])])
    assert made.mask == [1, 1, 0, 1]
    assert len(made) == 5
