"""The levels of the benchmark's taxonomy (OmniEAR, section 3)."""

from __future__ import annotations

from earsim.schema import Category

LEVELS = {
    Category.DIRECT_COMMAND: "L1",
    Category.ATTRIBUTE_REASONING: "L2",
    Category.TOOL_USE: "L2",
    Category.COMPOUND_REASONING: "L3",
    Category.EXPLICIT_COLLABORATION: "L1",
    Category.IMPLICIT_COLLABORATION: "L2",
    Category.COMPOUND_COLLABORATION: "L3",
}
"""Level of each category, counted apart for one agent and for several."""
