"""A prompt file of the generator: front matter that declares inputs, then blocks of Jinja.

The form is that of the policies' prompts (`earsim_agents.prompts.prompt_file`), whose blocks are
those of a conversation in the world and no others.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import Field

from earsim.errors import FileError, Finding, MissingExtra
from earsim.schema.files.load import validated
from earsim.schema.files.text import read_text
from earsim.schema.files.yaml_text import parse_yaml
from earsim.schema.model import FileModel

if TYPE_CHECKING:
    import jinja2

_FRONT = re.compile(r"---\n(.*?)^---\n", re.DOTALL | re.MULTILINE)
_BLOCK = re.compile(r"^--- (\w+)\n", re.MULTILINE)


class _StagePromptHeader(FileModel):
    id: str = Field(pattern=r"^[\w-]+$", max_length=80)
    version: int = Field(ge=1)
    description: str = ""
    blocks: dict[str, tuple[str, ...]]


class StagePrompt(NamedTuple):
    """A prompt that was loaded and checked.

    Attributes:
        name: ``id@version:hash``, which changes with every change of the file.
        inputs: what each block uses.
    """

    name: str
    inputs: Mapping[str, tuple[str, ...]]
    templates: Mapping[str, jinja2.Template]

    @classmethod
    def load(cls, path: Path, offered: Mapping[str, frozenset[str]]) -> StagePrompt:
        """Read a file that has exactly the blocks of `offered`, each with inputs out of those.

        Raises:
            FileError: It has others, or uses what it does not declare.
            MissingExtra: Jinja is not installed.
        """
        source, text = str(path), read_text(path)
        match = _FRONT.match(text)
        if match is None:
            raise _unusable(source, "", "no front matter")
        front = validated(parse_yaml(match[1], source), _StagePromptHeader)
        _, *rest = _BLOCK.split("\n" + text[match.end() :])
        blocks = dict(zip(rest[::2], rest[1::2], strict=True))
        if not (blocks.keys() == front.blocks.keys() == offered.keys()):
            raise _unusable(source, "blocks", f"expected {', '.join(offered)}, declared and there")
        for block, names in front.blocks.items():
            if extra := sorted(set(names) - offered[block]):
                raise _unusable(source, block, f"there is no input {extra[0]!r} for it")
        templates = {
            block: _compiled(source, block, body, set(front.blocks[block]))
            for block, body in blocks.items()
        }
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        return cls(f"{front.id}@{front.version}:{digest}", front.blocks, templates)

    def render(self, block: str, inputs: Mapping[str, Any]) -> str:
        """The text of a block; values of inputs are never taken for templates."""
        chosen = {name: inputs[name] for name in self.inputs[block]}
        return self.templates[block].render(chosen).strip()


def _compiled(source: str, block: str, body: str, declared: set[str]) -> jinja2.Template:
    try:
        import jinja2
        import jinja2.meta
        import jinja2.sandbox
    except ImportError as error:
        raise MissingExtra("jinja2", "llm") from error
    environment = jinja2.sandbox.ImmutableSandboxedEnvironment(
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    used = jinja2.meta.find_undeclared_variables(environment.parse(body))
    if used != declared:
        raise _unusable(source, block, f"uses {sorted(used)} and declares {sorted(declared)}")
    return environment.from_string(body)


def _unusable(source: str, place: str, reason: str) -> FileError:
    return FileError(source, [Finding(source, place, reason)])
