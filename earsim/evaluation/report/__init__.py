"""Reports: tables and plots made from metrics, and the formats they are written in."""
