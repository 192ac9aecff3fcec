"""What is taken for an answer, and what is wrong with everything else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earsim.ids import is_safe_name
from earsim_generators.llm.answers.parsing import MOST_CHARS, MOST_DEPTH, read_answer
from earsim_generators.llm.checks.answer_error import ErrorKind, UnusableAnswer


def refused(reply, **how):
    with pytest.raises(UnusableAnswer) as caught:
        read_answer(reply, **how)
    assert caught.value.flaw is ErrorKind.UNREADABLE
    return " ".join(caught.value.findings)


def told(reply):
    """Everything that is wrong with a reply, if anything is."""
    try:
        read_answer(reply)
    except UnusableAnswer as flawed:
        return flawed.findings or pytest.fail("a refusal without a reason")
    return ()


def nested(depth):
    return '{"a": ' * depth + "1" + "}" * depth


@pytest.mark.parametrize(
    "reply", ['{"a": 1}', ' \n{"a": 1}\n', '```json\n{"a": 1}\n```', '```\n{"a": 1}\n```']
)
def test_one_object_is_read(reply):
    assert read_answer(reply).value == {"a": 1}


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (None, "there is no answer"),
        ("  ", "there is no answer"),
        ("[1]", "no JSON object"),
        ("Here it is: {}", "not JSON"),
        ("{} and more", "not JSON"),
        ('{"a": 1, "a": 2}', "repeated"),
        ('{"a": ' + "9" * 9_999 + "}", "out of range"),
        ("[" * 100_000, "nested too deeply"),
        (nested(MOST_DEPTH + 2), "nested too deeply"),
        ('{"a": "' + "x" * MOST_CHARS + '"}', "characters"),
        ('{"a": "' + "x" * 2_000 + '"}', "a text of 2,000 characters"),
        ('{"a": "<b>"}', "markup"),
        ('{"a{b}": 1}', "markup"),
        ('{"a": {"name": "{x}"}}', "markup"),
        ('{"a": "\\u001b[31m"}', "control characters"),
        ('{"a": "\\ud800"}', "control characters"),
        ('{"\\u202e": 1}', "control characters"),
    ],
)
def test_anything_else_is_told(reply, said):
    assert said in refused(reply)


def test_a_sentence_may_hold_placeholders():
    assert read_answer('{"instruction": "Fetch the {target}."}')


def test_an_answer_that_was_cut_off_is_told_as_such():
    assert "cut off" in refused('{"a": [1, 2', cut=True)
    assert read_answer('{"a": 1}', cut=True).value == {"a": 1}


def test_findings_are_few_and_short():
    many = json.dumps({f"<{n}>": "<" * 900 for n in range(5_000)})
    with pytest.raises(UnusableAnswer) as caught:
        read_answer(many)
    assert len(caught.value.findings) <= 50
    assert max(map(len, caught.value.findings)) <= 400


@given(st.text() | st.binary().map(lambda data: data.decode("latin-1")))
def test_no_text_breaks_the_reader(text):
    assert all(is_safe_name(finding) for finding in told(text))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=20,
)


@pytest.mark.slow
@given(st.dictionaries(st.text(max_size=5), json_values, max_size=5))
def test_no_object_breaks_the_reader(value):
    assert all(is_safe_name(finding) for finding in told(json.dumps(value)))
