"""How common the words of the catalogue's names are, and how its held-out names were read.

`python -m docs.figures.vocabulary [SUITE ...]` prints both, for each version of the generator, and
how many scenarios of suites have names that fail; `--failing` lists these names, `--page` writes
the table into `docs/earsim-bench-2.md`. `--measure` writes `word_frequencies.csv` anew; for that
alone, `pip install wordfreq==3.1.1` is needed.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module, metadata
from pathlib import Path
from typing import NamedTuple

from docs.pages import updated
from earsim import Scenario, open_suite
from earsim.schema.task_references import goal_references
from earsim.tables.document import Cell, Table, share
from earsim.tables.markdown import table_text
from earsim_generators.catalogue import domain_names, load_domain
from earsim_generators.catalogue.kinds import ThingKind

FOLDER = Path(__file__).parent
FREQUENCIES = FOLDER / "word_frequencies.csv"
READ = FOLDER / "held_out_names.csv"
PAGE = FOLDER.parent / "earsim-bench-2.md"
SUITES = ("earsim-bench-vocabulary", "earsim-bench-2-vocabulary")

LEAST_ZIPF = 2.5
"""Words of names are at least so frequent: Zipf 2.5 is one in three million words.

From 3 on words count as common, but household words lie between: "stapler" has 2.53, "grater" 2.51,
"spanner" 2.58. Nearly all words of ordinary names reach 2.5.
"""

USUAL, COINED, FALSE_FRIEND = VERDICTS = ("usual", "coined", "false friend")
"""People call it so; nobody does; or it is another thing that people call so."""

HEAD = """\
# Zipf frequencies (log10 of occurrences in a billion words) of words in names of objects.
# Source: wordfreq {version} by Robyn Speer, https://github.com/rspeer/wordfreq: English, list best.
# Licence of this table: CC BY-SA 4.0, https://creativecommons.org/licenses/by-sa/4.0/
# wordfreq draws on Google Books Ngrams (http://books.google.com/ngrams), SUBTLEX, Wikipedia,
# ParaCrawl, OpenSubtitles (http://www.opensubtitles.org/), the Leeds Internet Corpus and others.
# 0: not in the list, whose least is 1. Made by: python -m docs.figures.vocabulary --measure
"""

_WORD = re.compile(r"[^\W\d_]+")
_AFTER_THE_HEAD = re.compile(r" (?:of|on|for|with|in|to|and) ")
_NUMBER = re.compile(r" \d+$")


class NamedKind(NamedTuple):
    """A name of a kind of thing in a domain."""

    name: str
    domain: str
    kind: str


class ReadName(NamedTuple):
    """A held-out name as one reader, a language model, judged it beside the ordinary names.

    Attributes:
        usual_meaning: Of a false friend: what else people, or ordinary names, call so.
    """

    name: str
    verdict: str
    usual_meaning: str


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name in lower case; a genitive counts as its noun."""
    return tuple(_WORD.findall(name.casefold().replace("'s", "")))


def head_of(name: str) -> str:
    """The head noun: the last word before a preposition."""
    return words_of(_AFTER_THE_HEAD.split(name)[0])[-1]


@cache
def ordinary_names() -> tuple[NamedKind, ...]:
    """Names of things in ordinary scenes."""
    return tuple(_names(lambda kind: kind.names))


@cache
def held_out_names() -> tuple[NamedKind, ...]:
    """Names of things in scenes with held-out vocabulary."""
    return tuple(_names(lambda kind: kind.held_out_names))


@cache
def former_names() -> tuple[NamedKind, ...]:
    """Those that version 1 of the generator has in their place."""
    return tuple(_names(lambda kind: kind.former_names or kind.held_out_names))


def _names(of: Callable[[ThingKind], Iterable[str]]) -> Iterator[NamedKind]:
    for domain in domain_names():
        for kind in load_domain(domain).parts.things.values():
            for name in of(kind):
                yield NamedKind(name, domain, kind.id)


@cache
def frequencies() -> Mapping[str, float]:
    """Zipf frequencies of words, as measured."""
    with FREQUENCIES.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {row["word"]: float(row["zipf"]) for row in rows}


@cache
def read_names() -> Mapping[str, ReadName]:
    """Held-out names as they were read, those of before among them."""
    with READ.open(encoding="utf-8", newline="") as file:
        return {row["name"]: ReadName(**row) for row in csv.DictReader(file)}


def is_rare(name: str) -> bool:
    """Whether any word of a name is below the bound."""
    return any(frequencies()[word] < LEAST_ZIPF for word in words_of(name))


def failing(names: Iterable[NamedKind]) -> Mapping[str, tuple[str, ...]]:
    """Held-out names with what is wrong with them: `rare`, `coined`, `false friend`."""
    found = {}
    for name in dict.fromkeys(each.name for each in names):
        verdict = read_names()[name].verdict
        faults = (*(["rare"] if is_rare(name) else []), *([verdict] if verdict != USUAL else []))
        if faults:
            found[name] = faults
    return found


