"""How the game looks: panels and colours in a terminal, plain lines in a pipe."""

from __future__ import annotations

from collections.abc import Iterable

from rich.panel import Panel

from earsim.cli.screen import Screen, line, safe
from earsim.play.said import Kind, Said

_STYLES = {
    Kind.STORY: "",
    Kind.DONE: "green",
    Kind.REFUSED: "bold red",
    Kind.HINT: "dim",
    Kind.DOUBT: "yellow",
}
_BORDERS = {Kind.PANEL: "blue", Kind.WON: "bold green", Kind.LOST: "bold red"}
_MARKS = {Kind.REFUSED: "refused: ", Kind.DOUBT: "? "}
_WIDEST = 110


class PlayScreen:
    """Shows what the game says; nothing in it is taken for markup."""

    def __init__(self) -> None:
        self._screen = Screen()

    def tell(self, said: Iterable[Said]) -> None:
        """Show pieces of text, one below the other."""
        for piece in said:
            if piece.kind not in _BORDERS:
                mark = _MARKS.get(piece.kind, "")
                self._screen.print(safe(f"{mark}{piece.text}", _STYLES[piece.kind]))
            elif self._screen.is_terminal:
                self._screen.print(self._panel(piece))
            else:
                self._screen.say(safe(f"== {piece.title} =="))
                self._screen.say(safe(piece.text))

    def note(self, text: str) -> None:
        """A remark of the command itself."""
        self._screen.say(safe(text, "dim"))

    def blank(self) -> None:
        """End the line on which the cursor was left."""
        self._screen.say()

    def _panel(self, piece: Said) -> Panel:
        return Panel(
            safe(piece.text),
            title=line(piece.title, "bold"),
            title_align="left",
            border_style=_BORDERS[piece.kind],
            width=min(self._screen.width, _WIDEST),
        )
