"""Certificates of whole suites: where they lie, making and summarising them, validation."""
