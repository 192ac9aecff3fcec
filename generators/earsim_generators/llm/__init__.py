"""Scenarios written by a model in four stages, each answer checked and never corrected here.

A text seed becomes a concept, the concept a scene, the scene tasks, and every task a goal (OmniEAR,
section 3). Answers are untrusted: they are read as JSON under limits and judged by validator and
planner. Findings go back to the model; what remains wrong is rejected with its reasons.
"""

from earsim_generators.llm.pipeline import Pipeline, open_pipeline
from earsim_generators.llm.settings import ServerSettings, Stage, WritingSettings

__all__ = ["Pipeline", "ServerSettings", "Stage", "WritingSettings", "open_pipeline"]
