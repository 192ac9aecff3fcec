"""Commands that write scenarios: generate, generate-llm, review."""
