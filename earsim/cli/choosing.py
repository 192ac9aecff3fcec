"""Options that take several words of a few; for one word, typer takes the `Literal` itself."""

from __future__ import annotations

from typing import Any, get_args

import typer


def several_of(choices: Any, *, help: str) -> Any:
    """A repeatable option, annotated as `list[str]`.

    Args:
        choices: the `Literal` whose words it takes.
        help: what it says of itself.
    """
    words: tuple[str, ...] = get_args(choices)

    def read(value: str) -> str:
        if value not in words:
            raise typer.BadParameter(f"{value!r} is not one of {', '.join(map(repr, words))}.")
        return value

    def begun(incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete)]

    return typer.Option(
        parser=read, metavar=f"<{'|'.join(words)}>", autocompletion=begun, help=help
    )
