"""Stage 2 of a study: what is measured, from an intent in plain words and what a user adds."""

from __future__ import annotations

from collections.abc import Sequence

from earsim.errors import UsageError
from earsim.evaluation.metrics.registry import METRICS
from earsim.evaluation.study.files import Rubric, StudyMetric, StudyMetrics
from earsim.ranking import BM25

_ALWAYS = ("success",)
_MOST = 6


def customise(
    intent: str, *, expressions: Sequence[str] = (), rubrics: Sequence[str] = ()
) -> StudyMetrics:
    """The metrics that an intent asks for: built-in ones by their words, and one's own.

    Args:
        intent: what somebody wants to know.
        expressions: each as ``NAME=EXPRESSION``; see `earsim.evaluation.study.expression`.
        rubrics: each as ``NAME=CRITERION``, or ``NAME=CRITERION | fact | fact``.

    Raises:
        UsageError: One cannot be read.
    """
    known = list(METRICS)
    texts = [f"{METRICS[id].title} {METRICS[id].doc}" for id in known]
    ranked = [known[each.at] for each in BM25(texts).search(intent, most=_MOST)]
    always = [id for id in known if id in _ALWAYS]
    custom = [_expression(text) for text in expressions] + [_rubric(text) for text in rubrics]
    return StudyMetrics(
        intent=intent,
        builtin=tuple(dict.fromkeys([*always, *ranked])),
        custom=merged(custom),
    )


def merged(custom: Sequence[StudyMetric]) -> tuple[StudyMetric, ...]:
    """One's own metrics without those whose name a built-in one has: that one wins.

    Raises:
        UsageError: A name is given twice.
    """
    names = [metric.name for metric in custom]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise UsageError(f"the metric {twice[0]!r} is there twice")
    return tuple(metric for metric in custom if metric.name not in METRICS)


def _expression(text: str) -> StudyMetric:
    name, body = _parts(text, "EXPRESSION")
    return _metric(text, {"name": name, "expression": body})


def _rubric(text: str) -> StudyMetric:
    name, body = _parts(text, "CRITERION | FACT | FACT")
    criterion, *facts = (part.strip() for part in body.split("|"))
    rubric = Rubric(criterion=criterion, facts=tuple(fact for fact in facts if fact))
    return _metric(text, {"name": name, "rubric": rubric})


def _parts(text: str, form: str) -> tuple[str, str]:
    name, mark, body = text.partition("=")
    if not mark or not name.strip() or not body.strip():
        raise UsageError(f"{text!r}: expected NAME={form}")
    return name.strip(), body.strip()


def _metric(text: str, fields: dict[str, object]) -> StudyMetric:
    from pydantic import ValidationError

    try:
        return StudyMetric.model_validate(fields)
    except ValidationError as error:
        raise UsageError(f"{text!r}: {error.errors()[0]['msg']}") from None
