"""A small language model from scratch: its tokenizer, its first weights and its trainer."""
