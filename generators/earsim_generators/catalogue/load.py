"""Loading domains: those that come with the package by name, others by their path."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pydantic import ValidationError

from earsim.errors import FileError, Finding, UnknownName
from earsim.schema.files.document import Document
from earsim.schema.files.findings import findings_of
from earsim.schema.files.load import validated
from earsim.schema.files.text import read_text
from earsim.schema.files.yaml_text import parse_yaml
from earsim.schema.model import raise_problems
from earsim_generators.catalogue.checks.references import domain_problems
from earsim_generators.catalogue.domain import Domain
from earsim_generators.catalogue.parts import DomainParts

_FOLDER = Path(__file__).with_name("domains")


@cache
def domain_names() -> tuple[str, ...]:
    """Names of the domains that come with the package, in alphabetical order."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.yaml")))


def load_domain(name_or_path: str | Path) -> Domain:
    """A domain by the name of one that comes with the package, or by the path of its file.

    Raises:
        UnknownName: It is neither.
        FileError: With everything that is wrong in the file.
    """
    if isinstance(name_or_path, str) and name_or_path in domain_names():
        return _shipped(name_or_path)
    path = Path(name_or_path)
    if path.suffix not in (".yaml", ".yml"):
        raise UnknownName("domain", str(name_or_path), domain_names())
    return parse_domain(read_text(path), source=str(path))


def parse_domain(text: str, *, source: str = "<text>") -> Domain:
    """Reads a domain from the text of its file.

    Raises:
        FileError: With everything that is wrong in it.
    """
    document = parse_yaml(text, source)
    try:
        return validated(document, Domain)
    except FileError as error:
        findings = [*error.findings, *_further_findings(document)]
    findings.sort(key=lambda finding: finding.line or 0)
    raise FileError(source, list(dict.fromkeys(findings)))


def _further_findings(document: Document) -> list[Finding]:
    """What is wrong between the parts of a file some of which cannot be read."""
    if not isinstance(document.value, dict):
        return []
    try:
        raise_problems("Domain", domain_problems(DomainParts.salvaged(document.value)))
    except ValidationError as error:
        return findings_of(error, document, Domain)
    return []


@cache
def _shipped(name: str) -> Domain:
    path = _FOLDER / f"{name}.yaml"
    return parse_domain(path.read_text(encoding="utf-8"), source=str(path))
