"""Supervised fine-tuning: from rows to a model that does better, measured."""
