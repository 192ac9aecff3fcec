"""Paraphrases of instructions by language models, kept where independent readings agree."""

from earsim_generators.paraphrase.record import Paraphrase, ParaphraseFile, paraphrased

__all__ = ["Paraphrase", "ParaphraseFile", "paraphrased"]
