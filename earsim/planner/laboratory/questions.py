"""What an instruction asks to be answered: a threshold, a result, or which of several is least.

An instruction is text for people. Its questions are read by the names in it that stand for nothing
else: of parameters, of results, of apparatus, and of the answers, as in ``SUBMIT depth=NUMBER``.
What is right is nowhere in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from earsim.apparatus.lookup import LookUpModel
from earsim.apparatus.parameter import SettingProblem, Settings
from earsim.apparatus.wet_bench.model import WetBench
from earsim.world.lab import Rig

if TYPE_CHECKING:
    from earsim.apparatus.sixbox.questions import ThresholdQuestion

_AS_THEY_ARE: Settings = MappingProxyType({})

OCEAN = "sixbox/1"
"""The model that threshold questions are about."""


class Asked(NamedTuple):
    """One question of a task.

    Attributes:
        name: as ``SUBMIT`` names it.
        apparatus: where the answer is found.
        threshold: how far a setting goes before a regime changes; None where a result is asked for.
        result: the result that is asked for; empty where it is none.
        given: settings to be changed first.
        as_it_stands: the result is that of a run with the settings as they are.
        smaller_of: the questions, by name, the one with the smaller answer of which is the answer.
        compared: the setting whose choice with the least result is the answer; empty where none is.
        among: these choices.
    """

    name: str
    apparatus: str
    threshold: ThresholdQuestion | None = None
    result: str = ""
    given: Settings = _AS_THEY_ARE
    as_it_stands: bool = False
    smaller_of: tuple[str, ...] = ()
    compared: str = ""
    among: tuple[str, ...] = ()


def asked(
    text: str, names: Iterable[str], rigs: Mapping[str, Rig], words: Mapping[str, str]
) -> dict[str, Asked]:
    """The questions that can be read, by name.

    Args:
        text: the instruction.
        names: of the answers that are wanted.
        rigs: every apparatus by id.
        words: what each is called.
    """
    found: dict[str, Asked] = {}
    start, before = 0, ""
    for at, name in sorted((_place(text, name), name) for name in names):
        part = text[start:at] if at < len(text) else text
        start = min(at, len(text))
        question = _read(text, part, name, rigs, words, found)
        if question is None and before in found:  # of two in one sentence, the second
            again = found[before]
            question = again._replace(
                name=name, apparatus=name if name in rigs else again.apparatus
            )
        if question is not None:
            found[name], before = question, name
    return found


def _place(text: str, name: str) -> int:
    """Where an answer is first spoken of; past the end where it is not."""
    match = re.search(rf"\b{name}=", text)
    return len(text) + 1 if match is None else match.start()


def _read(
    text: str,
    part: str,
    name: str,
    rigs: Mapping[str, Rig],
    words: Mapping[str, str],
    found: Mapping[str, Asked],
) -> Asked | None:
    choices = tuple(dict.fromkeys(re.findall(rf"\b{name}=(\w+)", text)))
    if len(choices) > 1 and found.keys() >= set(choices):
        return Asked(name, found[choices[0]].apparatus, smaller_of=choices)
    node = name if name in rigs else _spoken_of(text, part, rigs, words)
    if node is None:
        return None
    rig = rigs[node]
    if rig.model.id == OCEAN:
        threshold = _threshold(part, set(choices))
        if threshold is not None:
            return Asked(name, node, threshold, given=_given(part, rig))
    result = _result(text, name, rig)
    compared = _compared(choices, rig)
    if compared and result:
        given = _given(part, rig)
        return Asked(name, node, result=result, given=given, compared=compared, among=choices)
    return Asked(name, node, result=result, as_it_stands="as it stands" in text) if result else None


def _spoken_of(
    text: str, part: str, rigs: Mapping[str, Rig], words: Mapping[str, str]
) -> str | None:
    """The apparatus that is named last in a part of a text, else in all of it; the only one."""
    if len(rigs) == 1:
        return next(iter(rigs))
    for told in (part, text):
        low = told.casefold()
        at = {n: max(low.rfind(words[n].casefold()), low.rfind(n.casefold())) for n in rigs}
        last = max(at, key=lambda node: at[node])
        if at[last] >= 0:
            return last
    return None


def proposed(text: str, rig: Rig) -> Settings:
    """Settings that a text proposes for a run: "with topology pid, Kp 12, Ki 8"."""
    known = {parameter.name: parameter for parameter in rig.parameters}
    one = rf"(?:{'|'.join(map(re.escape, known))}) [-\w.]*\w"
    together = re.compile(rf"(?:\b{one} )?\b[Ww]ith {one}(?:(?:, | and ){one})*")
    clauses = re.split(r"(?<=[.;:!?])\s", text)
    allowed = [each for each in clauses if not re.search(r"\b(?:not|never|don't)\b", each, re.I)]
    told = next(filter(None, map(together.search, allowed)), None)
    found = {}
    for each in re.findall(rf"\b{one}", "" if told is None else told.group()):
        name, _, value = each.partition(" ")
        read = known[name].read(value)
        if not isinstance(read, SettingProblem):
            found[name] = read
    return found


def _given(part: str, rig: Rig) -> Settings:
    """Settings that a part of a text has changed first: "set A_R to 600"."""
    known = {parameter.name: parameter for parameter in rig.parameters}
    given = {}
    for name, value in re.findall(r"\bset (\w+) to ([-\d.e]*\d)", part):
        read = known[name].read(value) if name in known else None
        if read is not None and not isinstance(read, SettingProblem):
            given[name] = read
    return given


def _compared(choices: tuple[str, ...], rig: Rig) -> str:
    """The setting that has all the words among which an answer is; empty where none has."""
    if len(choices) < 2:
        return ""
    fitting = (each.name for each in rig.parameters if set(choices) <= set(each.choices))
    return next(fitting, "")


def _result(text: str, name: str, rig: Rig) -> str:
    """The result that is asked for: of that name, of a longer one, or one that is spoken of.

    What a text or a figure says is no result of looking it up: there it is none.
    """
    if isinstance(rig.model, LookUpModel):
        return ""
    results = [quantity.name for quantity in rig.model.quantities]
    if isinstance(rig.model, WetBench):
        actions = rig.model.pool.actions.values()
        results = [told for action in actions for told in action.gives]
    longer = [each for each in results if each == name or each.startswith(f"{name}_")]
    if isinstance(rig.model, WetBench):  # its results are the raw material of answers
        return next(iter(longer), "")
    spoken = [each for each in results if re.search(rf"\b{each}\b", text)]
    return next(iter([*longer, *spoken]), "")


# -- thresholds ------------------------------------------------------------------------------------


def _threshold(part: str, choices: set[str]) -> ThresholdQuestion | None:
    """A threshold question by the parameter in brackets, and by which way and which regime."""
    from earsim.apparatus.sixbox.questions import QUESTIONS, Direction

    named = re.findall(r"\((\w+)", part)
    base = next((q for name in named for q in QUESTIONS if q.parameter == name), None)
    if base is None:
        return None
    ways = {"up": (Direction.UP,), "down": (Direction.DOWN,)}
    told = [ways[way] for way in re.findall(r"\b(up|down)wards\b", part)]
    wants_direction = choices >= {"up", "down"}
    either = "either way" in part or wants_direction
    directions = (*ways["up"], *ways["down"]) if either else next(iter(told), base.directions)
    return replace(
        base,
        directions=directions,
        which=next(iter(re.findall(r"\bregime_([AP])\b", part)), "any"),
        wants_direction=wants_direction,
    )
