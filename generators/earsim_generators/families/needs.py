"""Family `needs`: one agent fetches what is needed, and nothing that serves a similar purpose."""

from __future__ import annotations

from random import Random

from earsim_generators.families.any_domain import draft_in_any_domain
from earsim_generators.families.compared_errand import ErrandRequest
from earsim_generators.families.draft import Fields
from earsim_generators.families.errands import draw_errands
from earsim_generators.families.outing import Outing


def needs(rng: Random, difficulty: str, errands: ErrandRequest | None = None) -> Fields:
    """Several things are needed on tables; of each, four others lie about that would not do."""
    draft = draft_in_any_domain(rng, difficulty)
    draw_errands(draft, errands or ErrandRequest(1, needed=2), draft.rooms)
    outing = Outing(draft)
    draft.list_by_ids()
    task = {
        "id": "needs",
        "category": "attribute_reasoning",
        "goal": {"all": []},
        "instruction": "Nothing else is to be brought there.",
    }
    return draft.document(task, outing.commands, title="What is needed")
