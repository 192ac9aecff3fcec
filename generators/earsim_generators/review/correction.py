"""A scenario with better words, or what is wrong with them."""

from __future__ import annotations

from earsim.errors import FileError
from earsim.schema import Scenario, to_data
from earsim.schema.files.document import Document
from earsim.schema.files.load import validated
from earsim_generators.llm.checks.wording import unspoken

_SOURCE = "the correction"


def corrected(scenario: Scenario, instruction: str) -> Scenario:
    """The scenario with another instruction, and so with another hash.

    Raises:
        FileError: It is no instruction, names what is not there, or leaves a selector out.
    """
    data = to_data(scenario)
    data["task"] = {**data["task"], "instruction": instruction}
    changed = validated(Document(_SOURCE, data), Scenario)
    problems = tuple(unspoken(changed))
    if problems:
        raise FileError(_SOURCE, problems)
    return changed
