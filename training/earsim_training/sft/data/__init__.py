"""Rows for learning: reading, filtering, tokenizing, masking and batching them."""
