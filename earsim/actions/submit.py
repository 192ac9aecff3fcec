"""SUBMIT: answer the questions of a task, each three times at most; the last answer counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from earsim.actions.apparatus import lab_of, put_lab
from earsim.actions.configure import given
from earsim.actions.grammar import Grammar
from earsim.actions.outcome import Reason, Refusal
from earsim.actions.verb import Call, Facts, check
from earsim.apparatus.parameter import Value, read_number
from earsim.errors import near_misses
from earsim.prose import listing, value
from earsim.world import World

GRAMMAR = Grammar.of("SUBMIT {settings}")

_MOST_CHARS = 64

MOST_TRIES = 3
"""So often a question is answered: where a right answer shows, as a reward or by the end of the
episode, going through all that it could be is no way to find it."""

_ACCOUNT = "answers"


@check(Reason.UNKNOWN_QUESTION, Reason.BAD_VALUE, touches=())
def is_asked(world: World, agent: str, call: Call) -> Refusal | None:
    """Every name is a question of the task, and the answer is short."""
    questions = lab_of(world).questions
    for name, text in given(call.details).items():
        if name not in questions:
            near = list(near_misses(name, questions))
            facts = {"name": name, "near": near, "known": list(questions)}
            return Refusal(Reason.UNKNOWN_QUESTION, facts)
        if len(text) > _MOST_CHARS:
            facts = {"name": name, "value": text[:_MOST_CHARS], "kind": "number or word"}
            return Refusal(Reason.BAD_VALUE, facts)
    return None


@check(Reason.LIMIT_REACHED, touches=())
def is_left(world: World, agent: str, call: Call) -> Refusal | None:
    """Every question named was answered less than three times."""
    tries = lab_of(world).tries
    for name in given(call.details):
        if tries.get(name, 0) >= MOST_TRIES:
            facts = {"name": name, "account": _ACCOUNT, "left": 0.0, "price": 1.0}
            return Refusal(Reason.LIMIT_REACHED, facts)
    return None


def submit(world: World, agent: str, call: Call) -> Mapping[str, Any]:
    """The answers are noted."""
    lab = lab_of(world)
    new = {name: _value(text) for name, text in given(call.details).items()}
    tries = {name: lab.tries.get(name, 0) + 1 for name in new}
    put_lab(world, lab._replace(answers={**lab.answers, **new}, tries={**lab.tries, **tries}))
    world.touch(agent)
    return {"answers": new}


def _value(text: str) -> Value:
    """A number where it is one, else the word."""
    number = read_number(text)
    return text if number is None or math.isinf(number) else number


def submitted(facts: Facts, name: Callable[[str], str]) -> str:
    """Such as "You answer threshold: 750000"."""
    told = listing(f"{key}: {value(answer)}" for key, answer in facts["answers"].items())
    return f"You answer {told}."
