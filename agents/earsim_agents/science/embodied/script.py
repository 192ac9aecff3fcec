"""A scripted control engineer, with the faults of one: replies of the four roles without a model.

It knows textbook moves and no design. What it does wrong is drawn by its seed: it may begin with a
controller that cannot do (proportional alone), with gains that diverge, or with timid ones, and now
and then it moves a gain the wrong way. It reacts to what it is told and to nothing else, so what an
agent does not perceive or reflect on, it does not mend.

`faulty` is another one: it knows a good design and makes a drawn number of faults before, each of
which shows either while the run goes on or only in what comes of it. It tells what noticing them
in time, or at all, is worth.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import partial

from earsim_agents.client.request import draw
from earsim_agents.scripted_server.roles import Messages

_WITHIN = re.compile(r"within (\d+(?:\.\d+)?) s")
_OVERSHOOT = re.compile(r"(\d+(?:\.\d+)?) % at most")
_RIG = re.compile(r"^## (\w+):", re.MULTILINE)
_TRIED = re.compile(r"^\d+\. CONFIGURE \w+ ([^;]*); RUN \w+ -> (\w+): (.*)$", re.MULTILINE)
_GAIN = re.compile(r"(topology|Kp|Ki|Kd)=(\S+)")
_OVERSHOT = re.compile(r"overshoot_percent'?:? (\d+(?:\.\d+)?)")
"""The overshoot of a run that ended, or the least that one can have that was stopped."""

_SLIP = 0.2
"""How often a gain is moved the wrong way."""

_OPENINGS: tuple[Mapping[str, float | str], ...] = (
    {"topology": "p", "Kp": 5.0},
    {"topology": "pid", "Kp": 12.0, "Ki": 8.0, "Kd": 0.0},
    {"topology": "pid", "Kp": 20.0, "Ki": 5.0, "Kd": 1.0},
    {"topology": "pi", "Kp": 1.0, "Ki": 0.2},
    {"topology": "pid", "Kp": 4.0, "Ki": 2.0, "Kd": 1.0},
)

MOST_FAULTS = 4
"""Of an engineer with planted faults, before the good design; none and any number equally often."""

_SHOWING: tuple[Mapping[str, float | str], ...] = (
    {"topology": "pid", "Kp": 12.0, "Ki": 8.0, "Kd": 0.0},
    {"topology": "pid", "Kp": 20.0, "Ki": 5.0, "Kd": 1.0},
    {"topology": "pid", "Kp": 6.0, "Ki": 6.0, "Kd": 1.5},
    {"topology": "p", "Kp": 5.0},
)
"""Faults whose runs diverge, oscillate or overshoot before everybody's eyes."""

_SILENT: Mapping[str, float | str] = {"topology": "pid", "Kp": 2.0, "Ki": 0.0, "Kd": 2.0}
"""A fault whose run settles well, a third away from where it should."""

_GOOD: Mapping[str, float | str] = {"topology": "pid", "Kp": 2.818, "Ki": 0.8, "Kd": 1.886}

Gains = dict[str, float | str]


def engineer(role: str, messages: Messages, *, seed: int = 0) -> str:
    """The reply in a role."""
    told = str(messages[-1]["content"])
    if role == "plan":
        return json.dumps(_plan(told))
    if role in ("code", "act"):
        return _commands(told, seed)
    if role == "reflect":
        return json.dumps(_reflection(told))
    return json.dumps({"state": "NORMAL", "why": "nothing strikes me"})


def scripted(seed: int) -> Callable[[str, Messages], str]:
    """The engineer with a seed of its own."""
    return partial(engineer, seed=seed)


def faulty(seed: int, showing: float) -> Callable[[str, Messages], str]:
    """An engineer with planted faults.

    Args:
        seed: draws how many there are, and which.
        showing: share of the faults that show while their run goes on.
    """
    faults = [
        _SHOWING[draw(seed, "fault", n) % len(_SHOWING)]
        if draw(seed, "shows", n) / 2**31 < showing
        else _SILENT
        for n in range(draw(seed, "faults") % (MOST_FAULTS + 1))
    ]

    def reply(role: str, messages: Messages) -> str:
        told = str(messages[-1]["content"])
        rig = _RIG.search(told)
        if role not in ("code", "act") or rig is None:
            return engineer(role, messages, seed=seed)
        proposed = _proposed(told.partition("\n\n")[0])
        designs = [*([proposed] if proposed else []), *faults, _GOOD]
        tried = len(_TRIED.findall(told))
        return _tried(rig[1], designs[min(tried, len(designs) - 1)])

    return reply


