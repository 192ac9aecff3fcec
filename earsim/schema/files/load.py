"""Loading files: scenes with their tasks, and scenarios. A bad file yields all its findings."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from earsim.errors import FileError, Finding, did_you_mean, near_misses
from earsim.schema.files.document import Document
from earsim.schema.files.findings import findings_of, show_value
from earsim.schema.files.json_text import find_lines, parse_json
from earsim.schema.files.salvage import reference_errors
from earsim.schema.files.sidecar import sidecar_texts, with_files
from earsim.schema.files.text import MAX_BYTES, read_text
from earsim.schema.files.yaml_text import parse_yaml
from earsim.schema.scenario import SCENARIO_SCHEMA, Scenario, SceneFile
from earsim.schema.scene import SCENE_SCHEMA, LatestScene, Scene

M = TypeVar("M", bound=BaseModel)

SUFFIXES = (".yaml", ".yml", ".json")
"""Endings of files that hold one scene or scenario."""

_MODELS: dict[str, type[SceneFile] | type[Scenario]] = {
    SCENE_SCHEMA: SceneFile,
    SCENARIO_SCHEMA: Scenario,
}


def load_file(path: str | Path, *, max_bytes: int = MAX_BYTES) -> SceneFile | Scenario:
    """Loads a scene or scenario file; its ``schema`` key says which it is.

    Raises:
        FileError: With everything that is wrong in the file.
    """
    return parse_file(path, read_text(path, max_bytes=max_bytes))


def parse_file(path: str | Path, text: str) -> SceneFile | Scenario:
    """Reads what was found in a scene or scenario file.

    Raises:
        FileError: With everything that is wrong in it.
    """
    is_json, folder = Path(path).suffix == ".json", Path(path).parent
    return parse(text, source=str(path), is_json=is_json, folder=folder)


def load_scene(path: str | Path) -> Scene:
    """Loads the scene of a scene file, without its tasks.

    Raises:
        FileError: With everything that is wrong in the file, tasks included.
    """
    loaded = load_file(path)
    return loaded.scene


def load_scenarios(path: str | Path) -> tuple[Scenario, ...]:
    """Loads all scenarios of a file: one per task of a scene file, or the one it is.

    Raises:
        FileError: With everything that is wrong in the file.
    """
    return scenarios_of(load_file(path))


def scenarios_of(loaded: SceneFile | Scenario) -> tuple[Scenario, ...]:
    """One scenario per task of a scene file, or the one that was loaded."""
    return (loaded,) if isinstance(loaded, Scenario) else loaded.scenarios()


def parse(
    text: str,
    *,
    source: str = "<text>",
    is_json: bool = False,
    latest: LatestScene | None = None,
    folder: Path | None = None,
) -> SceneFile | Scenario:
    """Reads a scene or scenario from text.

    Args:
        text: All of it.
        source: What errors call it.
        is_json: It is JSON, not YAML.
        latest: Where many scenarios are read in a row; one scene that follows itself is read once.
        folder: Where it lies, with the files that it names beside it; None where it may name none.

    Raises:
        FileError: With everything that is wrong in it.
    """
    sidecars = sidecar_texts(folder, text)
    if latest is not None:
        return _parsed(text, source, is_json, folder, latest=latest)
    if sidecars or len(text) > _SMALL:
        return _parsed(text, source, is_json, folder)
    return _parsed_once(text, source, is_json, folder)


def _parsed(
    text: str,
    source: str,
    is_json: bool,
    folder: Path | None = None,
    *,
    latest: LatestScene | None = None,
) -> SceneFile | Scenario:
    document = parse_json(text, source) if is_json else parse_yaml(text, source)
    if folder is not None:
        document = with_files(document, folder)
    try:
        model = _model_of(document)
        return validated(document, model, latest)
    except FileError:
        if not is_json:
            raise
    # Only now, because it takes longer than the reading itself: say on which lines.
    lines = find_lines(text, source)
    return validated(
        Document(source, document.value, lines, document.findings), _model_of(document)
    )


_SMALL = 200_000
"""Length of the longest text whose model is kept."""

# Environments and suites open the same few files again and again. The key is the text, so a file
# that has changed is parsed anew; the models are frozen, so they can be shared.
_parsed_once = lru_cache(maxsize=32)(_parsed)


def validated(document: Document, model: type[M], latest: LatestScene | None = None) -> M:
    """The document as a model; see `parse`.

    Raises:
        FileError: With everything that is wrong in it.
    """
    findings = list(document.findings)
    try:
        result = model.model_validate(document.value, context=latest, by_alias=True, by_name=False)
    except ValidationError as error:
        findings += findings_of(error, document, model)
        rest = reference_errors(document.value, model)
        if rest is not None:
            findings += findings_of(rest, document, model)
    else:
        if not findings:
            return result
    findings.sort(key=lambda finding: finding.line or 0)
    raise FileError(document.source, list(dict.fromkeys(findings)))


def load_json(path: str | Path, model: type[M]) -> M:
    """Loads a JSON file of one kind, with lines in its findings.

    Raises:
        FileError: With everything that is wrong in the file.
    """
    source = str(path)
    text = read_text(path)
    document = parse_json(text, source)
    try:
        return validated(document, model)
    except FileError:
        lines = find_lines(text, source)  # only now: it takes longer than the reading itself
    return validated(Document(source, document.value, lines, document.findings), model)


def _model_of(document: Document) -> type[SceneFile] | type[Scenario]:
    value, source = document.value, document.source
    if value is None:
        raise FileError(source, [Finding(source, "", "the file is empty")])
    if not isinstance(value, Mapping):
        finding = Finding(source, "", show_value(value), "expected a dictionary", document.line(()))
        raise FileError(source, [finding])
    name = value.get("schema")
    if isinstance(name, str) and name in _MODELS:
        return _MODELS[name]
    raise FileError(source, [*document.findings, _bad_schema(name, document)])


def _bad_schema(name: Any, document: Document) -> Finding:
    known = ", ".join(_MODELS)
    if name is None:
        reason, expected = "missing", f"expected one of: {known}"
    else:
        near = near_misses(str(name), _MODELS)
        reason, expected = show_value(name), did_you_mean(near) or f"expected one of: {known}"
    return Finding(document.source, "schema", reason, expected, document.line(("schema",)))
