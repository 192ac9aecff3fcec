"""A model card: what was measured of a model, in the form of the Hugging Face hub.

The front matter is the hub's `model-index` (name, dataset and metrics of each result); the
sections are those of Mitchell et al. (2019) that an evaluation can fill. What only the makers of a
model know is left to them, and said to be.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.metrics.results_group import ResultsGroup
from earsim.evaluation.report import tables
from earsim.evaluation.report.build import INTERVALS, warnings
from earsim.ids import printable
from earsim.tables.document import Report, Section, Table
from earsim.tables.markdown import markdown

_METRICS = ("success", "spl", "steps.success", "commands.accepted", "tokens.total")
_LIMITS = (
    "Success says that a goal of these tasks was reached in a text world under these rules, and "
    "nothing of other worlds. Failure modes follow from rules over the recorded commands. "
    "Training data, licence and intended use are for the makers of the model to tell."
)


def model_card(subjects: Sequence[ResultsGroup]) -> str:
    """The card of the models or policies that were measured, as Markdown with a front matter."""
    sections = (
        Section("Evaluated", (_evaluated(subjects),)),
        Section("Results", (tables.summary(subjects),), text=INTERVALS),
        Section("Results by category", tuple(map(tables.categories, subjects))),
        Section("How it fails", tuple(tables.failures(subjects))),
        Section("Limits", text=_LIMITS),
    )
    shown = tuple(s for s in sections if s.text or any(table.rows for table in s.tables))
    names = ", ".join(dict.fromkeys(_name(each) for each in subjects))
    card = Report(f"{names} in EAR-Sim", shown, tuple(warnings(subjects)))
    return "\n".join(_front_matter(subjects)) + "\n" + markdown(card)


def _name(subject: ResultsGroup) -> str:
    return subject.model or subject.policy


def _evaluated(subjects: Sequence[ResultsGroup]) -> Table:
    head = ("subject", "model", "policy", "prompts", "knowledge", "suite", "rules", "earsim")
    return Table("", (*head, "episodes"), texts=8).with_rows(
        (
            each.label,
            each.model,
            each.policy,
            each.style,
            each.knowledge,
            ", ".join(each.played_on),
            ", ".join(each.rulesets),
            each.version,
            len(each.episodes),
        )
        for each in subjects
    )


def _front_matter(subjects: Sequence[ResultsGroup]) -> Iterator[str]:
    """YAML whose texts are JSON strings, so nothing in them is markup."""
    yield "---"
    yield 'tags: ["earsim", "embodied", "planning"]'
    yield "model-index:"
    for subject in subjects:
        yield f"- name: {_text(_name(subject))}"
        yield "  results:"
        yield '  - task: {type: "planning", name: "Embodied tasks in text"}'
        yield "    dataset:"
        yield f"      name: {_text(', '.join(subject.played_on))}"
        yield '      type: "earsim"'
        yield f"      revision: {_text(', '.join(subject.rulesets))}"
        yield "    metrics:"
        for id in _METRICS:
            found = METRICS[id].one(subject.episodes)
            if found.value is not None:
                named = f"type: {_text(id)}, name: {_text(METRICS[id].title)}"
                yield f"    - {{{named}, value: {found.value:.6g}}}"
    yield "---"


def _text(text: str) -> str:
    return json.dumps(printable(text))
