"""Where lines come from: prompt_toolkit, else readline, in a terminal; plain lines in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from earsim.ids import printable

if TYPE_CHECKING:
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document

Ask = Callable[[str], str]
"""Shows a prompt and returns the next line; EOFError when there is none.

Ctrl-C throws away what was typed of a line; on an empty line it raises KeyboardInterrupt.
"""

Complete = Callable[[str], list[str]]
"""What may stand where the last word of a line is being typed; it may be several words."""

_DELIMITERS = " \t\n"


def open_prompt(complete: Complete) -> Ask:
    """The best prompt that this machine and this input allow."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return _from_pipe
    try:
        return _from_toolkit(complete)
    except ImportError:  # the extra `play` is not installed
        return _from_readline(complete)


def _from_pipe(prompt: str) -> str:
    """A line of a script, shown behind its prompt as if it had been typed."""
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    print(f"{printable(prompt)}{printable(line.rstrip())}")
    return line


def _from_toolkit(complete: Complete) -> Ask:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    keys = KeyBindings()

    @keys.add("c-c")
    def clear(event: KeyPressEvent) -> None:
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            event.app.exit(exception=KeyboardInterrupt, style="class:aborting")

    session: PromptSession[str] = PromptSession(
        completer=_completer(complete), complete_while_typing=False, key_bindings=keys
    )
    return lambda prompt: session.prompt(printable(prompt))


def _completer(complete: Complete) -> Completer:
    """Completes the word before the cursor, with a blank behind it."""
    from prompt_toolkit.completion import Completer, Completion

    class Words(Completer):
        def get_completions(
            self, document: Document, complete_event: CompleteEvent
        ) -> Iterator[Completion]:
            before = document.text_before_cursor
            typed = before.rpartition(" ")[2]
            for word in complete(before):
                yield Completion(f"{word} ", start_position=-len(typed), display=word)

    return Words()


def _from_readline(complete: Complete) -> Ask:
    try:
        import readline
    except ImportError:  # Windows
        return lambda prompt: input(printable(prompt))

    def word(typed: str, index: int) -> str | None:
        before = readline.get_line_buffer()[: readline.get_endidx()]
        found = complete(before)
        return f"{found[index]} " if index < len(found) else None

    readline.set_completer_delims(_DELIMITERS)
    readline.set_completer(word)
    readline.parse_and_bind("tab: complete")
    readline.parse_and_bind("set completion-ignore-case on")

    def ask(prompt: str) -> str:
        while True:
            try:
                return input(printable(prompt))
            except KeyboardInterrupt:
                if not readline.get_line_buffer():
                    raise
                print()

    return ask
