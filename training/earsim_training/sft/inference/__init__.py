"""Inference in this process: sampling, constrained decoding, and a server for policies."""
