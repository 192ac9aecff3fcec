"""Notes and labels that people give to episodes and decisions of a run: `annotations.jsonl`.

The file lies beside the run and is only appended to. Of several annotations of one person about one
thing the last counts, so two people can write at once and files can be put together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator, Field, StringConstraints

from earsim.errors import FileError, Finding, did_you_mean, near_misses
from earsim.evaluation.scorers.agreement import cohen_kappa
from earsim.evaluation.store.database import Store
from earsim.evaluation.store.lines import append_lines, read_lines
from earsim.ids import NAME_PATTERN, TEXT_PATTERN, printable
from earsim.schema.model import FileModel

ANNOTATIONS = "annotations.jsonl"
MAX_LABELS = 20

_ShortName = Annotated[
    str,
    StringConstraints(pattern=NAME_PATTERN, min_length=1, max_length=60, strip_whitespace=True),
]


def _distinct(labels: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(labels))


class AnnotationKey(NamedTuple):
    """What an annotation is about, and whose it is; of a whole episode where `decision` is None."""

    episode: str
    decision: int | None
    annotator: str


class Annotation(FileModel):
    """An annotation as it is written.

    Attributes:
        episode: Id of the episode.
        decision: From 0; the episode as a whole where there is none.
        annotator: Whose it is.
        labels: Short texts; none of them says that the annotator has looked and found no label.
        note: In free words.
        withdrawn: It takes back the annotator's earlier one about the same.
    """

    schema_: Literal["earsim.annotation/1"] = Field(
        default="earsim.annotation/1", validation_alias="schema", serialization_alias="schema"
    )
    episode: str = Field(min_length=1, max_length=1000)
    decision: int | None = Field(default=None, strict=True, ge=0)
    annotator: _ShortName
    labels: Annotated[
        tuple[_ShortName, ...], Field(max_length=MAX_LABELS), AfterValidator(_distinct)
    ] = ()
    note: Annotated[str, StringConstraints(pattern=TEXT_PATTERN, max_length=4000)] = ""
    withdrawn: bool = Field(default=False, strict=True)

    @property
    def key(self) -> AnnotationKey:
        """What it is about, and whose it is."""
        return AnnotationKey(self.episode, self.decision, self.annotator)


class LabelAgreement(NamedTuple):
    """Two annotators on one label, over the episodes that both have annotated.

    An episode has a label where the annotator gave it to the episode or to one of its decisions.

    Attributes:
        both: Episodes to which both gave it.
        first: Episodes to which only the first gave it.
        second: Episodes to which only the second gave it.
        neither: The other episodes that both have annotated.
        kappa: Cohen's; None where chance alone would make them agree.
    """

    label: str
    annotators: tuple[str, str]
    both: int
    first: int
    second: int
    neither: int
    kappa: float | None

    @property
    def episodes(self) -> int:
        """Episodes that both have annotated."""
        return self.both + self.first + self.second + self.neither


def load_annotations(run: Path) -> tuple[Annotation, ...]:
    """The annotations of a run that hold, in the order of episodes; none without a file.

    Raises:
        FileError: A line that is not torn is no annotation.
    """
    return in_force(read_lines(run / ANNOTATIONS, Annotation))


def in_force(annotations: Iterable[Annotation]) -> tuple[Annotation, ...]:
    """The last annotation of each person about each thing, unless it takes the one before back."""
    last = {each.key: each for each in annotations}
    kept = [each for each in last.values() if not each.withdrawn]
    return tuple(sorted(kept, key=_place))


def read_annotations(path: Path) -> tuple[Annotation, ...]:
    """The lines of a file, as a page that nobody serves lets one save it.

    Raises:
        FileError: There is no such file, or a line is no annotation.
    """
    if not path.is_file():
        raise FileError(str(path), [Finding(str(path), "", "there is no such file")])
    return tuple(read_lines(path, Annotation))


def merge_annotations(runs: Sequence[Path], out: Path) -> None:
    """Put the annotations of several runs together; those of `out` count before others.

    Raises:
        FileError: Those of a run cannot be read.
    """
    there = {each.key for each in load_annotations(out)}
    found = {each.key: each for run in reversed(runs) for each in load_annotations(run)}
    new = sorted((each for key, each in found.items() if key not in there), key=_place)
    append_lines(out / ANNOTATIONS, new)


def add_annotations(run: Path, annotations: Sequence[Annotation], source: str) -> None:
    """Append annotations to those of a run: all of them, or none.

    Args:
        run: Folder of the run.
        annotations: In the order in which they were made.
        source: Where they come from, for messages.

    Raises:
        FileError: One is about an episode or a decision that the run does not have.
        OSError: The file may not be written.
    """
    with Store.open(run, readonly=True) as store:
        decisions = store.decisions()
    findings = [
        finding
        for number, each in enumerate(annotations, start=1)
        for finding in _problems(each, f"annotation {number}", source, decisions)
    ]
    if findings:
        raise FileError(source, findings)
    append_lines(run / ANNOTATIONS, annotations)


def agreement_on_labels(runs: Iterable[Iterable[Annotation]]) -> Iterator[LabelAgreement]:
    """Every two annotators who have annotated an episode in common, on each of their labels.

    Args:
        runs: The annotations of each run.
    """
    given: dict[str, dict[tuple[int, str], set[str]]] = {}
    for number, of_run in enumerate(runs):
        for each in of_run:
            by_episode = given.setdefault(each.annotator, {})
            by_episode.setdefault((number, each.episode), set()).update(each.labels)
    for one, other in combinations(sorted(given), 2):
        shared = given[one].keys() & given[other].keys()
        pairs = [(given[one][episode], given[other][episode]) for episode in shared]
        for label in sorted({label for a, b in pairs for label in a | b}):
            yield _on_label(label, (one, other), [(label in a, label in b) for a, b in pairs])


def _on_label(
    label: str, annotators: tuple[str, str], given: Sequence[tuple[bool, bool]]
) -> LabelAgreement:
    both, first, second, neither = (
        given.count(each) for each in ((True, True), (True, False), (False, True), (False, False))
    )
    return LabelAgreement(label, annotators, both, first, second, neither, cohen_kappa(given))


def _place(each: Annotation) -> tuple[str, int, str]:
    return each.episode, -1 if each.decision is None else each.decision, each.annotator


def _problems(
    each: Annotation, place: str, source: str, decisions: Mapping[str, int]
) -> Iterator[Finding]:
    if each.episode not in decisions:
        expected = did_you_mean(near_misses(each.episode, decisions)) or "an episode of the run"
        yield Finding(source, place, f"no episode {printable(each.episode)!r}", expected)
    elif each.decision is not None and each.decision >= decisions[each.episode]:
        expected = f"a number below {decisions[each.episode]}"
        yield Finding(source, place, f"no decision {each.decision}", expected)
