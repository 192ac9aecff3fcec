"""`load_environment`: from names and numbers to an environment of `verifiers`."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from earsim import open_suite
from earsim.errors import MissingExtra, UsageError
from earsim.schema.choices import EndOn, Knowledge
from earsim.suites import Suite
from earsim_training.verifiers_env.scores import weights
from earsim_training.verifiers_env.settings import ChatStyle, DialogueSettings

if TYPE_CHECKING:
    from earsim_training.verifiers_env.environment import EarSimMultiTurnEnv


def load_environment(
    suite: str = "starter",
    *,
    split: str | None = None,
    category: str | None = None,
    limit: int | None = None,
    eval_suite: str | None = None,
    style: ChatStyle = "chat",
    knowledge: Knowledge = "explore",
    ruleset: str | None = None,
    end_on: EndOn = "done",
    reward: Literal["sparse", "progress"] = "sparse",
    step_cost: float = 0.0,
    max_turns: int | None = None,
) -> EarSimMultiTurnEnv:
    """An environment that `verifiers`, and trainers that know its environments, can use.

    Args:
        suite: name or path of what is played; with teams, one reply commands all agents.
        split: of a folder that `earsim generate --splits` wrote, such as ``train``.
        category: only tasks of this category.
        limit: only the first so many of them.
        eval_suite: what to evaluate on, with the same category and limit; `suite` when None.
        style: of the prompts.
        knowledge: ``global`` shows every object from the start.
        ruleset: instead of the scenarios' own.
        end_on: ``goal`` ends an episode as soon as the goal holds, too.
        reward: ``sparse`` pays 1 for success, ``progress`` what the share of goal parts gained.
        step_cost: taken off the reward for every decision.
        max_turns: most decisions; a scenario that allows fewer keeps its budget.

    Raises:
        MissingExtra: `verifiers` is not installed, or in a version without `MultiTurnEnv`.
        UnknownName: There is no such suite, category or ruleset.
        UsageError: An argument makes no sense, or nothing is left to play.
        FileError: A suite cannot be read.
    """
    telling = DialogueSettings(style, knowledge, ruleset, end_on, max_turns).checked()
    counted = weights(reward, step_cost)
    if limit is not None and limit < 1:
        raise UsageError(f"limit={limit}: expected at least 1")
    played = _chosen(suite if split is None else _split(suite, split), category, limit)
    held_out = None if eval_suite is None else _chosen(eval_suite, category, limit)
    for each in (played, held_out):
        if each is not None:
            telling.play(each.load(each.ids[0]))  # a ruleset that does not exist shows here
    for package, extra in (("verifiers", "verifiers"), ("jinja2", "llm")):
        if find_spec(package) is None:
            raise MissingExtra(package, extra)
    from earsim_training.verifiers_env.environment import EarSimMultiTurnEnv

    return EarSimMultiTurnEnv(played, telling, weights=counted, held_out=held_out)


def _split(folder: str, split: str) -> str:
    """The file of a split.

    Raises:
        UsageError: There is none of that name.
    """
    ending = ".jsonl.gz"
    if not Path(folder).is_dir():
        raise UsageError(f"split={split!r}: {folder} is no folder of `earsim generate --splits`")
    found = {path.name.removesuffix(ending): path for path in Path(folder).glob(f"*{ending}")}
    if split not in found:
        raise UsageError(f"split={split!r}: {folder} has {', '.join(sorted(found)) or 'none'}")
    return str(found[split])


def _chosen(name: str, category: str | None, limit: int | None) -> Suite:
    chosen = open_suite(name).select(category=category, limit=limit)
    if not chosen.ids:
        raise UsageError(f"{name} has no scenario" + (f" of {category}" if category else ""))
    return chosen
