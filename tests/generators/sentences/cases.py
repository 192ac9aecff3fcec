"""Goals whose instructions are written down in `golden.txt`; `python -m` this writes them anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.generators.sentences.rig import brought, changed, inside, on, tellings

GOLDEN = Path(__file__).with_name("golden.txt")
SEEDS = 5

CAN = {"name": "Oil can"}


def _picked(**selector: Any) -> dict[str, Any]:
    return {"parts": [on("$a", "bench")], "a": selector}


CASES: dict[str, dict[str, Any]] = {
    "put on": {"parts": [on("pump", "bench")]},
    "put on what shares its name": {"parts": [on("saw", "shelf")]},
    "put in": {"parts": [inside("pump", "crate")]},
    "put in and shut": {"parts": [inside("saw", "crate"), changed("crate", "is_open", False)]},
    "put in what can be shut itself, and shut": {
        "parts": [inside("tin", "crate"), changed("crate", "is_open", False)]
    },
    "put in what is picked, and shut": {
        "parts": [inside("saw", "$a"), changed("$a", "is_open", False)],
        "a": {"only": {"name": "Crate", "at_least": {"mass_kg": 5.0}}},
    },
    "bring": {"parts": [brought("saw", "landing")]},
    "bring what is spoken of in the plural": {"parts": [brought("pliers", "yard")]},
    "take out": {"parts": [{"not": {"inside_room": {"object": "saw", "room": "hall"}}}]},
    "take out what is told by its place": {
        "parts": [{"not": {"inside_room": {"object": "gauge", "room": "yard"}}}]
    },
    "change": {"parts": [changed("saw", "is_broken", False)]},
    "change with a particle, and move": {
        "parts": [changed("saw", "is_on", False), on("saw", "shelf")]
    },
    "two things": {"parts": [on("saw", "shelf"), brought("pump", "yard")]},
    "two things to one room": {"parts": [brought("saw", "yard"), brought("pump", "yard")]},
    "a change, and another thing": {
        "parts": [changed("saw", "is_broken", False), brought("pump", "yard")]
    },
    "three things": {
        "parts": [on("saw", "shelf"), brought("pump", "yard"), changed("crate", "is_open", True)]
    },
    "lift together": {"parts": [brought("anvil", "hall")], "jointly": ("anvil",), "team": True},
    "lift together, then alone": {
        "parts": [brought("anvil", "hall"), on("pump", "bench")],
        "jointly": ("anvil",),
        "team": True,
    },
    "change together": {
        "parts": [
            {"done_jointly": {"object": "saw", "state": "is_broken"}},
            changed("saw", "is_broken", False),
        ],
        "team": True,
    },
    "hold": {
        "parts": [
            {"held_by": {"object": "saw", "agent": "ada"}},
            {"held_by": {"object": "pump", "agent": "ben"}},
        ],
        "team": True,
    },
    "largest": _picked(largest="mass_kg", among=CAN),
    "smallest": _picked(smallest="age_years", among=CAN),
    "rank": _picked(rank={"of": "mass_kg", "k": 2, "order": "largest"}, among=CAN),
    "rank among others": _picked(
        largest="mass_kg", among={**CAN, "less_than": {"of": "mass_kg", "object": "anvil"}}
    ),
    "only by a trait": _picked(only={**CAN, "attribute": {"color": "red"}}),
    "only by what it is not": _picked(only={**CAN, "not": {"attribute": {"color": "green"}}}),
    "only by a state": _picked(only={**CAN, "has_state": {"is_dirty": False}}),
    "only by work done": _picked(only={**CAN, "has_state": {"is_polished": False}}),
    "only by a small bound": _picked(
        only={**CAN, "at_least": {"mass_kg": 0.9}, "at_most": {"mass_kg": 1.3}}
    ),
    "only by a bound": _picked(
        only={**CAN, "at_least": {"age_years": 4}, "at_most": {"age_years": 6}}
    ),
    "only by a comparison": _picked(
        only={**CAN, "less_than": {"of": "mass_kg", "object": "pump"}}
    ),
    "only by its place": _picked(only={**CAN, "on": "shelf"}),
    "only by its room": _picked(only={**CAN, "inside_room": "hall"}),
    "only outside a room": _picked(only={**CAN, "not": {"inside_room": "yard"}}),
    "of what lies in one place": _picked(smallest="mass_kg", among={"on": "bench"})
    | {"parts": [brought("$a", "yard")]},
    "a sum": {
        "parts": [brought("$a", "landing")],
        "a": {"largest": "contents_mass_kg", "among": {"kind": "furniture"}},
    },
    "change and move what is picked": {
        "parts": [changed("$a", "is_dirty", False), on("$a", "shelf")],
        "a": {"largest": "mass_kg", "among": CAN},
    },
    "a sum of prices": {
        "parts": [brought("$a", "landing")],
        "a": {"largest": "contents_price_eur", "among": {"kind": "furniture"}},
    },
    "both picked": {
        "parts": [inside("$a", "$b")],
        "a": {"largest": "mass_kg", "among": {"on": "bench"}},
        "b": {"only": {"name": "Crate", "at_least": {"mass_kg": 5.0}}},
    },
}  # fmt: skip


def lines() -> Iterator[str]:
    """Every case, and what is told of it with the first seeds."""
    for name, case in CASES.items():
        rest = {key: value for key, value in case.items() if key != "parts"}
        yield f"# {name}"
        for seed in range(SEEDS):
            (told,) = tellings(*case["parts"], seeds=range(seed, seed + 1), **rest)
            yield told


if __name__ == "__main__":
    GOLDEN.write_text("".join(f"{line}\n" for line in lines()), encoding="utf-8")
