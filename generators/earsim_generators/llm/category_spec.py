"""What each category promises, in words for a model; the planner proves what they say."""

from __future__ import annotations

from collections.abc import Mapping

from earsim.schema import Category

_PROMISES: Mapping[Category, str] = {
    Category.DIRECT_COMMAND: (
        "Things are named outright; what it takes is finding them, getting there, and doing "
        "several things in the right order."
    ),
    Category.ATTRIBUTE_REASONING: (
        "Which thing is meant follows from what can be measured or seen: the heaviest of those, "
        "the second coldest, the only one that is not locked. Its name alone must not tell."
    ),
    Category.TOOL_USE: (
        "It cannot be done without a tool that has to be found first. The instruction does not "
        "name the tool."
    ),
    Category.COMPOUND_REASONING: (
        "It takes both: a thing that is told apart by what can be measured, and a tool without "
        "which it cannot be done."
    ),
    Category.EXPLICIT_COLLABORATION: (
        "It cannot be done by any one of them, and the instruction says that they do it together."
    ),
    Category.IMPLICIT_COLLABORATION: (
        "It cannot be done by any one of them, because of what a thing itself weighs, and the "
        "instruction does not say that help is needed."
    ),
    Category.COMPOUND_COLLABORATION: (
        "It cannot be done by any one of them, and it also takes a tool, or a thing that is told "
        "apart by what can be measured."
    ),
}


def category_spec_of(category: Category) -> str:
    """What a task of this category must be like."""
    return _PROMISES[category]


def team_of(category: Category) -> str:
    """How many agents a task of this category is for."""
    return "two or three agents" if category.is_collaboration else "one agent"
