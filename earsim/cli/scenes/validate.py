"""`earsim validate`: everything that is wrong in scenes and scenarios."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from earsim.certificates.certifying import reprove_suite
from earsim.certificates.file import CertificateFile
from earsim.certificates.location import places_to_read
from earsim.certificates.validation import Checked, check_suite
from earsim.cli.boundary import Code
from earsim.cli.progress import watched
from earsim.cli.screen import Screen, examples, row, safe, table
from earsim.errors import FileError, Finding
from earsim.registry import Lazy
from earsim.schema.files.text import read_text
from earsim.suites import Suite
from earsim.suites.finding import find_suite

EXAMPLES = examples(
    "earsim validate my_scene.yaml",
    "earsim validate scenes/",
    "earsim validate eval-single --limit 50",
    "earsim validate my_scene.yaml --prove",
    "earsim validate starter --reprove",
    "earsim validate my_domain.yaml",
)

_SHOWN_STALE = 10

_DOMAIN_FILE = re.compile(r"^schema:\s*\S*domain", re.MULTILINE)
_PARSE_DOMAIN = Lazy("earsim_generators.catalogue:parse_domain")
_IMPLAUSIBLE = Lazy("earsim_generators.catalogue:implausible_things")


def command(
    what: Annotated[
        str, typer.Argument(metavar="PATH|SUITE", help="A file, a folder, a suite or a scenario.")
    ],
    category: Annotated[str | None, typer.Option(help="Only this category.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first so many.")] = None,
    reprove: Annotated[
        bool, typer.Option("--reprove", help="Also repeat every search that a certificate claims.")
    ] = False,
    prove: Annotated[
        bool, typer.Option("--prove", help="Search for a plan where nothing shows one.")
    ] = False,
    certificates: Annotated[
        Path | None, typer.Option(help="Folder that `earsim certify --out` was given.")
    ] = None,
) -> None:
    """Check scenarios: files, goals false at the start, plans that win; exit 1 if not.

    Every finding is one line, FILE:LINE: PLACE: REASON. Walkthroughs and certificates are played.
    Numbers are such as nature has, and things fit where they are; of generated scenes, they weigh
    what such things weigh. What may be meant is a warning, which leaves the exit code as it is:
    rooms that no agent can ever get to, states that no verb changes, a task without a solution
    shown. A domain file, from which scenarios are generated, is checked too.
    """
    screen = Screen()
    if _is_domain_file(Path(what)):
        _check_domain(screen, what)
        return
    found = find_suite(what)
    suite = found.suite
    files = [CertificateFile(path) for path in places_to_read(suite, found.source, certificates)]
    suite = suite.select(category=category, limit=limit)
    try:
        total = len(suite)
    except FileError:  # the check itself says what is wrong
        total = 1
    if not total and Path(what).is_dir():
        raise FileError(what, [Finding(what, "", "no scenarios", "expected scene files")])
    wrong = 0
    warned = 0
    replayed: list[int] = []
    repairs: Counter[str] = Counter()
    repaired = 0
    certified = 0
    stale: list[Checked] = []
    unplayed: Counter[str] = Counter()
    implausible: Any = _IMPLAUSIBLE.load()
    told = set[Finding]()
    found_out = check_suite(suite, files, implausible=implausible, prove=prove)
    for checked in watched(found_out, total, "checking"):
        _tell_findings(screen, checked, told)
        wrong += bool(checked.findings)
        warned += bool(checked.warnings)
        repaired += bool(checked.repairs)
        repairs.update(repair.kind.value for repair in checked.repairs)
        certified += checked.certified
        if checked.stale:
            stale.append(checked)
        unplayed[checked.unplayed] += 1
        if checked.decisions is not None:
            replayed.append(checked.decisions)
    _tell_repairs(screen, repairs, repaired)
    _tell_summary(screen, total, wrong, warned, len(replayed))
    _tell_unplayed(screen, unplayed)
    _tell_certificates(screen, certified, stale)
    if reprove:
        wrong += _reprove(screen, suite, files)
    if wrong:
        raise typer.Exit(Code.NO)


def _is_domain_file(path: Path) -> bool:
    is_yaml = path.suffix in (".yaml", ".yml") and path.is_file()
    return is_yaml and _DOMAIN_FILE.search(read_text(path)) is not None


def _check_domain(screen: Screen, path: str) -> None:
    """Check a file that scenes are made from; it is the generators that know what is right."""
    parse_domain: Any = _PARSE_DOMAIN.load()
    try:
        domain = parse_domain(read_text(path), source=path)
    except FileError as error:
        for finding in error.findings:
            screen.say(safe(str(finding)))
        screen.say("1 domain checked: 0 sound, 1 with findings.")
        raise typer.Exit(Code.NO) from None
    screen.say(
        f"1 domain checked: 1 sound, 0 with findings; {len(domain.rooms)} types of rooms, "
        f"{len(domain.furniture)} kinds of furniture, {len(domain.items)} kinds of items."
    )


def _tell_findings(screen: Screen, checked: Checked, told: set[Finding]) -> None:
    """Each once: tasks of one scene share what is wrong in it."""
    for finding in checked.findings:
        if finding not in told:
            screen.say(safe(str(finding)))
    for warning in checked.warnings:
        if warning not in told:
            screen.say("warning: ", safe(str(warning)))
    told.update(checked.findings, checked.warnings)


def _tell_repairs(screen: Screen, repairs: Counter[str], scenarios: int) -> None:
    if not repairs:
        return
    shown = table("repaired on import", "times", numbers=("times",))
    for kind, count in repairs.most_common():
        row(shown, kind, f"{count:,}")
    row(shown, f"in {scenarios:,} scenarios", f"{repairs.total():,}", style="bold")
    screen.print(shown)


def _tell_summary(screen: Screen, total: int, wrong: int, warned: int, replayed: int) -> None:
    screen.say(
        f"{total:,} checked: {total - wrong:,} sound, {wrong:,} with findings; "
        f"{replayed:,} walkthroughs replayed."
    )
    if warned:
        screen.say(f"{warned:,} with warnings, which may be meant.")


def _tell_unplayed(screen: Screen, unplayed: Counter[str]) -> None:
    for why, count in unplayed.items():
        if why:
            screen.say(safe(f"{count:,} not played, which is no fault of theirs: {why}"))


def _tell_certificates(screen: Screen, certified: int, stale: list[Checked]) -> None:
    for checked in screen.first(stale, _SHOWN_STALE):
        screen.say("stale certificate: ", safe(f"{checked.id}: {checked.stale}"))
    if certified or stale:
        renew = "; `earsim certify` renews them" if stale else ""
        screen.say(f"{certified:,} certificates replayed, {len(stale):,} stale{renew}.")


def _reprove(screen: Screen, suite: Suite, files: list[CertificateFile]) -> int:
    """Repeat all claims; how many could not be confirmed."""
    unconfirmed = 0
    for one in watched(reprove_suite(suite, files), len(suite), "proving again"):
        unconfirmed += bool(one.problem or one.differs)
        if one.differs:
            screen.say(safe(f"{one.id}: proved again, and different: {', '.join(one.differs)}"))
        elif one.problem:
            screen.say(safe(f"{one.id}: not proved again: {one.problem}"))
    screen.say(f"{len(suite) - unconfirmed:,} certificates proved again, {unconfirmed:,} not.")
    return unconfirmed
