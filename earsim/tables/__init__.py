"""Tables and plots: one record, and how it is written as Markdown, HTML, PNG and for programs."""
