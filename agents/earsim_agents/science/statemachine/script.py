"""A scripted ocean analyst: replies of the five roles without a model.

It doubles or halves a setting until a regime changes, and bisects, as far as it can tell from what
it is told; now and then it asks for a value out of bounds. It remembers nothing by itself: told of
the last result only, it goes on from that, and begins again where that was an error.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from functools import partial

from earsim_agents.client.request import draw
from earsim_agents.scripted_server.roles import Messages

_PARAMETER = re.compile(r"\(([A-Za-z]+_[A-Za-z0-9]+)[,)]")
_ASKED = re.compile(r"SUBMIT (\w+)=")
_FALLING = re.compile(r"\bweak|\blower|\bsmall|\bless|\bdown|\bfall|\bshallow|\breduc", re.I)
_LAST = re.compile(r"Last result: (\{.*?\}|nothing changed): regime_A (\d), regime_P (\d)")
_SLIP = 0.15
_NEAR = 1.1


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


def _routed(told: str, seed: int) -> dict[str, object]:
    name = _parameter(told)
    if name is None:
        return {"next": "summary"}
    now, low, high = _bounds(told, name)
    runs = _runs(told, name)
    if not runs:
        return {"next": "tool", "tool_input": {}}
    value = _next(runs, now, low, high, down=bool(_FALLING.search(told.partition("\n\n")[0])))
    if value is None:
        return {"next": "summary"}
    in_error = "Last result: No value" in told or re.search(r'"error":"[^"]', told)
    if not in_error and draw(seed, "slip", name, len(told)) / 2**31 < _SLIP:
        value = 50 * high
    return {"next": "tool", "tool_input": {name: float(f"{value:.4g}")}}


def _parameter(told: str) -> str | None:
    found = [n for n in _PARAMETER.findall(told.partition("\n\n")[0]) if f"- {n}:" in told]
    return found[0] if found else None


def _bounds(told: str, name: str) -> tuple[float, float, float]:
    line = re.search(rf"^- {name}: .*number, (\S+) to (\S+).*now (\S+)$", told, re.MULTILINE)
    if line is None:
        return 1.0, 0.0, 1.0
    low, high, now = (float(text.replace(",", "")) for text in line.groups())
    return now, low, high


def _runs(told: str, name: str) -> list[tuple[float | None, tuple[int, int]]]:
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


def _next(
    runs: list[tuple[float | None, tuple[int, int]]],
    now: float,
    low: float,
    high: float,
    *,
    down: bool,
) -> float | None:
    """The next value to run; None once the threshold is known, or there is none."""
    base = next((regimes for value, regimes in runs if value is None), None)
    values = {now: base, **{v: r for v, r in runs if v is not None}}
    if base is None:  # only the last run is known: go on from it, until a basin is off
        value, regimes = runs[-1]
        if 1 in regimes or value is None:
            return None
        return _further(value, low, high, down=down)
    changed = [v for v, r in values.items() if r is not None and r != base]
    same = [v for v, r in values.items() if r is None or r == base]
    if not changed:
        return _further(min(same) if down else max(same), low, high, down=down)
    edge = max(changed) if down else min(changed)
    inner = [v for v in same if (v > edge if down else v < edge)]
    near = min(inner) if down else max(inner)
    if max(edge, near) / max(min(edge, near), 1e-12) < _NEAR:
        return None
    return (edge + near) / 2


def _further(value: float, low: float, high: float, *, down: bool) -> float | None:
    """Half or double, within bounds; None at the bound."""
    following = max(value / 2, low) if down else min(value * 2, high)
    return None if following == value else following


def _answers(told: str) -> dict[str, object]:
    name = _parameter(told)
    runs = [] if name is None else _runs(told, name)
    base = next((regimes for value, regimes in runs if value is None), None)
    changed = [v for v, r in runs if v is not None and r != (base or (3, 3))]
    answer: object = "none"
    if changed:
        falling = _FALLING.search(told.partition("\n\n")[0])
        answer = max(changed) if falling else min(changed)
    return dict.fromkeys(_ASKED.findall(told.partition("\n\n")[0]), answer)
