"""Prompt files: front matter that declares its inputs, then Jinja templates.

The front matter is YAML between two lines ``---``: `id`, `version`, and for each block the inputs
that it uses. Then come the blocks, each after a line ``--- NAME``. Templates run in a sandbox and
see nothing but the declared inputs; text of scenes and models comes in as values and is never a
template itself.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import Field

from earsim.errors import FileError, Finding, MissingExtra, did_you_mean, near_misses
from earsim.schema.files.load import validated
from earsim.schema.files.text import read_text
from earsim.schema.files.yaml_text import parse_yaml
from earsim.schema.model import FileModel

if TYPE_CHECKING:
    import jinja2

_BLOCK = re.compile(r"^--- (\w+)\n", re.MULTILINE)
_FRONT = re.compile(r"---\n(.*?)^---\n", re.DOTALL | re.MULTILINE)


class _PromptHeader(FileModel):
    id: str = Field(pattern=r"^[\w-]+$", max_length=80)
    version: int = Field(ge=1)
    description: str = ""
    blocks: dict[str, tuple[str, ...]]


class PromptFile(NamedTuple):
    """A prompt that was loaded and checked.

    Attributes:
        name: ``id@version:hash``, which changes with every change of the file.
    """

    name: str
    inputs: Mapping[str, tuple[str, ...]]
    templates: Mapping[str, jinja2.Template]

    @classmethod
    def load(cls, path: Path, offered: Mapping[str, frozenset[str]]) -> PromptFile:
        """Read and check a file.

        Args:
            path: the file.
            offered: the blocks that it must have, each with the inputs on offer to it.

        Raises:
            FileError: It has not exactly these blocks, or a block uses what it does not
                declare, declares what it does not use, or is no template.
            MissingExtra: Jinja is not installed.
        """
        text = read_text(path)
        front, blocks = _parts(str(path), text)
        problems = list(_misfits(front, blocks, offered))
        if problems:
            raise _unusable(path, *problems)
        templates = {}
        for block, source in blocks.items():
            templates[block] = _compiled(path, block, source, set(front.blocks[block]))
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        return cls(f"{front.id}@{front.version}:{digest}", front.blocks, templates)

    def render(self, block: str, inputs: Mapping[str, Any]) -> str:
        """The text of a block; of the inputs on offer it sees those it declared."""
        chosen = {name: inputs[name] for name in self.inputs[block]}
        return self.templates[block].render(chosen).strip()


def _parts(source: str, text: str) -> tuple[_PromptHeader, dict[str, str]]:
    match = _FRONT.match(text)
    if match is None:
        raise FileError(source, [Finding(source, "", "no front matter", "--- before and after it")])
    front = validated(parse_yaml(match[1], source), _PromptHeader)
    _, *rest = _BLOCK.split("\n" + text[match.end() :])
    return front, dict(zip(rest[::2], rest[1::2], strict=True))


def _misfits(
    front: _PromptHeader, blocks: Mapping[str, str], offered: Mapping[str, frozenset[str]]
) -> list[tuple[str, str]]:
    found = []
    for block in sorted({*front.blocks, *blocks, *offered}):
        if block not in offered:
            found.append((block, "this style has no such block"))
        elif block not in blocks or block not in front.blocks:
            found.append((block, "the block or its declaration is missing"))
        else:
            for name in front.blocks[block]:
                if name not in offered[block]:
                    near = did_you_mean(near_misses(name, offered[block]))
                    found.append((block, f"there is no input {name!r} for it; {near}".rstrip("; ")))
    return found


def _compiled(path: Path, block: str, source: str, declared: set[str]) -> jinja2.Template:
    try:
        import jinja2
        import jinja2.meta
        import jinja2.sandbox
    except ImportError as error:
        raise MissingExtra("jinja2", "llm") from error
    environment = jinja2.sandbox.ImmutableSandboxedEnvironment(
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
    try:
        used = jinja2.meta.find_undeclared_variables(environment.parse(source))
        template = environment.from_string(source)
    except jinja2.TemplateSyntaxError as error:
        raise _unusable(path, (block, f"no template: {error.message}")) from None
    odd = [(block, f"uses {name!r}, which it does not declare") for name in sorted(used - declared)]
    odd += [(block, f"declares {name!r} and never uses it") for name in sorted(declared - used)]
    if odd:
        raise _unusable(path, *odd)
    return template


def _unusable(path: Path, *problems: tuple[str, str]) -> FileError:
    source = str(path)
    return FileError(source, [Finding(source, place, reason) for place, reason in problems])
