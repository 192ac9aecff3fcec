"""Answers of models: their forms, JSON Schemas for constrained decoding, and parsing."""
