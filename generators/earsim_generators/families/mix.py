"""Family `mix`: liquids are measured with a jug and mixed to a share, or to a temperature."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from earsim.dynamics.constants import DENSITY_KGPL
from earsim.dynamics.constants import SPECIFIC_HEAT_JPKGK as SPECIFIC_HEAT
from earsim_generators.families.compared_errand import ErrandRequest
from earsim_generators.families.draft import Fields, SceneDraft
from earsim_generators.families.errands import draft_with_errands
from earsim_generators.families.lookalikes import LookalikePick, in_range, pick_of, task_about
from earsim_generators.families.outing import Outing

_PLACES = {
    "Kitchen": "Worktop",
    "Laundry": "Folding table",
    "Dairy": "Steel table",
    "Greenhouse": "Potting table",
    "Bath house": "Bench",
    "Store room": "Packing table",
    "Stable": "Feed chest",
}
_WITHIN = {"easy": 0.08, "medium": 0.05, "hard": 0.03}
"""Share by which an amount may be off."""

_ADDED = ("juice", "milk", "brine", "soup")


def mix(rng: Random, difficulty: str, errands: ErrandRequest | None = None) -> Fields:
    """Mix two liquids in one of three lookalike tubs by marks on a jug, or warm water with cold.

    Masses add up, and so does heat: T = sum m c T / sum m c.
    """
    draw = _by_share if rng.random() < 0.5 else _by_temperature
    return draw(rng, difficulty, errands)


class _Tubs(NamedTuple):
    """Lookalike vessels, and the one that is meant.

    Attributes:
        line_l: Where its mark is.
        capacity_jpk: Its heat capacity without a liquid.
        temperature_c: At the start.
    """

    pick: LookalikePick
    line_l: float
    capacity_jpk: float
    temperature_c: float


def _tubs(draft: SceneDraft, name: str, least_l: float) -> _Tubs:
    """Three vessels of one name in any rooms, with a line at two thirds of each."""
    found: dict[str, _Tubs] = {}
    capacities: dict[str, float] = {}
    for extra in draft.rng.sample((1.0, 2.0, 3.0, 4.0, 5.0), 3):
        capacity_l = round(least_l + extra, 1)
        line_l = round(capacity_l * 2 / 3, 1)
        side = round((capacity_l / 600) ** (1 / 3), 2) + 0.02
        mass_kg = round(0.3 + capacity_l / 15, 2)
        room = draft.rng.choice(draft.rooms)
        tub = draft.item(
            name,
            mass_kg=mass_kg,
            size=(side, side, side),
            on=draft.table(room),
            temperature_c=draft.ambient_c[room],
            container={"capacity_l": capacity_l},
            liquids={},
            marks=[{"name": "line", "of": "content_l", "at": line_l}],
            processes=[{"heat": {"material": "plastic", "area_m2": round(2 * side * side, 3)}}],
        )
        capacities[tub] = capacity_l
        jpk = mass_kg * SPECIFIC_HEAT["plastic"]
        pick = LookalikePick(tub, {})
        found[tub] = _Tubs(pick, line_l, jpk, draft.ambient_c[room])
    pick = pick_of(draft.rng, name, "capacity_l", capacities)
    return found[pick.target]._replace(pick=pick)


def _jug(draft: SceneDraft, capacity_l: float, marks: dict[str, float]) -> str:
    side = round((capacity_l / 600) ** (1 / 3), 2) + 0.02
    return draft.item(
        "Measuring jug",
        mass_kg=0.3,
        size=(side, side, round(side * 1.3, 2)),
        on=draft.table(draft.rng.choice(draft.rooms)),
        container={"capacity_l": capacity_l},
        liquids={},
        marks=[{"name": name, "of": "content_l", "at": at} for name, at in marks.items()],
    )


def _by_share(rng: Random, difficulty: str, errands: ErrandRequest | None) -> Fields:
    draft = draft_with_errands(rng, difficulty, "home", _PLACES, errands)
    tap = draft.furniture(
        "Water tap", rng.choice(draft.rooms), mass_kg=3.0, size=(0.2, 0.2, 0.3), source="water"
    )
    added = rng.choice(_ADDED)
    parts = {"easy": (1, 1), "medium": (1, 2), "hard": (2, 2)}[difficulty]
    small, full = rng.choice(((0.5, 1.5), (0.6, 2.0), (0.4, 1.2)))
    jug = _jug(draft, full, {"line": small})
    total_l = parts[0] * small + parts[1] * full
    pick = _tubs(draft, rng.choice(("Tub", "Bucket", "Basin")), total_l + 1).pick
    added_kg = parts[0] * small * DENSITY_KGPL[added]
    can = draft.item(
        f"Canister of {added}",
        mass_kg=0.5,
        size=(0.2, 0.2, 0.35),
        on=draft.table(rng.choice(draft.rooms)),
        container={"capacity_l": 6.0},
        liquids={added: round(added_kg + rng.uniform(0.8, 2.0), 2)},
    )
    outing = Outing(draft)
    # Both hands are needed: one for the jug, one for the canister.
    outing.open_doors()
    outing.fetch(jug)
    outing.fetch(can)
    outing.to(draft.table(draft.room_of(can)))
    for _ in range(parts[0]):
        outing.say(f"POUR {can} INTO {jug} TO line")
        outing.to(pick.target)
        outing.say(f"POUR {jug} INTO {pick.target}")
    outing.put_on(can, draft.table(draft.room_of(pick.target)))
    for _ in range(parts[1]):
        outing.to(tap)
        outing.say(f"FILL {jug} FROM {tap}")
        outing.to(pick.target)
        outing.say(f"POUR {jug} INTO {pick.target}")
    within = _WITHIN[difficulty]
    water_kg = parts[1] * full
    goal: list[Fields] = [
        _about(pick, f"{added}_kg", added_kg, within),
        _about(pick, "water_kg", water_kg, within),
        {"at": {"object": pick.ref, "on": draft.table(draft.room_of(pick.target))}},
    ]
    said = (
        f"Mix {parts[0] * small:g} litres of {added} with {water_kg:g} litres of water in the "
        f"{{{pick.name}}}, each to {100 * within:g} percent, within {{deadline}}, and "
        f"leave it where it is. The {{{jug}}} has a line at {small:g} litres and is full at "
        f"{full:g}."
    )
    return draft.document(
        task_about(pick, "mix", goal, said), outing.commands, title="Measure and mix"
    )


def _about(pick: LookalikePick, number: str, value: float, within: float) -> Fields:
    off = round(value * within, 3)
    fact = {"object": pick.ref, "of": number, "equals": round(value, 3), "within": off}
    return {"quantity": fact}


def _by_temperature(rng: Random, difficulty: str, errands: ErrandRequest | None) -> Fields:
    draft = draft_with_errands(rng, difficulty, "home", _PLACES, errands)
    hot_c, cold_c = float(rng.randint(75, 92)), float(rng.randint(8, 14))
    shape: Fields = {"source": "water", "mass_kg": 14.0, "size": (0.35, 0.35, 0.5)}
    where = rng.sample(draft.rooms, 2)
    boiler = draft.furniture("Hot water boiler", where[0], temperature_c=hot_c, **shape)
    spring = draft.furniture("Cold water tank", where[1], temperature_c=cold_c, **shape)
    tub = _tubs(draft, rng.choice(("Baby bath", "Foot bath", "Basin")), 4.0)
    pick = tub.pick
    hot_l = round(tub.line_l * rng.uniform(0.35, 0.55), 1)
    cold_l = round(tub.line_l - hot_l, 1)
    kettle = _plain(draft, "Kettle", hot_l)
    pitcher = _plain(draft, "Pitcher", round(cold_l + rng.uniform(0.4, 1.2), 1))
    outing = Outing(draft)
    outing.open_doors()
    outing.fetch(pitcher)
    outing.to(spring)
    outing.say(f"FILL {pitcher} FROM {spring}")
    outing.fetch(kettle)
    outing.to(boiler)
    outing.say(f"FILL {kettle} FROM {boiler}")
    outing.to(pick.target)
    outing.say(f"POUR {kettle} INTO {pick.target}", f"POUR {pitcher} INTO {pick.target} TO line")
    # A vessel takes its share of the heat when it is filled.
    water, own = SPECIFIC_HEAT["water"], _VESSEL_KG * SPECIFIC_HEAT["plastic"]
    kettle_c = _mixed((hot_l * water, hot_c), (own, _VESSEL_C))
    pitcher_c = _mixed((cold_l * water, cold_c), (own, _VESSEL_C))
    parts = ((hot_l * water, kettle_c), (cold_l * water, pitcher_c))
    middle = _mixed(*parts, (tub.capacity_jpk, tub.temperature_c))
    half = {"easy": 5, "medium": 4, "hard": 3}[difficulty]
    low, high = round(middle) - half, round(middle) + half
    content: Fields = {"object": pick.ref, "of": "content_l", "equals": tub.line_l, "within": 0.1}
    goal: list[Fields] = [
        in_range(pick, "temperature_c", low, high),
        {"quantity": content},
        {"at": {"object": pick.ref, "on": draft.table(draft.room_of(pick.target))}},
    ]
    said = (
        f"Within {{deadline}} the {{{pick.name}}} holds water up to its line, at {tub.line_l:g} "
        f"litres, of between {low} and {high} degrees, where it stands. The water of the "
        f"{{{boiler}}} is at {hot_c:g} degrees, that of the {{{spring}}} at {cold_c:g}."
    )
    return draft.document(task_about(pick, "bath", goal, said), outing.commands, title="Warm water")


_VESSEL_KG, _VESSEL_C = 0.6, 20.0
"""What vessels to carry water in weigh, and how warm they are at the start."""


def _mixed(*parts: tuple[float, float]) -> float:
    """The temperature of bodies that meet, each a heat capacity and a temperature."""
    return sum(c * t for c, t in parts) / sum(c for c, _ in parts)


def _plain(draft: SceneDraft, name: str, capacity_l: float) -> str:
    """An insulated vessel to carry water in."""
    side = round((capacity_l / 600) ** (1 / 3), 2) + 0.02
    return draft.item(
        name,
        mass_kg=_VESSEL_KG,
        size=(side, side, round(side * 1.3, 2)),
        on=draft.table(draft.rng.choice(draft.rooms)),
        temperature_c=_VESSEL_C,
        container={"capacity_l": capacity_l},
        liquids={},
        processes=[{"heat": {"material": "plastic", "conductance_wpk": 0.3}}],
    )