def shared_heads() -> Mapping[str, tuple[str, ...]]:
    """Held-out names with the ordinary names of other kinds that have the same head noun."""
    ordinary: dict[str, list[NamedKind]] = defaultdict(list)
    for each in ordinary_names():
        ordinary[head_of(each.name)].append(each)
    found = {}
    for name, _, kind in held_out_names():
        others = [each.name for each in ordinary[head_of(name)] if each.kind != kind]
        if others:
            found[name] = tuple(dict.fromkeys(others))
    return found


def by_version() -> Table:
    """How many names fail, those of ordinary scenes for comparison."""
    rows: list[tuple[Cell, ...]] = []
    for version, names in ((1, former_names()), (2, held_out_names())):
        rows.append((f"held-out names of version {version}", *_counts(names)))
    ordinary = dict.fromkeys(each.name for each in ordinary_names())
    rare = sum(map(is_rare, ordinary))
    rows.append(
        ("ordinary names", len(ordinary), rare, None, None, None, share(rare, len(ordinary)))
    )
    head = ("", "names", "a rare word", "coined", "false friend", "any", "share")
    return Table("", head, spaced=True).with_rows(rows)


def _counts(names: Sequence[NamedKind]) -> tuple[Cell, ...]:
    found = failing(names).values()
    counts = (sum(word in each for each in found) for word in ("rare", COINED, FALSE_FRIEND))
    return (len(names), *counts, len(found), share(len(found), len(names)))


def in_suites(suites: Sequence[str]) -> Iterator[str]:
    """How many scenarios and objects of suites have names that fail, and how many tasks."""
    faults = failing((*former_names(), *held_out_names()))
    for suite in suites:
        scenarios = things = failed = scenes = tasks = 0
        for scenario in open_suite(suite):
            names = [_NUMBER.sub("", thing.name) for thing in scenario.scene.objects]
            found = sum(name in faults for name in names)
            scenarios, things, failed = scenarios + 1, things + len(names), failed + found
            scenes += found > 0
            tasks += any(name in faults for name in asked_about(scenario))
        yield (
            f"{suite}: {scenes:,} of {scenarios:,} scenarios, {failed:,} of {things:,} objects "
            f"({share(failed, things)}); {tasks:,} goals name one ({share(tasks, scenarios)})"
        )


def asked_about(scenario: Scenario) -> set[str]:
    """Names of the objects that a goal names, answers of its selectors included."""
    names = {thing.id: _NUMBER.sub("", thing.name) for thing in scenario.scene.objects}
    ids = {each.name for each in goal_references(scenario.task.goal)}
    ids |= set(scenario.task.answer.values())
    return {names[id_] for id_ in ids if id_ in names}


def measure() -> None:
    """Write the frequencies of all words anew."""
    try:
        wordfreq = import_module("wordfreq")
    except ModuleNotFoundError:
        sys.exit("error: `--measure` needs a library: pip install wordfreq==3.1.1")
    version = metadata.version("wordfreq")
    all_names = (*ordinary_names(), *former_names(), *held_out_names())
    names = {each.name for each in all_names}
    with FREQUENCIES.open("w", encoding="utf-8", newline="") as file:
        file.write(HEAD.format(version=version))
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("word", "zipf"))
        for word in sorted({word for name in names for word in words_of(name)}):
            rows.writerow((word, wordfreq.zipf_frequency(word, "en", wordlist="best")))


def main() -> None:
    """Print what was found, or write it."""
    parser = argparse.ArgumentParser(prog="python -m docs.figures.vocabulary")
    parser.add_argument("suites", metavar="SUITE", nargs="*", default=SUITES)
    parser.add_argument("--failing", action="store_true", help="list the names that fail")
    parser.add_argument("--measure", action="store_true", help="measure words with wordfreq")
    parser.add_argument("--page", action="store_true", help="write the table into the page")
    options = parser.parse_args()
    if options.measure:
        measure()
    elif options.page:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(updated(page, "held-out", table_text(by_version())), encoding="utf-8")
    elif options.failing:
        for name, faults in sorted(failing((*former_names(), *held_out_names())).items()):
            meaning = read_names()[name].usual_meaning
            sys.stdout.write(f"{name}: {', '.join(faults)}{f' ({meaning})' if meaning else ''}\n")
    else:
        sys.stdout.write(f"{table_text(by_version())}\n\n")
        heads = len(shared_heads())
        sys.stdout.write(f"{heads} have the head noun of an ordinary name of another kind\n")
        sys.stdout.writelines(f"{line}\n" for line in in_suites(options.suites))


if __name__ == "__main__":
    main()
