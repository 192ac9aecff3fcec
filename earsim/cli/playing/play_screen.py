"""How the game looks: panels and colours in a terminal, plain lines in a pipe."""

from __future__ import annotations

from collections.abc import Iterable

from rich.panel import Panel

from earsim.cli.screen import Screen, line, safe
from earsim.play.said import Said, TextKind

_STYLES = {
    TextKind.STORY: "",
    TextKind.DONE: "green",
    TextKind.REFUSED: "bold red",
    TextKind.HINT: "dim",
    TextKind.DOUBT: "yellow",
}
_BORDERS = {TextKind.PANEL: "blue", TextKind.WON: "bold green", TextKind.LOST: "bold red"}
_MARKS = {TextKind.REFUSED: "refused: ", TextKind.DOUBT: "? "}
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
