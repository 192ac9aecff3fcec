"""A scripted ocean analyst: replies of the five roles without a model.

It doubles or halves a setting until a regime changes, and bisects, as far as it can tell from what
it is told; now and then it asks for a value out of bounds. It remembers nothing by itself: told of
the last result only, it goes on from that, and begins again where that was an error. The question
it reads from the instruction: the setting, which way it goes, and the basin that counts. Where
two methods of a learner are to be compared, it runs both.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from earsim_agents.client.request import draw
from earsim_agents.science.statemachine.script_of_comparisons import answers_of, next_comparison
from earsim_agents.scripted_server.roles import Messages

_PARAMETER = re.compile(r"\(([A-Za-z]+_[A-Za-z0-9]+)[,)]")
_EITHER = re.compile(r"either way|which way", re.I)
_BASIN = re.compile(r"\bregime_([AP])\b")
_ASKED = re.compile(r"SUBMIT (\w+)=")
_FALLING = re.compile(r"\bweak|\blower|\bsmall|\bless|\bdown|\bfall|\bshallow|\breduc", re.I)
_LAST = re.compile(r"Last result: (\{.*?\}|nothing changed): regime_A (\d), regime_P (\d)")
_SLIP = 0.15
_NEAR = 1.1
_NEAR_APART = 0.5

Regimes = tuple[int, int]
Runs = Sequence[tuple[float | None, Regimes]]


def analyst(role: str, messages: Messages, *, seed: int = 0) -> str:
    """The reply in a role."""
    told = str(messages[-1]["content"])
    if role == "question":
        return json.dumps({"next": "route", "goal": "find the threshold"})
    if role == "router":
        return json.dumps(_routed(told, seed))
    if role == "logic":
        return json.dumps({"next": "route", "conclusion": "so far so good"})
    if role == "analysis":
        return json.dumps({"code": "print('nothing to plot')"})
    return json.dumps({"answers": _answers(told)})


def scripted_analyst(seed: int) -> Callable[[str, Messages], str]:
    """The analyst with a seed of its own."""
    return partial(analyst, seed=seed)


class _Question(NamedTuple):
    """A question as it is told.

    Attributes:
        name: the setting.
        now: its value.
        low: the least that can be set.
        high: the greatest.
        ways: 1 for up, -1 for down.
        basin: 0 the Atlantic, 1 the Pacific; None for any.
        wants_way: the answer is up or down.
    """

    name: str
    now: float
    low: float
    high: float
    ways: tuple[int, ...]
    basin: int | None
    wants_way: bool

    def changed(self, base: Regimes, found: Regimes) -> bool:
        """Whether a run answers the question: another regime, or none in the basin named."""
        return found != base if self.basin is None else found[self.basin] == 1 != base[self.basin]

    def size(self, value: float) -> float:
        """How large a change is."""
        if self.low < 0:
            return abs(value - self.now)
        return max(value / self.now, self.now / max(value, 1e-12))

    def further(self, value: float, way: int) -> float | None:
        """Half or double, or twice as far off where values may be negative; None at the bound."""
        if self.low < 0:
            new = self.now + way * (2 * abs(value - self.now) or 1.0)
        else:
            new = value * 2.0**way
        new = min(max(new, self.low), self.high)
        return None if new == value else new


def _question(told: str) -> _Question | None:
    asked = told.partition("\n\n")[0]
    name = _parameter(told)
    if name is None:
        return None
    ways = (1, -1) if _EITHER.search(asked) else (-1,) if _FALLING.search(asked) else (1,)
    basins = set(_BASIN.findall(asked))
    basin = "AP".index(*basins) if len(basins) == 1 else None
    return _Question(name, *_bounds(told, name), ways, basin, "=up or " in asked)


def _routed(told: str, seed: int) -> dict[str, object]:
    compared = next_comparison(told)
    if compared is not None:
        return {"next": "tool", "tool_input": compared}
    question = _question(told)
    if question is None:
        return {"next": "summary"}
    runs = _runs(told, question.name)
    if not runs:
        return {"next": "tool", "tool_input": {}}
    value = _next(runs, question)
    if value is None:
        return {"next": "summary"}
    in_error = "Last result: No value" in told or re.search(r'"error":"[^"]', told)
    if not in_error and draw(seed, "slip", question.name, len(told)) / 2**31 < _SLIP:
        value = 50 * question.high
    return {"next": "tool", "tool_input": {question.name: float(f"{value:.4g}")}}


def _parameter(told: str) -> str | None:
    found = [n for n in _PARAMETER.findall(told.partition("\n\n")[0]) if f"- {n}:" in told]
    return found[0] if found else None


def _bounds(told: str, name: str) -> tuple[float, float, float]:
    line = re.search(rf"^- {name}: .*number, (\S+) to (\S+).*now (\S+)$", told, re.MULTILINE)
    if line is None:
        return 1.0, 0.0, 1.0
    low, high, now = (float(text.replace(",", "")) for text in line.groups())
    return now, low, high


def _runs(told: str, name: str) -> Runs:
    """Values with their regimes as far as they are told; None for nothing changed."""
    state = re.search(r"^State: (\{.*\})$", told, re.MULTILINE)
    if state is None:
        last = _LAST.search(told)
        if last is None:
            return []
        changed = ast.literal_eval(last[1]) if last[1].startswith("{") else {}
        return [(changed.get(name), (int(last[2]), int(last[3])))]
    known = json.loads(state[1])
    if known.get("tried"):
        return [(r["changed"].get(name), (r["atlantic"], r["pacific"])) for r in known["tried"]]
    if known["atlantic_state"] is None:
        return []
    value = None if known["error"] else known["tool_input"].get(name)
    return [(value, (known["atlantic_state"], known["pacific_state"]))]


def _next(runs: Runs, asked: _Question) -> float | None:
    """The next value to run; None once the answer is known, or there is none."""
    base = next((regimes for value, regimes in runs if value is None), None)
    if base is None:  # only the last run is known: go on from it, until a basin is off
        value, regimes = runs[-1]
        if 1 in regimes or value is None:
            return None
        return asked.further(value, 1 if value > asked.now else -1)
    values = {asked.now: base, **{v: r for v, r in runs if v is not None}}
    brackets = [_bracket(values, base, asked, way) for way in asked.ways]
    opened = [each for each in brackets if each.changed is not None]
    if opened and asked.wants_way:
        return None
    for same, changed, _ in opened:
        if changed is not None and not _is_near(same, changed, asked):
            return (same + changed) / 2
    if opened:
        return None
    outward = [each for each in brackets if asked.further(each.same, each.way) is not None]
    if not outward:
        return None
    least = min(outward, key=lambda each: asked.size(each.same))
    return asked.further(least.same, least.way)


class _Bracket(NamedTuple):
    """The furthest value one way that changes nothing, and the nearest that does."""

    same: float
    changed: float | None
    way: int


def _bracket(
    values: Mapping[float, Regimes], base: Regimes, asked: _Question, way: int
) -> _Bracket:
    beyond = [v for v in values if way * (v - asked.now) > 0]
    changed = [v for v in beyond if asked.changed(base, values[v])]
    edge = min(changed, key=asked.size) if changed else None
    inner = [v for v in (asked.now, *beyond) if v not in changed]
    inner = [v for v in inner if edge is None or asked.size(v) < asked.size(edge)]
    return _Bracket(max(inner, key=asked.size), edge, way)


def _is_near(one: float, other: float, asked: _Question) -> bool:
    if asked.low < 0:
        return abs(one - other) <= _NEAR_APART
    return max(one, other) / max(min(one, other), 1e-12) < _NEAR


def _answers(told: str) -> dict[str, object]:
    compared = answers_of(told)
    if compared:
        return compared
    asked = _question(told)
    runs = [] if asked is None else _runs(told, asked.name)
    base = next((regimes for value, regimes in runs if value is None), None)
    answer: object = "none"
    if asked is not None:
        changed = [v for v, r in runs if v is not None and asked.changed(base or (3, 3), r)]
        if changed:
            answer = min(changed, key=asked.size)
            if asked.wants_way:
                answer = "up" if answer > asked.now else "down"
    return dict.fromkeys(_ASKED.findall(told.partition("\n\n")[0]), answer)
