"""Commands about scenes and scenarios: list, show, validate, schema."""
