"""Commands that train: export-sft, train."""
