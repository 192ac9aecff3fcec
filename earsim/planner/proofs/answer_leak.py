"""Answer leaks: an instruction that names what it should make agents find out."""

from __future__ import annotations

import re

from earsim.engine import Engine
from earsim.goals.selectors import pick
from earsim.schema.selector import Only

_LOOKS_LIKE_AN_ID = re.compile(r"[_\d]")


def leaked_answer(engine: Engine, answer: str) -> str | None:
    """The id or the name in the instruction that only the answer bears; None without one.

    A name that stands there as a part of another thing's longer name gives nothing away, and an id
    that is a plain word cannot be told from a noun.
    """
    told = engine.instruction.casefold()
    if _LOOKS_LIKE_AN_ID.search(answer) and _stands_in(answer.casefold(), told):
        return answer
    names = [name.casefold() for name in _other_names(engine, answer)]
    own = engine.blueprint.name(answer)
    if own.casefold() in names:
        return None
    for longer in sorted(names, key=len, reverse=True):
        if own.casefold() in longer:
            told = told.replace(longer, "")
    return own if _stands_in(own.casefold(), told) else None


def is_choice(engine: Engine, name: str) -> bool:
    """Whether a selector picks among several; a superlative of one compares nothing."""
    selector = engine.scenario.task.select[name]
    if isinstance(selector, Only):
        return True
    return len(pick(selector, engine.start(), engine.task.answer).candidates) > 1


def _other_names(engine: Engine, answer: str) -> list[str]:
    blueprint = engine.blueprint
    return [blueprint.name(node) for node in blueprint.ids() if node != answer]


def _stands_in(words: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None