def _tried(rig: str, gains: Mapping[str, float | str]) -> str:
    """The reply that tries gains on a rig."""
    pairs = " ".join(f"{name}={value}" for name, value in gains.items())
    return f"I try this.\nCONFIGURE {rig} {pairs}\nRUN {rig}"


def _plan(told: str) -> dict[str, object]:
    constraints: list[dict[str, object]] = [
        {"name": "error", "result": "steady_error", "op": "<=", "value": 0.001},
        {"name": "stable", "result": "stable", "op": "==", "value": True},
    ]
    for name, pattern in (("settling_s", _WITHIN), ("overshoot_percent", _OVERSHOOT)):
        found = pattern.search(told.partition("\n\n")[0])
        if found:
            constraints.append({"name": name, "result": name, "op": "<=", "value": float(found[1])})
    steps = ["Find gains that meet the constraints and run the rig with them."]
    return {
        "problem_type": "controller tuning",
        "constraints": constraints,
        "subtasks": [{"name": "tune", "steps": steps}],
    }


def _commands(told: str, seed: int) -> str:
    rig = _RIG.search(told)
    if rig is None:
        return "NEXT"
    tried = _TRIED.findall(told)
    slips = draw(seed, "slip", len(tried)) / 2**31 < _SLIP
    if not tried:
        opening = _OPENINGS[draw(seed, "opening") % len(_OPENINGS)]
        gains: Gains = _proposed(told.partition("\n\n")[0]) or dict(opening)
    else:
        gains = _moved(_read(tried[-1][0]), told, tried[-1], slips=slips)
    return _tried(rig[1], gains)


def _proposed(task: str) -> Gains | None:
    """The gains that a task proposes, such as "Kp 20, Ki 5, Kd 1"; None where it proposes none."""
    found = dict(re.findall(r"\b(Kp|Ki|Kd) (\d+(?:\.\d+)?)", task))
    return (
        {"topology": "pid", **{n: float(v) for n, v in found.items()}} if len(found) == 3 else None
    )


def _read(text: str) -> Gains:
    return {name: v if name == "topology" else float(v) for name, v in _GAIN.findall(text)}


def _moved(gains: Gains, told: str, last: tuple[str, str, str], *, slips: bool) -> Gains:
    """The next gains after the last ones, by the textbook."""
    number = {name: float(gains.get(name, 0.0)) for name in ("Kp", "Ki", "Kd")}
    _, outcome, results = last
    away = "diverg" in told.rpartition("->")[2] or "sustained" in told.rpartition("->")[2]
    overshoot = _OVERSHOT.search(results)
    hopeless = "can no longer be met" in results and not away
    if "plan before did not do" in told and gains.get("topology") != "pid":
        number = {"Kp": 2.5, "Ki": 0.9, "Kd": 1.2}
    elif (outcome != "completed" and not hopeless) or away:
        number = {"Kp": number["Kp"] / 4, "Ki": number["Ki"] / 8, "Kd": number["Kd"] + 1.0}
    elif overshoot is not None and float(overshoot[1]) > 5:
        number = {"Kp": number["Kp"], "Ki": number["Ki"] * 0.8, "Kd": number["Kd"] * 1.3}
    else:
        number = {"Kp": number["Kp"] * 1.1, "Ki": number["Ki"] * 1.05, "Kd": number["Kd"] * 1.3}
    if slips:
        number["Ki"] *= 1.6
    keep = gains.get("topology", "pid") if "plan before did not do" not in told else "pid"
    names = {"p": ("Kp",), "pi": ("Kp", "Ki")}.get(str(keep), ("Kp", "Ki", "Kd"))
    return {"topology": keep, **{name: round(number[name], 3) for name in names}}


def _reflection(told: str) -> dict[str, str]:
    missed = told.rpartition("\n\n")[2]
    if "All constraints are met" in missed:
        return {"decision": "ACCEPT", "why": "the numbers are plausible"}
    topology = re.findall(r"topology=(\w+)", told)[-1:]
    if "steady_error" in missed and topology == ["p"]:
        return {"decision": "GLOBAL_REPLAN", "why": "proportional control leaves an error"}
    if "settling_s" in missed and topology == ["pi"]:
        return {"decision": "GLOBAL_REPLAN", "why": "without a derivative part it is too slow"}
    return {"decision": "LOCAL_ADJUST", "why": "other gains will do"}
