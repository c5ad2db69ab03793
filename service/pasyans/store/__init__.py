"""The log in PostgreSQL: the only place that speaks SQL."""
