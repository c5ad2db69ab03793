"""The parts of the embedded PostgreSQL; `pasyans.server.embedded` puts them together."""
