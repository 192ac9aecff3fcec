"""What was published about EAR-Bench, as facts to set beside a run (OmniEAR, arXiv 2508.05614).

The rules are the same; prompts and sentences are ours. So these rows are context for a number of
ours, never a baseline of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from earsim.schema import Category

SOURCE = "published"

COLUMNS: Mapping[Category, str] = {
    Category.DIRECT_COMMAND: "direct",
    Category.TOOL_USE: "tool use",
    Category.ATTRIBUTE_REASONING: "attribute",
    Category.COMPOUND_REASONING: "compound reas.",
    Category.EXPLICIT_COLLABORATION: "explicit",
    Category.IMPLICIT_COLLABORATION: "implicit",
    Category.COMPOUND_COLLABORATION: "compound coll.",
}
"""The columns of Table 1 in its order, with their short heads."""


class PublishedScore(NamedTuple):
    """One cell of Table 1.

    Attributes:
        success: success rate in percent.
        steps: mean steps on success.
    """

    success: float
    steps: float


def _row(*cells: tuple[float, float]) -> Mapping[Category, PublishedScore]:
    return {category: PublishedScore(*cell) for category, cell in zip(COLUMNS, cells, strict=True)}


TABLE_1: Mapping[str, Mapping[Category, PublishedScore]] = {
    "GPT-4o": _row(
        (96.6, 12.9), (80.0, 13.6), (77.8, 12.3), (69.2, 14.5),
        (90.0, 13.9), (77.5, 14.4), (32.0, 22.9),
    ),
    "Gemini-2.5-Flash": _row(
        (90.5, 11.0), (82.3, 16.5), (56.3, 17.5), (59.4, 20.0),
        (88.5, 8.4), (85.5, 7.1), (40.5, 16.2),
    ),
    "Deepseek-R1": _row(
        (94.1, 10.3), (85.8, 14.1), (41.9, 12.2), (70.6, 16.2),
        (92.0, 7.4), (84.5, 9.6), (48.5, 12.5),
    ),
    "QwQ-32B": _row(
        (85.2, 10.3), (73.4, 13.0), (44.9, 11.0), (54.1, 13.6),
        (88.0, 8.5), (84.0, 8.3), (36.5, 19.0),
    ),
    "Deepseek-V3": _row(
        (91.1, 11.2), (82.3, 15.1), (56.3, 10.3), (67.1, 16.0),
        (82.0, 9.4), (63.0, 9.7), (36.0, 20.2),
    ),
    "Qwen2.5-72B": _row(
        (89.7, 14.7), (56.4, 21.7), (57.4, 17.2), (66.7, 21.1),
        (56.0, 24.1), (65.4, 15.6), (28.6, 29.5),
    ),
    "Llama3.1-8B": _row(
        (24.9, 34.4), (8.3, 34.6), (9.9, 34.8), (12.4, 34.3),
        (4.0, 3.5), (1.5, 2.1), (0.0, 3.4),
    ),
    "Qwen2.5-7B": _row(
        (40.2, 24.1), (15.4, 31.7), (22.2, 26.6), (16.5, 30.5),
        (38.5, 25.0), (13.5, 24.1), (1.0, 27.2),
    ),
    "Qwen2.5-3B": _row(
        (0.6, 30.5), (1.8, 31.3), (0.6, 34.0), (2.9, 32.9),
        (8.5, 20.4), (1.5, 16.3), (0.5, 16.8),
    ),
    "Qwen2.5-3B + SFT": _row(
        (76.3, 15.4), (45.0, 24.7), (33.5, 22.8), (36.5, 24.7),
        (22.5, 29.2), (5.5, 28.3), (1.0, 27.1),
    ),
}  # fmt: skip
"""Table 1: exploration, success in percent and mean steps on success."""


def _change(*points: float) -> Mapping[Category, float]:
    return dict(zip(COLUMNS, points, strict=True))


WORLD_GRAPH: Mapping[str, Mapping[Category, float]] = {
    "Qwen2.5-3B": _change(10.6, 8.8, 4.8, 8.2, -4.0, -1.0, -0.5),
    "Qwen2.5-7B": _change(38.5, 20.7, 7.2, 17.6, 25.5, -4.0, 0.0),
    "Qwen2.5-72B": _change(4.4, 27.7, -4.1, 1.4, 18.0, -22.9, -10.6),
    "Deepseek-V3": _change(4.7, 4.7, 13.2, 1.8, -1.5, -9.0, -4.5),
}
"""Figure 5: change of success in points when the whole world graph is shown."""

STEP_RATIO: Mapping[Category, tuple[float, float]] = dict(
    zip(
        COLUMNS,
        (
            (0.55, 0.58), (0.46, 0.48), (0.55, 0.59), (0.40, 0.45),
            (0.67, 0.66), (0.75, 0.75), (0.55, 0.54),
        ),
        strict=True,
    )
)  # fmt: skip
"""Relative step ratio read off Figure 7: median and mean."""

NOTE = (
    "Rows marked *published* are quoted from arXiv 2508.05614 as context: the rules are the same, "
    "prompts and sentences are not. Their single-agent rates leave out the files that the "
    "reference's loader rejects (675 of 800 load); ours count every file, and the row *reference's "
    "files* shows ours over the same denominator as theirs."
)

STEP_RATIO_NOTE = (
    "Published step ratios are read off a figure; their expert trajectories are not our "
    "certificates, and their mean length (8.7 steps) is not that of a proved least plan."
)
