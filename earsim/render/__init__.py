"""The only place that makes sentences: observations, feedback, action help."""
