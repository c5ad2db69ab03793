"""Settings, clock, ids, the embedded PostgreSQL, wiring, and the `pasyansd` command."""
