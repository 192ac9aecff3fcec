"""Chromium without a window, driven over its DevTools protocol: what a page shows and does."""

import asyncio
import base64
import itertools
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)

_FLAGS = ("--headless=new", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
          "--disable-background-networking", "--disable-component-update", "--disable-sync",
          "--window-size=1400,900", "--remote-debugging-port=0")  # fmt: skip
_PATIENCE_S = 60.0


class ProtocolError(Exception):
    """The browser does not carry out a command."""


class Browser:
    """One page.

    Attributes:
        problems: uncaught errors, lines on the console, content that was refused, dialogs.
        asked: every URL that was requested.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, socket: Any) -> None:
        self._loop = loop
        self._socket = socket
        self._numbers = itertools.count(1)
        self.problems: list[str] = []
        self.asked: list[str] = []

    def send(self, method: str, **params: Any) -> Any:
        """A command of the protocol, and its answer; what comes before it is noted."""
        return self._loop.run_until_complete(self._send(method, params))

    async def _send(self, method: str, params: dict[str, Any]) -> Any:
        number = next(self._numbers)
        await self._socket.send_json({"id": number, "method": method, "params": params})
        while True:
            message = await asyncio.wait_for(self._socket.receive_json(), _PATIENCE_S)
            if message.get("id") == number:
                if "error" in message:
                    raise ProtocolError(message["error"])
                return message["result"]
            self._note(message.get("method"), message.get("params", {}))

    def _note(self, method: str, params: dict[str, Any]) -> None:
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.problems.append(str(details.get("exception", {}).get("description", details)))
        elif method == "Log.entryAdded":
            self.problems.append(params["entry"]["text"])
        elif method == "Runtime.consoleAPICalled":
            self.problems.append(f"a line of the console: {params['args']}")
        elif method == "Page.javascriptDialogOpening":
            self.problems.append(f"a dialog: {params['message']}")
        elif method == "Network.requestWillBeSent":
            self.asked.append(params["request"]["url"])

    def open(self, url: str) -> None:
        """Go to a page and wait for its list."""
        self.send("Page.navigate", url="about:blank")
        self.send("Page.navigate", url=url)
        self.wait("document.querySelectorAll('.row').length > 0")

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        found = self.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def wait(self, condition: str) -> None:
        """Until an expression is true in the page."""
        end = time.monotonic() + _PATIENCE_S
        while not self._is_true(condition):
            assert time.monotonic() < end, f"never: {condition}; {self.problems}"
            time.sleep(0.05)

    def _is_true(self, condition: str) -> bool:
        try:
            return bool(self.run(f"Boolean({condition})"))
        except ProtocolError:  # asked while one page goes and another comes
            return False

    def text(self, selector: str) -> str:
        """What is to be read in an element; empty where there is none."""
        query = f"document.querySelector({json.dumps(selector)})"
        return str(self.run(f"({query} || {{innerText: ''}}).innerText"))

    def texts(self, selector: str) -> list[str]:
        """What is to be read in each of some elements."""
        query = f"document.querySelectorAll({json.dumps(selector)})"
        return list(self.run(f"[...{query}].map((node) => node.innerText)"))

    def press(self, *keys: str) -> None:
        """Strike keys, one after the other."""
        for key in keys:
            letter = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
            code = {"Enter": 13, "Tab": 9, "Escape": 27}.get(key, 0)
            about = {"key": key, "windowsVirtualKeyCode": code, **letter}
            self.send("Input.dispatchKeyEvent", type="keyDown", **about)
            self.send("Input.dispatchKeyEvent", type="keyUp", key=key)

    def picture(self, path: Path) -> None:
        """A screenshot."""
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot")["data"]))


@contextmanager
def chromium(home: Path) -> Iterator[Browser]:
    """A browser with a fresh profile; ended at the end."""
    assert CHROMIUM is not None, "whoever asks has looked"
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    command = [CHROMIUM, *_FLAGS, *root, f"--user-data-dir={home}", "about:blank"]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, stdout=quiet, stderr=quiet)
    loop = asyncio.new_event_loop()
    try:
        session, socket = loop.run_until_complete(_connect(home / "DevToolsActivePort"))
        browser = Browser(loop, socket)
        for domain in ("Page", "Runtime", "Log", "Network"):
            browser.send(f"{domain}.enable")
        yield browser
        loop.run_until_complete(socket.close())
        loop.run_until_complete(session.close())
    finally:
        process.terminate()
        process.wait(30)
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()


async def _connect(port_file: Path) -> Any:
    import aiohttp

    end = time.monotonic() + _PATIENCE_S
    while not (port_file.exists() and port_file.read_text().strip()):
        assert time.monotonic() < end, "the browser never came up"
        await asyncio.sleep(0.1)
    port = port_file.read_text().split()[0]
    session = aiohttp.ClientSession()
    async with session.get(f"http://127.0.0.1:{port}/json/list") as answer:
        pages = [each for each in await answer.json() if each["type"] == "page"]
    socket = await session.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=0)
    return session, socket
