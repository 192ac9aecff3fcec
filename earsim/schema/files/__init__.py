"""Reading and writing files: YAML, JSON, findings with their places, JSON Schemas."""
