"""Teams because of knowledge: who can read a number cannot get out, and nobody can get in."""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

from earsim_generators.families.any_domain import draft_in_any_domain
from earsim_generators.families.compared_errand import ErrandRequest
from earsim_generators.families.draft import Fields, SceneDraft
from earsim_generators.families.errands import draw_errands
from earsim_generators.families.teams.crew import Crew, ItemSpec, Person, drafted, on, put, said


class _Fit(NamedTuple):
    """What is compared with what.

    Attributes:
        read: What is read.
        name: Of the things among which one is meant, in a sentence `many` of them.
        number: By its key, in a sentence `word`.
        least: Of the numbers; `most` is the greatest.
    """

    read: ItemSpec
    name: str
    many: str
    number: str
    word: str
    least: int
    most: int


_FITS: Final = (
    _Fit(
        read=ItemSpec("Bearing", 1.2, (0.1, 0.1, 0.04)),
        name="Steel shaft",
        many="steel shafts",
        number="diameter_mm",
        word="diameter",
        least=30,
        most=60,
    ),
    _Fit(
        read=ItemSpec("Empty frame", 1.5, (0.5, 0.4, 0.04)),
        name="Wooden panel",
        many="wooden panels",
        number="width_mm",
        word="width",
        least=300,
        most=480,
    ),
    _Fit(
        read=ItemSpec("Curtain pattern", 0.2, (0.4, 0.3, 0.01)),
        name="Strip of velvet",
        many="strips of velvet",
        number="length_mm",
        word="length",
        least=900,
        most=1500,
    ),
)

_ABOVE = (
    "Of the {many} whose {word} is greater than that of the {{{gauge}}}, put the smallest onto",
    "Of all {many}, the one whose {word} is next above that of the {{{gauge}}} belongs on",
)
_BELOW = (
    "Of the {many} whose {word} is less than that of the {{{gauge}}}, put the largest onto",
    "Of all {many}, the one whose {word} is next below that of the {{{gauge}}} belongs on",
)
_ALONE = (
    "{pick} the {{{table}}}, and none of the others. {reader} is locked in with the {{{gauge}}}.",
    "{pick} the {{{table}}}, it alone. Only {reader}, who is locked in, sees the {{{gauge}}}.",
)
_LOOKALIKES = 4


def told(rng: Random, difficulty: str, errands: ErrandRequest | None = None) -> Fields:
    """Which of several is meant follows from a number in a room that nobody leaves or enters.

    With errands, there are several such numbers, and each of them decides about one errand.
    """
    return (
        _of_one(drafted(rng, difficulty))
        if errands is None
        else _of_several(rng, difficulty, errands)
    )


def _of_several(rng: Random, difficulty: str, errands: ErrandRequest) -> Fields:
    draft = draft_in_any_domain(rng, difficulty)
    vault = rng.choice(draft.dead_ends)
    draft.lock(vault)
    outside = [room for room in draft.rooms if room != vault]
    # In no order: a plan of fewest decisions is found and proved without one only.
    drawn = draw_errands(draft, errands, outside, gauges=vault, ordered=0.0)
    crew = Crew(draft, Person(vault, 25.0), Person(rng.choice(outside), 25.0))
    reader, fetcher = crew.outings
    reader.say("EXPLORE", *(f"TELL {errand.gauge}" for errand in drawn.each))
    fetcher.run(drawn)
    draft.list_by_ids()
    task = {
        "id": "told",
        "knowledge": "own",
        "channel": "all",
        "goal": {"all": []},
        "instruction": said(rng, _LOCKED_IN, reader=crew.names[0], room=vault),
    }
    return crew.document(task, title="What only one can read")


_LOCKED_IN = (
    "{reader} is locked in the {{{room}}}, and nobody else sees what is there.",
    "What is in the {{{room}}} only {reader} sees, who is locked in there.",
)


def _of_one(draft: SceneDraft) -> Fields:
    rng = draft.rng
    fit = rng.choice(_FITS)
    number, low = fit.number, fit.least
    vault = rng.choice(draft.dead_ends)
    draft.lock(vault)
    outside = [room for room in draft.rooms if room != vault]
    table = draft.furniture(
        "Assembly stand", rng.choice(outside), mass_kg=25.0, size=(1.2, 0.7, 0.9)
    )
    step = (fit.most - low) // (_LOOKALIKES + 1)
    values = [low + step * (place + 1) + rng.randint(0, step // 2) for place in range(_LOOKALIKES)]
    kind = ItemSpec(fit.name, 0.9, (0.6, 0.06, 0.06))
    things = {
        put(draft, kind, rng.choice(outside), **{number: float(value)}): value
        for value in rng.sample(values, len(values))
    }
    order = sorted(things, key=lambda node: things[node])
    place, is_above = rng.randrange(_LOOKALIKES), rng.random() < 0.5
    read = things[order[place]] + (-1 if is_above else 1) * (step // 4)
    gauge = put(draft, fit.read, vault, **{number: float(read)})
    crew = Crew(draft, Person(vault, 25.0), Person(rng.choice(outside), 25.0))
    reader, fetcher = crew.outings
    reader.say("EXPLORE", f"TELL {gauge}")
    fetcher.fetch(order[place])
    fetcher.put_on(order[place], table)
    compared = {"more_than" if is_above else "less_than": {"of": number, "object": gauge}}
    among = {"name": fit.name, **compared}
    select = {"wanted": {"smallest" if is_above else "largest": number, "among": among}}
    others = [on(node, table) for node in order if node != order[place]]
    goal = [on("$wanted", table), {"not": {"any": others}}]
    words = {"many": fit.many, "word": fit.word, "gauge": gauge}
    pick = said(rng, _ABOVE if is_above else _BELOW, **words)
    instruction = said(rng, _ALONE, pick=pick, table=table, reader=crew.names[0], gauge=gauge)
    task = {
        "id": "told",
        "knowledge": "own",
        "channel": "all",
        "select": select,
        "goal": {"all": goal},
        "instruction": instruction,
    }
    return crew.document(task, title="What only one can read")
