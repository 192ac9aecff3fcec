"""Metrics of a run: a file, a progress line per log, and a limit of time."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from transformers import TrainerCallback

METRICS = "metrics.jsonl"


class MetricsCallback(TrainerCallback):
    """Logs what the trainer reports to a file, and stops training when its time is up.

    Every line of the file has `step`, `epoch`, `seconds` since the start (of all goes together),
    and what the trainer measured.
    """

    def __init__(
        self, folder: Path, tell: Callable[[str], None], *, minutes: float | None = None
    ) -> None:
        """Start the clock.

        Args:
            folder: where the file goes; one that is there is continued.
            tell: shows a line to whoever waits.
            minutes: after which the run ends.
        """
        self._path = folder / METRICS
        self._tell = tell
        self._minutes = minutes
        self._earlier_s = _earlier_seconds(self._path)
        self._started = time.perf_counter()

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **more: Any) -> None:
        """Note what was measured."""
        numbers = {key: _rounded(value) for key, value in self.measured(logs or {}).items()}
        seconds = self._earlier_s + time.perf_counter() - self._started
        line = {"step": state.global_step, "seconds": round(seconds, 1), **numbers}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        if "loss" in line:
            self._tell(self.told(line, state.max_steps))

    def measured(self, logs: dict[str, Any]) -> dict[str, Any]:
        """What is noted of what the trainer measured."""
        return logs

    def told(self, line: dict[str, Any], steps: int) -> str:
        """A line of the file as a progress line."""
        right = line.get("mean_token_accuracy")
        told = f"step {line['step']:,}/{steps:,}, loss {line['loss']:.4f}"
        told += "" if right is None else f", tokens right {100 * right:.1f} %"
        told += f", rate {line['learning_rate']:.2g}" if "learning_rate" in line else ""
        tokens, seconds = line.get("num_tokens"), line["seconds"]
        told += f", {tokens / max(seconds, 1e-9):,.0f} tokens/s" if tokens else ""
        return f"{told}, {seconds / 60:.1f} min"

    def on_step_end(self, args: Any, state: Any, control: Any, **more: Any) -> None:
        """See whether the time is up."""
        spent = time.perf_counter() - self._started
        if self._minutes is not None and spent > 60 * self._minutes:
            control.should_training_stop = True


def _rounded(value: Any) -> Any:
    return round(value, 6) if isinstance(value, float) else value


def _earlier_seconds(path: Path) -> float:
    """What earlier goes took, by the last line that is whole."""
    if not path.is_file():
        return 0.0
    for line in reversed(path.read_text(encoding="utf-8").splitlines()):
        try:
            return float(json.loads(line)["seconds"])
        except (ValueError, KeyError, TypeError):
            continue
    return 0.0
