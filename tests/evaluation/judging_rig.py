"""A run with ideas in it, and a server whose replies a test chooses."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from earsim.evaluation.runs.evaluation import Evaluation
from earsim.evaluation.runs.sweep import Sweep
from earsim_agents.scripted_server import ServerScript

SCENE = """\
schema: earsim.scene/1
id: cells
rooms: [{id: hall, name: Hall}]
objects: [{id: lamp, name: Lamp, kind: item, in: hall, mass_kg: 1, states: {is_on: false}}]
tasks:
"""
TASK = """\
  - id: NAME
    category: direct_command
    agents: [{id: eva, name: Eva, max_mass_kg: 20}]
    goal: {all: [{has_state: {object: lamp, state: is_on}}]}
    instruction: "How can cells be made safe?"
    budget: 6
    walkthrough: [EXPLORE, GOTO lamp, SPOKEN TURN_ON lamp]
    workflow:
      family: idea
      domain: energy
      idea:
        keywords: [solid electrolyte]
        given: [Liquid electrolytes burn.]
        held_out: [Ceramic layers stop dendrites in cells.]
        parts: {hypothesis: A gel slows dendrites., steps: stir -> pour}
        rubric:
          novelty: [glass electrolyte]
          effectiveness: [stops every dendrite]
          feasibility: [stir and pour]
"""
SPOKEN = (
    '"SAY hypothesis: A solid electrolyte of glass stops every dendrite. OURS", '
    '"SAY steps: cast -> sinter",'
)


@dataclass(frozen=True, kw_only=True)
class Judging(ServerScript):
    """Answers by the question, and keeps all questions."""

    answer: Callable[[str], str] = lambda question: "Better: TIE"
    heard: list[str] = field(default_factory=list)

    def reply(self, request, body, asked):
        question = body["messages"][-1]["content"]
        self.heard.append(question)
        return self.answer(question)


def for_ours(question: str) -> str:
    """Prefers the idea that was told, in either order."""
    first, _ = question.split("\nSECOND\n")
    return "It is.\nBetter: " + ("FIRST" if "OURS" in first else "SECOND")


def run_with_ideas(folder: Path) -> Path:
    """A run of two episodes: one tells an idea, the other none."""
    scene = folder / "cells.yaml"
    told = TASK.replace("NAME", "layer").replace("SPOKEN", SPOKEN)
    silent = TASK.replace("NAME", "silent").replace("SPOKEN", "")
    scene.write_text(SCENE + told + silent, encoding="utf-8")
    entrant = {"policy": "walkthrough", "name": "plan"}
    sweep = Sweep.model_validate({"models": [entrant], "suites": [str(scene)]})
    run = folder / "run"
    outcomes = [row.outcome for row in Evaluation(sweep, run).run()]
    assert outcomes == ["success", "success"]
    return run
