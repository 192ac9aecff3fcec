"""Scenarios written by a model in four stages; what it says is checked, and never corrected here.

A text seed becomes a concept, the concept a scene, the scene tasks, and every task a goal (OmniEAR,
section 3: automated generation). What a model says is text from a stranger: it is read as JSON
under limits, and judged by the same validator and planner as anybody's files. What is wrong goes
back to the model; what stays wrong is set aside with its reasons.
"""

from earsim_generators.llm.pipeline import Pipeline, open_pipeline
from earsim_generators.llm.settings import ServerSettings, Stage, WritingSettings

__all__ = ["Pipeline", "ServerSettings", "Stage", "WritingSettings", "open_pipeline"]
